import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type LiveSession, liveSessions, registerSession } from "../../../src/sessions/registry.js";
import { tempDir } from "../../helpers/transcript-kit.js";

const session: LiveSession = {
  pid: process.pid,
  sessionId: "s",
  cwd: "/p",
  startedAt: 1,
  version: "3.0.0",
  kind: "interactive",
  entrypoint: "cli",
  status: "idle",
  updatedAt: 1,
};

test("a running session is registered, changed and removed", () => {
  const folder = join(tempDir(), "sessions");
  const registration = registerSession(folder, session);
  registration.update({ status: "busy", updatedAt: 2 });
  expect(liveSessions(folder)).toEqual([{ ...session, status: "busy", updatedAt: 2 }]);
  expect(JSON.parse(readFileSync(join(folder, `${process.pid}.json`), "utf8"))).toMatchObject({ status: "busy" });
  registration.remove();
  registration.remove();
  expect(readdirSync(folder)).toEqual([]);
});

test("files of processes that are gone are removed, broken ones are passed over", () => {
  const folder = tempDir();
  const gone = join(folder, `${2 ** 22 + 1}.json`);
  writeFileSync(gone, JSON.stringify(session));
  writeFileSync(join(folder, "1.json"), "{torn");
  writeFileSync(join(folder, "a.lock"), "");
  expect(liveSessions(folder)).toEqual([]);
  expect(existsSync(gone)).toBe(false);
  expect(liveSessions(join(folder, "missing"))).toEqual([]);
});

test("a registry that cannot be written stops nothing", () => {
  const file = join(tempDir(), "file");
  writeFileSync(file, "");
  registerSession(file, session).update({ status: "busy" });
});

test("a pid that belongs to another process by now is no running session", () => {
  const folder = tempDir();
  registerSession(folder, { ...session, startTime: "long ago" });
  expect(liveSessions(folder)).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});
