// Copies a session under a new id: --fork-session, /branch, and what a second opener of a session gets.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { newId } from "../protocol/ids.js";
import { configDirOf, fileHistoryDir, shareContents } from "./checkpoint-store.js";
import { readTranscript } from "./read.js";
import { isChainRecord, type TranscriptRecord } from "./record.js";

/** Name of a copy of a session of this name. */
export const branchName = (name: string): string => `${name} (branch)`;

/** Where a copy comes from: stands in its first record of the conversation. */
const origin = (from: string, { uuid }: TranscriptRecord) => ({
  sessionId: basename(from, ".jsonl"),
  messageUuid: uuid,
});

/**
 * Writes `to` (mode 0600, whole or not at all) with all whole records of `from`, told to belong to `sessionId`; the
 * original is untouched. Its kept file contents are shared, so that the copy can rewind too. `upTo` ends the copy behind the record of that uuid. Throws when a file cannot be read or
 * written.
 */
export const forkTranscript = (from: string, to: string, sessionId: string, upTo?: string): void => {
  const { records } = readTranscript(from);
  const end = upTo === undefined ? -1 : records.findIndex((record) => isChainRecord(record) && record.uuid === upTo);
  const kept = end === -1 ? records : records.slice(0, end + 1);
  const root = kept.findIndex(isChainRecord);
  const copied = kept.map((record, at) => ({
    ...record,
    sessionId,
    ...(at === root ? { forkedFrom: origin(from, record) } : {}),
  }));
  shareContents(
    fileHistoryDir(configDirOf(from), basename(from, ".jsonl")),
    fileHistoryDir(configDirOf(to), sessionId),
  );
  const draft = `${to}.${newId()}.tmp`;
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  writeFileSync(draft, copied.map((record) => `${JSON.stringify(record)}\n`).join(""), { mode: 0o600 });
  renameSync(draft, to);
};
