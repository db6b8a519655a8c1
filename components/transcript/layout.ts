// Shared pieces of the transcript's look: the two-column gutter, results under their call, a header with its right end.
import { cutToWidth, textWidth } from "../../src/lib/text-width.js";
import type { Theme } from "../theme/themes.js";

export interface ItemOptions {
  /** Cells of the whole row, gutter included. */
  width: number;
  theme: Theme;
  /** Everything in full (the transcript viewer); items may also be expanded one by one. */
  isExpanded: boolean;
  /** Milliseconds since the epoch: running calls show how long they have been running. */
  now: number;
}

/** Right ends of headers stand no further out than this, or the eye loses the line. */
const maxHeader = 102;

const gutter = 2;

/** Cells left for an item's text. */
export const bodyWidth = (width: number): number => Math.max(1, width - gutter);

/** A glyph in the gutter, filled to its two columns (terminals may draw it in one or in two). */
export const inGutter = (glyph: string): string => glyph + " ".repeat(Math.max(0, gutter - textWidth(glyph)));

/** Puts `glyph` into the gutter of the first row, spaces before the others; blank rows stay empty. */
export const withGutter = (glyph: string, rows: readonly string[]): string[] =>
  rows.map((row, index) => (index === 0 ? inGutter(glyph) + row : row === "" ? "" : `  ${row}`));

/** Cells left for a result that hangs under its call. */
export const resultWidth = (width: number): number => Math.max(1, width - 5);

/** Results under their call: "⎿" in front of the first row. */
export const hangResult = (rows: readonly string[], theme: Theme): string[] =>
  rows.map((row, index) => (index === 0 ? `  ${theme.style("dim", "⎿")}  ${row}` : row === "" ? "" : `     ${row}`));

/** One row: `left` cut as needed, `right` (dim) at the right end. Both may be styled. */
export const headerRow = (left: string, right: string, width: number, theme: Theme): string => {
  const room = Math.min(width, maxHeader);
  if (right === "") return cutToWidth(left, room);
  const rightWidth = textWidth(right);
  if (rightWidth + 12 > room) return cutToWidth(left, room);
  const cut = cutToWidth(left, room - rightWidth - 2);
  const gap = room - textWidth(cut) - rightWidth;
  return cut + " ".repeat(gap) + theme.style("dim", right);
};

/** "4 s", "1:07", "2:03:00". */
export const durationText = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const two = (value: number) => String(value).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
};

/** "1 file", "2 files". */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
