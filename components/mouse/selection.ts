// Selecting with the mouse: drag for cells, double click for words, triple click for lines. While the button is down
// the picture stands still, so that what is marked is what will be copied; only a drag to the edge of the transcript moves
// it, row by row.
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
  /** Scrolls the transcript by a row: the rows of its window then, null where there is nothing more. */
  scroll?: (by: 1 | -1) => readonly string[] | null;
  /** Calls again and again while a drag stays at the edge; returns the end of that. */
  repeat?: (step: () => void) => () => void;
}

export interface Selection {
  press(event: MouseEvent): void;
  drag(event: MouseEvent): void;
  /** True when something was selected; false for a plain click. */
  release(event: MouseEvent): boolean;
  clear(): void;
  /** The frame with the selection marked; frozen while the button is down. */
  overlay(rows: readonly string[], transcriptHeight?: number): readonly string[];
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

/** The frozen picture: rows of the transcript as far as they were seen, a window on them, and the rows below it. */
class Picture {
  private head: string[];
  private readonly pane: readonly string[];
  private top = 0;

  constructor(
    rows: readonly string[],
    private readonly height: number,
  ) {
    this.head = rows.slice(0, height);
    this.pane = rows.slice(height);
  }

  /** All rows; points and ranges count in them. */
  get rows(): readonly string[] {
    return [...this.head, ...this.pane];
  }

  /** The rows as they are on the screen. */
  get shown(): readonly string[] {
    return [...this.head.slice(this.top, this.top + this.height), ...this.pane];
  }

  /** Where a row of the screen is among all rows. */
  fromScreen(row: number): number {
    return row < this.height ? this.top + row : this.head.length + row - this.height;
  }

  /** Where a row is on the screen; -1: outside. */
  toScreen(row: number): number {
    if (row >= this.head.length) return row - this.head.length + this.height;
    const at = row - this.top;
    return at >= 0 && at < this.height ? at : -1;
  }

  isTranscript(row: number): boolean {
    return row < this.head.length;
  }

  /** Which edge of the transcript a row of the screen is at: -1 upper, 1 lower, 0 none. */
  edgeAt(row: number): -1 | 0 | 1 {
    if (this.height === 0) return 0;
    return row === 0 ? -1 : row >= this.height ? 1 : 0;
  }

  /** The window moved by a row and shows these rows now. Null: they do not continue the picture; else rows added above. */
  move(by: 1 | -1, rows: readonly string[]): number | null {
    const start = this.top + by;
    const continues = rows.every((row, at) => {
      const known = this.head[start + at];
      return known === undefined || isSameText(known, row);
    });
    if (rows.length !== this.height || !continues) return null;
    if (start < 0) this.head.unshift(rows[0] as string);
    else this.top = start;
    if (start + this.height > this.head.length) this.head.push(rows.at(-1) as string);
    return start < 0 ? 1 : 0;
  }
}

const isSameText = (one: string, other: string): boolean =>
  one === other || stripStyles(one).trimEnd() === stripStyles(other).trimEnd();

const noScroll = (): null => null;
const noRepeat = (): (() => void) => () => undefined;

export const createSelection = (options: SelectionOptions): Selection => {
  const { rows, now, draw, onSelect, scroll = noScroll, repeat = noRepeat } = options;
  let picture = new Picture([], 0);
  let height = 0;
  let anchor: Point | null = null;
  let ranges: RowRange[] = [];
  let isDown = false;
  let hasMoved = false;
  let unit: Unit = "cell";
  let last = { row: -1, column: -1, at: Number.NEGATIVE_INFINITY, count: 0 };
  let pointer: Point = { row: 0, column: 0 };
  /** A drag that stays at the edge. */
  let scrolling: { by: 1 | -1; stop: () => void } | null = null;

  const stopScrolling = (): void => {
    scrolling?.stop();
    scrolling = null;
  };
  const clear = (): void => {
    stopScrolling();
    if (ranges.length === 0 && !isDown) return;
    ranges = [];
    isDown = false;
    anchor = null;
    draw();
  };
  const widen = (point: Point): Point[] => {
    const row = picture.rows[point.row] ?? "";
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
    ranges = rangesOf(picture.rows, first, end);
    draw();
  };
  const selectTo = ({ row, column }: Point): void => select({ row: picture.fromScreen(row), column });
  const stepAtEdge = (by: 1 | -1): void => {
    const shown = scroll(by);
    const added = shown === null ? null : picture.move(by, shown);
    if (added === null) {
      stopScrolling();
      selectTo(pointer);
    } else {
      if (anchor) anchor = { ...anchor, row: anchor.row + added };
      selectTo(by === -1 ? { ...pointer, row: 0 } : { ...pointer, row: height - 1 });
    }
  };
  const scrollAtEdge = (by: -1 | 0 | 1): void => {
    if (scrolling?.by === by) return;
    stopScrolling();
    if (by === 0 || anchor === null || !picture.isTranscript(anchor.row)) return;
    scrolling = { by, stop: repeat(() => stepAtEdge(by)) };
    stepAtEdge(by);
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
      picture = new Picture(rows(), height);
      anchor = { row: picture.fromScreen(row), column };
      pointer = { row, column };
      isDown = true;
      hasMoved = false;
      unit = count === 1 ? "cell" : count === 2 ? "word" : "line";
      if (unit !== "cell") select(anchor);
    },
    drag: ({ row, column }) => {
      if (!isDown || anchor === null) return;
      if (!hasMoved && row === pointer.row && column === pointer.column) return;
      hasMoved = true;
      pointer = { row, column };
      if (scrolling === null || picture.edgeAt(row) !== scrolling.by) selectTo(pointer);
      scrollAtEdge(picture.edgeAt(row));
    },
    release: () => {
      stopScrolling();
      const wasDown = isDown;
      isDown = false;
      if (!wasDown || ranges.length === 0) return false;
      const text = rangesText(picture.rows, ranges);
      if (text.trim() !== "") onSelect(text);
      draw();
      return true;
    },
    overlay: (current, transcriptHeight = 0) => {
      if (!isDown) height = transcriptHeight;
      if (ranges.length === 0) return current;
      const frozen = picture.shown;
      const marked = ranges
        .map((range) => ({ ...range, row: picture.toScreen(range.row) }))
        .filter(({ row }) => row >= 0);
      const isUnchanged = marked.every(({ row }) => isSameText(current[row] ?? "", frozen[row] ?? ""));
      // What was marked has moved away: the mark goes with it.
      if (!isDown && !(isUnchanged && marked.length > 0)) {
        ranges = [];
        return current;
      }
      const shown = [...(isDown ? frozen : current)];
      for (const { row, from, to } of marked)
        shown[row] = markCells(stripStyles(shown[row] ?? ""), from, to, "\u001b[7m", "\u001b[27m");
      return shown;
    },
  };
};
