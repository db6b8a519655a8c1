// Which agents a session has, from which place, and whose name wins.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { type AgentOptions, loadAgents } from "../../../src/agents/load.js";

const agentText = (name: string, description = "d") => `---\nname: ${name}\ndescription: ${description}\n---\nPrompt\n`;

const place = (files: Record<string, string | Buffer> = {}) => {
  const root = mkdtempSync(join(tmpdir(), "agents-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
};

const load = (root: string, change: Partial<AgentOptions> = {}) =>
  loadAgents({
    cwd: join(root, "repo/sub"),
    configDir: join(root, "home/.claude"),
    withProject: true,
    managedDir: join(root, "managed"),
    ...change,
  });

const rows = async (loaded: ReturnType<typeof load>) =>
  (await loaded).agents
    .filter(({ source }) => source !== "built-in")
    .map(({ name, source, description }) => [name, source, description]);

test("without files there are the built-in ones, general-purpose first", async () => {
  const { agents, problems } = await load(place());
  expect(agents.map(({ name }) => name)).toEqual(["general-purpose", "Explore", "Plan"]);
  expect(problems).toEqual([]);
});

test("a name belongs to managed, then --agents, then the nearest project folder, then the user, then us", async () => {
  const root = place({
    "managed/a.md": agentText("a", "managed"),
    "repo/.claude/agents/x.md": agentText("x", "far"),
    "repo/.claude/agents/b.md": agentText("b", "project"),
    "repo/sub/.claude/agents/deep/er/x.md": agentText("x", "near"),
    "home/.claude/agents/all.md": agentText("b", "user"),
    "home/.claude/agents/c.md": agentText("c", "user"),
    "home/.claude/agents/explore.md": agentText("Explore", "mine"),
  });
  const flag = JSON.stringify({ a: { description: "flag", prompt: "p" }, f: { description: "flag", prompt: "p" } });
  expect(await rows(load(root, { flag }))).toEqual([
    ["Explore", "user", "mine"],
    ["a", "managed", "managed"],
    ["b", "project", "project"],
    ["c", "user", "user"],
    ["f", "flag", "flag"],
    ["x", "project", "near"],
  ]);
});

test("agents of a folder that is not trusted stay out, and so do sources that were not asked for", async () => {
  const root = place({
    "repo/sub/.claude/agents/p.md": agentText("p"),
    "home/.claude/agents/u.md": agentText("u"),
  });
  expect(await rows(load(root, { withProject: false }))).toEqual([["u", "user", "d"]]);
  expect(await rows(load(root, { sources: ["project"] }))).toEqual([["p", "project", "d"]]);
});

test("A39 A40 A41 sorted by path the later file wins a name; hidden files count, other endings do not", async () => {
  const root = place({
    "repo/sub/.claude/agents/1.md": agentText("same", "first"),
    "repo/sub/.claude/agents/2.md": agentText("same", "second"),
    "repo/sub/.claude/agents/.hidden.md": agentText("hidden"),
    "repo/sub/.claude/agents/README.md": "# About\n",
    "repo/sub/.claude/agents/x.MD": agentText("upper"),
    "repo/sub/.claude/agents/x.mdx": agentText("mdx"),
  });
  const loaded = load(root);
  expect(await rows(loaded)).toEqual([
    ["hidden", "project", "d"],
    ["same", "project", "second"],
  ]);
  expect((await loaded).problems.map(({ text }) => text)).toEqual([
    "takes the name same from 1.md: give one of them another name",
  ]);
});

test("A44 A45 a bad byte is replaced, UTF-16 is not read", async () => {
  const root = place({
    "repo/sub/.claude/agents/bad.md": Buffer.concat([
      Buffer.from("---\nname: bad\ndescription: x"),
      Buffer.from([0xff]),
      Buffer.from("\n---\n"),
    ]),
    "repo/sub/.claude/agents/wide.md": Buffer.from(`\uFEFF${agentText("wide")}`, "utf16le"),
  });
  const loaded = await load(root);
  expect(loaded.agents.at(-1)).toMatchObject({ name: "bad", description: "x\uFFFD" });
  expect(loaded.problems).toEqual([
    { file: join(root, "repo/sub/.claude/agents/wide.md"), text: "not loaded: encoded in UTF-16; save it as UTF-8" },
  ]);
});

test("--agents that is no JSON map is refused with what is wrong", async () => {
  const root = place();
  await expect(load(root, { flag: "{" })).rejects.toThrow("--agents is not JSON");
  await expect(load(root, { flag: "[]" })).rejects.toThrow("must be a JSON object");
  expect((await load(root, { flag: '{"x": {"prompt": "p"}}' })).problems).toEqual([
    { file: "--agents", text: "x: it has no description" },
  ]);
});
