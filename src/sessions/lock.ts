// One writer per session: a lock file with pid and start time, stale once that process is gone.
import { linkSync, mkdirSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { processStartTime } from "../platform/process-start.js";
import { newId } from "../protocol/ids.js";

export interface SessionLock {
  /** Gives the session free. Safe to call twice; never throws. */
  release(): void;
}

export type LockOutcome = { kind: "locked"; lock: SessionLock } | { kind: "held"; pid: number };

interface Owner {
  pid: number;
  /** When the process started, as the system tells it: a pid alone may have been given to another one since. */
  startTime: string;
  host: string;
  token: string;
}

const foreignLockMs = 24 * 60 * 60 * 1000; // a lock from another machine or container cannot be checked: it counts for a day
const maxTries = 5; // each lost race against another opener costs one

/**
 * Takes the lock of a session, or says who has it (then open a fork). Throws only when the folder cannot be written.
 */
export const lockSession = (folder: string, sessionId: string, pid: number = process.pid): LockOutcome => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${sessionId}.lock`);
  const owner: Owner = { pid, startTime: processStartTime(pid) ?? "", host: hostname(), token: newId() };
  const draft = `${file}.${owner.token}`;
  writeFileSync(draft, JSON.stringify(owner), { mode: 0o600 });
  try {
    for (let tries = 0; tries < maxTries; tries += 1) {
      if (tryLink(draft, file)) return { kind: "locked", lock: { release: () => release(file, owner.token) } };
      const holder = readOwner(file);
      if (holder !== undefined && isAlive(holder, file)) return { kind: "held", pid: holder.pid };
      removeStale(file, holder?.token);
    }
  } finally {
    unlinkSync(draft);
  }
  return { kind: "held", pid: readOwner(file)?.pid ?? 0 };
};

/** A hard link appears whole or not at all, and only one opener can make it. */
const tryLink = (draft: string, file: string): boolean => {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
};

const readOwner = (file: string): Owner | undefined => {
  try {
    const value: Partial<Owner> = JSON.parse(readFileSync(file, "utf8"));
    if (typeof value.pid !== "number" || typeof value.token !== "string") return undefined;
    return { pid: value.pid, token: value.token, startTime: String(value.startTime), host: String(value.host) };
  } catch {
    return undefined; // gone or broken: nobody holds it
  }
};

const isAlive = (owner: Owner, file: string): boolean => {
  if (owner.host !== hostname()) return ageMs(file) < foreignLockMs;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  const started = processStartTime(owner.pid);
  return started === undefined || owner.startTime === "" || started === owner.startTime;
};

const ageMs = (file: string): number => {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY; // gone
  }
};

/** Moves the stale lock away before deleting it: if another opener replaced it meanwhile, it is put back. */
const removeStale = (file: string, token: string | undefined): void => {
  if (readOwner(file)?.token !== token) return; // replaced already
  const aside = `${file}.stale.${newId()}`;
  try {
    renameSync(file, aside);
  } catch {
    return; // another opener was faster
  }
  if (readOwner(aside)?.token !== token) tryLink(aside, file);
  unlinkSync(aside);
};

const release = (file: string, token: string): void => {
  try {
    if (readOwner(file)?.token === token) unlinkSync(file);
  } catch {
    // Gone already: that is what was wanted.
  }
};
