// When old sessions go, as the session sees it: by whose settings, told to whom.
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { EngineEvent } from "../../../src/protocol/events.js";
import { keepHouse, keptDays } from "../../../src/query/keep-house.js";
import { createSession } from "../../../src/query/open-session.js";
import type { Session } from "../../../src/query/session.js";
import { engineWorld, handClock } from "../../helpers/engine-session.js";
import type { Workspace } from "../../helpers/workspace.js";

const days = (layers: object[], problems: object[] = []) =>
  keptDays({ layers, problems } as unknown as Session["settings"]);

test("a folder's settings can only keep sessions longer, and settings that are broken keep everything", () => {
  const user = (cleanupPeriodDays?: number) => ({ source: "user", settings: { cleanupPeriodDays } });
  const project = (cleanupPeriodDays?: number) => ({ source: "project", settings: { cleanupPeriodDays } });
  expect(days([])).toBe(30);
  expect(days([project(1), user()])).toBe(30);
  expect(days([project(1), user(5)])).toBe(5);
  expect(days([project(90), user(5)])).toBe(90);
  expect(days([{ source: "managed", settings: { cleanupPeriodDays: 7 } }, user(365)])).toBe(7);
  expect(days([user(5)], [{ file: "x", message: "broken", fatal: true }])).toBeUndefined();
  expect(days([user()], [{ file: "x", message: "must be at least 1", path: "cleanupPeriodDays" }])).toBeUndefined();
  expect(days([user(5)], [{ file: "x", message: "unknown", path: "theme" }])).toBe(5);
});

const sessionIn = async (workspace: Workspace, clock: ReturnType<typeof handClock>) => {
  const session = await createSession({
    env: workspace.env(),
    cwd: workspace.project,
    flags: {},
    isInteractive: true,
    mayStartTour: false,
    includeStream: false,
    entrypoint: "cli",
    version: "0.0.0-test",
    clock,
    random: () => 0.5,
  });
  const told: string[] = [];
  session.listeners.add((event: EngineEvent) => {
    if (event.type === "notice") told.push(event.text);
  });
  return { session, told };
};

test("a person is told what will go and when, then that it went", async () => {
  const { workspace } = await engineWorld();
  const clock = handClock();
  const file = join(workspace.configDir, "projects/-p/00000000-0000-4000-8000-000000000001.jsonl");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "{}\n");
  const old = clock.now() / 1000 - 40 * 86_400;
  utimesSync(file, old, old);
  const first = await sessionIn(workspace, clock);
  await keepHouse(first.session);
  expect(first.told).toEqual([
    expect.stringMatching(
      /^1 session will be deleted once unused for 30 days, by a start after 2026-12-01 12:00 UTC\. .*cleanupPeriodDays/,
    ),
  ]);
  clock.move(2 * 86_400_000);
  const second = await sessionIn(workspace, clock);
  await keepHouse(second.session);
  expect(second.told).toEqual(["Deleted as announced: 1 session, not used for 30 days."]);
  expect(existsSync(file)).toBe(false);
});

test("while a settings file is broken nothing is told and nothing is deleted", async () => {
  const { workspace } = await engineWorld();
  const clock = handClock();
  const file = join(workspace.configDir, "plans/old.md");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "x");
  utimesSync(file, 1, 1);
  writeFileSync(join(workspace.configDir, "settings.json"), "{ broken");
  const { session, told } = await sessionIn(workspace, clock);
  await keepHouse(session);
  clock.move(9 * 86_400_000);
  await keepHouse(session);
  expect([told, existsSync(file)]).toEqual([[], true]);
});
