// Writes a file whole or not at all: through a temporary file beside it, or in place where links or rights demand it.
// Mode, owner, hard links and symbolic links stay as they were.
import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { chmod, chown, lstat, mkdir, open, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf, FileProblem, fileInTheWay, landingPath } from "./fs.js";

export interface WrittenFile {
  /** The path that was written, links resolved. */
  path: string;
  mtimeMs: number;
  /** False when there was no file before. */
  existed: boolean;
}

/**
 * Replaces the content of `path` (absolute), creating it and its folders when missing. Follows links, so that a link
 * stays a link. `landing`: where the caller's checks saw it land; a path that leads elsewhere by now is refused.
 * Throws; the earlier content is intact then.
 */
export const writeFileWhole = async (
  path: string,
  bytes: Uint8Array,
  options: { landing?: string; mode?: number } = {},
): Promise<WrittenFile> => {
  const real = await landingPath(path);
  if (options.landing !== undefined && real !== options.landing) {
    throw new FileProblem("loop", path, `${path} leads to another file than a moment ago; nothing was written.`);
  }
  const before = await lstat(real).catch(() => undefined);
  if (before && !before.isFile()) throw new FileProblem("device", path, `${path} is not a regular file.`);
  if (!before) {
    const blocking = await fileInTheWay(real);
    if (blocking !== undefined) throw new FileProblem("missing", path, blockedText(path, blocking));
    await mkdir(dirname(real), { recursive: true });
  }
  if (before && before.nlink > 1) await writeInPlace(real, bytes);
  else if (!(await replaceByRename(real, bytes, before, options.mode))) await writeInPlace(real, bytes);
  const after = await lstat(real);
  return { path: real, mtimeMs: after.mtimeMs, existed: before !== undefined };
};

/** Why a file cannot be created there. */
export const blockedText = (path: string, blocking: string): string =>
  `${path} cannot be created: ${blocking} is a file, not a folder.`;

const reasons: Record<string, string> = {
  EACCES: "there is no permission to write there",
  EPERM: "there is no permission to write there",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENAMETOOLONG: "its name is too long for this file system",
};

/** Says in a sentence that `path` was not written and why. */
export const writeFailure = (path: string, error: unknown): string => {
  if (error instanceof FileProblem) return error.message;
  const code = codeOf(error);
  const reason = code === undefined ? undefined : reasons[code];
  return `${path} could not be written: ${reason === undefined ? (error as Error).message : `${reason} (${code})`}.`;
};

/** False when the folder or the file's owner does not allow a replacement; the file is untouched then. */
const replaceByRename = async (
  path: string,
  bytes: Uint8Array,
  before: Stats | undefined,
  mode: number | undefined,
): Promise<boolean> => {
  const temporary = join(dirname(path), `.claude-${randomBytes(6).toString("hex")}.tmp`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(temporary, flags, before ? 0o600 : (mode ?? 0o666)).catch((error: unknown) => {
    if (before && noRights.has(codeOf(error) ?? "")) return undefined;
    throw error;
  });
  if (!handle) return false;
  try {
    await handle.writeFile(bytes);
    await handle.close();
    if (before && !(await keepOwnerAndMode(temporary, before))) {
      await unlink(temporary);
      return false;
    }
    await rename(temporary, path);
    return true;
  } catch (error) {
    await handle.close().catch(() => undefined); // closed already
    await unlink(temporary).catch(() => undefined); // gone already
    if (before && noRights.has(codeOf(error) ?? "")) return false; // sticky folder, immutable entry
    throw error;
  }
};

const noRights = new Set(["EACCES", "EPERM", "EROFS", "EBUSY"]);

const keepOwnerAndMode = async (temporary: string, before: Stats): Promise<boolean> => {
  const now = await lstat(temporary);
  if (now.uid !== before.uid || now.gid !== before.gid) {
    try {
      await chown(temporary, before.uid, before.gid);
    } catch {
      return false; // not ours to give away: the content is written into the old file instead
    }
  }
  await chmod(temporary, before.mode & 0o7777); // after chown, which clears set-id bits
  return true;
};

/** Overwrites the bytes of the existing file; puts the old ones back when the disk is full. */
const writeInPlace = async (path: string, bytes: Uint8Array): Promise<void> => {
  const handle = await open(path, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    const old = await handle.readFile();
    try {
      await writeAll(handle, bytes);
      await handle.truncate(bytes.length);
    } catch (error) {
      await writeAll(handle, old); // its blocks are still allocated
      await handle.truncate(old.length);
      throw error;
    }
  } finally {
    await handle.close();
  }
};

const writeAll = async (handle: Awaited<ReturnType<typeof open>>, bytes: Uint8Array): Promise<void> => {
  let position = 0;
  while (position < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, position, bytes.length - position, position);
    position += bytesWritten;
  }
};
