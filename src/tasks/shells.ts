// Commands that run in the background of a session: started there or moved there, each with an id and an output file.
import { randomInt } from "node:crypto";
import { formatBytes } from "../platform/fs.js";
import type { ShellJob, ShellOutcome } from "../platform/shell.js";

export interface BackgroundShell {
  id: string;
  command: string;
  description?: string;
  /** Started by Monitor: its lines go to the model. `isPersistent`: until it ends or is stopped. */
  monitor?: { isPersistent: boolean };
  /** The agent that owns it; undefined for the main thread. */
  agentId?: string;
  /** The call that started it. */
  toolUseId?: string;
  outputPath: string;
  status: "running" | "completed" | "failed" | "stopped";
  /** Null while it runs and when a signal ended it. */
  exitCode: number | null;
  totalBytes: number;
  /** How much of the beginning its file holds. */
  storedBytes: number;
  /** It was stopped because it printed more than is allowed. */
  hasPrintedTooMuch?: boolean;
  startedAt: number;
  endedAt?: number;
}

export interface NewBackgroundShell {
  command: string;
  description?: string;
  monitor?: BackgroundShell["monitor"];
  agentId?: string;
  toolUseId?: string;
  outputPath: string;
  /** When the command itself began; now when left out. */
  startedAt?: number;
  job: ShellJob;
  /** Ends the command (aborts its signal). */
  stop(): void;
}

export interface BackgroundShells {
  /** Takes over a running command. */
  add(shell: NewBackgroundShell): BackgroundShell;
  get(id: string): BackgroundShell | undefined;
  /** Oldest first. */
  list(): BackgroundShell[];
  /** Output so far: whole, or head and tail. Undefined for an unknown id. */
  output(id: string): string | undefined;
  /** Waits for its end, at most `timeoutMs`. */
  wait(id: string, timeoutMs: number, signal: AbortSignal): Promise<BackgroundShell | undefined>;
  /** Ends it. Undefined for an unknown id. */
  stop(id: string): Promise<BackgroundShell | undefined>;
  /** Ends all, or all of one agent. */
  stopAll(agentId?: string): Promise<void>;
}

const largestOutputBytes = 5 * 1024 ** 3; // above it the command is ended
const largestFileBytes = 512 * 1024 ** 2; // what comes later is not stored: no command fills the disk

interface Entry {
  shell: BackgroundShell;
  job: ShellJob;
  stop(): void;
  ended: Promise<void>;
  /** Ended by stop(), not by itself. */
  isStopped: boolean;
}

/** The background commands of a session. `onAdd` and `onEnd` are called once for each, whatever ended it. */
export const createBackgroundShells = (options: {
  now: () => number;
  onAdd?: (shell: BackgroundShell) => void;
  onEnd?: (shell: BackgroundShell) => void;
  /** Most that an output file holds, and most that a command may print before it is ended. */
  maxFileBytes?: number;
  maxTotalBytes?: number;
}): BackgroundShells => {
  const entries = new Map<string, Entry>();
  const current = ({ shell, job }: Entry): BackgroundShell => ({
    ...shell,
    totalBytes: job.totalBytes(),
    storedBytes: job.storedBytes(),
  });
  const find = (id: string): BackgroundShell | undefined => {
    const entry = entries.get(id);
    return entry && current(entry);
  };
  const end = (entry: Entry): Promise<void> => {
    if (entry.shell.status === "running") entry.isStopped = true;
    entry.stop();
    return entry.ended;
  };
  return {
    add: ({ job, stop, startedAt, ...facts }) => {
      const shell: BackgroundShell = {
        id: newId(entries),
        ...facts,
        status: "running",
        exitCode: null,
        totalBytes: job.totalBytes(),
        storedBytes: job.storedBytes(),
        startedAt: startedAt ?? options.now(),
      };
      const entry: Entry = { shell, job, stop, ended: Promise.resolve(), isStopped: false };
      entry.ended = job.done.then((outcome) => {
        Object.assign(shell, ending(outcome, entry.isStopped, shell.monitor !== undefined), { endedAt: options.now() });
        options.onEnd?.(current(entry));
      });
      job.setLimits({
        fileBytes: options.maxFileBytes ?? largestFileBytes,
        totalBytes: options.maxTotalBytes ?? largestOutputBytes,
        onTooMuch: () => {
          shell.hasPrintedTooMuch = true;
          void end(entry);
        },
      });
      entries.set(shell.id, entry);
      options.onAdd?.(current(entry));
      return current(entry);
    },
    get: find,
    list: () => [...entries.values()].map(current),
    output: (id) => entries.get(id)?.job.output(),
    wait: async (id, timeoutMs, signal) => {
      const entry = entries.get(id);
      if (entry && entry.shell.status === "running") await firstOf(entry.ended, timeoutMs, signal);
      return find(id);
    },
    stop: async (id) => {
      const entry = entries.get(id);
      if (entry) await end(entry);
      return find(id);
    },
    stopAll: async (agentId) => {
      const all = [...entries.values()].filter(({ shell }) => agentId === undefined || shell.agentId === agentId);
      await Promise.all(all.filter(({ shell }) => shell.status === "running").map(end));
    },
  };
};

const ending = (
  outcome: ShellOutcome,
  isStopped: boolean,
  isMonitor: boolean,
): Pick<BackgroundShell, "status" | "exitCode"> => {
  if (isStopped || outcome.interrupted) return { status: "stopped", exitCode: null };
  if (outcome.timedOut && isMonitor) return { status: "completed", exitCode: null }; // its time was over, as agreed
  return { status: outcome.exitCode === 0 ? "completed" : "failed", exitCode: outcome.exitCode };
};

const newId = (taken: ReadonlyMap<string, unknown>): string => {
  for (;;) {
    const id = `b${randomInt(36 ** 7)
      .toString(36)
      .padStart(7, "0")}`;
    if (!taken.has(id)) return id;
  }
};

const firstOf = (ended: Promise<void>, timeoutMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, timeoutMs);
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
    void ended.then(done);
  });

/** How it ended or that it runs, in one sentence: for the model's notice and the task tools. */
export const shellState = (shell: BackgroundShell): string => {
  const { id, command, status, exitCode, outputPath, totalBytes, storedBytes } = shell;
  const what = `Background command ${id} (${command.length > 120 ? `${command.slice(0, 120)}…` : command})`;
  const states = {
    running: "is still running",
    completed: exitCode === null ? "was ended when its time was over" : "finished with exit code 0",
    failed: exitCode === null ? "was ended by a signal" : `failed with exit code ${exitCode}`,
    stopped: shell.hasPrintedTooMuch ? `was stopped because it printed ${formatBytes(totalBytes)}` : "was stopped",
  };
  const output =
    storedBytes < totalBytes
      ? `The first ${formatBytes(storedBytes)} of its output (${formatBytes(totalBytes)}) are in ${outputPath}, the rest was not stored`
      : `Its output is in ${outputPath}`;
  return `${what} ${states[status]}. ${output}`;
};
