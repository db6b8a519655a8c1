// Writes to the terminal without ever blocking the process: one asynchronous write in flight, short writes and EAGAIN
// are finished, a terminal that is gone is noticed once.
import { write } from "node:fs";

/** One write attempt, shaped like fs.write: may take fewer bytes than offered. */
export type RawWrite = (data: Buffer, done: (error: NodeJS.ErrnoException | null, written: number) => void) => void;

/** Raw writes to a file descriptor on libuv's thread pool (a paused reader then blocks a pool thread, not us). */
export const fdWriter =
  (fd: number): RawWrite =>
  (data, done) =>
    write(fd, data, 0, data.length, null, done);

export interface BytePump {
  /** True while bytes are on their way: nothing may be sent then. */
  readonly isBusy: boolean;
  /** True after the terminal went away (EIO, EPIPE, EBADF); everything is dropped from then on. */
  readonly isDead: boolean;
  /** Sends text; call only while not busy. `onDone` runs when the last byte is out. */
  send(text: string): void;
  /** Drops what the terminal has not taken yet: it is about to belong to someone else. */
  abandon(): void;
}

const firstRetryMs = 2;
const maxRetryMs = 50;

export const createBytePump = (rawWrite: RawWrite, onDone: () => void): BytePump => {
  let isBusy = false;
  let isDead = false;
  let isAbandoned = false;

  const finish = () => {
    isBusy = false;
    onDone();
  };
  const attempt = (data: Buffer, retryMs: number): void => {
    rawWrite(data, (error, written) => {
      if (isAbandoned && (error || written < data.length)) {
        finish();
        return;
      }
      if (error?.code === "EAGAIN" || error?.code === "EINTR") {
        setTimeout(() => attempt(data, Math.min(maxRetryMs, retryMs * 2)), retryMs);
        return;
      }
      if (error) {
        isDead = true;
        finish();
        return;
      }
      if (written < data.length) attempt(data.subarray(written), firstRetryMs);
      else finish();
    });
  };

  return {
    get isBusy() {
      return isBusy;
    },
    get isDead() {
      return isDead;
    },
    send(text) {
      if (isDead || text === "") return;
      isBusy = true;
      isAbandoned = false;
      attempt(Buffer.from(text, "utf8"), firstRetryMs);
    },
    abandon() {
      isAbandoned = isBusy;
    },
  };
};
