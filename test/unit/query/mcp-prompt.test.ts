// What MCP servers give beside tools, in a session: prompts as commands, resources as mentions and by their two tools.
import { expect, test } from "vitest";
import { findPrompt, promptArguments } from "../../../src/query/mcp-prompt.js";
import { resourceTools } from "../../../src/tools/mcp/resources.js";
import type { ToolContext } from "../../../src/tools/tool.js";

const prompt = {
  server: "demo",
  name: "greet me",
  fullName: "mcp__demo__greet_me",
  description: "",
  args: [
    { name: "who", isRequired: true },
    { name: "how", isRequired: false },
  ],
};

test.each([
  ["/mcp__demo__greet_me Ada", "Ada"],
  ["/mcp__demo__greet me Ada warmly", "Ada warmly"],
  ["/mcp__demo__greet_me", ""],
  ["/mcp__demo__greet_men Ada", undefined],
  ["/greet", undefined],
])("%s names a prompt with the words %s", (text, args) => {
  expect(findPrompt([prompt], text)?.args).toBe(args);
});

test.each([
  ["Ada", { who: "Ada" }],
  ["'Ada L' very kindly", { who: "Ada L", how: "very kindly" }],
  ['"Ada L" "with a bow"', { who: "Ada L", how: "with a bow" }],
  ["", "it needs <who> <how>"],
])("the words %s become the arguments %j", (text, wanted) => {
  expect(promptArguments(prompt, text)).toEqual(wanted);
});

const servers = {
  resources: () => [
    { server: "a", uri: "note://1", name: "One", description: "The first", mimeType: "text/plain" },
    { server: "b", uri: "note://2", name: "", description: "" },
  ],
  readResource: async (server: string, uri: string) => {
    if (server !== "a") throw new Error(`There is no MCP server named ${server}.`);
    return { contents: [{ uri, text: "milk" }] };
  },
};
const [list, read] = resourceTools(servers, undefined);
const context = { signal: new AbortController().signal, resultsDir: "/tmp", toolUseId: "t" } as ToolContext;

test("ListMcpResourcesTool lists all, or those of one server", async () => {
  const all = await list!.call({}, context, () => undefined);
  expect(all.content).toBe("a note://1 · One · text/plain · The first\nb note://2");
  expect((await list!.call({ server: "b" }, context, () => undefined)).content).toBe("b note://2");
  expect((await list!.call({ server: "c" }, context, () => undefined)).content).toBe("No resources on c.");
});

test("ReadMcpResourceTool gives the content, or says why there is none", async () => {
  expect((await read!.call({ server: "a", uri: "note://1" }, context, () => undefined)).content).toBe(
    "[note://1]\nmilk",
  );
  expect(await read!.call({ server: "x", uri: "note://1" }, context, () => undefined)).toMatchObject({
    isError: true,
    content: "note://1 of x cannot be read: There is no MCP server named x.",
  });
});
