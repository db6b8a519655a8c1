// TranscriptItem to rows, as spec/screens.md section 2 shows them: glyphs in a gutter of two columns, text in column 3.

import { sanitise } from "../../src/lib/sanitise.js";
import { wrapText } from "../../src/lib/text-width.js";
import { unreachable } from "../../src/lib/unreachable.js";
import type {
  BannerItem,
  CommandItem,
  NoticeItem,
  ThinkingItem,
  TranscriptItem,
  UserItem,
} from "../../state/app-state.js";
import { hiddenRow } from "../displays/options.js";
import { textRows } from "../displays/text-rows.js";
import { keyFor } from "../keys/keymap.js";
import {
  bodyWidth,
  countText,
  hangResult,
  headerRow,
  type ItemOptions,
  inGutter,
  resultWidth,
  withGutter,
} from "./layout.js";
import { maxProse } from "./markdown.js";
import { markdownRows } from "./tail.js";
import { toolRows } from "./tool-rows.js";

const maxUserRows = 20; // of a pasted prompt; the rest is one key away
const maxCommandRows = 200;

const proseWidth = (width: number): number => Math.min(bodyWidth(width), maxProse);

const userRows = (item: UserItem, options: ItemOptions): string[] => {
  const { theme, width } = options;
  const rows = wrapText(sanitise(item.text, { tabSize: 4 }).replace(/\s+$/, ""), proseWidth(width));
  const isLong = rows.length > maxUserRows && !options.isExpanded && !item.expanded;
  const shown = (isLong ? rows.slice(0, maxUserRows - 1) : rows).map((row) => theme.style("userMessage", row));
  if (isLong) shown.push(hiddenRow(rows.length - shown.length, { width: bodyWidth(width), theme }));
  return withGutter(theme.style("accent", "❯"), shown);
};

const thinkingRows = (item: ThinkingItem, options: ItemOptions): string[] => {
  const { theme, width } = options;
  const glyph = theme.style("dim", "…");
  if (!options.isExpanded && !item.expanded) {
    if (!item.done) return [inGutter(glyph) + theme.style("dim", "Thinking")];
    if (item.text.trim() === "") return [];
    const lines = item.text.trim().split("\n").length;
    return [
      inGutter(glyph) + theme.style("dim", `Thought, ${countText(lines, "line")} · ${keyFor("app:toggleTranscript")}`),
    ];
  }
  const rows = wrapText(sanitise(item.text.trim(), { tabSize: 4 }), proseWidth(width));
  return withGutter(
    glyph,
    rows.map((row) => theme.style("dim", row)),
  );
};

const noticeRows = (item: NoticeItem, { theme, width }: ItemOptions): string[] => {
  const rows = wrapText(sanitise(item.text, { tabSize: 4 }), proseWidth(width));
  if (item.level === "info")
    return withGutter(
      theme.style("dim", "·"),
      rows.map((row) => theme.style("dim", row)),
    );
  const token = item.level === "error" ? "error" : "warning";
  return withGutter(
    theme.style(token, item.level === "error" ? "✗" : "!"),
    rows.map((row) => theme.style(token, row)),
  );
};

const commandRows = (item: CommandItem, options: ItemOptions): string[] => {
  const { theme, width } = options;
  const head = withGutter(theme.style("accent", "❯"), wrapText(sanitise(item.command), proseWidth(width)));
  const isExpanded = options.isExpanded || item.expanded === true;
  const rows = textRows(item.text, {
    width: resultWidth(width),
    theme,
    expanded: isExpanded,
    maxRows: isExpanded ? undefined : maxCommandRows,
    sanitise: { keepColour: theme.level !== "none", tabSize: 4 },
  });
  return [...head, ...hangResult(item.isError ? rows.map((row) => theme.style("error", row)) : rows, theme)];
};

const bannerRows = (item: BannerItem, { theme, width }: ItemOptions): string[] => {
  const place = [item.cwd, item.branch, item.trusted ? undefined : "not trusted yet"].filter((part) => part);
  const left = `  ${theme.style("strong", `claude ${sanitise(item.version).replaceAll("\n", " ")}`)}  ${theme.style("dim", sanitise(item.model).replaceAll("\n", " "))}`;
  return [headerRow(left, sanitise(place.join(" · ")).replaceAll("\n", " "), width, theme)];
};

const boundaryRow = (text: string, { theme, width }: ItemOptions): string =>
  theme.style("dim", headerRow(`── ${sanitise(text).replaceAll("\n", " ")} ──`, "", width, theme));

const two = (value: number): string => String(value).padStart(2, "0");

/** Local time of day with its date, e.g. "2026-11-30 14:03:22". */
const timeText = (at: number): string => {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
};

/** When a message came and which model wrote it, for the viewer; no row when neither is known. */
export const metaRows = (item: TranscriptItem, theme: ItemOptions["theme"]): string[] => {
  const model = item.kind === "assistant" || item.kind === "thinking" ? item.model : undefined;
  const facts = [item.at === undefined ? "" : timeText(item.at), model === undefined ? "" : sanitise(model)];
  const text = facts.filter((fact) => fact !== "").join(" · ");
  return text === "" ? [] : [theme.style("dim", `  ${text}`)];
};

/** Rows of an answer that may still grow; `draw` is `markdownRows` or a tail that remembers. */
export const assistantRows = (
  item: { text: string },
  { theme, width }: ItemOptions,
  draw: (text: string, options: { width: number; theme: ItemOptions["theme"] }) => string[] = markdownRows,
): string[] => {
  const rows = draw(item.text, { width: bodyWidth(width), theme });
  return withGutter(theme.style("text", "●"), rows);
};

/** Rows of one item; none for what has nothing to show. Every row closes its styles and is at most `width` cells. */
export const itemRows = (item: TranscriptItem, options: ItemOptions): string[] => {
  switch (item.kind) {
    case "user":
      return userRows(item, options);
    case "assistant":
      return assistantRows(item, options);
    case "thinking":
      return thinkingRows(item, options);
    case "tool":
      return toolRows(item, options);
    case "notice":
      return noticeRows(item, options);
    case "command":
      return commandRows(item, options);
    case "banner":
      return bannerRows(item, options);
    case "boundary":
      return [boundaryRow(item.text, options)];
    default:
      return unreachable(item);
  }
};
