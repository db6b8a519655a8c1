// Changes of the vim mode: each is one undo step. Pure.
import type { Cell, Cells } from "./cells.js";
import { type EditorState, maxUndo, reduceEditor } from "./editor.js";
import { lineEnd, lineStart } from "./motions.js";
import { firstInk, type Stretch } from "./vim-motions.js";
import { onCell, otherCase, type Stay, type VimState } from "./vim-state.js";

export type VimEffect = "older" | "newer" | "search" | "help";

export interface VimStep {
  vim: VimState;
  editor: EditorState;
  /** What the prompt is to do besides. */
  effect?: VimEffect;
}

/** Replaces cells `[from, to)`, then puts the caret where it belongs. Nothing to do leaves the editor alone. */
export const splice = (editor: EditorState, from: number, to: number, cells: Cells, caret: number): EditorState => {
  const next = reduceEditor(editor, { type: "splice", from, to, cells });
  return { ...next, caret: Math.max(0, Math.min(next.cells.length, caret)) };
};

/** Insert mode behind a change (or none); `before` is what undo goes back to. */
export const enterInsert = (
  vim: VimState,
  before: EditorState,
  editor: EditorState,
  keys: readonly string[],
  count: number,
): VimStep => {
  const stay: Stay = {
    cells: before.cells,
    caret: before.caret,
    undo: before.undo,
    from: editor.caret,
    behind: editor.cells.length - editor.caret,
    keys,
    count,
  };
  return { vim: { ...vim, mode: "insert", stay, pending: [], column: null }, editor };
};

/** What was typed since insert mode began; null when that cannot be told any more. */
const typedIn = ({ from, behind }: Stay, { cells }: EditorState): Cells | null =>
  cells.length >= from + behind ? cells.slice(from, cells.length - behind) : null;

/** Esc: the caret goes back on a cell, what was typed becomes one step and can be done again. */
export const leaveInsert = (vim: VimState, editor: EditorState): VimStep => {
  const { stay } = vim;
  const typed = stay && typedIn(stay, editor);
  let done = editor;
  if (stay && typed && typed.length > 0 && stay.count > 1 && /^[iaIAoO]$/.test(stay.keys.at(-1) ?? "")) {
    const between: Cells = /^[oO]$/.test(stay.keys.at(-1) as string) ? ["\n"] : [];
    const more = Array.from({ length: stay.count - 1 }, () => [...between, ...typed]).flat();
    const at = stay.from + typed.length;
    done = splice(editor, at, at, more, at + more.length);
  }
  const undo =
    stay && done.cells !== stay.cells
      ? [...stay.undo, { cells: stay.cells, caret: stay.caret }].slice(-maxUndo)
      : done.undo;
  const caret = Math.max(lineStart(done.cells, done.caret), done.caret - 1);
  return {
    vim: {
      ...vim,
      mode: "normal",
      pending: [],
      stay: null,
      change: stay && stay.keys.length > 0 ? { keys: stay.keys, typed } : vim.change,
    },
    editor: { ...done, undo, caret: onCell(done.cells, caret), goalColumn: null, last: { group: "other", at: 0 } },
  };
};

/** The vim state with cells in its register. */
export const yanked = (vim: VimState, cells: Cells, { start, end }: Stretch, isLinewise: boolean): VimState => ({
  ...vim,
  register: { cells: cells.slice(start, end), isLinewise },
});

/** Removes whole lines `[start, end)` with one line end. */
export const removeLines = (editor: EditorState, { start, end }: Stretch): EditorState => {
  const { cells } = editor;
  const [from, to] = end < cells.length ? [start, end + 1] : [Math.max(0, start - 1), end];
  const left = splice(editor, from, to, [], from);
  return { ...left, caret: firstInk(left.cells, Math.min(from === start ? start : from, left.cells.length)) };
};

const repeated = (cells: Cells, count: number, between: Cells): Cell[] =>
  Array.from({ length: count }, (_, at) => (at === 0 ? cells : [...between, ...cells])).flat();

/** Puts the register behind the caret (or on it): lines below (or above). */
export const put = (vim: VimState, editor: EditorState, count: number, isBefore: boolean): EditorState => {
  const { register } = vim;
  if (!register) return editor;
  const { cells, caret } = editor;
  if (register.isLinewise) {
    const lines = repeated(register.cells, count, ["\n"]);
    const at = isBefore ? lineStart(cells, caret) : lineEnd(cells, caret);
    const put = splice(editor, at, at, isBefore ? [...lines, "\n"] : ["\n", ...lines], isBefore ? at : at + 1);
    return { ...put, caret: firstInk(put.cells, put.caret) };
  }
  const at = isBefore ? caret : Math.min(lineEnd(cells, caret), caret + 1);
  const text = repeated(register.cells, count, []);
  return text.length === 0 ? editor : splice(editor, at, at, text, at + text.length - 1);
};

const upper = (cell: Cell): Cell => (typeof cell === "string" ? cell.toUpperCase() : cell);
const lower = (cell: Cell): Cell => (typeof cell === "string" ? cell.toLowerCase() : cell);

/** Cells `[start, end)` in the other case (`~`), in small (`u`) or capital letters (`U`), or all the same character. */
export const shifted = (editor: EditorState, start: number, end: number, how: string, caret: number): EditorState =>
  changedCells(editor, start, end, how === "~" ? otherCase : (cell) => (cell === "\n" ? cell : how), caret);

/** Cells `[start, end)` in small (`u`) or capital letters. */
export const cased = (editor: EditorState, start: number, end: number, how: "u" | "U", caret: number): EditorState =>
  changedCells(editor, start, end, how === "u" ? lower : upper, caret);

const changedCells = (
  editor: EditorState,
  start: number,
  end: number,
  change: (cell: Cell) => Cell,
  caret: number,
): EditorState =>
  start >= end ? editor : splice(editor, start, end, editor.cells.slice(start, end).map(change), caret);

const indent: Cells = [" ", " "];

/** Lines `[start, end)` moved right or left by two cells, `count` times. */
export const indented = (editor: EditorState, { start, end }: Stretch, by: ">" | "<", count: number): EditorState => {
  const made: Cell[] = [];
  const room = repeated(indent, count, []);
  for (let at = start; at <= end; ) {
    const lineEndsAt = lineEnd(editor.cells, at);
    const line = editor.cells.slice(at, lineEndsAt);
    let blanks = 0;
    while (blanks < room.length && (line[blanks] === " " || line[blanks] === "\t")) blanks += 1;
    const shiftedLine = by === "<" ? line.slice(blanks) : line.length === 0 ? line : [...room, ...line];
    made.push(...(made.length > 0 || at > start ? ["\n"] : []), ...shiftedLine);
    at = lineEndsAt + 1;
  }
  const moved = splice(editor, start, end, made, start);
  return { ...moved, caret: firstInk(moved.cells, Math.min(start, moved.cells.length)) };
};
