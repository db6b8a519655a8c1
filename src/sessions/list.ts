// Lists a project's sessions for the picker and for --continue, from the head and the tail of each file only.
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { projectSlug } from "../platform/paths.js";
import type { SessionRow } from "../protocol/pickers.js";
import { parseTranscript } from "./read.js";
import { recordBlocks, type TranscriptRecord } from "./record.js";
import { titleOf } from "./resume.js";
import { openIndex } from "./session-index.js";
import { shownText } from "./wrappers.js";

export interface ListedSession extends SessionRow {
  file: string;
  /** "cli", "sdk-cli", …; undefined in older files. */
  entrypoint?: string;
}

export interface ListOptions {
  /** Folder with the transcripts. */
  projectDir: string;
  /** The project's folder: sessions of another folder with the same slug are left out. Absent: all. */
  cwd?: string;
  /** Also sessions of `-p` and SDK hosts (the picker hides them). */
  includeHeadless?: boolean;
  /** Folder of the index; absent: every file is read. */
  indexDir?: string;
  /** Told of all rows so far, newest first, while many files are being read. */
  onRows?: (rows: ListedSession[]) => void;
  /** Also files that hold no readable record: with a `problem`. */
  includeDamaged?: boolean;
}

const endBytes = 64 * 1024; // read from either end of a file: holds the first prompt, and titles and prompts of the last turns
const longestTitle = 120; // characters of a title made from a prompt
const atOnce = 16; // files open at a time
const rowsEveryMs = 300;

/** All sessions of a project folder, newest first. A missing folder is an empty list; unreadable files are left out. */
export const listSessions = async (options: ListOptions): Promise<ListedSession[]> =>
  (await listSome(options, Number.POSITIVE_INFINITY)).rows;

/**
 * The same without reading more than the `maxUnread` newest files that the index does not know: what a first list
 * shows at once. `isComplete` is false where older ones were left out.
 */
export const listSome = async (
  options: ListOptions,
  maxUnread: number,
): Promise<{ rows: ListedSession[]; isComplete: boolean }> => {
  const files = await transcriptFiles(options.projectDir);
  const index = await openIndex<ListedSession>(indexFile(options));
  const rows: ListedSession[] = [];
  const add = (row: ListedSession | null): void => {
    if (row !== null && isWanted(row, options)) rows.push(row);
  };
  const unknown: TranscriptFile[] = [];
  for (const file of files) {
    const known = index.get(basename(file.file), file);
    if (known === undefined) unknown.push(file);
    else add(known);
  }
  const unread = unknown.slice(0, maxUnread);
  const newestFirst = (): ListedSession[] => rows.sort((a, b) => b.updatedAt - a.updatedAt);
  let nextAt = 0;
  for (let from = 0; from < unread.length; from += atOnce) {
    const batch = unread.slice(from, from + atOnce);
    const found = await Promise.all(batch.map(({ file }) => rowOf(file)));
    batch.forEach((file, at) => {
      const row = found[at] ?? null;
      // What could not be read may be readable the next time: only the file's own content is remembered.
      if (row?.problem === undefined || row.bytes >= 0) index.set(basename(file.file), file, row);
      add(row);
    });
    if (options.onRows && performance.now() >= nextAt) {
      options.onRows([...newestFirst()]);
      nextAt = performance.now() + rowsEveryMs;
    }
  }
  const isComplete = unread.length === unknown.length;
  if (isComplete) await index.save();
  return { rows: newestFirst(), isComplete };
};

const indexFile = ({ indexDir, projectDir }: ListOptions): string | undefined =>
  indexDir === undefined ? undefined : join(indexDir, `${basename(projectDir)}.json`);

/** The newest session, reading as few files as possible; undefined when there is none. */
export const newestSession = async (options: ListOptions): Promise<ListedSession | undefined> => {
  for (const { file } of await transcriptFiles(options.projectDir)) {
    const row = await peekSession(file);
    if (row !== undefined && isWanted(row, { ...options, includeDamaged: false })) return row;
  }
  return undefined;
};

interface TranscriptFile {
  file: string;
  mtimeMs: number;
  size: number;
}

/** Transcripts of a folder, last written first; sidechain files of older versions are none. */
const transcriptFiles = async (projectDir: string): Promise<TranscriptFile[]> => {
  const names = await readdir(projectDir).catch(() => []); // no folder: no sessions
  const isTranscript = (name: string) => name.endsWith(".jsonl") && !name.startsWith("agent-");
  const files = await Promise.all(
    names.filter(isTranscript).map(async (name) => {
      const file = join(projectDir, name);
      const stats = await stat(file).catch(() => undefined); // gone since: not listed
      return { file, mtimeMs: stats?.isFile() ? stats.mtimeMs : -1, size: stats?.size ?? 0 };
    }),
  );
  return files.filter(({ mtimeMs }) => mtimeMs >= 0).sort((a, b) => b.mtimeMs - a.mtimeMs);
};

const isWanted = (row: ListedSession, { cwd, includeHeadless = false, includeDamaged }: ListOptions): boolean => {
  if (row.problem !== undefined) return includeDamaged === true;
  if (!includeHeadless && row.entrypoint?.startsWith("sdk") === true) return false;
  // Two folders may share a slug: then the folder inside the session decides.
  return cwd === undefined || row.cwd === "" || row.cwd === cwd || projectSlug(row.cwd) !== projectSlug(cwd);
};

/** What the list shows of one file; undefined when it is empty, unreadable, or holds no conversation. */
export const peekSession = async (file: string): Promise<ListedSession | undefined> => {
  const row = await rowOf(file);
  return row?.problem === undefined ? row : undefined;
};

/** The same, but a file that is damaged or cannot be read gives a row with a `problem`. */
const rowOf = async (file: string): Promise<ListedSession | undefined> => {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, "r");
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size === 0) return undefined;
    const ends = await readEnds(handle, stats.size);
    if (ends.head.length + ends.tail.length > 0) return toRow(file, stats, ends);
    return damaged(file, "no line of it can be read", stats);
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    return damaged(file, `it cannot be opened (${code})`, { size: -1, mtimeMs: await mtimeOf(file) });
  } finally {
    await handle?.close();
  }
};

const mtimeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0, // gone meanwhile
  );

const damaged = (
  file: string,
  problem: string,
  { size, mtimeMs }: { size: number; mtimeMs: number },
): ListedSession => ({
  sessionId: idOf(file),
  title: `Damaged: ${basename(file)}`,
  updatedAt: mtimeMs,
  messages: 0,
  cwd: "",
  bytes: size,
  file,
  problem,
});

const idOf = (file: string): string => basename(file, ".jsonl");

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
  const prompts = head.map(promptOf).filter((text) => text !== undefined);
  const latest = isWhole ? prompts : tail.map(promptOf).filter((text) => text !== undefined);
  const name = titleOf(records);
  const field = (pick: (record: TranscriptRecord) => string | undefined) => records.map(pick).find(Boolean);
  const lastPrompt = latest.at(-1);
  return {
    sessionId: idOf(file),
    title: name ?? oneLine(prompts[0] ?? "(no prompt)"),
    ...(prompts[0] === undefined ? {} : { firstPrompt: oneLine(prompts[0]) }),
    ...forkOf(records),
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

/** The session a copy was made from. */
const forkOf = (records: readonly TranscriptRecord[]): { forkOf?: string } => {
  const origin = records.find(({ forkedFrom }) => forkedFrom !== undefined)?.forkedFrom;
  const id = typeof origin === "object" && origin !== null && "sessionId" in origin ? origin.sessionId : undefined;
  return typeof id === "string" ? { forkOf: id } : {};
};

const oneLine = (text: string): string => {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length <= longestTitle ? line : `${line.slice(0, longestTitle - 1)}…`;
};
