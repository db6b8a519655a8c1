// Tool calls as rows: state glyph, name and title, what came out at the right end, the result underneath.

import { sanitise } from "../../src/lib/sanitise.js";
import { unreachable } from "../../src/lib/unreachable.js";
import type { Display } from "../../src/protocol/display.js";
import type { ToolItem, ToolState } from "../../state/app-state.js";
import { displayRows } from "../displays/index.js";
import { textRows } from "../displays/text-rows.js";
import { keyFor } from "../keys/keymap.js";
import type { Theme } from "../theme/themes.js";
import { countText, durationText, hangResult, headerRow, type ItemOptions, inGutter, resultWidth } from "./layout.js";

const shortRows = 4; // rows of a result in its short form
const diffShortRows = 20; // a change is what people most want to see whole
const errorRows = 6;

/** The state as a glyph of one cell; colour is never the only sign. */
export const stateGlyph = (state: ToolState, theme: Theme): string => {
  switch (state) {
    case "queued":
      return theme.style("dim", "○");
    case "waiting":
      return theme.style("warning", "○");
    case "running":
      return theme.style("accent", "●");
    case "done":
      return theme.style("success", "●");
    case "error":
      return theme.style("error", "✗");
    default:
      return unreachable(state);
  }
};

const oneLine = (text: string): string => sanitise(text).replaceAll("\n", " ");

const displayNote = (display: Display): string => {
  switch (display.kind) {
    case "diff":
      return `+${display.added} −${display.removed}`;
    case "matches":
      return countText(display.matches, "match", "matches");
    case "paths":
      return countText(display.total, "file");
    case "lines":
      return display.summary ? oneLine(display.summary) : countText(display.totalLines ?? display.lines.length, "line");
    case "shell":
      if (display.timedOut) return "timed out";
      if (display.interrupted) return "stopped";
      return display.exitCode === 0 ? "" : `exit ${display.exitCode ?? "unknown"}`;
    case "agent":
      return `${countText(display.toolUses, "call")} · ${Math.round(display.tokens / 100) / 10}k tokens · ${durationText(display.durationMs)}`;
    default:
      return "";
  }
};

/** What stands at the right end of a call's row. */
const note = (item: ToolItem, now: number): string => {
  if (item.state === "queued") return "queued";
  if (item.state === "waiting") return "waits for you";
  if (item.state === "running") {
    const elapsed = item.startedAt === undefined ? 0 : now - item.startedAt;
    const time = elapsed < 1000 ? "…" : `… ${durationText(elapsed)}`;
    return item.canMove === true && elapsed >= 2000 ? `${time} · ${keyFor("task:background")}` : time;
  }
  const parts = [item.display ? displayNote(item.display) : ""];
  if (item.display?.kind === "shell" && (item.durationMs ?? 0) >= 2000) parts.push(durationText(item.durationMs ?? 0));
  return parts.filter((part) => part !== "").join(" · ");
};

/** Kinds whose short form is the call's row alone: their content is on disk or in the panel. */
const isSilent = ({ kind }: Display): boolean =>
  kind === "lines" || kind === "matches" || kind === "paths" || kind === "todos";

const resultRows = (item: ToolItem, options: ItemOptions): string[] => {
  const { theme } = options;
  const width = resultWidth(options.width);
  const isExpanded = options.isExpanded || item.expanded === true;
  const base = { width, theme, expanded: isExpanded };
  if (item.state === "running") {
    const lines = (item.lastLines ?? []).slice(-3).join("\n");
    const rows = textRows(lines, {
      ...base,
      expanded: false,
      maxRows: 3,
      keep: "ends",
      sanitise: { carriageReturn: "overwrite" },
    });
    return rows.map((row) => theme.style("dim", row));
  }
  if (item.state === "error") {
    if (item.display?.kind === "shell" && item.display.output.trim() !== "")
      return displayRows(item.display, { ...base, maxRows: isExpanded ? undefined : errorRows });
    const rows = textRows(item.resultText ?? "", {
      ...base,
      isProse: true,
      maxRows: isExpanded ? undefined : errorRows,
    });
    return rows.map((row) => theme.style("error", row));
  }
  if (item.state !== "done") return [];
  if (!item.display) {
    if (!isExpanded) return [];
    return textRows(item.resultText ?? "", base);
  }
  if (!isExpanded && isSilent(item.display)) return [];
  const budget = item.display.kind === "diff" ? diffShortRows : shortRows;
  return displayRows(item.display, { ...base, maxRows: isExpanded ? undefined : budget });
};

/** Rows of one call with its result. */
export const toolRows = (item: ToolItem, options: ItemOptions): string[] => {
  const { theme, width } = options;
  const title = oneLine(item.title);
  const isMultiline = item.title.trimEnd().includes("\n");
  // A command that the person typed stands under the mark it was typed with.
  const mark =
    item.name === "!"
      ? inGutter(theme.style("bashBorder", "!"))
      : `${inGutter(stateGlyph(item.state, theme))}${theme.style("strong", oneLine(item.name))} `;
  const left = `${mark}${title}${isMultiline ? " …" : ""}`;
  return [
    headerRow(left.trimEnd(), note(item, options.now), width, theme),
    ...hangResult(resultRows(item, options), theme),
  ];
};

const nouns: Record<string, [string, string]> = {
  Read: ["file", "files"],
  Grep: ["search", "searches"],
  Glob: ["search", "searches"],
};

/** Whether a call may share one row with its neighbours of the same name. */
export const isCollapsible = (item: ToolItem): boolean =>
  item.name in nouns &&
  item.expanded !== true &&
  (item.state === "done" || item.state === "running" || item.state === "queued");

/** A run of reads or searches as one row: "Read a.ts, b.ts   2 files · ctrl+o". */
export const groupRow = (items: readonly ToolItem[], { theme, width }: ItemOptions): string => {
  const name = items[0]?.name ?? "";
  const state: ToolState = items.some((item) => item.state !== "done") ? "running" : "done";
  const [one, many] = nouns[name] ?? ["call", "calls"];
  const titles = [...new Set(items.map((item) => oneLine(item.title)))].join(", ");
  const left = `${inGutter(stateGlyph(state, theme))}${theme.style("strong", name)} ${titles}`;
  return headerRow(left, `${countText(items.length, one, many)} · ${keyFor("app:toggleTranscript")}`, width, theme);
};
