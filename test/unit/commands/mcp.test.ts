import { expect, test } from "vitest";
import { mcp } from "../../../src/commands/mcp.js";
import { fakeContext } from "../../helpers/fake-command-context.js";

test("/mcp opens the servers; headless it lists them with what is wrong", async () => {
  expect(await mcp.run("", fakeContext().context)).toMatchObject({ kind: "picker", picker: { kind: "mcp" } });
  expect(await mcp.run("", fakeContext({ isInteractive: false }).context)).toEqual({
    kind: "text",
    text: "demo · user · connected · 2 tools\n! bad (x.json): it must be a JSON object",
  });
});

test("/mcp without servers says how to add one", async () => {
  const none = fakeContext({ mcpPicker: async () => ({ kind: "mcp", servers: [], problems: [] }) });
  expect(await mcp.run("", none.context)).toEqual({
    kind: "text",
    text: "No MCP servers are configured. Add one with: claude mcp add NAME COMMAND",
  });
});

test.each([
  ["reconnect demo", ["reconnect", "demo"]],
  ["disable", ["disable", "all"]],
  ["enable all", ["enable", "all"]],
  ["login my server", ["login", "my server"]],
])("/mcp %s does it", async (args, wanted) => {
  const { context, done } = fakeContext();
  await mcp.run(args, context);
  expect(done).toEqual([["mcpAct", ...wanted]]);
});

test.each(["reconnect", "logout", "frobnicate x"])("/mcp %s says how it is used", async (args) => {
  const { context, done } = fakeContext();
  expect(await mcp.run(args, context)).toMatchObject({ kind: "text", isError: true });
  expect(done).toEqual([]);
});
