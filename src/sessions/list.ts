// Lists a project's sessions for the picker and for --continue, from the head and the tail of each file only.
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { projectSlug } from "../platform/paths.js";
import type { SessionRow } from "../protocol/pickers.js";
import { parseTranscript } from "./read.js";
import { recordBlocks, type TranscriptRecord } from "./record.js";
import { titleOf } from "./resume.js";
import { shownText } from "./wrappers.js";

export interface ListedSession extends SessionRow {
  file: string;
  /** "cli", "sdk-cli", …; undefined in older files. */
  entrypoint?: string;
  /** Given by a person or the model, not derived from the first prompt. */
  name?: string;
}

export interface ListOptions {
  /** Folder with the transcripts. */
  projectDir: string;
  /** The project's folder: sessions of another folder with the same slug are left out. Absent: all. */
  cwd?: string;
  /** Also sessions of `-p` and SDK hosts (the picker hides them). */
  includeHeadless?: boolean;
}

const endBytes = 64 * 1024; // read from either end of a file: holds the first prompt, and titles and prompts of the last turns
const longestTitle = 120; // characters of a title made from a prompt
const atOnce = 16; // files open at a time

/** All sessions of a project folder, newest first. A missing folder is an empty list; unreadable files are left out. */
export const listSessions = async (options: ListOptions): Promise<ListedSession[]> => {
  const files = await transcriptFiles(options.projectDir);
  const rows: ListedSession[] = [];
  for (let from = 0; from < files.length; from += atOnce) {
    const batch = files.slice(from, from + atOnce).map(({ file }) => peekSession(file));
    for (const row of await Promise.all(batch)) if (row !== undefined && isWanted(row, options)) rows.push(row);
  }
  return rows.sort((a, b) => b.updatedAt - a.updatedAt);
};

/** The newest session, reading as few files as possible; undefined when there is none. */
export const newestSession = async (options: ListOptions): Promise<ListedSession | undefined> => {
  for (const { file } of await transcriptFiles(options.projectDir)) {
    const row = await peekSession(file);
    if (row !== undefined && isWanted(row, options)) return row;
  }
  return undefined;
};

/** Transcripts of a folder, last written first; sidechain files of older versions are none. */
const transcriptFiles = async (projectDir: string): Promise<{ file: string; mtimeMs: number }[]> => {
  const names = await readdir(projectDir).catch(() => []); // no folder: no sessions
  const isTranscript = (name: string) => name.endsWith(".jsonl") && !name.startsWith("agent-");
  const files = await Promise.all(
    names.filter(isTranscript).map(async (name) => {
      const file = join(projectDir, name);
      const stats = await stat(file).catch(() => undefined); // gone since: not listed
      return { file, mtimeMs: stats?.isFile() ? stats.mtimeMs : -1 };
    }),
  );
  return files.filter(({ mtimeMs }) => mtimeMs >= 0).sort((a, b) => b.mtimeMs - a.mtimeMs);
};

const isWanted = (row: ListedSession, { cwd, includeHeadless = false }: ListOptions): boolean => {
  if (!includeHeadless && row.entrypoint?.startsWith("sdk") === true) return false;
  // Two folders may share a slug: then the folder inside the session decides.
  return cwd === undefined || row.cwd === "" || row.cwd === cwd || projectSlug(row.cwd) !== projectSlug(cwd);
};

/** What the list shows of one file; undefined when it is empty, unreadable, or holds no conversation. */
export const peekSession = async (file: string): Promise<ListedSession | undefined> => {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, "r");
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size === 0) return undefined;
    return toRow(file, stats, await readEnds(handle, stats.size));
  } catch {
    return undefined; // unreadable: the list goes on without it
  } finally {
    await handle?.close();
  }
};

interface Ends {
  head: TranscriptRecord[];
  tail: TranscriptRecord[];
  /** True when the two ends are the whole file. */
  isWhole: boolean;
}

const readEnds = async (handle: FileHandle, size: number): Promise<Ends> => {
  const read = async (position: number, length: number) => {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, position);
    return parseTranscript(buffer.subarray(0, bytesRead)).records;
  };
  if (size <= 2 * endBytes) return { head: await read(0, size), tail: [], isWhole: true };
  // The line cut at either end does not parse and is skipped.
  return { head: await read(0, endBytes), tail: await read(size - endBytes, endBytes), isWhole: false };
};

const toRow = (
  file: string,
  { size, mtimeMs }: { size: number; mtimeMs: number },
  { head, tail, isWhole }: Ends,
): ListedSession | undefined => {
  const records = [...head, ...tail];
  const messages = records.filter(({ type }) => type === "user" || type === "assistant");
  if (isWhole && messages.length === 0) return undefined;
  if (messages.length > 0 && messages.every(({ isSidechain }) => isSidechain === true)) return undefined;
  const prompts = records.map(promptOf).filter((text) => text !== undefined);
  const name = titleOf(records);
  const field = (pick: (record: TranscriptRecord) => string | undefined) => records.map(pick).find(Boolean);
  const lastPrompt = tail.length > 0 || isWhole ? prompts.at(-1) : undefined;
  return {
    sessionId: file.slice(file.lastIndexOf("/") + 1, -".jsonl".length),
    title: name ?? oneLine(prompts[0] ?? "(no prompt)"),
    ...(name === undefined ? {} : { name }),
    ...(lastPrompt === undefined ? {} : { lastPrompt: oneLine(lastPrompt) }),
    updatedAt: mtimeMs,
    messages: isWhole ? messages.length : estimate(messages.length, records, size),
    branch: records.findLast(({ gitBranch }) => Boolean(gitBranch))?.gitBranch,
    cwd: field(({ cwd }) => cwd) ?? "",
    bytes: size,
    file,
    entrypoint: field(({ entrypoint }) => entrypoint),
  };
};

/** Messages of a file of which only the ends were read: by the share of the bytes read. */
const estimate = (found: number, records: readonly unknown[], size: number): number =>
  records.length === 0 ? 1 : Math.max(1, Math.round((found * size) / (2 * endBytes)));

/** What a person typed in this record, if it is a prompt. */
const promptOf = (record: TranscriptRecord): string | undefined => {
  if (record.type === "last-prompt") return typeof record.lastPrompt === "string" ? record.lastPrompt : undefined;
  if (record.type !== "user" || record.isMeta || record.isCompactSummary || record.isSidechain) return undefined;
  if (record.shown !== undefined) return record.shown;
  const texts = recordBlocks(record).filter(({ type }) => type === "text");
  const shown = texts.map((block) => shownText(String(block.text))).find(({ kind }) => kind === "prompt");
  return shown === undefined || shown.text.startsWith("[Request interrupted") ? undefined : shown.text;
};

const oneLine = (text: string): string => {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length <= longestTitle ? line : `${line.slice(0, longestTitle - 1)}…`;
};
