// Where commands of the vim mode lead the caret. Pure.
import type { EditorState } from "./editor.js";
import { lineStart } from "./motions.js";
import type { VimStep } from "./vim-edits.js";
import { atColumn, columnAt, findOnLine, lineAway, type Motion, motionOf } from "./vim-motions.js";
import type { Target } from "./vim-parse.js";
import { onCell, type VimState } from "./vim-state.js";

/** The editor with its caret on a cell; a run of similar changes ends there. */
export const moved = (editor: EditorState, to: number): EditorState => ({
  ...editor,
  caret: onCell(editor.cells, to),
  goalColumn: null,
  yanked: null,
  last: { group: "other", at: 0 },
});

const flipped = { f: "F", F: "f", t: "T", T: "t" } as const;

/** Where a target leads, and the search to remember; null: nowhere. */
export const targetOf = (
  vim: VimState,
  { cells, caret }: Pick<EditorState, "cells" | "caret">,
  { kind, key, argument }: Target,
  count: number | null,
): { motion: Motion; vim: VimState } | null => {
  if (kind === "motion") {
    const motion = motionOf(cells, caret, key, count);
    return motion && { motion, vim };
  }
  const isAgain = argument === undefined;
  const find = isAgain ? vim.find : { key: key as "f", cell: argument };
  if (!find) return null;
  const way = key === "," ? { ...find, key: flipped[find.key] } : find;
  const motion = findOnLine(cells, caret, way, count ?? 1, isAgain);
  return motion && { motion, vim: { ...vim, find } };
};

/** A motion without an operator. At the first and the last line j and k go through the history. */
export const move = (vim: VimState, editor: EditorState, target: Target, count: number | null): VimStep => {
  const { cells, caret } = editor;
  if (target.key === "j" || target.key === "k") {
    const line = lineAway(cells, caret, (target.key === "j" ? 1 : -1) * (count ?? 1));
    if (line === lineStart(cells, caret))
      return { vim, editor, ...(vim.mode === "normal" ? { effect: target.key === "j" ? "newer" : "older" } : {}) };
    const column = vim.column ?? columnAt(cells, caret);
    return { vim: { ...vim, column }, editor: moved(editor, atColumn(cells, line, column)) };
  }
  const found = targetOf(vim, editor, target, count);
  if (!found) return { vim: { ...vim, column: null }, editor };
  const column = target.key === "$" ? Number.POSITIVE_INFINITY : null;
  return { vim: { ...found.vim, column }, editor: moved(editor, found.motion.to) };
};
