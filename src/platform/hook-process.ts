// Runs a program of the person's own to its end: a session of its own without a terminal, bounded output, and a time
// after which it is ended with all that it started.
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { isDirectory } from "./fs.js";
import type { Env } from "./paths.js";
import { endMarked } from "./shell/ledger.js";
import { markVariable } from "./shell/shell-env.js";

export interface HookProcessRequest {
  /** Program and arguments. */
  argv: readonly string[];
  /** Where it runs; when the folder is gone, in the nearest one above. */
  cwd: string;
  env: Env;
  /** Text for its standard input. */
  input: string;
  timeoutMs: number;
  signal: AbortSignal;
}

export interface HookProcessOutcome {
  /** Null when a signal ended it; 127 when it could not start. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
  timedOut: boolean;
  aborted: boolean;
  /** It printed more than is kept. */
  isCut: boolean;
  /** It printed so much that it was ended. */
  isFlood: boolean;
}

const keptBytes = 1024 * 1024; // of stdout and of stderr; no sensible answer is longer
const mostBytes = 256 * 1024 * 1024; // a program that prints without end is ended here
const quietMs = 100; // what it left running may hold its output open: after this silence nobody waits for it

/** The folder, or the nearest above it that exists. */
const existingFolder = async (folder: string): Promise<string> => {
  let path = folder;
  while (!(await isDirectory(path)) && dirname(path) !== path) path = dirname(path);
  return path;
};

const collector = () => {
  const chunks: Buffer[] = [];
  const kept = { size: 0, text: (): string => Buffer.concat(chunks).toString("utf8") };
  return Object.assign(kept, {
    add: (chunk: Buffer): void => {
      const room = keptBytes - kept.size;
      if (room > 0) chunks.push(chunk.length > room ? Buffer.from(chunk.subarray(0, room)) : chunk);
      kept.size += chunk.length;
    },
  });
};

const endGroup = (child: ChildProcess, mark: string): Promise<void> => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  } catch {
    // The group has ended already; what left it is found by its mark.
  }
  return endMarked(mark);
};

/** Runs it. Never rejects: what went wrong is in the outcome. What it leaves running in good time stays running. */
export const runHookProcess = async (request: HookProcessRequest): Promise<HookProcessOutcome> => {
  const { argv, env, input, timeoutMs, signal } = request;
  const outcome: HookProcessOutcome = {
    exitCode: null,
    stdout: "",
    stderr: "",
    timedOut: false,
    aborted: signal.aborted,
    isCut: false,
    isFlood: false,
  };
  if (signal.aborted) return outcome;
  const cwd = await existingFolder(request.cwd);
  const outer = env[markVariable];
  const mark = randomUUID();
  const [program = "sh", ...args] = argv;
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(program, args, {
      cwd,
      env: { ...env, [markVariable]: outer ? `${outer}/${mark}` : mark },
      stdio: "pipe",
      detached: true, // setsid: no controlling terminal
    });
  } catch (error) {
    return { ...outcome, exitCode: 127, stderr: `${program} could not be started: ${(error as Error).message}` };
  }
  return new Promise((resolve) => {
    const [stdout, stderr] = [collector(), collector()];
    let quiet: NodeJS.Timeout | undefined;
    let ending: Promise<void> | undefined;
    const stop = (why: "timedOut" | "aborted" | "isFlood"): void => {
      if (ending) return;
      outcome[why] = true;
      ending = endGroup(child, mark);
      void ending.then(settle);
    };
    const onAbort = () => stop("aborted");
    const timer = setTimeout(() => stop("timedOut"), Math.min(timeoutMs, 2 ** 31 - 1));
    signal.addEventListener("abort", onAbort, { once: true });
    let isSettled = false;
    const settle = (): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      clearTimeout(quiet);
      signal.removeEventListener("abort", onAbort);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      child.unref();
      outcome.isCut = stdout.size > keptBytes || stderr.size > keptBytes;
      resolve({ ...outcome, stdout: stdout.text(), stderr: stderr.text() });
    };
    let hasExited = false;
    const rest = (): void => {
      clearTimeout(quiet);
      if (hasExited && !ending) quiet = setTimeout(settle, quietMs);
    };
    const onData = (to: typeof stdout) => (chunk: Buffer) => {
      to.add(chunk);
      if (stdout.size + stderr.size > mostBytes) stop("isFlood");
      rest();
    };
    child.stdout.on("data", onData(stdout));
    child.stderr.on("data", onData(stderr));
    child.stdin.on("error", () => undefined); // EPIPE: it did not want its input
    child.stdin.end(input);
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (child.pid !== undefined) return; // failing to kill is not failing to start
      outcome.exitCode = 127;
      stderr.add(Buffer.from(`${program} could not be started: ${error.code ?? error.message}`));
      settle();
    });
    child.on("exit", (code) => {
      hasExited = true;
      outcome.exitCode = code;
      rest();
    });
    child.on("close", () => {
      if (!ending) settle();
    });
  });
};
