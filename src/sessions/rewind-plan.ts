// What a rewind of files would do, decided from values: which files, to which state, and what must not be touched.
import { lostEndSlackMs } from "./checkpoint-numbers.js";
import type { CheckpointHistory, Touched } from "./checkpoint-records.js";
import type { Kept } from "./checkpoint-store.js";
import { type After, type FileNow, holds } from "./file-now.js";

export interface RewindStep {
  path: string;
  /** "kept": nothing is done, for `reason`; `mayForce`: the person can have it all the same. */
  action: "nothing" | "restore" | "create" | "remove" | "kept" | "lost";
  reason?: string;
  mayForce?: boolean;
  /** The state to go back to; absent where there is none. */
  target?: Kept;
  /** The mode that goes with it; absent: whatever it has now, for instance because somebody else changed it. */
  mode?: number;
  by: string[];
}

/** A file in the checkpoints from the wanted one on. */
interface Span {
  first: Touched;
  last: Touched;
  isForeign: boolean;
  by: string[];
}

/** The files that calls changed since the checkpoint; undefined when there is no such checkpoint. */
export const spansSince = (history: CheckpointHistory, id: string): Map<string, Span> | undefined => {
  const from = history.checkpoints.findIndex((checkpoint) => checkpoint.id === id);
  if (from < 0) return undefined;
  const spans = new Map<string, Span>();
  for (const { files } of history.checkpoints.slice(from))
    for (const [path, touched] of files) {
      const span = spans.get(path);
      if (!span)
        spans.set(path, { first: touched, last: touched, isForeign: touched.foreignWithin, by: [...touched.by] });
      else {
        span.last = touched;
        span.isForeign ||= touched.foreignBefore || touched.foreignWithin;
        span.by.push(...touched.by.filter((name) => !span.by.includes(name)));
      }
    }
  return spans;
};

const targetState = (kept: Kept): After | undefined => {
  if (kept.backupFileName === null) return null;
  return kept.sha256 == null ? undefined : { sha256: kept.sha256, size: kept.size ?? 0, mode: kept.mode ?? 0o644 };
};

/** Whether the file is as our last change left it. Without a note of that (a kill), its time must fit the record. */
const isOurs = (now: FileNow, after: After | undefined, knownUntil: number): boolean => {
  if (after !== undefined) return holds(now, after);
  if (now.kind === "absent") return true; // nothing of anybody's can be overwritten
  return now.kind === "file" && now.mtimeMs <= knownUntil + lostEndSlackMs;
};

const actionTo = (target: Kept, now: FileNow): RewindStep["action"] => {
  if (target.backupFileName === null) return "remove";
  return now.kind === "absent" ? "create" : "restore";
};

/** The mode it had, unless it has it, or somebody else gave it another one since our last change. */
const modeToSet = (target: Kept, now: FileNow, after: After | undefined): number | undefined => {
  if (target.mode === undefined) return undefined;
  if (now.kind !== "file") return target.mode;
  return now.mode !== target.mode && after && now.mode === after.mode ? target.mode : undefined;
};

/** What to do about one file that is now as `now`. */
export const decideStep = (
  path: string,
  { first, last, isForeign, by }: Span,
  now: FileNow,
  knownUntil: number,
): RewindStep => {
  if ("problem" in first.before) {
    const isSame = last.after !== undefined && holds(now, last.after);
    const reason = isSame || now.kind !== "absent" ? first.before.problem : `${first.before.problem}, and it is gone`;
    return { path, action: "lost", reason, by };
  }
  const target = first.before;
  const mode = modeToSet(target, now, last.after);
  if (holds(now, targetState(target)))
    return { path, action: mode === undefined ? "nothing" : "restore", target, mode, by };
  if (now.kind === "other") return { path, action: "kept", reason: now.why, target, by };
  const action = actionTo(target, now);
  if (!isOurs(now, last.after, knownUntil))
    return { path, action: "kept", reason: "changed since, not by this session", mayForce: true, target, mode, by };
  if (isForeign)
    return {
      path,
      action: "kept",
      reason: "also changed by somebody else in between",
      mayForce: true,
      target,
      mode,
      by,
    };
  return { path, action, target, mode, by };
};

/** The step that a person insists on. */
export const forced = (step: RewindStep, now: FileNow): RewindStep =>
  step.action === "kept" && step.mayForce && step.target ? { ...step, action: actionTo(step.target, now) } : step;
