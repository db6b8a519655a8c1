// Real pipes for commands' output. Node's own are sockets, on which `echo > /dev/stderr` fails; these are
// named pipes, made a few at a time and without a name again before anything runs.
import { closeSync, constants, openSync, unlinkSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { runProcess } from "../process.js";

export interface Pipe {
  readFd: number;
  /** Hand to the child, then close. */
  writeFd: number;
}

const batch = 8; // one start of mkfifo serves this many commands

/** Makes pipes on demand; `folder` must exist and be private. */
export const createPipes = (folder: string) => {
  const names: string[] = [];
  let count = 0;
  return {
    /** Throws when the system cannot make named pipes. */
    take: async (): Promise<Pipe> => {
      if (names.length === 0) {
        const fresh = Array.from({ length: batch }, () => join(folder, `pipe-${count++}`));
        const made = await runProcess("mkfifo", ["-m", "600", ...fresh]);
        if (made.exitCode !== 0) throw new Error(`mkfifo failed: ${made.error?.message ?? made.stderr.trim()}`);
        names.push(...fresh);
      }
      const name = names.shift()!;
      const readFd = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        return { readFd, writeFd: openSync(name, constants.O_WRONLY) };
      } catch (error) {
        closeSync(readFd);
        throw error;
      } finally {
        unlinkSync(name);
      }
    },
  };
};

const bufferBytes = 64 * 1024; // the pipe's own size on Linux

/**
 * Reads a pipe into one reused buffer: `onData` must copy what it keeps. `onEnd` comes once, when every writer is gone.
 * The reader does not keep the process alive.
 */
export const readPipe = (fd: number, onData: (bytes: Buffer) => void, onEnd: () => void): Socket => {
  const buffer = Buffer.allocUnsafe(bufferBytes);
  const socket = new Socket({
    fd,
    readable: true,
    writable: false,
    onread: {
      buffer,
      callback: (size) => {
        onData(buffer.subarray(0, size));
        return true;
      },
    },
  });
  socket.on("error", () => socket.destroy());
  socket.once("close", onEnd);
  socket.resume();
  socket.unref(); // the child keeps us waiting, what outlives it must not
  return socket;
};
