// Motions: where words and lines begin and end in an editor's cells.
import { type Cells, isPaste } from "./cells.js";

const wordPattern = /[\p{L}\p{N}\p{M}_]/u;

const isWord = (cells: Cells, at: number): boolean => {
  const cell = cells[at];
  return isPaste(cell) || (cell !== undefined && wordPattern.test(cell));
};
const isBlank = (cells: Cells, at: number): boolean => cells[at] === " " || cells[at] === "\n";

/** Start of the word before `caret`; a paste is a word of its own. */
export const wordLeft = (cells: Cells, caret: number): number => {
  let at = caret;
  while (at > 0 && !isWord(cells, at - 1)) at -= 1;
  if (isPaste(cells[at - 1])) return at - 1;
  while (at > 0 && isWord(cells, at - 1) && !isPaste(cells[at - 1])) at -= 1;
  return at;
};

/** End of the word at or after `caret`. */
export const wordRight = (cells: Cells, caret: number): number => {
  let at = caret;
  while (at < cells.length && !isWord(cells, at)) at += 1;
  if (isPaste(cells[at])) return at + 1;
  while (at < cells.length && isWord(cells, at) && !isPaste(cells[at])) at += 1;
  return at;
};

/** Where Ctrl+W begins to cut: the blank before the last stretch without blanks. */
export const blankLeft = (cells: Cells, caret: number): number => {
  let at = caret;
  while (at > 0 && isBlank(cells, at - 1)) at -= 1;
  if (isPaste(cells[at - 1])) return at - 1;
  while (at > 0 && !isBlank(cells, at - 1) && !isPaste(cells[at - 1])) at -= 1;
  return at;
};

export const lineStart = (cells: Cells, caret: number): number => {
  let at = caret;
  while (at > 0 && cells[at - 1] !== "\n") at -= 1;
  return at;
};

export const lineEnd = (cells: Cells, caret: number): number => {
  let at = caret;
  while (at < cells.length && cells[at] !== "\n") at += 1;
  return at;
};
