// Unsent text and waiting prompts, through the engine: kept, given back, not given back twice.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectSlug } from "../../../src/platform/paths.js";
import { type EngineSession, engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";
import type { Workspace } from "../../helpers/workspace.js";

const gone = 2 ** 22 + 1; // no process has this number

const leave = (workspace: Workspace, more: object, pid = gone): string => {
  const folder = join(workspace.configDir, "drafts");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${pid}.json`);
  const base = { pid, startTime: "1", sessionId: "s", cwd: workspace.project, at: handClock().now() - 600_000 };
  writeFileSync(file, JSON.stringify({ ...base, text: "", pastes: [], queued: [], ...more }));
  return file;
};

const restored = ({ events }: EngineSession) => events.filter(({ type }) => type === "restore_prompt");
const told = ({ events }: EngineSession): string[] =>
  events.flatMap((event) => (event.type === "notice" && event.key === "draft" ? [event.text] : []));

test("P2 text and waiting prompts of a killed session come back once, with one line", async () => {
  const { workspace } = await engineWorld();
  const pastes = [{ id: 1, text: "a\nb\nc" }];
  const file = leave(workspace, {
    text: "look at [Pasted text #1 +3 lines]",
    pastes,
    queued: [
      { uuid: "u1", text: "first waits" },
      { uuid: "u2", text: "!ls" },
    ],
  });
  const session = await openEngine(workspace, { clock: handClock() });
  const text = "first waits\n\n!ls\n\nlook at [Pasted text #1 +3 lines]";
  expect(restored(session)).toEqual([{ type: "restore_prompt", text, pastes }]);
  expect(told(session)).toEqual([
    "Back in the prompt: text you had not sent and 2 prompts that waited (10 minutes ago).",
  ]);
  expect(existsSync(file)).toBe(false);
  // It is on disk under this process by now: another kill loses nothing either.
  expect(readFileSync(join(workspace.configDir, "drafts", `${process.pid}.json`), "utf8")).toContain("first waits");
  await session.send({ type: "save_draft", text: "" });
  expect(readdirSync(join(workspace.configDir, "drafts"))).toEqual([]);
  await session.close();
  const next = await openEngine(workspace, { clock: handClock() });
  expect(restored(next)).toEqual([]);
  await next.close();
});

test("a waiting prompt that reached the conversation does not come back", async () => {
  const { workspace } = await engineWorld();
  const folder = join(workspace.configDir, "projects", projectSlug(workspace.project));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "s.jsonl"), '{"type":"user","uuid":"u1"}\n');
  leave(workspace, {
    queued: [
      { uuid: "u1", text: "was sent" },
      { uuid: "u2", text: "was not" },
    ],
  });
  const session = await openEngine(workspace, { clock: handClock() });
  expect(restored(session)).toMatchObject([{ text: "was not" }]);
  await session.close();
});

test("of several left texts the newest is restored, the others are in the history; other folders' stay", async () => {
  const { workspace } = await engineWorld();
  leave(workspace, { text: "old one", at: 1 });
  leave(workspace, { text: "newest" }, gone + 1);
  const elsewhere = leave(workspace, { text: "not here", cwd: "/elsewhere" }, gone + 2);
  const session = await openEngine(workspace, { clock: handClock() });
  expect(restored(session)).toMatchObject([{ text: "newest" }]);
  expect(existsSync(elsewhere)).toBe(true);
  await session.send({ type: "save_draft", text: "" });
  await session.close();
  const next = await openEngine(workspace, { clock: handClock() });
  const history = next.events.find(({ type }) => type === "history");
  expect(history).toMatchObject({ prompts: ["old one"] });
  await next.close();
});

test("CLAUDE_CODE_SKIP_PROMPT_HISTORY keeps neither history nor drafts, and -p restores none", async () => {
  const { workspace } = await engineWorld({ answers: [{ say: "One." }] });
  const env = { CLAUDE_CODE_SKIP_PROMPT_HISTORY: "1" };
  const session = await openEngine(workspace, { clock: handClock(), env });
  await session.send({ type: "save_draft", text: "secret" });
  await session.prompt("also secret");
  await session.close();
  expect(existsSync(join(workspace.configDir, "drafts"))).toBe(false);
  expect(existsSync(join(workspace.configDir, "history.jsonl"))).toBe(false);
  const file = leave(workspace, { text: "mine" });
  const headless = await openEngine(workspace, { clock: handClock(), isInteractive: false });
  expect([restored(headless), existsSync(file)]).toEqual([[], true]);
  await headless.close();
});
