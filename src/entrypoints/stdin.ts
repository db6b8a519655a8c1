// Reads what is piped into a headless run, within limits of size and patience.
import type { Readable } from "node:stream";
import { type Clock, systemClock } from "../platform/clock.js";

export type PipedInput =
  /** Empty when the pipe ended without data, or none came. */
  { kind: "text"; text: string } | { kind: "error"; message: string };

export interface StdinOptions {
  stdin: Readable & { isTTY?: boolean; unref?(): void };
  /** With a prompt in the arguments a silent pipe is given up; without one it is all there is to wait for. */
  hasPrompt: boolean;
  warn(text: string): void;
  clock?: Clock;
}

export const maxStdinBytes = 10 * 1024 * 1024; // spec/cli.md section 1
const patienceMs = 3000; // a pipe that is silent for so long probably has nothing to do with us

/** Never rejects. A terminal is not read: it has no piped input. */
export const readPipedStdin = async (options: StdinOptions): Promise<PipedInput> => {
  const { stdin, warn, hasPrompt, clock = systemClock } = options;
  if (stdin.isTTY === true) return { kind: "text", text: "" };
  const stopWaiting = new AbortController();
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    const finish = (result: PipedInput) => {
      stopWaiting.abort();
      stdin.off("data", onData).off("end", onEnd).off("error", onEnd).off("close", onEnd);
      stdin.on("error", () => {}); // a late failure of a pipe nobody reads any more
      stdin.pause();
      stdin.unref?.();
      resolve(result);
    };
    const onEnd = () => finish({ kind: "text", text: Buffer.concat(chunks).toString("utf8") });
    const onData = (chunk: Buffer | string) => {
      stopWaiting.abort();
      const piece = Buffer.from(chunk);
      bytes += piece.length;
      if (bytes > maxStdinBytes)
        finish({ kind: "error", message: "error: more than 10 MB on stdin; put it in a file and name the file" });
      else chunks.push(piece);
    };
    stdin.on("data", onData).on("end", onEnd).on("error", onEnd).on("close", onEnd);
    void clock.sleep(patienceMs, stopWaiting.signal).then(() => {
      if (stopWaiting.signal.aborted) return;
      const seconds = patienceMs / 1000;
      if (!hasPrompt) return warn(`Nothing on stdin for ${seconds} s; still waiting for the prompt`);
      warn(`Nothing on stdin for ${seconds} s; going on without it (< /dev/null avoids the wait)`);
      finish({ kind: "text", text: "" });
    });
  });
};

/** The prompt of the arguments with the piped text under it; undefined when there is neither. */
export const joinPrompt = (prompt: string | undefined, piped: string): string | undefined => {
  const parts = [prompt ?? "", piped].filter((part) => part.trim() !== "");
  return parts.length === 0 ? undefined : parts.join("\n");
};
