// The vim mode of the prompt: one key in, vim state and editor out. Pure, over the editor's own reducer.
import { isTyped } from "../keys/keystroke.js";
import type { Cells } from "./cells.js";
import { type EditorState, reduceEditor } from "./editor.js";
import { lineEnd, lineStart } from "./motions.js";
import { enterInsert, leaveInsert, put, shifted, splice, type VimStep } from "./vim-edits.js";
import { joinLines } from "./vim-join.js";
import { firstInk } from "./vim-motions.js";
import { move, moved } from "./vim-move.js";
import { operate } from "./vim-operate.js";
import { type Command, parseVim, type Target } from "./vim-parse.js";
import type { VimState } from "./vim-state.js";
import { pressVisual } from "./vim-visual.js";

/** Keys with a name that mean what a letter means. */
const letters: Readonly<Record<string, string>> = {
  left: "h",
  right: "l",
  up: "k",
  down: "j",
  home: "0",
  end: "$",
  backspace: "h",
  delete: "x",
};

/** The vim state and the editor after a key; null when the key means nothing to vim and the prompt should have it. */
export const pressVim = (vim: VimState, editor: EditorState, key: string): VimStep | null => {
  if (vim.mode === "insert") return key === "esc" ? leaveInsert(vim, editor) : null;
  const isVisual = vim.mode !== "normal";
  if (key === "esc") {
    if (!isVisual && vim.pending.length === 0) return null;
    return { vim: { ...vim, mode: "normal", pending: [] }, editor: moved(editor, editor.caret) };
  }
  const named = letters[key];
  if (named === undefined && !isTyped(key)) return isVisual && key === "enter" ? { vim, editor } : null;
  // After f or r a named key is no character to look for.
  if (named !== undefined && /^[fFtTria]$/.test(vim.pending.at(-1) ?? ""))
    return { vim: { ...vim, pending: [] }, editor };
  const pending = [...vim.pending, named ?? key];
  const command = parseVim(pending, isVisual);
  if (command === "incomplete") return { vim: { ...vim, pending }, editor };
  const idle: VimState = { ...vim, pending: [] };
  if (command === "invalid") return { vim: idle, editor };
  return isVisual ? pressVisual(idle, editor, command) : run(idle, editor, command, pending);
};

const run = (vim: VimState, editor: EditorState, command: Command, keys: readonly string[]): VimStep => {
  const free = { ...vim, column: null };
  if (command.operator !== null) return operate(free, editor, command, keys);
  if (command.target) return move(vim, editor, command.target, command.count);
  return single(free, editor, command, keys);
};

type Single = (vim: VimState, editor: EditorState, count: number, keys: readonly string[]) => VimStep;

/** A command that is an operator with its target. */
const as =
  (operator: string, target: Target): Single =>
  (vim, editor, count, keys) =>
    operate(vim, editor, { count, operator, target, key: null }, keys);

const motion = (key: string): Target => ({ kind: "motion", key });
const lines: Target = { kind: "lines", key: "d" };

/** Insert mode with the caret at a place. */
const insertAt =
  (place: (cells: Cells, caret: number) => number): Single =>
  (vim, editor, count, keys) =>
    enterInsert(vim, editor, { ...editor, caret: place(editor.cells, editor.caret) }, keys, count);

const openLine =
  (isAbove: boolean): Single =>
  (vim, editor, count, keys) => {
    const at = isAbove ? lineStart(editor.cells, editor.caret) : lineEnd(editor.cells, editor.caret);
    const opened = splice(editor, at, at, ["\n"], isAbove ? at : at + 1);
    return enterInsert(vim, editor, opened, keys, count);
  };

const undo: Single = (vim, editor, count) => {
  let back = editor;
  for (let done = 0; done < count && back.undo.length > 0; done++) back = reduceEditor(back, { type: "undo" });
  return { vim, editor: moved(back, back.caret) };
};

const join: Single = (vim, editor, count, keys) => changed(vim, joinLines(editor, count, editor.caret), keys);

const changed = (vim: VimState, editor: EditorState, keys: readonly string[]): VimStep => ({
  vim: { ...vim, change: { keys, typed: null } },
  editor: moved(editor, editor.caret),
});

const singles: Readonly<Record<string, Single>> = {
  x: as("d", motion("l")),
  X: as("d", motion("h")),
  D: as("d", motion("$")),
  C: as("c", motion("$")),
  s: as("c", motion("l")),
  S: as("c", lines),
  Y: as("y", lines),
  i: insertAt((_, caret) => caret),
  a: insertAt((cells, caret) => Math.min(lineEnd(cells, caret), caret + 1)),
  I: insertAt(firstInk),
  A: insertAt(lineEnd),
  o: openLine(false),
  O: openLine(true),
  u: undo,
  J: join,
  p: (vim, editor, count, keys) => changed(vim, put(vim, editor, count, false), keys),
  P: (vim, editor, count, keys) => changed(vim, put(vim, editor, count, true), keys),
  v: (vim, editor) => ({ vim: { ...vim, mode: "visual", anchor: editor.caret }, editor }),
  V: (vim, editor) => ({ vim: { ...vim, mode: "visualLine", anchor: editor.caret }, editor }),
  "/": (vim, editor) => ({ vim, editor, effect: "search" }),
  "?": (vim, editor) => ({ vim, editor, effect: "help" }),
  "~": (vim, editor, count, keys) => {
    const end = Math.min(lineEnd(editor.cells, editor.caret), editor.caret + count);
    return changed(vim, shifted(editor, editor.caret, end, "~", end), keys);
  },
};

const single = (vim: VimState, editor: EditorState, command: Command, keys: readonly string[]): VimStep => {
  const { key, argument, count } = command;
  if (key === ".") return again(vim, editor, count);
  if (key === "r") {
    const end = editor.caret + (count ?? 1);
    if (end > lineEnd(editor.cells, editor.caret)) return { vim, editor };
    return changed(vim, shifted(editor, editor.caret, end, argument as string, end - 1), keys);
  }
  if (key === ";" || key === ",") return move(vim, editor, { kind: "find", key }, count);
  const run = singles[key as string];
  return run ? run(vim, editor, count ?? 1, keys) : { vim, editor };
};

/** `.`: the last change once more; a count takes the place of the one it had. */
const again = (vim: VimState, editor: EditorState, count: number | null): VimStep => {
  const { change } = vim;
  if (!change) return { vim, editor };
  const bare = change.keys.slice(change.keys.findIndex((key) => !/^[1-9]$/.test(key)));
  const keys =
    count === null || change.keys[0] === "v" || change.keys[0] === "V"
      ? change.keys
      : [...`${count}`, ...withoutCount(change.keys, bare)];
  let step: VimStep = { vim, editor };
  for (const key of keys) step = pressVim(step.vim, step.editor, key) ?? step;
  if (step.vim.mode === "insert") {
    const { caret } = step.editor;
    const typed = change.typed ?? [];
    const full = splice(step.editor, caret, caret, typed, caret + typed.length);
    step = leaveInsert(step.vim, full);
  }
  return { vim: { ...step.vim, change: { ...change, keys } }, editor: step.editor };
};

/** The keys without the count in front: `10x` begins with a zero behind its first digit. */
const withoutCount = (keys: readonly string[], bare: readonly string[]): readonly string[] => {
  if (keys.length === bare.length) return keys;
  return bare.slice(bare.findIndex((key) => !/^[0-9]$/.test(key)));
};
