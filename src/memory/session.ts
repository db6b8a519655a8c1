// Session memory: notes of the running conversation, so that a compaction can use them instead of asking for a summary. Plain Markdown, mode 0600.
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileWhole } from "../platform/write-file.js";

/** First notes, then renewed after so many tokens and calls (design.md section 7). */
const firstTokens = 10_000;
const everyTokens = 5_000;
const everyCalls = 3;
/** Ours: notes serve compactions alone, so they begin when one comes into sight, and large windows renew them at a like share (decision 0009). */
const fromShare = 0.5;
const everyShare = 0.025;
/** Ours: notes that miss more than this are too old to stand in for a summary. */
const freshTokens = 10_000;

export interface NotesProgress {
  /** Tokens of the next request, and the size at which it would be compacted. */
  tokens: number;
  compactAt: number;
  /** Tokens of the conversation at the last notes; undefined: there are none. */
  notedTokens: number | undefined;
  /** Calls since the last notes. */
  calls: number;
}

/** Whether notes are to be written now. */
export const notesDue = ({ tokens, compactAt, notedTokens, calls }: NotesProgress): boolean => {
  if (tokens < Math.max(firstTokens, compactAt * fromShare)) return false;
  if (notedTokens === undefined) return true;
  return tokens - notedTokens >= Math.max(everyTokens, compactAt * everyShare) && calls >= everyCalls;
};

/** Whether notes that miss `missedTokens` of the newest conversation can stand in for a summary. */
export const areFresh = (missedTokens: number): boolean => missedTokens <= freshTokens;

/** Where a session's notes lie. */
export const notesFile = (projectDir: string, sessionId: string): string =>
  join(projectDir, sessionId, "session-memory", "notes.md");

/** Writes the notes whole or not at all. Throws when the disk refuses. */
export const writeNotes = async (file: string, text: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFileWhole(file, Buffer.from(`${text.trim()}\n`), { mode: 0o600 });
};

/** The notes that were written last; undefined when there are none that can be read. */
export const readNotes = async (file: string): Promise<string | undefined> => {
  const text = await readFile(file, "utf8").catch(() => undefined);
  return text?.trim() || undefined;
};
