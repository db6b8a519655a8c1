// Works on a styled terminal row by cells: marks a range of columns, or takes their text out.
import { escapeSequence } from "./sgr.js";
import { graphemes, textWidth } from "./text-width.js";

interface Piece {
  text: string;
  isEscape: boolean;
}

const piecesOf = (row: string): Piece[] => {
  const pieces: Piece[] = [];
  let index = 0;
  while (index < row.length) {
    const nextEscape = row.indexOf("\u001b", index);
    const end = nextEscape < 0 ? row.length : nextEscape;
    if (end > index) for (const text of graphemes(row.slice(index, end))) pieces.push({ text, isEscape: false });
    if (nextEscape < 0) break;
    escapeSequence.lastIndex = nextEscape;
    const sequence = escapeSequence.exec(row)?.[0] ?? "\u001b";
    pieces.push({ text: sequence, isEscape: true });
    index = nextEscape + sequence.length;
  }
  return pieces;
};

/**
 * The row with cells `from` (inclusive) to `to` (exclusive) between `open` and `close`. Styles inside survive: `open`
 * is repeated behind each of them. A wide character that is only partly inside counts as inside.
 */
export const markCells = (row: string, from: number, to: number, open: string, close: string): string => {
  let marked = "";
  let column = 0;
  let isInside = false;
  for (const { text, isEscape } of piecesOf(row)) {
    if (isEscape) {
      marked += isInside ? text + open : text;
      continue;
    }
    const end = column + textWidth(text);
    const belongs = end > from && column < to;
    if (belongs !== isInside) marked += belongs ? open : close;
    isInside = belongs;
    marked += text;
    column = end;
  }
  return isInside ? marked + close : marked;
};

/** The plain text of cells `from` (inclusive) to `to` (exclusive). */
export const cellsText = (row: string, from: number, to: number): string => {
  let taken = "";
  let column = 0;
  for (const { text, isEscape } of piecesOf(row)) {
    if (isEscape) continue;
    const end = column + textWidth(text);
    if (end > from && column < to) taken += text;
    column = end;
  }
  return taken;
};

const plainAddress = /https?:\/\/[^\s<>"'`]+/gu;

/** The web address under a cell: of a link, or one that is written out; undefined where there is none. */
export const addressAt = (row: string, column: number): string | undefined => {
  let link = "";
  let plain = "";
  let at = 0;
  let offset = -1;
  for (const { text, isEscape } of piecesOf(row)) {
    if (isEscape) {
      link = /^\u001b\]8;[^;]*;([^\u0007\u001b]*)/.exec(text)?.[1] ?? link;
      continue;
    }
    const end = at + textWidth(text);
    if (at <= column && column < end) {
      if (/^https?:/.test(link)) return link;
      offset = plain.length;
    }
    plain += text;
    at = end;
  }
  if (offset < 0) return undefined;
  for (const { 0: found, index } of plain.matchAll(plainAddress))
    if (index <= offset && offset < index + found.length) return found.replace(/[.,;:!?)\]}]+$/, "");
  return undefined;
};
