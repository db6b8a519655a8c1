// Follows a running shell to its end: output, progress, timeout, interruption.
import type { ChildProcess } from "node:child_process";
import type { ShellOutcome, ShellRequest } from "../shell.js";
import { endMarked } from "./ledger.js";
import { readPipe } from "./pipes.js";
import type { ShellOutput } from "./shell-output.js";

export interface RunningShell {
  child: ChildProcess;
  readFd: number;
  cwdFile: string;
  /** Takes away what the sandbox made for this command. */
  onEnd?: () => void;
}

const progressMs = 200;
const graceMs = 50; // after the shell's exit, when something else still holds its output open

/** Waits for the shell's end (not its children's), enforcing timeout and signal. Fills the outcome. */
export const follow = (
  shell: RunningShell,
  request: ShellRequest,
  output: ShellOutput,
  outcome: ShellOutcome,
  mark: string,
): Promise<void> =>
  new Promise((resolve) => {
    const progress = createProgress(request, output);
    let hasExited = false;
    let hasEnded = false;
    let killing: Promise<void> | undefined;
    const done = () => {
      clearTimeout(timer);
      progress.stop();
      request.signal.removeEventListener("abort", onAbort);
      if (hasEnded) output.close();
      resolve(killing); // the shell may be gone before the last of its children
    };
    readPipe(
      shell.readFd,
      (bytes) => {
        output.add(bytes);
        request.onOutput?.(bytes);
        progress.note();
      },
      () => {
        hasEnded = true;
        if (hasExited) done();
        else output.close();
      },
    );
    const end = (why: "interrupted" | "timedOut") => {
      if (killing) return;
      outcome[why] = true;
      killing = endMarked(mark);
      void killing.then(() => setTimeout(done, graceMs * 10)); // should the exit never be reported
    };
    const onAbort = () => end("interrupted");
    const timer = Number.isFinite(request.timeoutMs) ? setTimeout(() => end("timedOut"), request.timeoutMs) : undefined;
    request.signal.addEventListener("abort", onAbort, { once: true });
    if (request.signal.aborted) onAbort();
    shell.child.once("exit", (code) => {
      hasExited = true;
      outcome.exitCode = code;
      clearTimeout(timer);
      // What was written before the exit is in the pipe: one more round of the event loop reads it.
      if (hasEnded) done();
      else setTimeout(() => setImmediate(() => setImmediate(done)), graceMs);
    });
  });

/** Calls onProgress at most every 200 ms while output comes, never when none does. */
const createProgress = (request: ShellRequest, output: ShellOutput) => {
  let timer: NodeJS.Timeout | undefined;
  let isOver = !request.onProgress;
  let last = 0;
  const emit = () => {
    timer = undefined;
    last = Date.now();
    request.onProgress?.({ lastLines: output.lastLines(5), totalBytes: output.totalBytes });
  };
  return {
    note: () => {
      if (isOver || timer) return;
      const wait = last + progressMs - Date.now();
      if (wait <= 0) emit();
      else timer = setTimeout(emit, wait);
    },
    stop: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
};
