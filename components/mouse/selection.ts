// Selecting with the mouse: drag for cells, double click for words, triple click for lines. While the button is down
// the picture stands still, so that what is marked is what will be copied.
import { cellsText, markCells } from "../../src/lib/mark-cells.js";
import { stripStyles, textWidth } from "../../src/lib/text-width.js";
import type { MouseEvent } from "../terminal/sequences.js";

interface Point {
  row: number;
  column: number;
}

/** Cells `from` (inclusive) to `to` (exclusive) of one row. */
export interface RowRange {
  row: number;
  from: number;
  to: number;
}

export interface SelectionOptions {
  /** Rows on the screen now. */
  rows: () => readonly string[];
  now: () => number;
  /** Asks for a frame. */
  draw: () => void;
  /** The button was released on a selection. */
  onSelect: (text: string) => void;
}

export interface Selection {
  press(event: MouseEvent): void;
  drag(event: MouseEvent): void;
  /** True when something was selected; false for a plain click. */
  release(event: MouseEvent): boolean;
  clear(): void;
  /** The frame with the selection marked; frozen while the button is down. */
  overlay(rows: readonly string[]): readonly string[];
  readonly isActive: boolean;
}

/** Clicks closer than this belong together. */
const multiClickMs = 400;

const isWordCharacter = (text: string): boolean => /[\p{L}\p{N}_./~@:+-]/u.test(text);

/** The word around a cell; the cell alone where there is none. */
export const wordAt = (row: string, column: number): { from: number; to: number } => {
  const width = textWidth(row);
  const isWord = (at: number): boolean => at >= 0 && at < width && isWordCharacter(cellsText(row, at, at + 1));
  if (!isWord(column)) return { from: column, to: column + 1 };
  let from = column;
  let to = column + 1;
  while (isWord(from - 1)) from -= 1;
  while (isWord(to)) to += 1;
  return { from, to };
};

const isBefore = (one: Point, other: Point): boolean =>
  one.row < other.row || (one.row === other.row && one.column < other.column);

/** The ranges between two points, row by row. */
export const rangesOf = (rows: readonly string[], first: Point, last: Point): RowRange[] => {
  const [start, end] = isBefore(first, last) ? [first, last] : [last, first];
  const ranges: RowRange[] = [];
  for (let row = start.row; row <= end.row && row < rows.length; row++) {
    const width = textWidth(rows[row] as string);
    const from = row === start.row ? start.column : 0;
    const to = row === end.row ? end.column + 1 : Math.max(width, 1);
    ranges.push({ row, from: Math.min(from, width), to: Math.min(to, Math.max(width, from)) });
  }
  return ranges;
};

/** The text of ranges; the gutter of two blanks goes with rows that hang under the first. */
export const rangesText = (rows: readonly string[], ranges: readonly RowRange[]): string => {
  const texts = ranges.map(({ row, from, to }) => cellsText(rows[row] as string, from, to).trimEnd());
  const [first = "", ...rest] = texts;
  const isIndented = rest.every((text) => text === "" || text.startsWith("  "));
  const startsInText = (ranges[0]?.from ?? 0) >= 2;
  return [first, ...rest.map((text) => (isIndented && startsInText ? text.slice(2) : text))].join("\n").trimEnd();
};

type Unit = "cell" | "word" | "line";

export const createSelection = ({ rows, now, draw, onSelect }: SelectionOptions): Selection => {
  let frozen: readonly string[] = [];
  let anchor: Point | null = null;
  let ranges: RowRange[] = [];
  let isDown = false;
  let hasMoved = false;
  let unit: Unit = "cell";
  let last = { row: -1, column: -1, at: Number.NEGATIVE_INFINITY, count: 0 };

  const clear = (): void => {
    if (ranges.length === 0 && !isDown) return;
    ranges = [];
    isDown = false;
    anchor = null;
    draw();
  };
  const widen = (point: Point): Point[] => {
    const row = frozen[point.row] ?? "";
    if (unit === "line")
      return [
        { row: point.row, column: 0 },
        { row: point.row, column: Math.max(0, textWidth(row) - 1) },
      ];
    const { from, to } = wordAt(row, point.column);
    return [
      { row: point.row, column: from },
      { row: point.row, column: to - 1 },
    ];
  };
  const select = (head: Point): void => {
    if (anchor === null) return;
    const points = unit === "cell" ? [anchor, head] : [...widen(anchor), ...widen(head)];
    const first = points.reduce((one, other) => (isBefore(other, one) ? other : one));
    const end = points.reduce((one, other) => (isBefore(one, other) ? other : one));
    ranges = rangesOf(frozen, first, end);
    draw();
  };
  return {
    get isActive() {
      return ranges.length > 0;
    },
    clear,
    press: ({ row, column }) => {
      clear();
      const isAgain = row === last.row && column === last.column && now() - last.at < multiClickMs;
      const count = isAgain ? (last.count % 3) + 1 : 1;
      last = { row, column, at: now(), count };
      frozen = [...rows()];
      anchor = { row, column };
      isDown = true;
      hasMoved = false;
      unit = count === 1 ? "cell" : count === 2 ? "word" : "line";
      if (unit !== "cell") select(anchor);
    },
    drag: ({ row, column }) => {
      if (!isDown || anchor === null) return;
      if (!hasMoved && row === anchor.row && column === anchor.column) return;
      hasMoved = true;
      select({ row, column });
    },
    release: () => {
      const wasDown = isDown;
      isDown = false;
      if (!wasDown || ranges.length === 0) return false;
      const text = rangesText(frozen, ranges);
      if (text.trim() !== "") onSelect(text);
      draw();
      return true;
    },
    overlay: (current) => {
      if (ranges.length === 0) return current;
      const isUnchanged = ranges.every(({ row }) => current[row] !== undefined && current[row] === frozen[row]);
      // What was marked has moved away: the mark goes with it.
      if (!isDown && !isUnchanged) {
        ranges = [];
        return current;
      }
      const shown = [...(isDown ? frozen : current)];
      for (const { row, from, to } of ranges)
        shown[row] = markCells(stripStyles(shown[row] ?? ""), from, to, "\u001b[7m", "\u001b[27m");
      return shown;
    },
  };
};
