import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type EngineSession, engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";
import type { ModelAnswer } from "../../helpers/model-script.js";
import type { RecordedRequest } from "../../helpers/model-server.js";
import { createPrefixCache } from "../../helpers/prefix-cache.js";
import { demoServer } from "../mcp/kit.js";

const sizes = { "a.txt": "alpha\n".repeat(40), "b.txt": "beta\n".repeat(40), "CLAUDE.md": "Be kind.\n" };

/** Answers whose usage is what the API's cache would have counted; `shares` collects how much each request re-sent. */
const counting = () => {
  const cache = createPrefixCache();
  const shares: { share: number; isCompaction: boolean; isAfterCompaction: boolean }[] = [];
  let wasCompaction = false;
  const answer =
    (say: ModelAnswer) =>
    ({ body }: RecordedRequest): ModelAnswer => {
      const { share, usage } = cache.take(body);
      const isCompaction = JSON.stringify(body.messages.at(-1)).includes("write a summary of this conversation");
      shares.push({ share, isCompaction, isAfterCompaction: wasCompaction });
      wasCompaction = isCompaction;
      return { ...say, usage };
    };
  return { answer, shares };
};

test("each request of a 60-turn session re-sends at least 90 % of its tokens as a cached prefix, through modes, plan, resume and a compaction", {
  timeout: 120_000,
}, async () => {
  const { answer, shares } = counting();
  const { workspace, server } = await engineWorld({}, { files: sizes });
  const clock = handClock();
  let session = await openEngine(workspace, { clock });
  /** One run of `turns` model calls. */
  const run = async (text: string, turns: number): Promise<void> => {
    for (let at = 1; at < turns; at += 1)
      server.push(
        answer({
          ...(at % 3 === 0 ? { say: `step ${at}`, thinking: "hm" } : {}),
          calls: [{ Read: { file_path: workspace.path(at % 2 ? "a.txt" : "b.txt") } }],
        }),
      );
    server.push(answer({ say: `done: ${text}` }));
    const outcome = await session.prompt(text);
    expect(outcome).toMatchObject({ cause: "completed" });
    clock.move(5_000);
  };
  await run("first", 10);
  await session.send({ type: "set_mode", mode: "acceptEdits" });
  await run("second", 10);
  await session.send({ type: "set_mode", mode: "plan" });
  await run("plan it", 8);
  await session.send({ type: "set_mode", mode: "default" });
  await run("fourth", 10);
  const { sessionId } = session.engine.session();
  await session.close();
  session = await openEngine(workspace, { clock, flags: { resume: sessionId } });
  await run("after a resume in another process", 10);
  server.push(answer({ say: "## State\nall fine" }));
  await session.prompt("/compact");
  await run("after the compaction", 12);
  await session.close();
  expect(server.violations).toEqual([]);
  expect(server.turns()).toHaveLength(61);
  const low = shares
    .map((entry, at) => ({ ...entry, at }))
    .filter(({ share, at, isAfterCompaction }) => at > 0 && !isAfterCompaction && share < 0.9);
  expect(low).toEqual([]);
  // The compaction itself reads the conversation's prefix, and what follows it keeps tools and system prompt.
  expect(shares.find(({ isCompaction }) => isCompaction)?.share).toBeGreaterThan(0.9);
  expect(shares.find(({ isAfterCompaction }) => isAfterCompaction)?.share).toBeGreaterThan(0.6);
});

test("an MCP server that arrives midway, its tools loaded and called, and a resume with it: each request re-sends at least 90 % as a cached prefix", {
  timeout: 120_000,
}, async () => {
  const { answer, shares } = counting();
  const { workspace, server } = await engineWorld({}, { files: sizes });
  const late = demoServer();
  const waits = 'while [ ! -e arrived ]; do sleep 0.05; done; exec "$0" "$@"';
  const demo = { ...late, command: "/bin/sh", args: ["-c", waits, late.command, ...late.args] };
  const state = { ...workspace.readState(), mcpServers: { demo } };
  writeFileSync(join(workspace.configDir, ".claude.json"), JSON.stringify(state));
  const clock = handClock();
  const isThere = (session: EngineSession) =>
    session.engine.session().mcpServers?.every(({ status }) => status === "connected") === true;
  let session = await openEngine(workspace, { clock });
  const run = async (text: string, calls: ModelAnswer["calls"][]): Promise<void> => {
    server.push(...calls.map((some) => answer({ calls: some ?? [] })), answer({ say: `done: ${text}` }));
    expect(await session.prompt(text)).toMatchObject({ cause: "completed" });
    clock.move(5_000);
  };
  const read = [{ Read: { file_path: workspace.path("a.txt") } }];
  await run(
    "before",
    Array.from({ length: 9 }, () => read),
  );
  expect(isThere(session)).toBe(false);
  workspace.write("arrived", "");
  await expect.poll(() => isThere(session), { timeout: 60_000 }).toBe(true);
  const echo = (text: string) => [{ mcp__demo__echo_it: { text } }];
  await run("it is there", [
    read,
    [{ ToolSearch: { query: "select:mcp__demo__echo_it" } }],
    echo("one"),
    read,
    echo("two"),
    [{ ToolSearch: { query: "select:mcp__demo__fail" } }],
    read,
  ]);
  const { sessionId } = session.engine.session();
  await session.close();
  session = await openEngine(workspace, { clock, flags: { resume: sessionId } });
  await expect.poll(() => isThere(session), { timeout: 60_000 }).toBe(true);
  await run("in another process", [read, echo("three"), read]);
  await session.close();
  expect(server.violations).toEqual([]);
  expect(JSON.stringify(server.turns().at(-1)?.body.messages)).toContain("three");
  expect(shares).toHaveLength(22);
  expect(shares.map(({ share }, at) => ({ share, at })).filter(({ share, at }) => at > 0 && share < 0.9)).toEqual([]);
});

test("another process sends the same bytes of tools and system prompt for a new session", async () => {
  const { workspace, server } = await engineWorld({}, { files: sizes });
  const clock = handClock();
  for (const mode of ["default", "acceptEdits"] as const) {
    const session = await openEngine(workspace, { clock, flags: { permissionMode: mode } });
    server.push({ say: "ok" });
    await session.prompt("hello");
    await session.close();
  }
  const [first, second] = server.turns().map(({ body }) => JSON.stringify([body.tools, body.system]));
  expect(second).toBe(first);
});

test("at most four breakpoints: the last tool, the static part of the system prompt, the last two user messages", async () => {
  const { workspace, server } = await engineWorld({}, { files: sizes });
  const session = await openEngine(workspace, { clock: handClock() });
  server.push({ calls: [{ Read: { file_path: workspace.path("a.txt") } }] }, { say: "ok" });
  await session.prompt("hello");
  await session.close();
  const { body } = server.turns()[1]!;
  const isMarked = (value: object): boolean => "cache_control" in value;
  expect(body.tools?.map(isMarked).lastIndexOf(true)).toBe((body.tools?.length ?? 0) - 1);
  expect((body.system as object[]).map(isMarked)).toEqual([true, false]);
  const marks = body.messages.map(({ content }) => (typeof content === "string" ? 0 : content.filter(isMarked).length));
  expect(marks).toEqual([1, 0, 1]);
});

test("old results shrink in one step, and the requests between two steps keep their prefix; a resume sends the same bytes", async () => {
  const { answer, shares } = counting();
  const big = "line of a large file, which is read once and then only kept\n".repeat(1_500); // 90 KB, about 22k tokens
  const { workspace, server } = await engineWorld(
    {},
    { files: Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`f${at}.txt`, big])) },
  );
  const clock = handClock();
  const flags = { model: "claude-haiku-4-5" }; // 200k
  const session = await openEngine(workspace, { clock, flags });
  for (let at = 0; at < 5; at += 1)
    server.push(answer({ calls: [{ Read: { file_path: workspace.path(`f${at}.txt`), limit: 700 } }] }));
  for (let at = 0; at < 4; at += 1)
    server.push(answer({ calls: [{ Grep: { pattern: `nothing${at}`, path: workspace.project } }] }));
  server.push(answer({ say: "done" }));
  await session.prompt("read them");
  const texts = JSON.stringify(server.turns().at(-1)?.body.messages);
  const { sessionId } = session.engine.session();
  await session.close();
  const again = await openEngine(workspace, { clock, flags: { ...flags, resume: sessionId } });
  server.push(answer({ say: "still here" }));
  await again.prompt("and now?");
  await again.close();
  expect(server.violations).toEqual([]);
  if (texts.includes("characters left out"))
    expect(shares.filter(({ share }) => share < 0.6).length).toBeLessThanOrEqual(2);
  expect(shares.at(-1)?.share).toBeGreaterThan(0.9);
});
