// What a path holds at this moment, for keeping and for comparing: content by its hash, links never followed.
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { codeOf, formatBytes } from "../platform/fs.js";
import { maxKeptBytes } from "./checkpoint-numbers.js";

/** Name of a content. */
export const contentHash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export type FileNow =
  | { kind: "absent" }
  | { kind: "file"; sha256: string; size: number; mode: number; mtimeMs: number; bytes: Buffer }
  /** Something else, or nothing that can be read: `why` is half a sentence. */
  | { kind: "other"; why: string };

/** What is known of a file after a change: null means that there was none. */
export type After = { sha256: string; size: number; mode: number } | null;

/** Reads what is at `path` (absolute, links resolved before). Never throws. */
export const fileNow = async (path: string): Promise<FileNow> => {
  try {
    const seen = await lstat(path);
    if (!seen.isFile())
      return { kind: "other", why: seen.isSymbolicLink() ? "it is a link now" : "it is no regular file" };
    if (seen.size > maxKeptBytes) return { kind: "other", why: `it is larger than ${formatBytes(maxKeptBytes)}` };
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { mode, mtimeMs } = await handle.stat();
      const bytes = await handle.readFile();
      return { kind: "file", sha256: contentHash(bytes), size: bytes.length, mode: mode & 0o7777, mtimeMs, bytes };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "absent" };
    return {
      kind: "other",
      why: code === "EACCES" || code === "EPERM" ? "it may not be read" : `it cannot be read (${code})`,
    };
  }
};

/** The state as it is written down; undefined when it is none that could be compared. */
export const afterOf = (now: FileNow): After | undefined => {
  if (now.kind === "absent") return null;
  return now.kind === "file" ? { sha256: now.sha256, size: now.size, mode: now.mode } : undefined;
};

/** Whether the content is this one. */
export const holds = (now: FileNow, state: After | undefined): boolean => {
  if (state === undefined) return false;
  if (state === null) return now.kind === "absent";
  return now.kind === "file" && now.sha256 === state.sha256;
};
