// The registry of running sessions: one small file per process, named by its pid.
import { mkdirSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processStartTime } from "../platform/process-start.js";
import { newId } from "../protocol/ids.js";

export interface LiveSession {
  pid: number;
  /** When the process began, in the system's own words: the pid may belong to another one since. */
  startTime?: string;
  sessionId: string;
  cwd: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  version: string;
  kind: "interactive" | "headless" | "background";
  entrypoint: string;
  name?: string;
  nameSource?: "person" | "model" | "default";
  status: "idle" | "busy" | "waiting";
  updatedAt: number;
}

export interface Registration {
  /** Writes a change; call when the state changes, never on a timer. Never throws. */
  update(change: Partial<Omit<LiveSession, "pid">>): void;
  remove(): void;
}

/** Registers this process in `<configDir>/sessions/<pid>.json` (0600). A registry that cannot be written is no error. */
export const registerSession = (folder: string, session: LiveSession): Registration => {
  const file = join(folder, `${session.pid}.json`);
  let current = session;
  const write = () => {
    const draft = `${file}.${newId()}.tmp`;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(draft, `${JSON.stringify(current)}\n`, { mode: 0o600 });
      renameSync(draft, file);
    } catch {
      removeFile(draft); // other programs merely do not see this session
    }
  };
  write();
  return {
    update: (change) => {
      current = { ...current, updatedAt: Date.now(), ...change };
      write();
    },
    remove: () => removeFile(file),
  };
};

/** Sessions whose process lives; files of dead ones are removed. */
export const liveSessions = (folder: string): LiveSession[] => {
  const sessions: LiveSession[] = [];
  for (const name of namesIn(folder)) {
    const file = join(folder, name);
    const pid = Number.parseInt(name, 10);
    const session = readSession(file);
    if (!isRunning(pid) || isOther(session)) removeFile(file);
    else if (session?.pid === pid) sessions.push(session);
  }
  return sessions;
};

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name));
  } catch {
    return []; // no session has run yet
  }
};

const readSession = (file: string): LiveSession | undefined => {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined; // ended meanwhile, or written by something else
  }
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/** The process has the pid of one that is gone. */
const isOther = (session: LiveSession | undefined): boolean => {
  if (session?.startTime === undefined || session.startTime === "") return false;
  const started = processStartTime(session.pid);
  return started !== undefined && started !== session.startTime;
};

const removeFile = (file: string): void => {
  try {
    unlinkSync(file);
  } catch {
    // Gone already.
  }
};
