// Checkpoints of a live session: keeps each file's state before the first change after a prompt, and brings it back.
import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { keptCheckpoints } from "./checkpoint-numbers.js";
import {
  type ChangeEntry,
  type Checkpoint,
  type CheckpointHistory,
  changesLine,
  newCheckpoint,
  snapshotLine,
  type Touched,
} from "./checkpoint-records.js";
import { backupName, dropContent, type Kept, keepContent, keepProblem } from "./checkpoint-store.js";
import { afterOf, type FileNow, fileNow, contentHash as hashOf, holds } from "./file-now.js";
import type { TranscriptRecord } from "./record.js";

export interface CheckpointsOptions {
  /** Folder of this session's kept contents. */
  dir: string;
  history: CheckpointHistory;
  now(): number;
  /** Appends a line to the transcript. */
  record(line: TranscriptRecord): void;
  /** A new id, for changes before any prompt. */
  newId(): string;
}

/** What a shell command changed, found afterwards. */
export interface FoundChange {
  path: string;
  before: { bytes: Buffer; mode: number } | "absent" | { problem: string };
}

export interface Found {
  changes: FoundChange[];
  /** What could not be watched, as sentences. */
  unknown: string[];
}

/** A file whose state could not be kept before a change. */
export interface LostFile {
  path: string;
  problem: string;
}

export interface LineCount {
  added: number;
  removed: number;
}

export interface TouchedFiles {
  lost: LostFile[];
  /** Notes how the call left the files. Call once, also when it failed. `lines`: what it counted. */
  settle(lines?: LineCount): Promise<void>;
}

interface Settling {
  checkpoint: Checkpoint;
  paths: readonly string[];
  by: string;
  foreign: ReadonlySet<string>;
  lost: readonly LostFile[];
  lines?: LineCount;
}

export class Checkpoints {
  readonly history: CheckpointHistory;
  /** One thing at a time: reading, keeping and writing lines never overlap. */
  #chain: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: CheckpointsOptions) {
    this.history = options.history;
  }

  /** Runs `work` after everything that was begun before. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#chain.then(work);
    this.#chain = turn.catch(() => undefined); // told to whoever asked for it
    return turn;
  }

  /** A prompt (or a rewind) begins: what changes from here on goes back to here. */
  begin(id: string, kind: Checkpoint["kind"] = "prompt"): Promise<void> {
    const at = this.options.now();
    return this.inTurn(async () => {
      await this.#refreshTracked();
      this.#open(newCheckpoint(id, kind, at));
      await this.#prune();
    });
  }

  /** Before a call: keeps the present state of each path (links resolved) it will change. Never throws. */
  touch(paths: readonly string[], by: string): Promise<TouchedFiles> {
    return this.inTurn(async () => {
      const checkpoint = this.#current();
      const foreign = new Set<string>();
      const lost: LostFile[] = [];
      for (const path of new Set(paths)) {
        const { problem, isForeign } = await this.#keepBefore(checkpoint, path, await fileNow(path), by);
        if (problem !== undefined) lost.push({ path, problem });
        if (isForeign) foreign.add(path);
      }
      this.#writeSnapshot(checkpoint, true);
      return {
        lost,
        settle: (lines) => this.inTurn(() => this.#settle({ checkpoint, paths, by, foreign, lost, lines })),
      };
    });
  }

  /** After a shell command: takes over what it changed, as `find` tells when its turn comes. */
  adopt(find: () => Promise<Found>, by: string): Promise<LostFile[]> {
    return this.inTurn(async () => {
      const { changes, unknown } = await find();
      const checkpoint = this.#current();
      const entries = new Map<string, ChangeEntry>();
      const lost: LostFile[] = [];
      for (const { path, before } of changes) {
        const now = await fileNow(path);
        const after = this.history.lastAfter.get(path);
        if (after !== undefined && holds(now, after)) continue; // the change of another call, noted already
        const entry = await this.#adoptOne(checkpoint, path, before, now, by);
        if (!entry) continue;
        entries.set(path, entry);
        if (entry.problem !== undefined) lost.push({ path, problem: entry.problem });
      }
      const news = unknown.filter((sentence) => !checkpoint.unknown.includes(sentence));
      checkpoint.unknown.push(...news);
      if (entries.size > 0) this.#writeSnapshot(checkpoint, true);
      if (entries.size > 0 || news.length > 0)
        this.options.record(changesLine(checkpoint.id, by, entries, { now: this.options.now(), unknown: news }));
      return lost;
    });
  }

  /** The checkpoint that changes belong to now. */
  #current(): Checkpoint {
    return (
      this.history.checkpoints.at(-1) ?? this.#open(newCheckpoint(this.options.newId(), "prompt", this.options.now()))
    );
  }

  #open(checkpoint: Checkpoint): Checkpoint {
    this.history.checkpoints.push(checkpoint);
    this.#writeSnapshot(checkpoint, false);
    return checkpoint;
  }

  #writeSnapshot(checkpoint: Checkpoint, isUpdate: boolean): void {
    const touched = [...checkpoint.files].flatMap(([path, { before }]): [string, Kept][] =>
      "problem" in before ? [] : [[path, before]],
    );
    const backups = new Map([...this.history.tracked, ...touched]);
    this.options.record(snapshotLine(checkpoint, backups, { isUpdate, now: this.options.now() }));
  }

  /**
   * Keeps the state before a call. `problem`: it could not be kept; the call may go on, but cannot be undone.
   * What was kept for this checkpoint before stays its state; somebody else's change in between is kept besides.
   */
  async #keepBefore(
    checkpoint: Checkpoint,
    path: string,
    now: FileNow,
    by: string,
  ): Promise<{ problem?: string; isForeign: boolean }> {
    const known = this.history.lastAfter.get(path);
    const isForeign = known !== undefined && !holds(now, known);
    const earlier = checkpoint.files.get(path);
    if (earlier) {
      if (!earlier.by.includes(by)) earlier.by.push(by);
      earlier.foreignWithin ||= isForeign;
      if (isForeign) await this.#keep(path, now).catch(() => undefined); // the checkpoint's own state is kept already
      return { isForeign, ...("problem" in earlier.before ? earlier.before : {}) };
    }
    const before = await this.#keep(path, now).catch((error: unknown) => ({ problem: keepProblem(error) }));
    const touched: Touched = { before, foreignBefore: isForeign, foreignWithin: false, by: [by], added: 0, removed: 0 };
    if (!("problem" in before)) touched.before = { ...before, touched: true, ...(isForeign ? { foreign: true } : {}) };
    checkpoint.files.set(path, touched);
    return { isForeign: false, ...("problem" in before ? before : {}) };
  }

  /** Writes a state down, unless it is the one kept last. Throws when it cannot. */
  async #keep(path: string, now: FileNow): Promise<Kept | { problem: string }> {
    if (now.kind === "other") return { problem: now.why };
    const { tracked, versions } = this.history;
    const known = tracked.get(path);
    const sha256 = now.kind === "absent" ? null : now.sha256;
    const madeDir = now.kind === "absent" ? await firstMissing(dirname(path)) : undefined;
    if (known && known.sha256 === sha256 && known.madeDir === madeDir)
      return now.kind === "file" ? { ...plain(known), mode: now.mode } : plain(known);
    const version = (versions.get(path) ?? 0) + 1;
    const backupFileName = now.kind === "absent" ? null : backupName(path, version);
    if (now.kind === "file") await keepContent(this.options.dir, backupName(path, version), now.bytes, now.mode);
    const kept: Kept = {
      backupFileName,
      version,
      backupTime: new Date(this.options.now()).toISOString(),
      sha256,
      ...(now.kind === "file" ? { size: now.size, mode: now.mode } : {}),
      ...(madeDir === undefined ? {} : { madeDir }),
    };
    versions.set(path, version);
    tracked.set(path, kept);
    return kept;
  }

  async #settle({ checkpoint, paths, by, foreign, lost, lines }: Settling): Promise<void> {
    const entries = new Map<string, ChangeEntry>();
    for (const path of new Set(paths)) {
      const after = afterOf(await fileNow(path));
      const touched = checkpoint.files.get(path);
      if (touched) {
        touched.after = after;
        touched.added += lines?.added ?? 0;
        touched.removed += lines?.removed ?? 0;
      }
      if (after !== undefined) this.history.lastAfter.set(path, after);
      const problem = lost.find((file) => file.path === path)?.problem;
      entries.set(path, {
        ...(after === undefined ? {} : { after }),
        ...(foreign.has(path) ? { foreign: true } : {}),
        ...(problem === undefined ? {} : { problem }),
        ...lines,
      });
    }
    this.options.record(changesLine(checkpoint.id, by, entries, { now: this.options.now() }));
  }

  async #adoptOne(
    checkpoint: Checkpoint,
    path: string,
    before: FoundChange["before"],
    now: FileNow,
    by: string,
  ): Promise<ChangeEntry | undefined> {
    const was = stateOf(before);
    if (was.kind !== "other" && holds(now, afterOf(was))) return undefined; // touched, but as before
    const isKnown = checkpoint.files.has(path);
    const { problem, isForeign } = await this.#keepBefore(checkpoint, path, was, by);
    const after = afterOf(now);
    const touched = checkpoint.files.get(path);
    if (touched) touched.after = after;
    if (after !== undefined) this.history.lastAfter.set(path, after);
    return {
      ...(after === undefined ? {} : { after }),
      ...(isKnown && isForeign ? { foreign: true } : {}),
      ...(problem === undefined ? {} : { problem }),
    };
  }

  /** At a new prompt, for other programs' sake: the state that each tracked file has now. */
  async #refreshTracked(): Promise<void> {
    const { tracked, lastAfter } = this.history;
    for (const [path, kept] of tracked) {
      const after = lastAfter.get(path);
      const isNoted = after === undefined || (after?.sha256 ?? null) === kept.sha256;
      const seen = isNoted ? await lstat(path).catch(() => undefined) : undefined; // gone: kept as absent below
      if (seen && seen.mtimeMs < Date.parse(kept.backupTime) - clockSlackMs && seen.size === kept.size) continue;
      await this.#keep(path, await fileNow(path)).catch(() => undefined); // the state before is still listed
    }
  }

  /** Forgets checkpoints above the limit, and contents that only they named. */
  async #prune(): Promise<void> {
    const { checkpoints, tracked } = this.history;
    const gone = checkpoints.splice(0, Math.max(0, checkpoints.length - keptCheckpoints));
    if (gone.every(({ files }) => files.size === 0)) return;
    const used = new Set<string | null>([...tracked.values()].map(({ backupFileName }) => backupFileName));
    for (const name of checkpoints.flatMap(namesOf)) used.add(name);
    for (const name of gone.flatMap(namesOf))
      if (name !== null && !used.has(name)) await dropContent(this.options.dir, name);
  }
}

const namesOf = ({ files }: Checkpoint): (string | null)[] =>
  [...files.values()].flatMap(({ before }) => ("problem" in before ? [] : [before.backupFileName]));

/** Clocks of file systems lag behind ours by some milliseconds. */
const clockSlackMs = 100;

/** Without what belongs to one checkpoint only. */
const plain = ({ touched: _touched, foreign: _foreign, ...kept }: Kept): Kept => kept;

const stateOf = (before: FoundChange["before"]): FileNow => {
  if (before === "absent") return { kind: "absent" };
  if ("problem" in before) return { kind: "other", why: before.problem };
  const { bytes, mode } = before;
  return { kind: "file", sha256: hashOf(bytes), size: bytes.length, mode, mtimeMs: 0, bytes };
};

/** The topmost folder of the path that is not there; undefined when all are. */
const firstMissing = async (folder: string): Promise<string | undefined> => {
  let missing: string | undefined;
  for (let at = folder; ; at = dirname(at)) {
    if (await lstat(at).catch(() => undefined)) return missing; // ENOENT: look above
    missing = at;
    if (at === dirname(at)) return missing;
  }
};
