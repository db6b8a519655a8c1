// Synchronous writing for the ways out: at exit nothing asynchronous runs any more.
import { writeSync } from "node:fs";

const maxTries = 100;

/** Writes all of `text`, waiting at most about 200 ms for a terminal that does not take it. Never throws. */
export const writeAllSync = (fd: number, text: string): void => {
  let data = Buffer.from(text, "utf8");
  for (let tries = 0; data.length > 0 && tries < maxTries; tries++) {
    try {
      data = data.subarray(writeSync(fd, data));
    } catch (error) {
      // Anything but "try again" means that the terminal is gone: there is nothing left to restore.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
};
