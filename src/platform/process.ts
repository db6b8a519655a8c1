// Runs a program without a shell and collects what it prints; for our own small helpers (git, rg), never for the model's commands.
import { spawn } from "node:child_process";
import { isAbsolute } from "node:path";
import type { Env } from "./paths.js";

export interface ProcessOptions {
  cwd?: string;
  env?: Env;
  timeoutMs?: number;
  /** Written to stdin; without it stdin is empty. */
  input?: string | Uint8Array;
  signal?: AbortSignal;
  /** Kept of stdout and of stderr, each; the program is stopped once stdout passes it. */
  maxBytes?: number;
  /** How stdout becomes text; "latin1" keeps every byte. */
  encoding?: "utf8" | "latin1";
}

export interface ProcessOutcome {
  /** Null when a signal ended it or it never started. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
  timedOut: boolean;
  aborted: boolean;
  /** Stdout was longer than `maxBytes`. */
  truncated: boolean;
  /** Why it could not start, e.g. code ENOENT. */
  error?: NodeJS.ErrnoException;
}

const defaultMaxBytes = 10 * 1024 * 1024; // far above what any of our callers reads

/** Runs `command` to its end. Never rejects: what went wrong is in the outcome. */
export const runProcess = (
  command: string,
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<ProcessOutcome> =>
  new Promise((resolve) => {
    const { cwd, env, timeoutMs, input, signal, maxBytes = defaultMaxBytes, encoding = "utf8" } = options;
    const outcome: ProcessOutcome = {
      exitCode: null,
      stdout: "",
      stderr: "",
      timedOut: false,
      aborted: signal?.aborted ?? false,
      truncated: false,
    };
    if (outcome.aborted) return resolve(outcome);
    const child = spawn(command, args, { cwd, env: withSafePath(env ?? process.env), stdio: "pipe" });
    const stdout = collect(maxBytes, () => {
      outcome.truncated = true;
      child.kill("SIGKILL");
    });
    const stderr = collect(maxBytes);
    child.stdout.on("data", stdout.add);
    child.stderr.on("data", stderr.add);
    child.stdin.on("error", () => undefined); // EPIPE: the program did not want its input
    child.stdin.end(input ?? "");
    const onAbort = () => {
      outcome.aborted = true;
      child.kill("SIGKILL");
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    const timer = timeoutMs
      ? setTimeout(() => {
          outcome.timedOut = true;
          child.kill("SIGKILL");
        }, timeoutMs)
      : undefined;
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      outcome.stdout = stdout.text(encoding);
      outcome.stderr = stderr.text("utf8");
      resolve(outcome);
    };
    child.on("error", (error) => {
      if (child.pid !== undefined) return; // failing to kill is not failing to start
      outcome.error = error;
      settle();
    });
    child.on("close", (code) => {
      outcome.exitCode = code;
      settle();
    });
  });

/** Drops relative PATH entries: a `git` lying in the project folder is never what we meant. */
const withSafePath = (env: Env): NodeJS.ProcessEnv => ({
  ...env,
  PATH: (env.PATH ?? "/usr/bin:/bin").split(":").filter(isAbsolute).join(":"),
});

const collect = (maxBytes: number, onFull?: () => void) => {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    add: (chunk: Buffer) => {
      const room = maxBytes - size;
      if (room > 0) chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
      size += chunk.length;
      if (size > maxBytes) onFull?.();
    },
    text: (encoding: BufferEncoding) => Buffer.concat(chunks).toString(encoding),
  };
};
