// The record of a session where it cannot be kept: told once, never silently, and the work goes on.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configDir, projectDir } from "../../../src/platform/paths.js";
import { type EngineSession, engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";

const warnings = ({ events }: EngineSession): string[] =>
  events.flatMap((event) => (event.type === "notice" && event.level === "warning" ? [event.text] : []));

test.each([true, false])(
  "a folder that cannot be written is told once and prompts are answered (screen: %s)",
  async (isInteractive) => {
    const { workspace } = await engineWorld({ answers: [{ say: "One." }, { say: "Two." }] });
    // A file where the folder would be: refused for every user, also for root.
    mkdirSync(configDir(workspace.env()), { recursive: true });
    const blocked = join(configDir(workspace.env()), "projects");
    rmSync(blocked, { recursive: true, force: true });
    writeFileSync(blocked, "");
    const session = await openEngine(workspace, { clock: handClock(), isInteractive });
    expect((await session.prompt("one"))?.text).toBe("One.");
    expect((await session.prompt("two"))?.text).toBe("Two.");
    await session.close();
    expect(warnings(session)).toEqual([expect.stringMatching(/^Cannot write to .*: this session is not kept/)]);
    expect(session.engine.hasTranscript()).toBe(false);
  },
);

test("a transcript that is removed during the session is written again, whole", async () => {
  const { workspace } = await engineWorld({ answers: [{ say: "One." }, { say: "Two." }] });
  const session = await openEngine(workspace, { clock: handClock() });
  await session.prompt("one");
  const folder = projectDir(workspace.env(), workspace.project);
  const file = join(folder, `${session.engine.session().sessionId}.jsonl`);
  const before = readFileSync(file, "utf8");
  rmSync(folder, { recursive: true });
  await session.prompt("two");
  await session.close();
  expect(warnings(session)).toEqual([
    `${file} was removed while this session was open; the conversation was written again.`,
  ]);
  const after = readFileSync(file, "utf8");
  expect(after.startsWith(before)).toBe(true);
  expect(after).toContain("Two.");
});

test("a second session on the same transcript says that it is a copy", async () => {
  const { workspace } = await engineWorld({ answers: [{ say: "One." }] });
  const first = await openEngine(workspace, { clock: handClock() });
  await first.prompt("one");
  const second = await openEngine(workspace, { clock: handClock(), flags: { continue: true } });
  await second.close();
  await first.close();
  expect(second.engine.session().sessionId).not.toBe(first.engine.session().sessionId);
  expect(warnings(second)).toEqual([
    `This session is open elsewhere (process ${process.pid}); this is a copy with an id of its own.`,
  ]);
});
