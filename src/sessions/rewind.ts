// Rewinding files: the plan for a checkpoint, and doing it, each file whole or not at all, so that it can be done again.
import { chmod, rmdir, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { landingPath } from "../platform/fs.js";
import { writeFileWhole } from "../platform/write-file.js";
import type { Checkpoints } from "./checkpoint.js";
import { rewindType } from "./checkpoint-records.js";
import { readContent } from "./checkpoint-store.js";
import { contentHash, type FileNow, fileNow } from "./file-now.js";
import type { TranscriptRecord } from "./record.js";
import { decideStep, forced, type RewindStep, spansSince } from "./rewind-plan.js";

/** A step with what the file holds now and what it would hold; `next` is null where the file would go. */
export interface PlannedStep extends RewindStep {
  now: FileNow;
  next?: Buffer | null;
}

export interface RewindPlan {
  steps: PlannedStep[];
  /** What may have changed besides and cannot come back, as sentences. */
  unknown: string[];
}

/** Reads what a rewind to the checkpoint would do; nothing is changed. Undefined: there is no such checkpoint. */
export const planRewind = (checkpoints: Checkpoints, dir: string, id: string): Promise<RewindPlan | undefined> =>
  checkpoints.inTurn(async () => {
    const { history } = checkpoints;
    const spans = spansSince(history, id);
    if (!spans) return undefined;
    const steps: PlannedStep[] = [];
    for (const [path, span] of spans) {
      const now = await fileNow(path);
      const step = decideStep(path, span, now, history.knownUntil);
      if (step.action !== "nothing") steps.push(await withContent(step, now, dir));
    }
    const from = history.checkpoints.findIndex((checkpoint) => checkpoint.id === id);
    const unknown = [...new Set(history.checkpoints.slice(from).flatMap((checkpoint) => checkpoint.unknown))];
    return { steps: steps.sort((a, b) => a.path.localeCompare(b.path)), unknown };
  });

/** The step with the content it would put there; a content that is gone or damaged is lost. */
const withContent = async (step: RewindStep, now: FileNow, dir: string): Promise<PlannedStep> => {
  const { target } = step;
  if (!target) return { ...step, now };
  if (target.backupFileName === null) return { ...step, now, next: null };
  const bytes = await readContent(dir, target.backupFileName).catch(() => undefined); // said in the plan
  if (!bytes) return { ...step, now, action: "lost", reason: "its kept state is gone" };
  if (target.sha256 != null && contentHash(bytes) !== target.sha256)
    return { ...step, now, action: "lost", reason: "its kept state is damaged" };
  return { ...step, now, next: bytes };
};

export interface RewoundFile {
  path: string;
  /** Half a sentence; absent: it is as it was. */
  problem?: string;
}

export interface ApplyOptions {
  checkpoints: Checkpoints;
  record(line: TranscriptRecord): void;
  newId(): string;
  /** The checkpoint that was asked for. */
  to: string;
  /** Also what the plan keeps because somebody else changed it. */
  takesConflicts: boolean;
}

/** Does the plan. What is overwritten is kept first, under a checkpoint of its own. Never throws for a file. */
export const applyRewind = async (
  plan: RewindPlan,
  options: ApplyOptions,
): Promise<{ id: string; files: RewoundFile[] }> => {
  const { checkpoints, record, newId, to, takesConflicts } = options;
  const id = newId();
  const steps = plan.steps.map((step) => (takesConflicts ? { ...step, ...forced(step, step.now) } : step));
  const wanted = steps.filter(({ action }) => action === "restore" || action === "create" || action === "remove");
  await checkpoints.begin(id, "rewind");
  record({ type: rewindType, id, to, state: "started", files: wanted.map(({ path }) => path) });
  const files: RewoundFile[] = [];
  for (const step of wanted) {
    const { lost, settle } = await checkpoints.touch([step.path], "rewind");
    const problem = lost[0] ? `its present state could not be kept first: ${lost[0].problem}` : await putBack(step);
    await settle();
    files.push({ path: step.path, ...(problem === undefined ? {} : { problem }) });
  }
  record({ type: rewindType, id, to, state: "done" });
  checkpoints.history.interrupted = undefined;
  return { id, files };
};

const isSame = (a: FileNow, b: FileNow): boolean =>
  a.kind === b.kind && (a.kind !== "file" || b.kind !== "file" || a.sha256 === b.sha256);

/** One file, whole or not at all. Gives half a sentence when it could not be done. */
const putBack = async ({ path, now, next, target, mode }: PlannedStep): Promise<string | undefined> => {
  try {
    if ((await landingPath(path)) !== path) return "it is a link now";
    if (!isSame(await fileNow(path), now)) return "it changed while it was looked at";
    if (next === null) return await remove(path, target?.madeDir);
    if (next === undefined) return "there is nothing to put back";
    if (now.kind !== "file" || !now.bytes.equals(next)) await writeFileWhole(path, next, { landing: path, mode });
    if (mode !== undefined) await chmod(path, mode);
    return undefined;
  } catch (error) {
    return `it could not be written (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`;
  }
};

/** Removes a file that the session made, and the folders it made for it while they are empty. */
const remove = async (path: string, madeDir: string | undefined): Promise<undefined> => {
  await unlink(path);
  if (madeDir === undefined) return undefined;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const isEmpty = await rmdir(folder).then(
      () => true,
      () => false, // others put something there: it stays
    );
    if (!isEmpty || folder === madeDir || folder === dirname(folder)) return undefined;
  }
};
