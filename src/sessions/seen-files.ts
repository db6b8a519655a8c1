// What files held before a shell command: contents that are held in memory within limits, found again by their stat.
import { lstatSync, readFileSync, type Stats } from "node:fs";
import { formatBytes } from "../platform/fs.js";
import { watchLimits } from "./checkpoint-numbers.js";

/** A file before the command: its content, or why it is not held. */
export interface Seen {
  /** Of the stat: the same key means the same content. */
  key: string;
  mode: number;
  bytes?: Buffer;
  problem?: string;
}

/** Contents by path, for one session. Only what changed since the last command is read again. */
export class SeenFiles {
  readonly #known = new Map<string, Seen>();
  #bytes = 0;

  /** Looks at these files and holds their contents; what is not among them any more is let go. Never throws. */
  look(paths: readonly string[]): Map<string, Seen> {
    const found = new Map<string, Seen>();
    for (const path of paths) {
      const seen = this.#lookAt(path);
      if (seen) found.set(path, seen);
    }
    return found;
  }

  /** Lets go of everything under a folder that is not in `kept`. */
  forget(isGone: (path: string) => boolean): void {
    for (const [path, { bytes }] of this.#known) {
      if (!isGone(path)) continue;
      this.#bytes -= bytes?.length ?? 0;
      this.#known.delete(path);
    }
  }

  #lookAt(path: string): Seen | undefined {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile()) return undefined;
    const key = statKey(stats);
    const known = this.#known.get(path);
    if (known?.key === key) return known;
    this.#bytes -= known?.bytes?.length ?? 0;
    const seen = this.#read(path, stats, key);
    this.#bytes += seen.bytes?.length ?? 0;
    this.#known.set(path, seen);
    return seen;
  }

  #read(path: string, { size, mode }: Stats, key: string): Seen {
    const base = { key, mode: mode & 0o7777 };
    if (size > watchLimits.maxFileBytes)
      return { ...base, problem: `larger than ${formatBytes(watchLimits.maxFileBytes)} before the command` };
    if (this.#bytes + size > watchLimits.maxBytes)
      return { ...base, problem: "too much was changed or untracked before the command to keep all of it" };
    try {
      return { ...base, bytes: readFileSync(path) };
    } catch (error) {
      return { ...base, problem: `it could not be read before the command (${(error as NodeJS.ErrnoException).code})` };
    }
  }
}

/** Changes whenever the content does: time to the nanosecond would be better, but mtime, ctime, size and inode do. */
export const statKey = ({ mtimeMs, ctimeMs, size, ino }: Stats): string => `${mtimeMs} ${ctimeMs} ${size} ${ino}`;

/** The key of what is there now; undefined when it is no plain file. Never throws. */
export const keyNow = (path: string): string | undefined => {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? statKey(stats) : undefined;
  } catch {
    return undefined; // a folder on the way became a file
  }
};
