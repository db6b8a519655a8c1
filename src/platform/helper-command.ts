// Runs a small command of the user's for its output (a key helper). Nothing of it is logged or written to disk.
import { execFile } from "node:child_process";
import type { Env } from "./paths.js";

export interface HelperRequest {
  command: string;
  cwd: string;
  env: Env;
  timeoutMs: number;
  signal?: AbortSignal;
  /** Text for its standard input, which is empty otherwise. */
  stdin?: string;
}

const maxOutput = 1024 * 1024;

/** Standard output of a shell command. Rejects with the exit code and standard error, never with the output. */
export const runHelper = ({ command, cwd, env, timeoutMs, signal, stdin }: HelperRequest): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { cwd, env: { ...env }, timeout: timeoutMs, maxBuffer: maxOutput, signal };
    const child = execFile("/bin/sh", ["-c", command], options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const why = error.killed ? `no answer within ${timeoutMs / 1000} s` : `exit code ${error.code ?? "unknown"}`;
      const detail = stderr.trim().split("\n").slice(-3).join("\n");
      reject(new Error(`${why}${detail ? `: ${detail}` : ""}`));
    });
    child.stdin?.on("error", () => undefined); // it ended without reading: its exit code tells
    child.stdin?.end(stdin);
  });
