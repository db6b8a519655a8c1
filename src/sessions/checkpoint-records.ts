// Checkpoints in a transcript: the lines that other programs read too, our own beside them, and what they say together.
import { isAbsolute, join } from "node:path";
import { keptCheckpoints } from "./checkpoint-numbers.js";
import type { Kept } from "./checkpoint-store.js";
import type { After } from "./file-now.js";
import type { TranscriptRecord } from "./record.js";

/** What the work between two checkpoints did to one file. */
export interface Touched {
  /** As it was at the checkpoint; a text says why it was not kept. */
  before: Kept | { problem: string };
  /** As our last change left it; undefined: nobody noted it (a kill). */
  after?: After;
  /** Somebody else changed it between our change before this checkpoint and our first one after it. */
  foreignBefore: boolean;
  /** Somebody else changed it between two of our changes after this checkpoint. */
  foreignWithin: boolean;
  /** Tools that changed it. */
  by: string[];
  /** Lines, as far as the tools counted them. */
  added: number;
  removed: number;
}

export interface Checkpoint {
  /** Uuid of the prompt it belongs to, or of the rewind. */
  id: string;
  kind: "prompt" | "rewind";
  /** Milliseconds since the epoch. */
  at: number;
  files: Map<string, Touched>;
  /** What may have changed besides and cannot come back, as sentences. */
  unknown: string[];
}

export interface CheckpointHistory {
  /** Oldest first. */
  checkpoints: Checkpoint[];
  /** Newest kept state of each file. */
  tracked: Map<string, Kept>;
  /** Highest number given to each file's kept states. */
  versions: Map<string, number>;
  /** How our last change left each file. */
  lastAfter: Map<string, After>;
  /** A rewind that began and did not end: where it was going to. */
  interrupted?: { id: string; to: string };
  /** When the newest line was written; later changes of files are not ours. */
  knownUntil: number;
}

/** An empty history, for a session that begins. */
export const emptyHistory = (): CheckpointHistory => ({
  checkpoints: [],
  tracked: new Map(),
  versions: new Map(),
  lastAfter: new Map(),
  knownUntil: Number.POSITIVE_INFINITY,
});

/** A checkpoint in which nothing has changed yet. */
export const newCheckpoint = (id: string, kind: Checkpoint["kind"], at: number): Checkpoint => ({
  id,
  kind,
  at,
  files: new Map(),
  unknown: [],
});

export const snapshotType = "file-history-snapshot";
export const changesType = "file-changes";
export const rewindType = "file-rewind";

/** The line other programs read: which kept state each tracked file had at the checkpoint. */
export const snapshotLine = (
  { id, kind, at }: Pick<Checkpoint, "id" | "kind" | "at">,
  backups: Iterable<[string, Kept]>,
  { isUpdate, now }: { isUpdate: boolean; now: number },
): TranscriptRecord => ({
  type: snapshotType,
  messageId: id,
  snapshot: {
    messageId: id,
    trackedFileBackups: Object.fromEntries(backups),
    timestamp: new Date(isUpdate ? now : at).toISOString(),
  },
  isSnapshotUpdate: isUpdate,
  ...(kind === "rewind" ? { kind } : {}),
});

/** One file in a line of ours: how a call left it. */
export interface ChangeEntry {
  /** Absent: nobody could tell. */
  after?: After;
  foreign?: true;
  /** Why the state before was not kept. */
  problem?: string;
  added?: number;
  removed?: number;
}

/** Our own line: how a call left the files it changed. */
export const changesLine = (
  checkpointId: string,
  by: string,
  files: ReadonlyMap<string, ChangeEntry>,
  { now, unknown = [] }: { now: number; unknown?: readonly string[] },
): TranscriptRecord => ({
  type: changesType,
  messageId: checkpointId,
  by,
  files: Object.fromEntries(files),
  ...(unknown.length > 0 ? { unknown } : {}),
  timestamp: new Date(now).toISOString(),
});

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const keptOf = (value: unknown): Kept | undefined => {
  if (!isObject(value)) return undefined;
  const { backupFileName, version } = value;
  if (typeof version !== "number" || (backupFileName !== null && typeof backupFileName !== "string")) return undefined;
  // A name that leads out of the folder of kept files is none of ours.
  if (typeof backupFileName === "string" && /[/\\]|^\.\.?$/.test(backupFileName)) return undefined;
  return value as unknown as Kept;
};

/** Written by another program: it names no hashes and does not say which call touched what. */
const isOthers = ({ sha256, touched }: Kept): boolean => sha256 === undefined && touched === undefined;

const msOf = (timestamp: unknown): number => {
  const at = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(at) ? 0 : at;
};

class Reader {
  readonly history = emptyHistory();
  private readonly byId = new Map<string, Checkpoint>();

  constructor(private readonly cwd: string) {}

  private checkpoint(id: string, kind: Checkpoint["kind"], at: number): Checkpoint {
    const known = this.byId.get(id);
    if (known) return known;
    const made = newCheckpoint(id, kind, at);
    this.byId.set(id, made);
    this.history.checkpoints.push(made);
    return made;
  }

  private pathOf(name: string): string {
    return isAbsolute(name) ? name : join(this.cwd, name);
  }

  private touch(checkpoint: Checkpoint, path: string, before: Touched["before"]): Touched {
    const known = checkpoint.files.get(path);
    if (known) return known;
    const foreignBefore = "foreign" in before && before.foreign === true;
    const touched: Touched = { before, foreignBefore, foreignWithin: false, by: [], added: 0, removed: 0 };
    checkpoint.files.set(path, touched);
    return touched;
  }

  snapshot(record: TranscriptRecord): void {
    const { snapshot } = record;
    if (!isObject(snapshot) || typeof record.messageId !== "string") return;
    const previous = this.history.checkpoints.at(-1);
    const kind = record.kind === "rewind" ? "rewind" : "prompt";
    const checkpoint = this.checkpoint(record.messageId, kind, msOf(snapshot.timestamp));
    const backups = isObject(snapshot.trackedFileBackups) ? snapshot.trackedFileBackups : {};
    const { tracked, versions } = this.history;
    for (const [name, value] of Object.entries(backups)) {
      const kept = keptOf(value);
      if (!kept) continue;
      const path = this.pathOf(name);
      const known = tracked.get(path);
      if (kept.touched) this.touch(checkpoint, path, kept);
      else if (isOthers(kept) && record.isSnapshotUpdate === true && !known) this.touch(checkpoint, path, kept);
      else if (isOthers(kept) && known && known.version !== kept.version && previous && previous !== checkpoint)
        this.touch(previous, path, known); // it had changed until here
      tracked.set(path, kept);
      versions.set(path, Math.max(versions.get(path) ?? 0, kept.version));
    }
  }

  changes(record: TranscriptRecord): void {
    if (typeof record.messageId !== "string" || !isObject(record.files)) return;
    const checkpoint = this.checkpoint(record.messageId, "prompt", msOf(record.timestamp));
    for (const [path, entry] of Object.entries(record.files)) {
      if (!isObject(entry)) continue;
      const { after, foreign, problem, added = 0, removed = 0 } = entry as ChangeEntry;
      const before = { problem: problem ?? "its state before was not recorded" };
      const touched = this.touch(checkpoint, path, before);
      if (foreign) touched.foreignWithin = true;
      if (typeof record.by === "string" && !touched.by.includes(record.by)) touched.by.push(record.by);
      touched.after = after;
      touched.added += added;
      touched.removed += removed;
      if (after !== undefined) this.history.lastAfter.set(path, after);
    }
    if (Array.isArray(record.unknown)) checkpoint.unknown.push(...record.unknown.map(String));
  }

  rewind(record: TranscriptRecord): void {
    if (typeof record.id !== "string") return;
    if (record.state === "done" && this.history.interrupted?.id === record.id) this.history.interrupted = undefined;
    if (record.state === "started") this.history.interrupted = { id: record.id, to: String(record.to) };
  }

  /** What another program changed after its last line: every file it tracked may have been. */
  end(): CheckpointHistory {
    const { history } = this;
    const last = history.checkpoints.at(-1);
    for (const [path, kept] of history.tracked)
      if (last && isOthers(kept) && kept.backupFileName !== null) this.touch(last, path, kept);
    history.checkpoints = history.checkpoints.slice(-keptCheckpoints);
    return history;
  }
}

/** Reads what a transcript says of checkpoints, in the order of the file. `cwd`: where relative names hang. O(n). */
export const readCheckpoints = (records: readonly TranscriptRecord[], cwd: string): CheckpointHistory => {
  const reader = new Reader(cwd);
  let newest = 0;
  for (const record of records) {
    const inner = isObject(record.snapshot) ? msOf(record.snapshot.timestamp) : 0;
    newest = Math.max(newest, msOf(record.timestamp), inner);
    if (record.type === snapshotType) reader.snapshot(record);
    else if (record.type === changesType) reader.changes(record);
    else if (record.type === rewindType) reader.rewind(record);
  }
  const history = reader.end();
  history.knownUntil = newest;
  return history;
};

/** A rewind of files that began and never ended: the point it was going to. */
export const cutRewind = (records: readonly TranscriptRecord[]): string | undefined => {
  const newest = records.findLast(({ type }) => type === rewindType);
  return newest?.state === "started" && typeof newest.to === "string" ? newest.to : undefined;
};

/** Whether a transcript has anything that would have to be read. */
export const hasCheckpoints = (records: readonly TranscriptRecord[]): boolean =>
  records.some(({ type }) => type === snapshotType || type === changesType);
