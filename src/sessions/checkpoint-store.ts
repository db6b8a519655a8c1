// The kept contents of a session's files, on disk: `file-history/<session>/<hash16>@v<n>`, whole or not at all.
import { createHash, randomBytes } from "node:crypto";
import { constants, copyFileSync, existsSync, linkSync, mkdirSync, readdirSync } from "node:fs";
import { mkdir, open, readFile, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf } from "../platform/fs.js";

/** A file's state before a change, as transcripts keep it. The first three members are the ones other programs read. */
export interface Kept {
  /** Null: there was no file. */
  backupFileName: string | null;
  version: number;
  backupTime: string;
  /** Of the content, null where there was none; absent in lines of other programs. */
  sha256?: string | null;
  size?: number;
  mode?: number;
  /** The topmost folder that had to be made for the file. */
  madeDir?: string;
  /** A call of this checkpoint changed the file. */
  touched?: true;
  /** Somebody else had changed it since our change before. */
  foreign?: true;
}

/** Where the kept contents of a session are, beside the projects of the same settings folder. */
export const fileHistoryDir = (configDir: string, sessionId: string): string =>
  join(configDir, "file-history", sessionId);

/** Name of a kept content: by the file's path and a number that counts up. */
export const backupName = (path: string, version: number): string =>
  `${createHash("sha256").update(path).digest("hex").slice(0, 16)}@v${version}`;

/** Why something could not be kept, as half a sentence. */
export const keepProblem = (error: unknown): string => {
  const code = codeOf(error);
  if (code === "ENOSPC" || code === "EDQUOT") return "the disk is full";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "the folder of kept files cannot be written";
  return `it could not be kept (${code ?? (error instanceof Error ? error.message : String(error))})`;
};

/** Writes a content under its name; an unfinished one of a killed process is replaced. Throws when it cannot. */
export const keepContent = async (dir: string, name: string, bytes: Uint8Array, mode: number): Promise<void> => {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const draft = join(dir, `.${name}.${randomBytes(4).toString("hex")}`);
  try {
    const handle = await open(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      await handle.writeFile(bytes);
      // Other programs take the mode from here; set-id bits never, and our own right to read always.
      await handle.chmod((mode & 0o777) | 0o400);
    } finally {
      await handle.close();
    }
    await rename(draft, join(dir, name));
  } catch (error) {
    await unlink(draft).catch(() => undefined); // was never made
    throw error;
  }
};

/** A kept content. Throws when it is gone. */
export const readContent = (dir: string, name: string): Promise<Buffer> => readFile(join(dir, name));

/** Removes a kept content that nothing names any more. Never throws. */
export const dropContent = (dir: string, name: string): Promise<void> => unlink(join(dir, name)).catch(() => undefined); // gone already

/** Gives a copied session the kept contents of the one it came from: hard links, copies where there are none. */
export const shareContents = (from: string, to: string): void => {
  if (from === to || !existsSync(from)) return; // nothing was kept
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(from)) {
    if (name.startsWith(".")) continue; // unfinished
    try {
      linkSync(join(from, name), join(to, name));
    } catch {
      if (!existsSync(join(to, name))) copyFileSync(join(from, name), join(to, name));
    }
  }
};

/** The settings folder that a transcript lies in: `<config>/projects/<project>/<session>.jsonl`. */
export const configDirOf = (transcript: string): string => dirname(dirname(dirname(transcript)));
