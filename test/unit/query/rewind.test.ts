import { appendFileSync, existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EventOf } from "../../../src/protocol/events.js";
import type { RewindScope } from "../../../src/protocol/requests.js";
import { type EngineSession, engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";
import { readTranscript } from "../../helpers/scenario.js";
import type { Workspace } from "../../helpers/workspace.js";

type World = Awaited<ReturnType<typeof engineWorld>>;

const last = <T extends EventOf<"rewind" | "picker" | "restore_prompt" | "notice">["type"]>(
  { events }: EngineSession,
  type: T,
): EventOf<T> | undefined => events.findLast((event) => event.type === type) as EventOf<T> | undefined;

const points = async (session: EngineSession) => {
  await session.send({ type: "rewind_points" });
  const picker = last(session, "picker")?.picker;
  if (picker?.kind !== "rewind") throw new Error("no picker of points");
  return picker;
};

const back = async (
  session: EngineSession,
  text: string,
  scope: RewindScope,
  more: { takesConflicts?: boolean } = {},
) => {
  const point = (await points(session)).points.findLast((one) => one.text.startsWith(text));
  if (!point) throw new Error(`no point ${text}`);
  await session.send({ type: "rewind", id: point.id, scope, ...more });
};

const said = (world: World): string => JSON.stringify(world.server.turns().at(-1)!.body.messages);

/** A world whose first prompt wrote a file and whose second changed it. */
const twoPrompts = async (git = false) => {
  const world = await engineWorld({}, { files: { "a.txt": "one\n", "other.txt": "nobody's\n" } });
  if (git) {
    world.workspace.git("init", "-q");
    world.workspace.git("add", "-A");
    world.workspace.git("commit", "-qm", "start");
  }
  const open = () => openEngine(world.workspace, { clock: handClock(Date.now()) });
  const session = await open();
  const file = world.workspace.path("a.txt");
  world.server.push(
    { calls: [{ Read: { file_path: file } }, { Write: { file_path: file, content: "two\n" } }] },
    { say: "wrote two" },
  );
  await session.prompt("make it two");
  world.server.push(
    { calls: [{ Edit: { file_path: file, old_string: "two", new_string: "three" } }] },
    { calls: [{ Write: { file_path: world.workspace.path("made/new.txt"), content: "new\n" } }] },
    { say: "wrote three" },
  );
  await session.prompt("make it three");
  return { ...world, session, open, read: (name: string) => world.workspace.read(name) };
};

test("the points are the prompts, with what changed at each", async () => {
  const world = await twoPrompts();
  const { points: found } = await points(world.session);
  expect(found.map(({ text, files, added, removed, hasCode }) => ({ text, files, added, removed, hasCode }))).toEqual([
    { text: "make it two", files: 1, added: 1, removed: 1, hasCode: true },
    { text: "make it three", files: 2, added: 2, removed: 1, hasCode: true },
  ]);
  await world.session.close();
});

test("conversation and files go back together, and the prompt comes back for the box", async () => {
  const world = await twoPrompts();
  await back(world.session, "make it three", "both");
  expect([world.read("a.txt"), world.workspace.exists("made")]).toEqual(["two\n", false]);
  expect(last(world.session, "restore_prompt")?.text).toBe("make it three");
  world.server.push({ say: "four it is" });
  await world.session.prompt("make it four");
  expect(said(world)).toContain("make it two");
  expect(said(world)).not.toContain("make it three");
  expect(world.server.violations).toEqual([]);
  await world.session.close();
});

test("the transcript only grows, and a resume follows the branch that was gone back to", async () => {
  const world = await twoPrompts();
  const before = readTranscript(world.workspace);
  await back(world.session, "make it three", "conversation");
  await world.session.close();
  expect(readTranscript(world.workspace).slice(0, before.length)).toEqual(before);
  const again = await openEngine(world.workspace, { clock: handClock(Date.now()), flags: { continue: true } });
  world.server.push({ say: "going on" });
  await again.prompt("and now");
  expect(said(world)).toContain("wrote two");
  expect(said(world)).not.toContain("make it three");
  expect(world.read("a.txt")).toBe("three\n");
  expect(world.server.violations).toEqual([]);
  await again.close();
});

test("files alone go back after a resume, and the model is told to read them again", async () => {
  const world = await twoPrompts();
  await world.session.close();
  const again = await openEngine(world.workspace, { clock: handClock(Date.now()), flags: { continue: true } });
  await back(again, "make it two", "code");
  expect(world.read("a.txt")).toBe("one\n");
  expect(last(again, "notice")?.text).toBe(
    'Went back to before "make it two": files. Brought back a.txt. Removed made/new.txt.',
  );
  world.server.push({ say: "I see" });
  await again.prompt("what now");
  expect(said(world)).toContain("The person took back earlier changes to these files");
  expect(world.server.violations).toEqual([]);
  await again.close();
});

test("F192 a look first changes nothing and names conflicts; they stay unless they are wanted", async () => {
  const world = await twoPrompts();
  const { session, workspace } = world;
  workspace.write("a.txt", "mine\n");
  workspace.write("other.txt", "changed by me\n");
  const { points: found } = await points(session);
  await session.send({ type: "rewind", id: found[0]!.id, scope: "code", isDryRun: true });
  const file = workspace.path("a.txt");
  expect(last(session, "rewind")?.report).toEqual({
    id: found[0]!.id,
    isDryRun: true,
    files: [
      {
        path: file,
        action: "kept",
        added: 1,
        removed: 1,
        reason: "changed since, not by this session",
        mayForce: true,
        by: ["Write", "Edit"],
      },
      { path: workspace.path("made/new.txt"), action: "remove", added: 0, removed: 1, by: ["Write"] },
    ],
    unknown: [],
  });
  expect(workspace.exists("made/new.txt")).toBe(true);
  await back(session, "make it two", "code");
  expect([world.read("a.txt"), world.read("other.txt")]).toEqual(["mine\n", "changed by me\n"]);
  await back(session, "make it two", "code", { takesConflicts: true });
  expect([world.read("a.txt"), world.read("other.txt")]).toEqual(["one\n", "changed by me\n"]);
  await session.close();
});

test("the newest rewind can be undone: files and conversation are as before it", async () => {
  const world = await twoPrompts();
  await back(world.session, "make it two", "both");
  expect((await points(world.session)).points.map(({ kind }) => kind)).toEqual(["undo"]);
  await back(world.session, "Went back", "both");
  expect([world.read("a.txt"), world.read("made/new.txt")]).toEqual(["three\n", "new\n"]);
  world.server.push({ say: "here again" });
  await world.session.prompt("where are we");
  expect(said(world)).toContain("wrote three");
  expect(world.server.violations).toEqual([]);
  await world.session.close();
});

test("a prompt from before a compaction can be gone back to", async () => {
  const world = await twoPrompts();
  world.server.push({ say: "a summary of it" });
  await world.session.prompt("/compact");
  await back(world.session, "make it three", "both");
  world.server.push({ say: "as if nothing" });
  await world.session.prompt("go on");
  expect(said(world)).toContain("wrote two");
  expect(said(world)).not.toContain("a summary of it");
  expect(world.read("a.txt")).toBe("two\n");
  expect(world.server.violations).toEqual([]);
  await world.session.close();
});

test("what a command changed comes back with the rest, what it left running is named", async () => {
  const world = await twoPrompts(true);
  const { session, server } = world;
  server.push(
    { calls: [{ Bash: { command: "echo four > a.txt; rm other.txt; echo x > made-by-bash.txt" } }] },
    { calls: [{ Bash: { command: "sleep 60; true > later.txt", run_in_background: true } }] },
    { say: "done" },
  );
  await session.prompt("run it");
  const { points: found } = await points(session);
  await session.send({ type: "rewind", id: found.at(-1)!.id, scope: "code", isDryRun: true });
  expect(last(session, "rewind")?.report.unknown).toEqual([
    '"sleep 60; true > later.txt" went on in the background: what it changed there is not known.',
  ]);
  await back(session, "run it", "code");
  expect([world.read("a.txt"), world.read("other.txt")]).toEqual(["three\n", "nobody's\n"]);
  expect(world.workspace.exists("made-by-bash.txt")).toBe(false);
  await session.close();
});

test("what the person ran with ! is theirs: it is no change of the session", async () => {
  const world = await twoPrompts(true);
  world.server.push({ say: "seen" });
  await world.session.send({ type: "shell", command: "echo mine > other.txt" });
  await back(world.session, "make it two", "code");
  expect([world.read("a.txt"), world.read("other.txt")]).toEqual(["one\n", "mine\n"]);
  await world.session.close();
});

test("the edits of a subagent go back with those of its prompt", async () => {
  const world = await twoPrompts();
  const { session, server, workspace } = world;
  server.push(
    { calls: [{ Agent: { description: "write", prompt: "write it", subagent_type: "general-purpose" } }] },
    { calls: [{ Write: { file_path: workspace.path("by-agent.txt"), content: "agent\n" } }] },
    { say: "agent done" },
    { say: "all done" },
  );
  await session.prompt("let an agent write");
  expect(workspace.exists("by-agent.txt")).toBe(true);
  const asked = (await points(session)).points.at(-1);
  expect([asked?.text, asked?.files]).toEqual(["let an agent write", 1]);
  await back(session, "let an agent", "code");
  expect(workspace.exists("by-agent.txt")).toBe(false);
  await session.close();
});

test("summarising up to a prompt keeps what follows it, summarising from it keeps what came before", async () => {
  const world = await twoPrompts();
  const { session, server } = world;
  server.push({ say: "SUMMARY OF THE BEGINNING" });
  await back(session, "make it three", "summarise_up_to");
  server.push({ say: "ok" });
  await session.prompt("go on");
  expect(said(world)).toContain("SUMMARY OF THE BEGINNING");
  expect(said(world)).toContain("make it three");
  expect(said(world)).not.toContain("wrote two");
  server.push({ say: "SUMMARY OF THE END" });
  await back(session, "go on", "summarise_from");
  server.push({ say: "ok" });
  await session.prompt("and on");
  expect(said(world)).toContain("SUMMARY OF THE END");
  expect(said(world)).toContain("SUMMARY OF THE BEGINNING");
  expect(said(world)).not.toContain('"go on"');
  expect(server.violations).toEqual([]);
  await session.close();
});

test("the setting and the variable switch keeping off, and then only the conversation goes back", async () => {
  const world = await engineWorld({}, { settings: { fileCheckpointingEnabled: false } });
  const session = await openEngine(world.workspace, { clock: handClock(Date.now()) });
  world.server.push(
    { calls: [{ Write: { file_path: world.workspace.path("a.txt"), content: "a\n" } }] },
    { say: "done" },
  );
  await session.prompt("write it");
  expect((await points(session)).points).toMatchObject([{ text: "write it", hasCode: false, hasConversation: true }]);
  expect(existsSync(join(world.workspace.configDir, "file-history"))).toBe(false);
  const id = (await points(session)).points[0]!.id;
  await session.send({ type: "rewind", id, scope: "code" });
  expect(last(session, "notice")).toMatchObject({
    level: "error",
    text: expect.stringContaining("There is no checkpoint"),
  });
  await session.close();
});

test("before the first prompt there is nothing to go back to, after /clear there is the conversation before it", async () => {
  const world = await twoPrompts();
  await world.session.prompt("/clear");
  expect(await points(world.session)).toMatchObject({ points: [], cleared: { title: "make it three" } });
  await world.session.close();
  const fresh = await openEngine(world.workspace, { clock: handClock(Date.now()) });
  await fresh.send({ type: "rewind_points" });
  expect(last(fresh, "notice")?.text).toBe("Nothing has been said yet: there is nothing to go back to.");
  await fresh.close();
});

test("a forked session can rewind what the one it came from had changed, also when that one is gone", async () => {
  const world = await twoPrompts();
  const { sessionId } = world.session.engine.session();
  await world.session.close();
  const flags = { continue: true, forkSession: true };
  const fork = await openEngine(world.workspace, { clock: handClock(Date.now()), flags });
  rmSync(join(world.workspace.configDir, "file-history", sessionId), { recursive: true }); // as the retention does
  await back(fork, "make it three", "code");
  expect(world.read("a.txt")).toBe("two\n");
  await fork.prompt("/branch");
  expect(fork.engine.session().sessionId).not.toBe(sessionId);
  await back(fork, "make it two", "code");
  expect([world.read("a.txt"), world.workspace.exists("made")]).toEqual(["one\n", false]);
  await fork.close();
});

test("a rewind that a kill cut off is told at the next start and in the list, until it is done again", async () => {
  const world = await twoPrompts();
  const { engine } = world.session;
  const { id } = (await points(world.session)).points[0]!;
  await world.session.close();
  const [file] = globSync(`**/${engine.session().sessionId}.jsonl`, {
    cwd: join(world.workspace.configDir, "projects"),
  });
  const started = { type: "file-rewind", id: "r1", to: id, state: "started", files: [] };
  appendFileSync(join(world.workspace.configDir, "projects", file!), `${JSON.stringify(started)}\n`);
  const again = await openEngine(world.workspace, { clock: handClock(Date.now()), flags: { continue: true } });
  expect(last(again, "notice")).toMatchObject({
    level: "warning",
    text: expect.stringContaining('Bringing the files back to before "make it two" was cut off'),
  });
  expect((await points(again)).unfinished).toBe(id);
  await back(again, "make it two", "code");
  expect([world.read("a.txt"), (await points(again)).unfinished]).toEqual(["one\n", undefined]);
  await again.close();
  const third = await openEngine(world.workspace, { clock: handClock(Date.now()), flags: { continue: true } });
  expect(last(third, "notice")?.text ?? "").not.toContain("cut off");
  await third.close();
});

test("/why tells of rewinds, and the next edit of a file that went back needs a read", async () => {
  const world = await twoPrompts();
  await back(world.session, "make it two", "code");
  await world.session.prompt("/why checkpoint");
  const text = world.session.events.findLast((event) => event.type === "command_output");
  expect(text).toMatchObject({ text: expect.stringContaining("asked for with /rewind (code)") });
  world.server.push(
    { calls: [{ Edit: { file_path: world.workspace.path("a.txt"), old_string: "one", new_string: "two" } }] },
    { say: "refused" },
  );
  await world.session.prompt("edit blindly");
  expect(said(world)).toContain("has changed on disk since it was read");
  await world.session.close();
});

test("kept contents lie where other programs look for them", async () => {
  const world = await twoPrompts();
  await world.session.close();
  const snapshot = (workspace: Workspace) =>
    readTranscript(workspace).findLast(({ type }) => type === "file-history-snapshot") as {
      snapshot: { trackedFileBackups: Record<string, { backupFileName: string | null }> };
    };
  const kept = snapshot(world.workspace).snapshot.trackedFileBackups[world.workspace.path("a.txt")]!.backupFileName!;
  const { sessionId } = world.session.engine.session();
  expect(readFileSync(join(world.workspace.configDir, "file-history", sessionId, kept), "utf8")).toBe("two\n");
});
