// The first start on a machine: after trust, once, and only where nothing was asked for.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type EngineSession, engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";
import type { Workspace } from "../../helpers/workspace.js";

const stateOf = ({ configDir }: Workspace): string => join(configDir, ".claude.json");

/** What was asked, said and opened, in order. */
const story = ({ events }: EngineSession): string[] =>
  events.flatMap((event) => {
    if (event.type === "question") return [`asks ${event.question.kind}`];
    if (event.type === "notice" && event.text.startsWith("Welcome.")) return ["note"];
    return event.type === "picker" ? [`opens ${event.picker.kind}`] : [];
  });

const freshWorld = async (settings: Record<string, unknown> = {}) => {
  const { workspace } = await engineWorld({ answers: [{ say: "Hello." }] }, { settings });
  const { customApiKeyResponses } = workspace.readState(); // a key is approved, so that no start question comes
  writeFileSync(stateOf(workspace), JSON.stringify({ customApiKeyResponses }));
  return workspace;
};

const start = async (workspace: Workspace, change: Partial<Parameters<typeof openEngine>[1]> = {}) => {
  const session = await openEngine(workspace, { clock: handClock(), trusts: true, mayStartTour: true, ...change });
  await session.close();
  return story(session);
};

test("the note and the colours come after trust, and never again", async () => {
  const workspace = await freshWorld();
  expect(await start(workspace)).toEqual(["asks trust", "note", "opens theme"]);
  expect(workspace.readState().hasCompletedOnboarding).toBe(true);
  expect(await start(workspace)).toEqual([]);
});

test("a folder that is not trusted shows neither, and the next start does", async () => {
  const workspace = await freshWorld();
  expect(await start(workspace, { trusts: false })).not.toContain("note");
  expect(await start(workspace)).toContain("note");
});

test("with a prompt or a theme of one's own there is the note alone", async () => {
  expect(await start(await freshWorld(), { mayStartTour: false })).toEqual(["asks trust", "note"]);
  expect(await start(await freshWorld({ theme: "light" }))).toEqual(["asks trust", "note"]);
});

test("who has used the program before, or has nobody at the screen, sees nothing", async () => {
  const workspace = await freshWorld();
  writeFileSync(stateOf(workspace), JSON.stringify({ ...workspace.readState(), projects: {} }));
  expect(await start(workspace)).toEqual(["asks trust"]);
  expect(await start(await freshWorld(), { isInteractive: false })).toEqual([]);
});
