// Cells: the text of an editor as graphemes, line ends and paste placeholders. No operation ever works on less than a cell.

import { sanitise } from "../../src/lib/sanitise.js";
import { graphemes } from "../../src/lib/text-width.js";
import type { ImageBlock } from "../../src/protocol/messages.js";
import type { PastedText } from "../../src/protocol/requests.js";

/** A long paste that stands as one placeholder: it moves, deletes and comes back as one. */
export interface PasteCell {
  readonly id: number;
  readonly text: string;
  /** It stands for this image. */
  readonly image?: ImageBlock;
}
/** A grapheme, "\n", or a paste. */
export type Cell = string | PasteCell;
export type Cells = readonly Cell[];

/** Pastes longer than this, or of more lines, stand as a placeholder (spec: 800 characters, 2 lines). */
const maxPlainPaste = { characters: 800, lines: 2 };

export const isPaste = (cell: Cell | undefined): cell is PasteCell => typeof cell === "object";

/** What the screen shows for a paste, e.g. `[Pasted text #1 +120 lines]`. */
export const pasteLabel = ({ id, text, image }: PasteCell): string => {
  if (image) return text;
  const lines = text.split("\n").length;
  return lines > 1 ? `[Pasted text #${id} +${lines} lines]` : `[Pasted text #${id} ${text.length} characters]`;
};

/** The pasted texts among the cells, in order. */
export const pastesOf = (cells: Cells): PastedText[] =>
  cells.flatMap((cell) => (isPaste(cell) && !cell.image ? [{ id: cell.id, text: cell.text }] : []));

/** Cells of a prompt as it was shown, with its pastes in their places again. */
export const cellsWithPastes = (shown: string, pastes: readonly PastedText[]): Cell[] => {
  const cells: Cell[] = [];
  let from = 0;
  for (const { id, text } of pastes) {
    const label = pasteLabel({ id, text });
    const at = shown.indexOf(label, from);
    if (at < 0) continue;
    cells.push(...toCells(shown.slice(from, at)), { id, text });
    from = at + label.length;
  }
  return [...cells, ...toCells(shown.slice(from))];
};

/** The images among the cells, in order. */
export const imagesOf = (cells: Cells): ImageBlock[] =>
  cells.flatMap((cell) => (isPaste(cell) && cell.image ? [cell.image] : []));

/** A pasted text that is nothing but the path of an image, as terminals write dragged files; undefined otherwise. */
export const imagePathIn = (text: string): string | undefined => {
  const line = text.trim();
  if (!/\.(png|jpe?g|gif|webp)["']?$/i.test(line) || /\n/.test(line)) return undefined;
  const quoted = /^(["'])(.*)\1$/.exec(line)?.[2];
  const path = quoted ?? line.replace(/\\(.)/g, "$1");
  if (path.startsWith("file://")) return URL.canParse(path) ? decodeURIComponent(new URL(path).pathname) : undefined;
  const isWhole = quoted !== undefined || !/(?<!\\)\s/.test(line);
  return isWhole && /^(\/|~\/|\.\.?\/)/.test(path) ? path : undefined;
};

export const isLongPaste = (text: string): boolean =>
  text.length > maxPlainPaste.characters || text.split("\n", maxPlainPaste.lines + 1).length > maxPlainPaste.lines;

/** Line ends become "\n"; control characters other than tabs go. What is sent is otherwise what was pasted. */
export const cleanText = (text: string): string =>
  text.replace(/\r\n?/g, "\n").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");

/** Splits cleaned text into cells. */
export const toCells = (text: string): Cell[] => graphemes(text);

/** The text as it is sent: pastes in full. */
export const fullText = (cells: Cells): string => cells.map((cell) => (isPaste(cell) ? cell.text : cell)).join("");

/** The text as it is seen: pastes as placeholders. */
export const shownText = (cells: Cells): string => cells.map(shownCell).join("");

const shownCell = (cell: Cell): string => (isPaste(cell) ? pasteLabel(cell) : cell);

/** What the terminal gets for a cell: nothing that moves the cursor or reorders text. */
export const drawnCell = (cell: Cell): string => {
  if (isPaste(cell)) return pasteLabel(cell);
  if (cell.length === 1 && cell >= " " && cell <= "~") return cell;
  return cell === "\t" ? "  " : sanitise(cell);
};

const isPlainAscii = (cell: Cell | undefined): boolean =>
  cell === undefined || isPaste(cell) || cell === "\n" || (cell.length === 1 && cell >= " " && cell <= "~");

/** A joint between cells that can never merge into one grapheme. */
const isBarrier = (cell: Cell | undefined): boolean => cell === undefined || isPaste(cell) || cell === "\n";

/**
 * Replaces `cells[from..to)` by `inserted`. Where neighbours may merge (a combining mark after its letter, half a
 * flag), the stretch up to the next line end or paste is split anew; `caret` is the place behind what was inserted,
 * moved behind the grapheme it became part of.
 */
export const spliceCells = (
  cells: Cells,
  from: number,
  to: number,
  inserted: Cells,
): { cells: Cell[]; caret: number } => {
  const joined = [...cells.slice(0, from), ...inserted, ...cells.slice(to)];
  const caret = from + inserted.length;
  const edges = [joined[from - 1], joined[from], joined[caret - 1], joined[caret]];
  if (edges.every(isPlainAscii)) return { cells: joined, caret };
  let start = from;
  while (start > 0 && !isBarrier(joined[start - 1])) start -= 1;
  let end = caret;
  while (end < joined.length && !isBarrier(joined[end])) end += 1;
  return resegment(joined, start, end, caret);
};

const resegment = (cells: Cell[], start: number, end: number, caret: number): { cells: Cell[]; caret: number } => {
  const made: Cell[] = [];
  let madeCaret = start;
  let run: string[] = [];
  let runStart = start;
  const closeRun = (runEnd: number): void => {
    const parts = graphemes(run.join(""));
    if (caret >= runStart && caret <= runEnd) {
      const before = run.slice(0, caret - runStart).join("").length;
      let length = 0;
      let count = 0;
      while (length < before) length += parts[count++]!.length;
      madeCaret = start + made.length + count;
    }
    made.push(...parts);
    run = [];
  };
  for (let at = start; at < end; at++) {
    const cell = cells[at]!;
    if (!isBarrier(cell)) {
      run.push(cell as string);
      continue;
    }
    closeRun(at);
    made.push(cell);
    runStart = at + 1;
  }
  closeRun(end);
  return { cells: [...cells.slice(0, start), ...made, ...cells.slice(end)], caret: madeCaret };
};
