// Motions and text objects of the vim mode, in cells. Pure: each says where it leads, nothing moves.
import { type Cell, type Cells, isPaste } from "./cells.js";
import { caretAtColumn, columnOfCaret } from "./layout.js";
import { lineEnd, lineStart } from "./motions.js";

export interface Motion {
  to: number;
  /** An operator takes the cell at the end too. */
  isInclusive?: boolean;
  /** An operator takes whole lines. */
  isLinewise?: boolean;
}

export interface Find {
  key: "f" | "F" | "t" | "T";
  cell: string;
}

/** A stretch of cells. */
export interface Stretch {
  start: number;
  end: number;
}

type Kind = "blank" | "word" | "mark" | "paste" | "end";

const kindOf = (cell: Cell | undefined, isBig: boolean): Kind => {
  if (cell === undefined) return "end";
  if (isPaste(cell)) return "paste";
  if (cell === " " || cell === "\n" || cell === "\t") return "blank";
  return isBig || /[\p{L}\p{N}\p{M}_]/u.test(cell) ? "word" : "mark";
};

const isEmptyLine = (cells: Cells, at: number): boolean => cells[at] === "\n" && (at === 0 || cells[at - 1] === "\n");

/** Whether two cells belong to one word: a paste is a word of its own. */
const isSameWord = (cells: Cells, at: number, next: number, isBig: boolean): boolean => {
  const kind = kindOf(cells[at], isBig);
  return kind !== "paste" && kind !== "blank" && kind === kindOf(cells[next], isBig);
};

const nextWord = (cells: Cells, caret: number, isBig: boolean): number => {
  let at = caret;
  while (at < cells.length && isSameWord(cells, at, at + 1, isBig)) at += 1;
  at += 1;
  while (at < cells.length && kindOf(cells[at], isBig) === "blank" && !isEmptyLine(cells, at)) at += 1;
  return Math.min(at, cells.length);
};

const endOfWord = (cells: Cells, caret: number, isBig: boolean): number => {
  let at = caret + 1;
  while (at < cells.length && kindOf(cells[at], isBig) === "blank") at += 1;
  while (at < cells.length && isSameWord(cells, at, at + 1, isBig)) at += 1;
  return Math.max(0, Math.min(at, cells.length - 1));
};

const wordBefore = (cells: Cells, caret: number, isBig: boolean): number => {
  let at = caret - 1;
  while (at > 0 && kindOf(cells[at], isBig) === "blank" && !isEmptyLine(cells, at)) at -= 1;
  while (at > 0 && isSameWord(cells, at, at - 1, isBig)) at -= 1;
  return Math.max(0, at);
};

const times = (count: number, from: number, step: (at: number) => number): number => {
  let at = from;
  for (let done = 0; done < count; done++) {
    const next = step(at);
    if (next === at) break;
    at = next;
  }
  return at;
};

/** First cell of a line that is no blank; its last one where there are only blanks. */
export const firstInk = (cells: Cells, caret: number): number => {
  const end = lineEnd(cells, caret);
  let at = lineStart(cells, caret);
  while (at < end - 1 && (cells[at] === " " || cells[at] === "\t")) at += 1;
  return at;
};

/** Start of the line `by` lines away, as far as there are lines. */
export const lineAway = (cells: Cells, caret: number, by: number): number => {
  let at = lineStart(cells, caret);
  for (let done = 0; done < Math.abs(by); done++) {
    const next = by < 0 ? (at === 0 ? at : lineStart(cells, at - 1)) : lineEnd(cells, at) + 1;
    if (next === at || next > cells.length) break;
    at = next;
  }
  return at;
};

const rowAt = (cells: Cells, at: number) => ({ start: lineStart(cells, at), end: lineEnd(cells, at), isSoft: false });

/** Column of the caret on its line, in cells of the terminal. */
export const columnAt = (cells: Cells, caret: number): number => columnOfCaret(cells, rowAt(cells, caret), caret);

/** The place on a line that is nearest to a column. */
export const atColumn = (cells: Cells, line: number, column: number): number =>
  caretAtColumn(cells, rowAt(cells, line), column);

/** Where a character stands on the caret's line; null: nowhere. `isAgain`: t and T do not stay where they are. */
export const findOnLine = (cells: Cells, caret: number, find: Find, count: number, isAgain: boolean): Motion | null => {
  const by = find.key === "f" || find.key === "t" ? 1 : -1;
  const isTill = find.key === "t" || find.key === "T";
  const [start, end] = [lineStart(cells, caret), lineEnd(cells, caret)];
  let left = count;
  for (let at = caret + by + (isTill && isAgain ? by : 0); at >= start && at < end; at += by) {
    if (cells[at] !== find.cell) continue;
    left -= 1;
    if (left === 0) return { to: isTill ? at - by : at, isInclusive: by > 0 };
  }
  return null;
};

/** One cell on, from the end of a line to the start of the next. */
export const stepRight = (cells: Cells, at: number): number => {
  const next = Math.min(cells.length, at + 1);
  return cells[next] === "\n" && !isEmptyLine(cells, next) ? next + 1 : next;
};

/** Where a key leads; null for keys that are no motion. `count` is null where none was typed. */
export const motionOf = (cells: Cells, caret: number, key: string, count: number | null): Motion | null => {
  const n = count ?? 1;
  const isBig = key === key.toUpperCase();
  switch (key) {
    case "h":
      return { to: Math.max(lineStart(cells, caret), caret - n) };
    case "l":
      return { to: Math.min(lineEnd(cells, caret), caret + n) };
    case " ":
      return { to: times(n, caret, (at) => stepRight(cells, at)) };
    case "j":
    case "k":
      return { to: lineAway(cells, caret, key === "j" ? n : -n), isLinewise: true };
    case "w":
    case "W":
      return { to: times(n, caret, (at) => nextWord(cells, at, isBig)) };
    case "e":
    case "E":
      return { to: times(n, caret, (at) => endOfWord(cells, at, isBig)), isInclusive: true };
    case "b":
    case "B":
      return { to: times(n, caret, (at) => wordBefore(cells, at, isBig)) };
    case "0":
      return { to: lineStart(cells, caret) };
    case "^":
      return { to: firstInk(cells, caret) };
    case "$":
      return { to: lineEnd(cells, lineAway(cells, caret, n - 1)) };
    case "gg":
      return { to: firstInk(cells, lineAway(cells, 0, n - 1)), isLinewise: true };
    case "G":
      return {
        to: firstInk(cells, count === null ? lineStart(cells, cells.length) : lineAway(cells, 0, n - 1)),
        isLinewise: true,
      };
    default:
      return null;
  }
};

const closing: Readonly<Record<string, readonly [string, string]>> = {
  "(": ["(", ")"],
  ")": ["(", ")"],
  b: ["(", ")"],
  "[": ["[", "]"],
  "]": ["[", "]"],
  "{": ["{", "}"],
  "}": ["{", "}"],
  B: ["{", "}"],
};

/** Index of the bracket that belongs to the caret's place, going one way; -1: there is none. */
const bracket = (cells: Cells, from: number, by: 1 | -1, wanted: string, other: string): number => {
  let depth = 0;
  for (let at = from; at >= 0 && at < cells.length; at += by) {
    if (cells[at] === wanted && depth-- === 0) return at;
    if (cells[at] === other && at !== from) depth += 1;
  }
  return -1;
};

const inBrackets = (cells: Cells, caret: number, [open, close]: readonly [string, string]): Stretch | null => {
  const start =
    cells[caret] === open ? caret : bracket(cells, cells[caret] === close ? caret - 1 : caret, -1, open, close);
  if (start < 0) return null;
  const end = bracket(cells, start + 1, 1, close, open);
  return end < 0 ? null : { start, end: end + 1 };
};

/** The quoted stretch around the caret, or the next one on its line. */
const inQuotes = (cells: Cells, caret: number, quote: string): Stretch | null => {
  const end = lineEnd(cells, caret);
  let open = -1;
  for (let at = lineStart(cells, caret); at < end; at++) {
    if (cells[at] !== quote || cells[at - 1] === "\\") continue;
    if (open < 0) open = at;
    else if (at >= caret) return { start: open, end: at + 1 };
    else open = -1;
  }
  return null;
};

const word = (cells: Cells, caret: number, isBig: boolean, isAround: boolean): Stretch | null => {
  if (caret >= cells.length || cells[caret] === "\n") return null;
  const isBlank = (at: number): boolean => cells[at] === " " || cells[at] === "\t";
  const same = (at: number, next: number): boolean =>
    isBlank(at) ? isBlank(next) : isSameWord(cells, at, next, isBig);
  let start = caret;
  while (start > 0 && same(start, start - 1)) start -= 1;
  let end = caret;
  while (end + 1 < cells.length && same(end, end + 1)) end += 1;
  end += 1;
  if (!isAround) return { start, end };
  if (isBlank(caret)) {
    const next = endOfWord(cells, end - 1, isBig) + 1;
    return { start, end: Math.min(Math.max(end, next), lineEnd(cells, caret)) };
  }
  const before = end;
  while (end < cells.length && isBlank(end)) end += 1;
  if (end === before) while (start > 0 && isBlank(start - 1)) start -= 1;
  return { start, end };
};

/** What a text object (`i` or `a` and a key) holds; null: nothing here. */
export const textObject = (cells: Cells, caret: number, kind: "i" | "a", key: string): Stretch | null => {
  if (key === "w" || key === "W") return word(cells, caret, key === "W", kind === "a");
  const pair = closing[key];
  const isQuote = key === '"' || key === "'" || key === "`";
  const found = pair ? inBrackets(cells, caret, pair) : isQuote ? inQuotes(cells, caret, key) : null;
  if (!found) return null;
  if (kind === "i") return { start: found.start + 1, end: found.end - 1 };
  if (!isQuote) return found;
  let { end } = found;
  while (cells[end] === " ") end += 1;
  return { start: found.start, end };
};

/** The cell behind what `cw` changes: to the end of this word, not into the next one. */
export const changedWordEnd = (cells: Cells, caret: number, count: number, isBig: boolean): number => {
  let at = caret;
  while (at < cells.length && isSameWord(cells, at, at + 1, isBig)) at += 1;
  return Math.min(cells.length, times(count - 1, at, (from) => endOfWord(cells, from, isBig)) + 1);
};

/** Whether the caret is on a blank, where `cw` changes as far as `dw` deletes. */
export const isOnBlank = (cells: Cells, caret: number): boolean => kindOf(cells[caret], false) === "blank";

/** Where `dw` ends: a word at the end of a line takes the line's end with it only if nothing else is there to take. */
export const deletedWordEnd = (cells: Cells, caret: number, to: number): number => {
  const line = lineStart(cells, to);
  const isAtInk = cells.slice(line, to).every((cell) => cell === " " || cell === "\t");
  return isAtInk && line - 1 > caret ? line - 1 : to;
};
