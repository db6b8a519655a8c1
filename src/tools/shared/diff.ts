// The difference between two texts as hunks, for displays and structured results.
import type { Display, Hunk } from "../../protocol/display.js";

const contextLines = 3;
const timeoutMs = 800; // a rewritten file of a hundred thousand lines would take minutes

/** Hunks of the change; line ends do not count unless nothing else differs. */
export const diffHunks = async (before: string, after: string): Promise<Hunk[]> => {
  const [a, b] = [before.replaceAll("\r\n", "\n"), after.replaceAll("\r\n", "\n")];
  const [old, now] = a === b ? [before, after] : [a, b];
  if (old === now) return [];
  const { structuredPatch } = await import("diff");
  const patch = structuredPatch("", "", old, now, "", "", { context: contextLines, timeout: timeoutMs });
  if (!patch) return [replacedHunk(old, now)];
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    oldStart,
    oldLines,
    newStart,
    newLines,
    lines: lines.filter((line) => !line.startsWith("\\")), // "\ No newline at end of file"
  }));
};

/** Everything out, everything in: what is shown when comparing takes too long. */
const replacedHunk = (before: string, after: string): Hunk => {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const lines = [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
  return { oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines };
};

/** The change as a display. */
export const diffDisplay = (path: string, change: "create" | "update", hunks: Hunk[]): Display => {
  const count = (sign: string) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line[0] === sign).length, 0);
  return { kind: "diff", path, change, added: count("+"), removed: count("-"), hunks };
};

/** Hunks as text for the model: line numbers and signs, at most `maxLines` lines. */
export const diffText = (hunks: readonly Hunk[], maxLines: number): string => {
  const lines = hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ]);
  const rest = lines.length - maxLines;
  return rest > 0 ? `${lines.slice(0, maxLines).join("\n")}\n… ${rest} more lines` : lines.join("\n");
};
