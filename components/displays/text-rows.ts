// Plain output as rows: sanitised, wrapped at cells, never more than the budget, however long a line is.
import { type SanitiseOptions, sanitise } from "../../src/lib/sanitise.js";
import { hardWrap, textWidth, wrapText } from "../../src/lib/text-width.js";
import { type DisplayOptions, hiddenRow, rowBudget } from "./options.js";

export interface TextRowOptions extends DisplayOptions {
  /** "head" shows the beginning; "ends" the first row and the last ones (failures say why at the end). */
  keep?: "head" | "ends";
  /** Breaks rows at blanks: for prose, not for output that has its own columns. */
  isProse?: boolean;
  sanitise?: SanitiseOptions;
}

/** How many rows a line takes; long ones are counted by their length, which is exact for ASCII. */
const countRows = (line: string, width: number): number =>
  Math.max(1, Math.ceil((line.length > 4096 ? line.length : textWidth(line)) / width));

/** A piece this long fills any budget; more of one line is not even sanitised. */
const maxLine = 200_000;

/** Longer texts are no prose that anybody reads in rows. */
const maxProseText = 20_000;

const wrapWithin = (lines: readonly string[], width: number, room: number): string[] => {
  const rows: string[] = [];
  for (const line of lines) {
    if (rows.length >= room) break;
    rows.push(...hardWrap(line, width, room - rows.length));
  }
  return rows;
};

/** The last `room` rows of the lines. */
const wrapEnd = (lines: readonly string[], width: number, room: number): string[] => {
  const rows: string[] = [];
  for (let index = lines.length - 1; index >= 0 && rows.length < room; index--) {
    const line = lines[index] as string;
    // Of a long line only its end is needed.
    const end = line.length > room * width * 4 ? line.slice(-room * width) : line;
    rows.unshift(...hardWrap(end, width).slice(-(room - rows.length)));
  }
  return rows;
};

/** Rows of a text within the budget; where something is left out one row says how much. */
export const textRows = (text: string, options: TextRowOptions): string[] => {
  const width = Math.max(1, options.width);
  const clean = sanitise(text.slice(0, maxLine), options.sanitise).replace(/\n+$/, "");
  if (clean === "") return [];
  const lines = options.isProse && clean.length <= maxProseText ? wrapText(clean, width) : clean.split("\n");
  const total =
    lines.reduce((sum, line) => sum + countRows(line, width), 0) +
    Math.ceil(Math.max(0, text.length - maxLine) / width);
  const budget = rowBudget(options);
  if (total <= budget) return wrapWithin(lines, width, budget);
  if (options.keep !== "ends" || budget < 3) {
    const shown = wrapWithin(lines, width, budget - 1);
    return [...shown, hiddenRow(total - shown.length, options)];
  }
  const head = wrapWithin(lines, width, 1);
  const tail = wrapEnd(lines, width, budget - 2);
  return [...head, hiddenRow(total - head.length - tail.length, options), ...tail];
};
