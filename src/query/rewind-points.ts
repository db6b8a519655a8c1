// The points a rewind can go back to: prompts of the branch that is in use, and the newest rewind itself.
import { textOf } from "../protocol/messages.js";
import type { RewindPoint } from "../protocol/pickers.js";
import { newestBranch } from "../sessions/branch.js";
import type { Checkpoint } from "../sessions/checkpoint-records.js";
import { readTranscript } from "../sessions/read.js";
import { isChainRecord, recordBlocks, type TranscriptRecord } from "../sessions/record.js";
import { shownText } from "../sessions/wrappers.js";
import { isTyped, openCheckpoints } from "./checkpoints.js";
import type { Session } from "./session.js";

/** What a rewind's own note in the transcript says. */
export interface RewindNote {
  /** The record that was the newest one; absent: the conversation stayed. */
  from?: string | null;
  /** The checkpoint of what was overwritten; absent: files stayed. */
  checkpoint?: string;
}

/** A prompt or a rewind's note of the branch in use. */
export interface PointRecord {
  kind: RewindPoint["kind"];
  record: TranscriptRecord & { uuid: string };
  text: string;
  note?: RewindNote;
}

const noteOf = (record: TranscriptRecord): RewindNote | undefined =>
  record.type === "system" && typeof record.rewind === "object" && record.rewind !== null
    ? (record.rewind as RewindNote)
    : undefined;

/** The text of a prompt as it was typed; undefined for every other record. */
const promptText = (record: TranscriptRecord): string | undefined => {
  if (record.type !== "user" || record.isMeta === true || record.isCompactSummary === true) return undefined;
  const blocks = recordBlocks(record);
  if (blocks.some(({ type }) => type === "tool_result")) return undefined;
  if (record.shown !== undefined && record.shown !== "") return isTyped(record.shown) ? record.shown : undefined;
  const text = textOf(blocks as Parameters<typeof textOf>[0]);
  if (text === "" && blocks.some(({ type }) => type === "image")) return "[Image]";
  return isTyped(text) ? shownText(text).text.replace(/^! /, "!") : undefined;
};

/** Prompts and rewinds of the newest branch, oldest first. */
export const pointRecords = (records: readonly TranscriptRecord[]): PointRecord[] =>
  newestBranch(records).records.flatMap((record): PointRecord[] => {
    if (!isChainRecord(record)) return [];
    const note = noteOf(record);
    if (note) return [{ kind: "undo", record, text: String(record.content ?? ""), note }];
    const text = promptText(record);
    return text === undefined ? [] : [{ kind: "prompt", record, text }];
  });

/** The session's records as they are on disk. Throws an Error for the person when it keeps none. */
export const sessionRecords = async (session: Session): Promise<TranscriptRecord[]> => {
  await session.checkpoints.pending;
  const { transcript } = session;
  const canKeep = session.options.flags.persist !== false && !session.isUnkept;
  if (!transcript)
    throw new Error(
      canKeep
        ? "Nothing has been said yet: there is nothing to go back to."
        : "This session keeps no record, so there is nothing to go back to.",
    );
  try {
    return readTranscript(transcript.file).records;
  } catch (error) {
    throw new Error(`The transcript ${transcript.file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
};

/** The checkpoint that goes with a point: its own, or for a rewind the one it kept its overwritten files under. */
export const checkpointOf = ({ kind, record, note }: PointRecord): string | undefined =>
  kind === "undo" ? note?.checkpoint : record.uuid;

const changedFiles = (checkpoint: Checkpoint | undefined) =>
  [...(checkpoint?.files.values() ?? [])].filter(
    ({ before, after }) => after === undefined || "problem" in before || (after?.sha256 ?? null) !== before.sha256,
  );

/** The points, oldest first; of rewinds only the newest, and only while nothing was asked since. */
export const rewindPoints = async (session: Session): Promise<{ points: RewindPoint[]; unfinished?: string }> => {
  const all = pointRecords(await sessionRecords(session));
  const { checkpoints } = await openCheckpoints(session);
  const { history } = checkpoints;
  const placeOf = new Map(history.checkpoints.map(({ id }, place) => [id, place]));
  const lastChange = history.checkpoints.findLastIndex((checkpoint) => changedFiles(checkpoint).length > 0);
  const points = all
    .filter(({ kind }, at) => kind === "prompt" || at === all.length - 1)
    .map((point): RewindPoint => {
      const place = placeOf.get(checkpointOf(point) ?? "");
      const files = changedFiles(place === undefined ? undefined : history.checkpoints[place]);
      const sum = (pick: "added" | "removed") => files.reduce((total, file) => total + file[pick], 0);
      return {
        id: point.record.uuid,
        kind: point.kind,
        text: point.text,
        at: Date.parse(point.record.timestamp ?? "") || 0,
        files: point.kind === "undo" ? 0 : files.length,
        added: sum("added"),
        removed: sum("removed"),
        hasCode: place !== undefined && place <= lastChange,
        hasConversation: point.kind === "prompt" || point.note?.from !== undefined,
      };
    });
  return { points, ...(history.interrupted ? { unfinished: pointOf(points, history.interrupted.to) } : {}) };
};

const pointOf = (points: readonly RewindPoint[], id: string): string | undefined =>
  points.find((point) => point.id === id)?.id;
