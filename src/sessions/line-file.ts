// A file that only grows, line by line: mode 0600, one write a line, a fresh line after a torn one.
import { closeSync, fdatasync, fstatSync, mkdirSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** Keeps what could not be written and tries again with the next line; `onProblem` hears of the first failure in a row. */
export class LineFile {
  #fd: number | undefined;
  #isTorn = false;
  #waiting: Buffer[] = [];
  #hasFailed = false;

  constructor(
    private readonly file: string,
    private readonly onProblem: (reason: string) => void,
  ) {}

  /** Writes `line` (without its newline) in one write, on a line of its own. Never throws. */
  append(line: string): void {
    this.#waiting.push(Buffer.from(`${line}\n`));
    try {
      this.#open();
      while (this.#waiting[0] !== undefined) {
        this.#writeWhole(this.#isTorn ? Buffer.concat([newline, this.#waiting[0]]) : this.#waiting[0]);
        this.#waiting.shift();
      }
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.onProblem(messageOf(error));
      this.#hasFailed = true;
    }
  }

  /** fdatasync; resolves also where the file system cannot. */
  async sync(): Promise<void> {
    const fd = this.#fd;
    if (fd === undefined) return;
    // A file system that cannot sync (some network mounts) is no reason to stop a session.
    await new Promise<void>((resolve) => fdatasync(fd, () => resolve()));
  }

  /**
   * Looks whether the file still stands under its name. One that was removed is written again from the open descriptor;
   * beside one that was replaced nothing is, later lines go into the new one. Throws when it cannot be written again.
   */
  restore(): "fine" | "rewritten" | "replaced" {
    const old = this.#fd;
    if (old === undefined) return "fine";
    const there = statSync(this.file, { throwIfNoEntry: false });
    const { ino, dev, size } = fstatSync(old);
    if (there?.ino === ino && there.dev === dev) return "fine";
    const content = Buffer.alloc(there ? 0 : size);
    const length = content.length === 0 ? 0 : readSync(old, content, 0, size, 0);
    this.#fd = undefined;
    closeSync(old);
    this.#open();
    if (length > 0) this.#writeWhole(content.subarray(0, length));
    return there ? "replaced" : "rewritten";
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #open(): void {
    if (this.#fd !== undefined) return;
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
    this.#fd = openSync(this.file, "a+", 0o600);
    const { size } = fstatSync(this.#fd);
    const last = Buffer.alloc(1);
    this.#isTorn = size > 0 && readSync(this.#fd, last, 0, 1, size - 1) === 1 && last[0] !== 10;
  }

  /** One write in all but the rarest case; after a short write the line is torn until a later one succeeds. */
  #writeWhole(bytes: Buffer): void {
    const written = writeSync(this.#fd!, bytes);
    if (written > 0) this.#isTorn = bytes[written - 1] !== 10;
    if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes were written`);
  }
}

const newline = Buffer.from("\n");
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
