import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processStartTime } from "../../../src/platform/process-start.js";
import { lockSession } from "../../../src/sessions/lock.js";
import { tempDir } from "../../helpers/transcript-kit.js";

test("the second opener is told who has the session, and gets it after the release", () => {
  const folder = tempDir();
  const first = lockSession(folder, "s");
  expect(first.kind).toBe("locked");
  expect(lockSession(folder, "s")).toEqual({ kind: "held", pid: process.pid });
  expect(lockSession(folder, "other").kind).toBe("locked");
  if (first.kind === "locked") {
    first.lock.release();
    first.lock.release();
  }
  expect(lockSession(folder, "s").kind).toBe("locked");
  expect(readdirSync(folder).sort()).toEqual(["other.lock", "s.lock"]);
});

const owner = (change: object) =>
  JSON.stringify({
    pid: process.pid,
    startTime: processStartTime(process.pid),
    host: hostname(),
    token: "t",
    ...change,
  });

test.each([
  ["of a process that is gone", owner({ pid: 2 ** 22 + 1 })],
  ["whose pid was given to another process since", owner({ startTime: "1" })],
  ["that is no JSON", "torn {"],
])("a lock %s is stale", (_name, contents) => {
  const folder = tempDir();
  writeFileSync(join(folder, "s.lock"), contents);
  expect(lockSession(folder, "s").kind).toBe("locked");
  expect(JSON.parse(readFileSync(join(folder, "s.lock"), "utf8"))).toMatchObject({ pid: process.pid });
});

test("a fresh lock from another machine holds, because it cannot be checked", () => {
  const folder = tempDir();
  writeFileSync(join(folder, "s.lock"), owner({ pid: 12345, host: "elsewhere" }));
  expect(lockSession(folder, "s")).toEqual({ kind: "held", pid: 12345 });
});
