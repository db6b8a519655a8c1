// What the transcript says in plain lines: words instead of glyphs, nothing that needs to be seen.
import { sanitise } from "../../src/lib/sanitise.js";
import { unreachable } from "../../src/lib/unreachable.js";
import type { Display, Hunk } from "../../src/protocol/display.js";
import type { ToolItem } from "../../state/app-state.js";

const maxResultLines = 8;
const maxDiffLines = 60;

/** Foreign text as lines that can be printed. */
export const plainLines = (text: string): string[] => sanitise(text, { tabSize: 4 }).replace(/\n+$/, "").split("\n");

/** Foreign text on one line. */
export const oneLine = (text: string): string =>
  sanitise(text)
    .replace(/\s*\n\s*/g, " ")
    .trim();

const count = (amount: number, one: string, many = `${one}s`): string =>
  `${amount.toLocaleString("en-US")} ${amount === 1 ? one : many}`;

/** "3 seconds", "2 minutes 5 seconds". */
export const durationWords = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return count(seconds, "second");
  const rest = seconds % 60;
  return `${count(Math.floor(seconds / 60), "minute")}${rest === 0 ? "" : ` ${count(rest, "second")}`}`;
};

const limited = (lines: readonly string[], limit: number): string[] =>
  lines.length <= limit
    ? [...lines]
    : [...lines.slice(0, limit - 1), `${count(lines.length - limit + 1, "more line")}.`];

const hunkLines = (hunk: Hunk): string[] => {
  let oldNumber = hunk.oldStart;
  let newNumber = hunk.newStart;
  return hunk.lines.flatMap((line) => {
    const text = oneLine(line.slice(1));
    if (line.startsWith("-")) return [`line ${oldNumber++} removed: ${text}`];
    if (line.startsWith("+")) return [`line ${newNumber++} added: ${text}`];
    if (line.startsWith("\\")) return [];
    oldNumber++;
    newNumber++;
    return [];
  });
};

/** A display as lines; `isWhole` for dialogs, where everything must be heard before it is allowed. */
export const displayLines = (display: Display, isWhole = false): string[] => {
  const limit = isWhole ? Number.POSITIVE_INFINITY : maxResultLines;
  switch (display.kind) {
    case "text":
      return limited(plainLines(display.summary ?? display.text), limit);
    case "lines":
      return [display.summary ? oneLine(display.summary) : count(display.totalLines ?? display.lines.length, "line")];
    case "diff": {
      const lines = display.hunks.flatMap(hunkLines);
      const what = display.change === "create" ? "new file" : "changed";
      return [
        `${oneLine(display.path)}, ${what}: ${count(display.added, "line")} added, ${display.removed} removed.`,
        ...limited(lines, isWhole ? limit : maxDiffLines),
      ];
    }
    case "paths":
      return [count(display.total, "file"), ...limited(display.paths.map(oneLine), limit)];
    case "matches":
      return [`${count(display.matches, "match", "matches")} in ${count(display.files, "file")}`];
    case "shell":
      return limited(plainLines(isWhole ? display.command : display.output), limit);
    case "todos":
      return display.todos.map(({ status, subject }) => `${status.replace("_", " ")}: ${oneLine(subject)}`);
    case "markdown":
      return limited(plainLines(display.text), limit);
    case "image":
      return [`image ${oneLine(display.label)}`];
    case "agent":
      return limited(plainLines(display.text), limit);
    case "json":
      return limited(plainLines(JSON.stringify(display.value, null, 2) ?? ""), limit);
    default:
      return unreachable(display);
  }
};

/** The start of a call. */
export const callLine = (item: ToolItem): string => `Tool ${oneLine(item.name)}: ${oneLine(item.title)}`;

/** How a call ended, with what came out. */
export const resultLines = (item: ToolItem): string[] => {
  const took =
    item.durationMs !== undefined && item.durationMs >= 2000 ? ` after ${durationWords(item.durationMs)}` : "";
  const exit = item.display?.kind === "shell" && item.display.exitCode ? `, exit code ${item.display.exitCode}` : "";
  const head = `${oneLine(item.name)} ${item.state === "error" ? "failed" : "done"}${exit}${took}.`;
  const body = item.display
    ? displayLines(item.display)
    : item.state === "error"
      ? limited(plainLines(item.resultText ?? ""), maxResultLines)
      : [];
  return [head, ...body.filter((line) => line !== "")];
};
