import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type EngineSession, engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";
import type { RequestBody } from "../../helpers/model-server.js";
import type { Workspace } from "../../helpers/workspace.js";

const isCompaction = ({ messages }: RequestBody): boolean =>
  JSON.stringify(messages.at(-1)).includes("write a summary of this conversation");
const sent = ({ messages }: RequestBody): string => JSON.stringify(messages);
const task = "FIRST-TASK count the words";
const agentCall = (more: Record<string, unknown> = {}) => ({
  calls: [{ Agent: { description: "count words", prompt: task, subagent_type: "general-purpose", ...more } }],
});

/** A session of a 200k model whose agent will fill its window. */
const world = async (files: Record<string, string> = {}) => {
  const made = await engineWorld(
    {},
    { files: { "CLAUDE.md": "Rules.\n", "a.txt": "five words are in it\n".repeat(1_900), ...files } },
  );
  const session = await openEngine(made.workspace, {
    clock: handClock(),
    flags: { model: "claude-haiku-4-5" },
    isInteractive: false,
  });
  return { ...made, session, a: made.workspace.path("a.txt") };
};

const endOf = ({ events }: EngineSession) => events.find((event) => event.type === "agent_end");
const agentRecords = (workspace: Workspace): Record<string, unknown>[] => {
  const projects = join(workspace.configDir, "projects");
  const names = readdirSync(projects, { recursive: true, encoding: "utf8" });
  const file = names.find((name) => name.includes("subagents") && name.endsWith(".jsonl")) ?? "";
  return readFileSync(join(projects, file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
};

test("an agent whose window fills compacts its own conversation and goes on with its task; the main thread is not touched", async () => {
  const { workspace, server, session, a } = await world();
  server.push(
    agentCall(),
    { calls: [{ Read: { file_path: a } }], usage: { input_tokens: 20_000 } },
    { calls: [{ Grep: { pattern: "words", path: workspace.project } }], usage: { input_tokens: 170_000 } },
    { say: "## State\nthe file has 1900 lines" },
    { say: "9500 words", usage: { input_tokens: 20_000 } },
    { say: "The agent says 9500." },
  );
  await session.prompt("how many words?");
  const [, , , compaction, after, main] = server.turns().map(({ body }) => body);
  expect(isCompaction(compaction!)).toBe(true);
  expect(sent(after!)).toContain("the file has 1900 lines");
  expect(sent(after!)).toContain(task);
  expect(sent(after!)).toContain("Rules.");
  expect(sent(main!)).toContain("9500 words");
  expect(sent(main!)).not.toContain("the file has 1900 lines");
  expect(session.events.some(({ type }) => type === "compact_boundary" || type === "status")).toBe(false);
  expect(agentRecords(workspace).some(({ subtype }) => subtype === "compact_boundary")).toBe(true);
  expect(endOf(session)).toMatchObject({ status: "completed", summary: "9500 words" });
  expect(server.violations).toEqual([]);
  await session.close();
});

test("a request of an agent that is refused as too long is compacted and sent again", async () => {
  const { server, session, a } = await world();
  server.push(
    agentCall(),
    { calls: [{ Read: { file_path: a } }] },
    {
      status: 400,
      error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
    },
    { say: "## State\nread a.txt" },
    { say: "9500 words" },
    { say: "done" },
  );
  await session.prompt("how many words?");
  expect(isCompaction(server.turns()[3]!.body)).toBe(true);
  expect(endOf(session)).toMatchObject({ status: "completed", summary: "9500 words" });
  await session.close();
});

test("an agent that outgrows its window all the same ends with what it has, and that is no error", async () => {
  const { server, session, a } = await world();
  const tooLong = {
    status: 400,
    error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
  };
  server.push(agentCall(), { say: "So far: 1900 lines.", calls: [{ Read: { file_path: a } }] });
  for (let at = 0; at < 7; at += 1) server.push(tooLong);
  server.push(({ body }) => (sent(body).includes("So far: 1900 lines.") ? { say: "understood" } : tooLong));
  await session.prompt("how many words?");
  const result = session.events.find((event) => event.type === "tool_result" && event.name === "Agent");
  expect(result).toMatchObject({ isError: false });
  expect(sent(server.turns().at(-1)!.body)).toContain("The agent's context was full before it was done");
  expect(endOf(session)).toMatchObject({ status: "completed", summary: "So far: 1900 lines." });
  await session.close();
});

test("old results of an agent shrink as those of the main thread do", async () => {
  const { workspace, server, session } = await world({ "b.txt": "b".repeat(60_000) });
  const paths = ["a.txt", "b.txt", "a.txt", "b.txt"].map((name) => workspace.path(name));
  server.push(agentCall());
  for (const path of paths) server.push({ calls: [{ Read: { file_path: path } }], usage: { input_tokens: 20_000 } });
  server.push(
    { calls: [{ Glob: { pattern: "*.txt" } }], usage: { input_tokens: 125_000 } },
    { say: "x" },
    { say: "y" },
  );
  await session.prompt("how many words?");
  const [before, after] = server.turns().slice(5, 7);
  expect(sent(after!.body).length).toBeLessThan(sent(before!.body).length);
  expect(server.violations).toEqual([]);
  await session.close();
});

test("F186 only the final report of an agent enters the parent's conversation, and of a long one a bounded part", async () => {
  const { workspace, server, session } = await world({ "big.txt": "noise ".repeat(20_000) });
  server.push(
    agentCall(),
    { say: "INTERMEDIATE prose", calls: [{ Bash: { command: `cat ${workspace.path("big.txt")}` } }] },
    { say: `REPORT ${"long ".repeat(40_000)} END` },
    { say: "done" },
  );
  await session.prompt("how many words?");
  const main = sent(server.turns().at(-1)!.body);
  expect(main).toContain("REPORT long");
  expect(main).not.toContain("INTERMEDIATE");
  expect(main).not.toContain("noise noise");
  expect(main.length).toBeLessThan(40_000);
  await session.close();
});
