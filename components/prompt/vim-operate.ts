// Operators of the vim mode on what they are aimed at. Pure.
import type { EditorState } from "./editor.js";
import { lineEnd, lineStart } from "./motions.js";
import { enterInsert, indented, removeLines, splice, type VimStep, yanked } from "./vim-edits.js";
import { changedWordEnd, deletedWordEnd, isOnBlank, lineAway, type Stretch, textObject } from "./vim-motions.js";
import { moved, targetOf } from "./vim-move.js";
import type { Command, Target } from "./vim-parse.js";
import type { VimState } from "./vim-state.js";

interface Aim extends Stretch {
  isLinewise: boolean;
  vim: VimState;
}

const linesFrom = (editor: EditorState, first: number, last: number): Stretch => ({
  start: lineStart(editor.cells, first),
  end: lineEnd(editor.cells, last),
});

/** What an operator works on; null: nothing. */
const aimOf = (
  vim: VimState,
  editor: EditorState,
  operator: string,
  target: Target,
  count: number | null,
): Aim | null => {
  const { cells, caret } = editor;
  if (target.kind === "lines")
    return { ...linesFrom(editor, caret, lineAway(cells, caret, (count ?? 1) - 1)), isLinewise: true, vim };
  if (target.kind === "object") {
    const found = textObject(cells, caret, target.key as "i", target.argument as string);
    return found && { ...found, isLinewise: false, vim };
  }
  if (operator === "c" && /^[wW]$/.test(target.key) && target.kind === "motion" && !isOnBlank(cells, caret))
    return { start: caret, end: changedWordEnd(cells, caret, count ?? 1, target.key === "W"), isLinewise: false, vim };
  const found = targetOf(vim, editor, target, count);
  if (!found) return null;
  const { to, isInclusive, isLinewise } = found.motion;
  if (isLinewise) {
    // A line that is not there fails the command; gg and G always lead somewhere.
    if (/^[jk]$/.test(target.key) && lineStart(cells, to) === lineStart(cells, caret)) return null;
    return { ...linesFrom(editor, Math.min(caret, to), Math.max(caret, to)), isLinewise: true, vim: found.vim };
  }
  const end = target.kind === "motion" && /^[wW]$/.test(target.key) ? deletedWordEnd(cells, caret, to) : to;
  return {
    start: Math.min(caret, end),
    end: Math.min(cells.length, Math.max(caret, end) + (isInclusive ? 1 : 0)),
    isLinewise: false,
    vim: found.vim,
  };
};

/** Deletes, changes, yanks or moves a stretch. `keys`: what `.` does again. */
export const apply = (aim: Aim, editor: EditorState, operator: string, keys: readonly string[], count = 1): VimStep => {
  const { start, end, isLinewise } = aim;
  const idle: VimState = { ...aim.vim, mode: "normal" };
  if (operator === "y")
    return {
      vim: yanked(idle, editor.cells, aim, isLinewise),
      editor: moved(editor, isLinewise ? Math.min(editor.caret, end) : start),
    };
  const vim: VimState = { ...idle, change: { keys, typed: null } };
  if (operator === ">" || operator === "<") {
    const lines = linesFrom(editor, start, Math.max(start, end));
    const done = indented(editor, lines, operator, count);
    return { vim, editor: moved(done, done.caret) };
  }
  const kept = start < end || isLinewise ? yanked(vim, editor.cells, aim, isLinewise) : vim;
  if (operator === "c") return enterInsert(kept, editor, splice(editor, start, end, [], start), keys, 1);
  const done = isLinewise ? removeLines(editor, aim) : splice(editor, start, end, [], start);
  return { vim: kept, editor: moved(done, done.caret) };
};

/** An operator with its target. */
export const operate = (vim: VimState, editor: EditorState, command: Command, keys: readonly string[]): VimStep => {
  const { operator, target, count } = command;
  const aim = aimOf(vim, editor, operator as string, target as Target, count);
  if (!aim) return { vim, editor };
  const isEmpty = aim.start === aim.end && !aim.isLinewise;
  if (isEmpty && operator !== "c" && operator !== ">" && operator !== "<") return { vim: aim.vim, editor };
  return apply(aim, editor, operator as string, keys);
};
