// Reading files safely: what a path leads to, whether it is a plain file, and its bytes.
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";

export type FileKind = "file" | "directory" | "device" | "fifo" | "socket" | "missing" | "unreadable";

/** A path that cannot be used as a plain file. `message` is a sentence for the model or a person. */
export class FileProblem extends Error {
  override name = "FileProblem";
  readonly kind: FileKind | "too_large" | "loop";
  readonly path: string;
  constructor(kind: FileProblem["kind"], path: string, message: string) {
    super(message);
    this.kind = kind;
    this.path = path;
  }
}

const maxLinks = 40; // Linux' own limit for one path

/**
 * Where reading or writing `path` (absolute) would land: links are followed, also dangling ones;
 * the part that does not exist yet is kept as written. Throws FileProblem "loop" for links in a circle.
 */
export const landingPath = async (path: string): Promise<string> => {
  let current = path;
  for (let links = 0; links <= maxLinks; links++) {
    const parent = await realParent(dirname(current));
    const whole = join(parent, basename(current));
    const target = await readlink(whole).catch(() => undefined); // not a link, or not there
    if (target === undefined) return whole;
    current = isAbsolute(target) ? resolve(target) : resolve(parent, target);
  }
  throw new FileProblem("loop", path, `${path} is a symbolic link that leads back to itself.`);
};

const realParent = async (folder: string): Promise<string> => {
  try {
    return await realpath(folder);
  } catch {
    // Not there: resolve what exists above it. A dangling folder link is followed like a dangling file link.
    if (dirname(folder) === folder) return folder;
    const above = await realParent(dirname(folder));
    const target = await readlink(join(above, basename(folder))).catch(() => undefined);
    return target === undefined ? join(above, basename(folder)) : resolve(above, target);
  }
};

/** True when `path` is `folder` or lies in it; both absolute and normalised, compared by whole segments. */
export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** What is at `path`, links followed. Never throws. */
export const fileKind = async (path: string): Promise<FileKind> => {
  try {
    const stats = await stat(path);
    if (stats.isFile()) return "file";
    if (stats.isDirectory()) return "directory";
    if (stats.isFIFO()) return "fifo";
    return stats.isSocket() ? "socket" : "device";
  } catch (error) {
    return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR" ? "missing" : "unreadable";
  }
};

/** True when `path` is a folder, links followed. */
export const isDirectory = async (path: string): Promise<boolean> => (await fileKind(path)) === "directory";

/** The nearest thing above `path` that is there and is no folder, so that nothing can be created below it. */
export const fileInTheWay = async (path: string): Promise<string | undefined> => {
  for (let at = dirname(path); ; at = dirname(at)) {
    const kind = await fileKind(at);
    if (kind === "directory" || kind === "unreadable" || at === dirname(at)) return undefined;
    if (kind !== "missing") return at;
  }
};

/** The error's code (ENOENT …), if it has one. */
export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;

export interface OpenedFile {
  handle: FileHandle;
  /** The resolved path that was opened. */
  path: string;
  size: number;
  mtimeMs: number;
  mode: number;
}

/**
 * Opens a plain file for reading. Devices, pipes and sockets are refused without opening them, and the check is
 * repeated on the opened descriptor, so that the checked object is the read object. Throws FileProblem.
 */
export const openFile = async (path: string): Promise<OpenedFile> => {
  const real = await landingPath(path);
  const before = await lstat(real).catch((error: unknown) => {
    throw problemOf(path, error);
  });
  refuseOthers(path, before);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(real, flags).catch((error: unknown) => {
    throw problemOf(path, error);
  });
  try {
    const stats = await handle.stat();
    refuseOthers(path, stats);
    return { handle, path: real, size: stats.size, mtimeMs: stats.mtimeMs, mode: stats.mode };
  } catch (error) {
    await handle.close();
    throw error;
  }
};

export interface FileBytes {
  bytes: Buffer;
  path: string;
  mtimeMs: number;
}

const defaultMaxBytes = 256 * 1024 * 1024; // half of the longest string the engine can hold

/** All bytes of a plain file. Throws FileProblem, also when it is larger than `maxBytes`. */
export const readBytes = async (path: string, maxBytes = defaultMaxBytes): Promise<FileBytes> => {
  const { handle, path: real, size, mtimeMs } = await openFile(path);
  try {
    if (size > maxBytes) {
      throw new FileProblem(
        "too_large",
        path,
        `${path} is too large (${formatBytes(size)}, the limit is ${formatBytes(maxBytes)}).`,
      );
    }
    return { bytes: await handle.readFile(), path: real, mtimeMs };
  } finally {
    await handle.close();
  }
};

/** Sizes as people read them: 999 B, 1.5 KB, 12 MB. */
export const formatBytes = (bytes: number): string => {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
};

type Kinds = { isFile(): boolean; isDirectory(): boolean; isFIFO(): boolean; isSocket(): boolean };

const refuseOthers = (path: string, stats: Kinds): void => {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new FileProblem("directory", path, `${path} is a directory, not a file.`);
  if (stats.isFIFO()) throw new FileProblem("fifo", path, `${path} is a named pipe: reading it could wait for ever.`);
  if (stats.isSocket()) throw new FileProblem("socket", path, `${path} is a socket, not a file.`);
  throw new FileProblem("device", path, `${path} is a device file, not a regular file.`);
};

/** The failure of a file operation as a FileProblem with a readable sentence. */
export const problemOf = (path: string, error: unknown): FileProblem => {
  if (error instanceof FileProblem) return error;
  switch (codeOf(error)) {
    case "ENOENT":
      return new FileProblem("missing", path, `${path} does not exist.`);
    case "ENOTDIR":
      return new FileProblem("missing", path, `${path} does not exist: a part of the path is a file, not a folder.`);
    case "EACCES":
    case "EPERM":
      return new FileProblem("unreadable", path, `No permission to open ${path}.`);
    case "ELOOP":
      return new FileProblem(
        "loop",
        path,
        `${path} is a symbolic link that changed while it was opened or leads in a circle.`,
      );
    case "EAGAIN":
      return new FileProblem(
        "unreadable",
        path,
        `${path} has nothing to read now: it is a stream of the system that waits for news, not a stored file.`,
      );
    case "ENAMETOOLONG":
      return new FileProblem("missing", path, `The path is too long for this file system: ${path.slice(0, 120)}…`);
    default:
      return new FileProblem(
        "unreadable",
        path,
        `${path} cannot be opened: ${error instanceof Error ? error.message : String(error)}`,
      );
  }
};

/** Names in the folder that look like the last part of `path`; the likeliest first, at most `limit`. Never throws. */
export const similarNames = async (path: string, limit = 3): Promise<string[]> => {
  const wanted = basename(path).toLowerCase();
  const stem = wanted.replace(/\.[^.]*$/, "");
  const names = await readdir(dirname(path)).catch(() => [] as string[]);
  const score = (name: string): number => {
    const lower = name.toLowerCase();
    if (lower === wanted) return 0;
    if (lower.replace(/\.[^.]*$/, "") === stem) return 1;
    const distance = editDistance(lower, wanted, 3);
    if (distance <= Math.min(3, Math.floor(wanted.length / 3))) return 1 + distance;
    return stem.length > 2 && lower.includes(stem) ? 6 : Number.POSITIVE_INFINITY;
  };
  return names
    .map((name) => ({ name, rank: score(name) }))
    .filter(({ rank }) => Number.isFinite(rank))
    .sort((a, b) => a.rank - b.rank || a.name.localeCompare(b.name))
    .slice(0, limit)
    .map(({ name }) => join(dirname(path), name));
};

const editDistance = (a: string, b: string, giveUpAbove: number): number => {
  if (Math.abs(a.length - b.length) > giveUpAbove) return giveUpAbove + 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, swap));
    }
    row = next;
  }
  return row[b.length]!;
};
