// What a rewind of files did or would do, as the screen and hosts are told it.
import type { RewindFile, RewindReport } from "../protocol/pickers.js";
import type { PlannedStep, RewindPlan, RewoundFile } from "../sessions/rewind.js";
import { diffHunks } from "../tools/shared/diff.js";

const largestCounted = 1024 * 1024; // lines of larger files are not counted

const textOf = (bytes: Buffer | null | undefined): string | undefined => {
  if (!bytes) return "";
  return bytes.length > largestCounted || bytes.includes(0) ? undefined : bytes.toString("utf8");
};

/** Lines that would come and go; none for what is no text. */
const countLines = async ({ now, next }: PlannedStep): Promise<{ added: number; removed: number }> => {
  const before = textOf(now.kind === "file" ? now.bytes : undefined);
  const after = textOf(next);
  if (before === undefined || after === undefined) return { added: 0, removed: 0 };
  const hunks = await diffHunks(before, after);
  const count = (sign: string) => hunks.flatMap(({ lines }) => lines).filter((line) => line[0] === sign).length;
  return { added: count("+"), removed: count("-") };
};

const fileOf = async (step: PlannedStep): Promise<RewindFile | undefined> => {
  const { path, action, reason, mayForce, by } = step;
  if (action === "nothing") return undefined;
  const lines = action === "lost" ? { added: 0, removed: 0 } : await countLines(step);
  return { path, action, ...lines, ...(reason ? { reason } : {}), ...(mayForce ? { mayForce } : {}), by };
};

/** The report of a plan. `done`: what became of it; absent: nothing was done. */
export const reportOf = async (id: string, plan: RewindPlan, done?: readonly RewoundFile[]): Promise<RewindReport> => {
  const files: RewindFile[] = [];
  for (const step of plan.steps) {
    const file = await fileOf(step);
    if (!file) continue;
    const result = done?.find(({ path }) => path === step.path);
    if (result?.problem !== undefined) files.push({ ...file, action: "failed", reason: result.problem });
    else if (result && file.action === "kept")
      files.push({ ...file, action: step.next === null ? "remove" : "restore" });
    else files.push(file);
  }
  return { id, isDryRun: done === undefined, files, unknown: plan.unknown };
};

const listed = (paths: readonly string[]): string =>
  paths.length > 5 ? `${paths.slice(0, 5).join(", ")} and ${paths.length - 5} more` : paths.join(", ");

/** What was done, in sentences for the person. */
export const reportText = ({ files }: RewindReport, shorten: (path: string) => string): string => {
  const of = (...actions: RewindFile["action"][]) =>
    files.filter(({ action }) => actions.includes(action)).map(({ path }) => shorten(path));
  const back = of("restore", "create");
  const removed = of("remove");
  const kept = of("kept");
  const lost = of("lost");
  const failed = files
    .filter(({ action }) => action === "failed")
    .map(({ path, reason }) => `${shorten(path)} (${reason})`);
  return [
    back.length > 0 ? `Brought back ${listed(back)}.` : "",
    removed.length > 0 ? `Removed ${listed(removed)}.` : "",
    kept.length > 0 ? `Left as they are, because somebody else changed them: ${listed(kept)}.` : "",
    lost.length > 0 ? `Cannot come back: ${listed(lost)}.` : "",
    failed.length > 0 ? `Not done: ${listed(failed)}.` : "",
    files.length === 0 ? "No file had to change." : "",
  ]
    .filter(Boolean)
    .join(" ");
};
