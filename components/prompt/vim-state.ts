// State of the vim mode and the small helpers its parts share.
import type { Cell, Cells } from "./cells.js";
import type { EditorState } from "./editor.js";
import { lineEnd, lineStart } from "./motions.js";
import type { Find, Stretch } from "./vim-motions.js";

export type VimMode = "insert" | "normal" | "visual" | "visualLine";

export interface Register {
  cells: Cells;
  isLinewise: boolean;
}

/** A change as `.` does it again: its keys, and what was typed after them. */
export interface Change {
  keys: readonly string[];
  typed: Cells | null;
}

/** A stay in insert mode: what stood before it, so that it undoes as one and can be done again. */
export interface Stay {
  cells: Cells;
  caret: number;
  undo: EditorState["undo"];
  /** Cells before and behind what is typed. */
  from: number;
  behind: number;
  keys: readonly string[];
  count: number;
}

export interface VimState {
  mode: VimMode;
  /** Keys of a command that is not complete yet. */
  pending: readonly string[];
  /** Where a visual selection began. */
  anchor: number;
  register: Register | null;
  find: Find | null;
  change: Change | null;
  stay: Stay | null;
  /** Column that j and k aim for. */
  column: number | null;
}

export const newVim: VimState = {
  mode: "insert",
  pending: [],
  anchor: 0,
  register: null,
  find: null,
  change: null,
  stay: null,
  column: null,
};

/** The caret as normal mode has it: on a cell, not behind the last one of a line. */
export const onCell = (cells: Cells, caret: number): number => {
  const inside = Math.max(0, Math.min(caret, cells.length));
  return Math.max(lineStart(cells, inside), Math.min(inside, lineEnd(cells, inside) - 1));
};

/** The cells a visual selection holds; null outside of visual mode. */
export const selectionOf = (vim: VimState, { cells, caret }: Pick<EditorState, "cells" | "caret">): Stretch | null => {
  if (vim.mode !== "visual" && vim.mode !== "visualLine") return null;
  const [first, last] = [Math.min(vim.anchor, caret), Math.max(vim.anchor, caret)];
  if (vim.mode === "visual") return { start: first, end: Math.min(cells.length, last + 1) };
  return { start: lineStart(cells, first), end: lineEnd(cells, Math.min(last, cells.length)) };
};

const modeNames = { insert: "INSERT", normal: "NORMAL", visual: "VISUAL", visualLine: "VISUAL LINE" } as const;

/** What the footer says, e.g. `-- NORMAL -- 2d`. */
export const vimIndicator = ({ mode, pending }: VimState): string =>
  `-- ${modeNames[mode]} --${pending.length > 0 ? ` ${pending.join("")}` : ""}`;

/** A letter in the other case; everything else as it is. */
export const otherCase = (cell: Cell): Cell => {
  if (typeof cell !== "string") return cell;
  return cell === cell.toUpperCase() ? cell.toLowerCase() : cell.toUpperCase();
};
