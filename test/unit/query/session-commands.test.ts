// /branch, /rename, /export, titles and names, through the engine.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { projectSlug } from "../../../src/platform/paths.js";
import { cleanTitle } from "../../../src/query/session-title.js";
import { listSessions } from "../../../src/sessions/list.js";
import { readTranscript } from "../../../src/sessions/read.js";
import { liveSessions } from "../../../src/sessions/registry.js";
import { type EngineSession, engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";
import { isTitleRequest } from "../../helpers/model-server.js";
import type { Workspace } from "../../helpers/workspace.js";

const transcriptOf = (workspace: Workspace, id: string): string =>
  join(workspace.configDir, "projects", projectSlug(workspace.project), `${id}.jsonl`);

const titlesIn = (file: string): unknown[] =>
  readTranscript(file).records.flatMap(({ customTitle, aiTitle }) => customTitle ?? aiTitle ?? []);

const lastOutput = ({ events }: EngineSession): string =>
  events.flatMap((event) => (event.type === "command_output" ? [event.text] : [])).at(-1) ?? "";

test("/branch goes on in a copy; the original is untouched and both can be resumed", async () => {
  const { workspace, server } = await engineWorld({ answers: [{ say: "One." }, { say: "Two." }, { say: "Back." }] });
  const session = await openEngine(workspace, { clock: handClock() });
  await session.prompt("first");
  const original = session.engine.session().sessionId;
  const before = readFileSync(transcriptOf(workspace, original));
  await session.prompt("/branch other way");
  const copy = session.engine.session();
  expect(copy).toMatchObject({ title: "other way", isNamed: true });
  expect(copy.sessionId).not.toBe(original);
  await session.prompt("second");
  await session.close();
  expect(readFileSync(transcriptOf(workspace, original)).subarray(0, before.length)).toEqual(before);
  expect(readFileSync(transcriptOf(workspace, original), "utf8")).not.toContain("second");
  const [first, second] = server.turns();
  expect(JSON.stringify(second?.body.messages)).toContain("One.");
  expect(second?.body.messages.length).toBe((first?.body.messages.length ?? 0) + 2);
  const rows = await listSessions({ projectDir: join(transcriptOf(workspace, original), "..") });
  expect(rows.find(({ sessionId }) => sessionId === copy.sessionId)).toMatchObject({
    name: "other way",
    forkOf: original,
  });
  const again = await openEngine(workspace, { clock: handClock(), flags: { resume: original } });
  expect((await again.prompt("third"))?.text).toBe("Back.");
  expect(JSON.stringify(server.turns()[2]?.body.messages)).not.toContain("second");
  await again.close();
});

test("up begins with the prompts of the session that was resumed", async () => {
  const { workspace } = await engineWorld({ answers: [{ say: "One." }, { say: "Two." }] });
  const histories = ({ events }: EngineSession) =>
    events.flatMap((event) => (event.type === "history" ? [event.prompts] : []));
  const session = await openEngine(workspace, { clock: handClock() });
  await session.prompt("first");
  const { sessionId } = session.engine.session();
  await session.prompt("/clear");
  await session.prompt("second");
  await session.prompt(`/resume ${sessionId}`);
  expect(histories(session).at(-1)).toEqual(["second", `/resume ${sessionId}`, "first", "/clear"]);
  await session.close();
  const again = await openEngine(workspace, { clock: handClock(), flags: { resume: sessionId } });
  expect(histories(again).at(-1)?.slice(-2)).toEqual(["first", "/clear"]);
  await again.close();
});

test("/branch and /rename say what is missing when nothing was said", async () => {
  const { workspace } = await engineWorld();
  const session = await openEngine(workspace, { clock: handClock() });
  await session.prompt("/branch");
  expect(lastOutput(session)).toContain("nothing was said yet");
  await session.prompt("/rename");
  expect(lastOutput(session)).toContain("/rename NAME");
  await session.prompt("/rename  two\u001b[31m lines\n here ");
  expect(session.engine.session().title).toBe("two [31m lines here");
  await session.close();
});

test("a name stands in the transcript, survives resume and /clear, and a copy gets one of its own", async () => {
  const { workspace } = await engineWorld({ answers: [{ say: "One." }, { say: "Two." }] });
  const session = await openEngine(workspace, { clock: handClock() });
  await session.prompt("first");
  await session.prompt("/rename night watch");
  const { sessionId } = session.engine.session();
  await session.prompt("/clear");
  expect(session.engine.session()).toMatchObject({ title: "night watch" });
  await session.close();
  expect(titlesIn(transcriptOf(workspace, sessionId))).toContain("night watch");
  const copy = await openEngine(workspace, { clock: handClock(), flags: { resume: "night watch", forkSession: true } });
  expect(copy.engine.session()).toMatchObject({ title: "night watch (branch)" });
  await copy.close();
  const renamed = await openEngine(workspace, { clock: handClock(), flags: { resume: sessionId, name: "day" } });
  expect(renamed.engine.session()).toMatchObject({ sessionId, title: "day" });
  await renamed.close();
});

test("a title that several sessions have opens the list, searched for it", async () => {
  const { workspace } = await engineWorld({ answers: [{ say: "One." }, { say: "Two." }] });
  for (const prompt of ["first", "second"]) {
    const session = await openEngine(workspace, { clock: handClock(), flags: { name: "same" } });
    await session.prompt(prompt);
    await session.close();
  }
  const session = await openEngine(workspace, { clock: handClock(), flags: { resume: "same" } });
  const picker = session.events.find(({ type }) => type === "picker");
  expect(picker).toMatchObject({ picker: { kind: "sessions", query: "same", scope: "project" } });
  await session.close();
  await expect(
    openEngine(workspace, { clock: handClock(), flags: { resume: "same" }, isInteractive: false }),
  ).resolves.toMatchObject({
    events: [
      expect.objectContaining({
        type: "exit",
        message: expect.stringContaining('Several conversations are called "same"'),
      }),
    ],
  });
});

test("/export writes prompts, answers and results into a new file and never over one", async () => {
  const { workspace } = await engineWorld(
    { answers: [{ calls: [{ Read: { file_path: "a.txt" } }] }, { say: "It says hello." }] },
    { files: { "a.txt": "hello\n" } },
  );
  const session = await openEngine(workspace, { clock: handClock() });
  await session.prompt("/export empty.txt");
  expect(lastOutput(session)).toContain("nothing was said");
  await session.prompt("read it");
  await session.prompt("/export out/talk.txt");
  const text = readFileSync(join(workspace.project, "out/talk.txt"), "utf8");
  expect(text).toMatch(/> read it[\s\S]*● Read\(a.txt\)[\s\S]*It says hello\./);
  await session.prompt("/export a.txt");
  expect(lastOutput(session)).toContain("exists already");
  expect(readFileSync(join(workspace.project, "a.txt"), "utf8")).toBe("hello\n");
  await session.close();
});

test("--no-session-persistence: nothing is written, and the conversation can still be exported", async () => {
  const { workspace } = await engineWorld({ answers: [{ say: "One." }] });
  const flags = { persist: false };
  const session = await openEngine(workspace, { clock: handClock(), flags, isInteractive: false });
  await session.prompt("first");
  await session.prompt("/export");
  expect(lastOutput(session)).toMatch(/> first[\s\S]*One\./);
  await session.close();
  expect(existsSync(join(workspace.configDir, "projects"))).toBe(false);
});

const titles = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "" };

test("a title is asked for once, behind the first answer, and stands in transcript and session", async () => {
  const sideAnswers = [{ when: isTitleRequest, answers: [{ say: '"Counting sheep at night."\n' }] }];
  const { workspace, server } = await engineWorld({ answers: [{ say: "One." }, { say: "Two." }], sideAnswers });
  const session = await openEngine(workspace, { clock: handClock(), env: titles });
  await session.prompt("count sheep");
  await vi.waitFor(() => expect(session.engine.session().title).toBe("Counting sheep at night"));
  expect(session.engine.session().isNamed).toBeUndefined();
  await session.prompt("go on");
  const { sessionId } = session.engine.session();
  await session.prompt("/clear");
  expect(session.engine.session().title).toBeUndefined();
  await session.close();
  const asked = server.requests.filter(({ kind }) => kind === "side");
  expect(asked).toHaveLength(1);
  expect(asked[0]?.index).toBeGreaterThan(server.turns()[0]!.index);
  expect(JSON.stringify(asked[0]?.body.messages)).toContain("count sheep");
  expect(titlesIn(transcriptOf(workspace, sessionId))).toEqual(["Counting sheep at night"]);
});

test("a title that fails is not asked for again; -p and named sessions ask for none", async () => {
  const sideAnswers = [{ when: isTitleRequest, answers: [{ status: 529 }] }];
  const answers = [{ say: "One." }, { say: "Two." }, { say: "Three." }, { say: "Four." }];
  const { workspace, server } = await engineWorld({ answers, sideAnswers });
  const session = await openEngine(workspace, { clock: handClock(), env: titles });
  await session.prompt("first");
  await vi.waitFor(() =>
    expect(server.requests.some(({ kind, status }) => kind === "side" && status === 529)).toBe(true),
  );
  await session.prompt("second");
  await session.close();
  const headless = await openEngine(workspace, { clock: handClock(), env: titles, isInteractive: false });
  await headless.prompt("third");
  await headless.close();
  const named = await openEngine(workspace, { clock: handClock(), env: titles, flags: { name: "mine" } });
  await named.prompt("fourth");
  await named.close();
  expect(server.requests.filter(({ kind }) => kind === "side")).toHaveLength(1);
});

test("a title is one short line without quotation marks", () => {
  expect(cleanTitle("\n # “Fix the date filter.”\nbecause")).toBe("Fix the date filter");
  expect(cleanTitle("Title: a\u001b]0;x\u0007b")).not.toContain("\u001b");
  expect(cleanTitle(" \n")).toBeUndefined();
  expect(cleanTitle("x".repeat(500))?.length).toBeLessThanOrEqual(60);
});

test("transcripts stay readable by their owner alone", async () => {
  const { workspace } = await engineWorld({ answers: [{ say: "One." }] });
  const session = await openEngine(workspace, { clock: handClock() });
  await session.prompt("first");
  await session.prompt("/branch");
  expect(statSync(transcriptOf(workspace, session.engine.session().sessionId)).mode & 0o777).toBe(0o600);
  await session.close();
});

test("a session is among the running ones from open to close, under its newest id and name", async () => {
  const { workspace } = await engineWorld({ answers: [{ say: "One." }] });
  const folder = join(workspace.configDir, "sessions");
  const session = await openEngine(workspace, { clock: handClock() });
  const [entry] = liveSessions(folder);
  expect(entry).toMatchObject({ pid: process.pid, kind: "interactive", cwd: workspace.project, status: "idle" });
  await session.prompt("first");
  await session.prompt("/branch second way");
  const { sessionId } = session.engine.session();
  expect(liveSessions(folder)[0]).toMatchObject({
    sessionId,
    name: "second way",
    nameSource: "person",
    status: "idle",
  });
  await session.close();
  expect(liveSessions(folder)).toEqual([]);
});
