// The retention sweep: tells first, deletes at a later start, never what is in use.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { lockSession } from "../../../src/sessions/lock.js";
import { registerSession } from "../../../src/sessions/registry.js";
import { sweep } from "../../../src/sessions/retention.js";
import { tempDir } from "../../helpers/transcript-kit.js";

const day = 24 * 60 * 60 * 1000;
const now = Date.parse("2026-11-30T12:00:00Z");
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

const world = () => {
  const configDir = tempDir();
  const put = (path: string, ageDays: number, content = "{}\n"): string => {
    const file = join(configDir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    const at = (now - ageDays * day) / 1000;
    utimesSync(file, at, at);
    for (let folder = dirname(file); folder !== configDir; folder = dirname(folder)) utimesSync(folder, at, at);
    return file;
  };
  const run = (atDays: number, more: Partial<Parameters<typeof sweep>[0]> = {}) =>
    sweep({ configDir, days: 30, now: now + atDays * day, keep: new Set(), ...more });
  const isThere = (path: string): boolean => existsSync(join(configDir, path));
  return { configDir, put, run, isThere };
};

test("old sessions are told at one start and deleted, with all that is theirs, at a later one", async () => {
  const { put, run, isThere } = world();
  const own = [
    `projects/-p/${id(1)}.jsonl`,
    `projects/-p/${id(1)}/tool-results/a.txt`,
    `file-history/${id(1)}/x@v1`,
    `tasks/${id(1)}/1.json`,
  ];
  for (const path of own) put(path, 40);
  put(`projects/-p/${id(2)}.jsonl`, 3);
  expect(await run(0)).toEqual({
    announced: { sessions: 1, files: 0, from: now + day },
    deleted: { sessions: 0, files: 0 },
  });
  expect(await run(0.5)).toEqual({ announced: undefined, deleted: { sessions: 0, files: 0 } });
  expect(own.map(isThere)).toEqual([true, true, true, true]);
  expect((await run(1.1)).deleted).toEqual({ sessions: 1, files: 0 });
  expect(own.map(isThere)).toEqual([false, false, false, false]);
  expect(isThere(`projects/-p/${id(2)}.jsonl`)).toBe(true);
  expect(await run(2)).toEqual({ announced: undefined, deleted: { sessions: 0, files: 0 } });
});

test("one notice tells the week to come, and nothing of it goes before it is old enough", async () => {
  const { put, run, isThere } = world();
  put(`projects/-p/${id(1)}.jsonl`, 31);
  put(`projects/-p/${id(2)}.jsonl`, 26);
  expect((await run(0)).announced).toMatchObject({ sessions: 2 });
  expect(await run(2)).toMatchObject({ announced: undefined, deleted: { sessions: 1 } });
  expect(isThere(`projects/-p/${id(2)}.jsonl`)).toBe(true);
  expect(await run(5)).toMatchObject({ announced: undefined, deleted: { sessions: 1 } });
});

test("a session that is used again stays, and is told anew when it grows old again", async () => {
  const { put, run, isThere } = world();
  put(`projects/-p/${id(1)}.jsonl`, 40);
  await run(0);
  put(`projects/-p/${id(1)}.jsonl`, 0);
  expect(await run(2)).toMatchObject({ announced: undefined, deleted: { sessions: 0 } });
  expect(await run(32)).toMatchObject({ announced: { sessions: 1 }, deleted: { sessions: 0 } });
  expect(isThere(`projects/-p/${id(1)}.jsonl`)).toBe(true);
});

test("plans, pastes, logs and snapshots go; memory, history, settings and unknown folders stay", async () => {
  const { put, run, isThere } = world();
  const going = [
    "plans/a.md",
    "paste-cache/b.txt",
    "debug/c.txt",
    "shell-snapshots/d.sh",
    `file-history/${id(9)}/x@v1`,
    "todos/e.json",
  ];
  const staying = [
    "history.jsonl",
    "settings.json",
    "CLAUDE.md",
    "projects/-p/memory/MEMORY.md",
    "agents/x.md",
    "backups/y",
    "cache/z.json",
    "plugins/p.json",
  ];
  for (const path of [...going, ...staying]) put(path, 400);
  await run(0);
  expect((await run(2)).deleted).toEqual({ sessions: 0, files: going.length });
  expect(going.filter(isThere)).toEqual([]);
  expect(staying.filter((path) => !isThere(path))).toEqual([]);
});

test("running, locked and kept sessions are never touched", async () => {
  const { configDir, put, run } = world();
  for (const n of [1, 2, 3, 4]) put(`projects/-p/${id(n)}.jsonl`, 400);
  registerSession(join(configDir, "sessions"), {
    pid: process.pid,
    sessionId: id(1),
    cwd: "/p",
    startedAt: 0,
    version: "3.0.0",
    kind: "interactive",
    entrypoint: "cli",
    status: "idle",
    updatedAt: 0,
  });
  const outcome = lockSession(join(configDir, "projects/-p"), id(2));
  const keep = new Set([id(3)]);
  await run(0, { keep });
  expect((await run(2, { keep })).deleted).toEqual({ sessions: 1, files: 0 });
  const left = readdirSync(join(configDir, "projects/-p")).filter((name) => name.endsWith(".jsonl"));
  expect(left.sort()).toEqual([id(1), id(2), id(3)].map((one) => `${one}.jsonl`));
  if (outcome.kind === "locked") outcome.lock.release();
});

test("links are not followed, and what they point to stays", async () => {
  const { configDir, put, run } = world();
  const outside = tempDir();
  writeFileSync(join(outside, "precious.txt"), "keep");
  utimesSync(join(outside, "precious.txt"), 1, 1);
  put("plans/old.md", 400);
  symlinkSync(outside, join(configDir, "plans", "link"));
  symlinkSync(outside, join(configDir, "debug"));
  mkdirSync(join(configDir, "projects"));
  symlinkSync(outside, join(configDir, "projects", "-link"));
  await run(0);
  await run(2);
  expect(readFileSync(join(outside, "precious.txt"), "utf8")).toBe("keep");
});

test.each(["", "{", '{"told":{"/x":"y"}}', '{"told":[]}'])(
  "a note that holds %j means: nothing was told",
  async (content) => {
    const { put, run } = world();
    put(`projects/-p/${id(1)}.jsonl`, 400);
    put("cache/retention.json", 0, content);
    expect(await run(0)).toMatchObject({ announced: { sessions: 1 }, deleted: { sessions: 0 } });
  },
);

test("without anything on disk there is nothing to do", async () => {
  expect(await world().run(0)).toEqual({ announced: undefined, deleted: { sessions: 0, files: 0 } });
});

test("starts that follow each other closely look once; a clock that was set back does not stop it", async () => {
  const { put, run } = world();
  await run(0);
  put(`projects/-p/${id(1)}.jsonl`, 400);
  expect((await run(0.1)).announced).toBeUndefined();
  expect((await run(-3)).announced).toMatchObject({ sessions: 1 });
});
