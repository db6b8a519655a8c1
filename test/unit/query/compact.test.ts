import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type EngineSession, engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";
import type { ModelServerOptions, RequestBody } from "../../helpers/model-server.js";
import { readTranscript } from "../../helpers/scenario.js";

const summaryAsked = "write a summary of this conversation";
const isCompaction = ({ messages }: RequestBody): boolean => JSON.stringify(messages.at(-1)).includes(summaryAsked);
const texts = (body: RequestBody): string =>
  body.messages
    .flatMap(({ content }) =>
      typeof content === "string" ? [content] : content.map((block) => String(block.text ?? block.content ?? "")),
    )
    .join("\n");
const boundaries = ({ events }: EngineSession) => events.filter((event) => event.type === "compact_boundary");
const notices = ({ events }: EngineSession): string[] =>
  events.flatMap((event) => (event.type === "notice" ? [event.text] : []));

test("five compactions in a row keep the task list, the plan file, the last request and the instructions", async () => {
  const { workspace, server } = await engineWorld(
    {},
    { files: { "CLAUDE.md": "Always answer in haiku.\n", "a.txt": "alpha\n" } },
  );
  const session = await openEngine(workspace, { clock: handClock() });
  const planPath = join(workspace.configDir, "plans");
  server.push(
    {
      calls: [
        { TaskCreate: { subject: "Mend the filter", description: "inclusive" } },
        { Read: { file_path: workspace.path("a.txt") } },
      ],
    },
    { say: "created" },
  );
  await session.prompt("please mend the date filter so that the last day counts");
  await session.send({ type: "set_mode", mode: "plan" });
  server.push(
    ({ body }) => {
      const path = /`(\/[^`]+\.md)`/.exec(texts(body).slice(texts(body).lastIndexOf("Plan file")))?.[1];
      return { calls: [{ Write: { file_path: path, content: "# The plan\ncompare with > instead\n" } }] };
    },
    { say: "planned" },
  );
  await session.prompt("plan the mending of the date filter, last day included");
  for (let at = 1; at <= 5; at += 1) {
    server.push({ say: `## State\nround ${at}` });
    await session.prompt("/compact");
  }
  server.push({ say: "going on" });
  await session.prompt("go on");
  const sent = texts(server.turns().at(-1)!.body);
  expect(server.violations).toEqual([]);
  expect(boundaries(session)).toHaveLength(5);
  expect(sent).toContain("Always answer in haiku.");
  expect(sent).toContain("plan the mending of the date filter, last day included");
  expect(sent).toContain("compare with > instead");
  expect(sent).toContain("[ ] Mend the filter");
  expect(sent).toContain(`\`${workspace.path("a.txt")}\` as it is on disk now:\nalpha`);
  expect(sent).toContain("round 5");
  expect(sent).not.toContain("round 4");
  expect(sent).toContain("Plan mode is on");
  expect(planPath).toBeTruthy();
  await session.close();
});

/** A session of a 200k model whose first answer says how large its prompt was. */
const almostFull = async (tokens: number, env: Record<string, string> = {}) => {
  const world = await engineWorld(
    {},
    { files: { "CLAUDE.md": "Rules.\n", "a.txt": "five words are in it\n".repeat(1_900) } },
  );
  const session = await openEngine(world.workspace, {
    clock: handClock(),
    flags: { model: "claude-haiku-4-5" },
    env,
    isInteractive: false,
  });
  world.server.push(
    { calls: [{ Read: { file_path: world.workspace.path("a.txt") } }], usage: { input_tokens: 20_000 } },
    { say: "read", usage: { input_tokens: tokens } },
  );
  await session.prompt("read it");
  return { ...world, session };
};

test("a full window is compacted before the next turn; the prompt that waits stays as it was typed", async () => {
  const { server, session } = await almostFull(170_000);
  server.push({ say: "## State\nread a.txt" }, { say: "fine", usage: { input_tokens: 20_000 } });
  await session.prompt("what does it say?");
  const [compaction, answered] = server.turns().slice(-2);
  expect(isCompaction(compaction!.body)).toBe(true);
  expect(texts(compaction!.body)).not.toContain("what does it say?");
  expect(boundaries(session)).toMatchObject([{ trigger: "auto" }]);
  expect(texts(answered!.body)).toContain("what does it say?");
  expect(texts(answered!.body)).toContain("read a.txt");
  expect(texts(answered!.body)).toContain("Rules.");
  await session.close();
});

test("in the middle of a run the newest rounds stay as they are, on disk by their records; a resume sends the same", async () => {
  const { workspace, server, session } = await almostFull(100_000);
  server.push(
    {
      thinking: "let me look",
      calls: [{ Grep: { pattern: "Rules", path: workspace.project } }],
      usage: { input_tokens: 170_000 },
    },
    { say: "## State\nsearching" },
    { say: "found", usage: { input_tokens: 20_000 } },
  );
  await session.prompt("search for the rules");
  const after = server.turns().at(-1)!.body;
  expect(after.messages.some(({ content }) => JSON.stringify(content).includes('"name":"Grep"'))).toBe(true);
  expect(texts(after)).toContain("searching");
  const boundary = readTranscript(workspace).find(({ subtype }) => subtype === "compact_boundary");
  expect(boundary?.compactMetadata).toMatchObject({ trigger: "auto", preservedSegment: {} });
  const { sessionId } = session.engine.session();
  await session.close();
  const again = await openEngine(workspace, {
    clock: handClock(),
    flags: { resume: sessionId, model: "claude-haiku-4-5" },
    isInteractive: false,
  });
  server.push({ say: "yes" });
  await again.prompt("are you there?");
  const strip = (body: RequestBody): unknown[] =>
    JSON.parse(JSON.stringify(body.messages).replace(/,"cache_control":\{[^}]*\}/g, ""));
  const resumed = strip(server.turns().at(-1)!.body);
  expect(resumed.slice(0, after.messages.length)).toEqual(strip(after));
  expect(server.violations).toEqual([]);
  await again.close();
});

test("it can be switched off, and a lower percentage brings it forward", async () => {
  const off = await almostFull(170_000, { DISABLE_AUTO_COMPACT: "1" });
  off.server.push({ say: "fine" });
  await off.session.prompt("next");
  expect(boundaries(off.session)).toEqual([]);
  const early = await almostFull(110_000, { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: "50" });
  early.server.push({ say: "## State\nearly" }, { say: "fine" });
  await early.session.prompt("next");
  expect(boundaries(early.session)).toHaveLength(1);
});

test("three failures in a row stop it, the session goes on, and the person is told once what to do", async () => {
  const { server, session } = await almostFull(170_000);
  for (let at = 0; at < 5; at += 1) {
    if (at < 3) server.push({ say: "", sayAfter: " " });
    server.push({ say: "still fine", usage: { input_tokens: 170_000 } });
    await session.prompt(`prompt ${at}`);
  }
  expect(boundaries(session)).toEqual([]);
  expect(server.turns().filter(({ body }) => isCompaction(body))).toHaveLength(3);
  expect(notices(session).filter((text) => text.includes("three times in a row"))).toHaveLength(1);
  await session.close();
});

test("F056 a conversation that is too long even for its summary ends in a usable session", async () => {
  const limits: ModelServerOptions = {};
  const { workspace, server } = await engineWorld(limits, {
    files: { "a.txt": "five words are in it\n".repeat(1_900) },
  });
  const session = await openEngine(workspace, { clock: handClock(), flags: { tools: ["Read"] } });
  for (let at = 0; at < 2; at += 1) {
    server.push({ calls: [{ Read: { file_path: workspace.path("a.txt") } }] }, { say: `read ${at}` });
    await session.prompt(`read it, time ${at}`);
  }
  const sizeOf = (body: RequestBody): number => Math.ceil(JSON.stringify(body).length / 4);
  limits.promptLimit = Math.floor(sizeOf(server.turns().at(-1)!.body) * 0.95);
  server.push({ say: "## State\nread twice" });
  const before = server.requests.length;
  await session.prompt("/compact");
  const tried = server.requests.slice(before);
  expect(tried.length).toBeLessThanOrEqual(5);
  expect(tried[0]).toMatchObject({ kind: "refused", status: 400 });
  expect(tried.at(-1)).toMatchObject({ kind: "main", status: 200 });
  expect(boundaries(session)).toHaveLength(1);
  expect(notices(session).at(-1)).toMatch(/^(Too long|Still too long) to be summarised: leaving out/);
  server.push({ say: "alive" });
  const outcome = await session.prompt("are you there?");
  expect(outcome).toMatchObject({ cause: "completed" });
  expect(texts(server.turns().at(-1)!.body)).toContain("read it, time 1");
  await session.close();
});

test("F056 when nothing fits, what was asked and called is kept without a model", async () => {
  const limits: ModelServerOptions = {};
  const { workspace, server } = await engineWorld(limits, { files: { "a.txt": "alpha\n" } });
  const session = await openEngine(workspace, { clock: handClock(), flags: { tools: ["Read"] } });
  server.push({ calls: [{ Read: { file_path: workspace.path("a.txt") } }] }, { say: "read" });
  await session.prompt("read a.txt");
  limits.promptLimit = 10;
  await session.prompt("/compact");
  limits.promptLimit = undefined;
  expect(boundaries(session)).toHaveLength(1);
  server.push({ say: "alive" });
  await session.prompt("are you there?");
  const sent = texts(server.turns().at(-1)!.body);
  expect(sent).toContain("## Request\n- read a.txt");
  expect(sent).toContain("- Read a.txt");
  await session.close();
});

test("F058 when fixed parts fill the window it stops, names them with their sizes, and the person can go on", async () => {
  const { workspace, server } = await engineWorld(
    {},
    { files: { "CLAUDE.md": `${"Rule of many words. ".repeat(14_000)}\n` }, settings: { autoCompactWindow: 100_000 } },
  );
  const session = await openEngine(workspace, { clock: handClock() });
  for (let at = 0; at < 5; at += 1) {
    server.push(({ body }) => (isCompaction(body) ? { say: "## State\nnothing" } : { say: "ok" }));
    server.push({ say: "ok" });
    await session.prompt(`short ${at}`);
  }
  expect(server.turns().filter(({ body }) => isCompaction(body)).length).toBeLessThanOrEqual(1);
  const told = notices(session).filter((text) => text.includes("frees too little"));
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/\n {2}7\dk {2}.*CLAUDE\.md\n/);
  expect(told[0]).toContain("tools");
  await session.close();
});

test("/compact takes what to keep in focus, and the summary stands in the transcript", async () => {
  const { workspace, server } = await engineWorld({}, { files: { "a.txt": "alpha\n" } });
  const session = await openEngine(workspace, { clock: handClock() });
  server.push({ say: "hello" });
  await session.prompt("hi");
  server.push({ say: "## State\nhi" });
  await session.prompt("/compact the greeting");
  expect(texts(server.turns().at(-1)!.body)).toContain("special attention to: the greeting");
  const file = readTranscript(workspace);
  expect(file.some(({ isCompactSummary }) => isCompactSummary === true)).toBe(true);
  expect(readFileSync(workspace.path("a.txt"), "utf8")).toBe("alpha\n");
  await session.close();
});

test("session memory: notes kept in the background serve as the summary, without another call", async () => {
  const asked = "Write notes of this session now";
  const { workspace, server } = await engineWorld(
    {
      sideAnswers: [
        {
          when: ({ body }) => texts({ ...body, messages: body.messages.slice(-1) }).includes(asked),
          answers: [{ say: "## State\nnoted" }],
        },
      ],
    },
    { files: { "a.txt": "five words are in it\n".repeat(1_900) } },
  );
  const session = await openEngine(workspace, { clock: handClock(), flags: { model: "claude-haiku-4-5" } });
  server.push(
    { calls: [{ Read: { file_path: workspace.path("a.txt") } }], usage: { input_tokens: 20_000 } },
    { calls: [{ Read: { file_path: workspace.path("a.txt"), limit: 2 } }], usage: { input_tokens: 120_000 } },
    { say: "read", usage: { input_tokens: 166_500 } },
  );
  await session.prompt("read it");
  const file = join(
    workspace.configDir,
    "projects",
    workspace.project.replace(/[^a-zA-Z0-9]/g, "-"),
    session.engine.session().sessionId,
    "session-memory/notes.md",
  );
  await expect.poll(() => existsSync(file)).toBe(true);
  expect(readFileSync(file, "utf8")).toBe("## State\nnoted\n");
  server.push({ say: "fine", usage: { input_tokens: 20_000 } });
  await session.prompt(`and now? ${"more words ".repeat(300)}`);
  expect(boundaries(session)).toHaveLength(1);
  const { body } = server.turns().at(-1)!;
  expect(texts(body)).toContain("## State\nnoted");
  expect(texts(body)).toContain("and now?");
  expect(server.requests.filter(({ body: sent }) => isCompaction(sent))).toEqual([]);
  expect(server.violations).toEqual([]);
  await session.close();
});
