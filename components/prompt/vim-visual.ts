// Visual mode: motions stretch the selection, one key acts on it. Pure.
import type { EditorState } from "./editor.js";
import { cased, shifted, splice, type VimStep, yanked } from "./vim-edits.js";
import { joinLines } from "./vim-join.js";
import { type Stretch, stepRight, textObject } from "./vim-motions.js";
import { move, moved } from "./vim-move.js";
import { apply } from "./vim-operate.js";
import type { Command, Target } from "./vim-parse.js";
import { selectionOf, type VimState } from "./vim-state.js";

const operatorOf: Readonly<Record<string, string>> = {
  d: "d",
  x: "d",
  X: "D",
  D: "D",
  c: "c",
  s: "c",
  S: "C",
  C: "C",
  y: "y",
  Y: "Y",
  ">": ">",
  "<": "<",
};

const lineCount = (editor: EditorState, { start, end }: Stretch): number => {
  let count = 1;
  for (let at = start; at < end; at++) if (editor.cells[at] === "\n") count += 1;
  return count;
};

const stepCount = ({ cells }: EditorState, { start, end }: Stretch): number => {
  let count = 0;
  for (let at = start; at < end - 1; at = stepRight(cells, at)) count += 1;
  return count;
};

/** Keys with which `.` does the same to as much text as was selected. */
const keysFor = (vim: VimState, editor: EditorState, selected: Stretch, key: string, argument?: string): string[] => {
  const isLines = vim.mode === "visualLine";
  const steps = isLines ? lineCount(editor, selected) - 1 : stepCount(editor, selected);
  const walk = steps > 0 ? [...`${steps}`, isLines ? "j" : " "] : [];
  return [isLines ? "V" : "v", ...walk, key, ...(argument === undefined ? [] : [argument])];
};

const other = { v: "visual", V: "visualLine" } as const;

/** A command of visual mode. */
export const pressVisual = (vim: VimState, editor: EditorState, command: Command): VimStep => {
  const { key, target, count, argument } = command;
  if (target) return stretch(vim, editor, target, count);
  if (key === "o") return { vim: { ...vim, anchor: editor.caret }, editor: moved(editor, vim.anchor) };
  if (key === "v" || key === "V") {
    const mode = other[key];
    return { vim: { ...vim, mode: vim.mode === mode ? "normal" : mode }, editor };
  }
  if (key === "/" || key === "?")
    return { vim: { ...vim, mode: "normal" }, editor, effect: key === "/" ? "search" : "help" };
  if (key === ";" || key === ",") return move(vim, editor, { kind: "find", key }, count);
  return act(vim, editor, key as string, count ?? 1, argument);
};

const stretch = (vim: VimState, editor: EditorState, target: Target, count: number | null): VimStep => {
  if (target.kind !== "object") return move(vim, editor, target, count);
  const found = textObject(editor.cells, editor.caret, target.key as "i", target.argument as string);
  if (!found || found.start >= found.end) return { vim, editor };
  return { vim: { ...vim, mode: "visual", anchor: found.start }, editor: moved(editor, found.end - 1) };
};

const act = (vim: VimState, editor: EditorState, key: string, count: number, argument?: string): VimStep => {
  const anchored = { ...vim, anchor: Math.min(vim.anchor, editor.cells.length) };
  const selected = selectionOf(anchored, editor) as Stretch;
  const keys = keysFor(anchored, editor, selected, key, argument);
  const operator = operatorOf[key];
  const isLinewise = vim.mode === "visualLine" || (operator !== undefined && /^[DCY]$/.test(operator));
  if (operator !== undefined) {
    const whole = isLinewise ? (selectionOf({ ...anchored, mode: "visualLine" }, editor) as Stretch) : selected;
    const step = apply({ ...whole, isLinewise, vim }, editor, operator.toLowerCase(), keys, count);
    return key === "y" || key === "Y" ? { ...step, editor: moved(editor, whole.start) } : step;
  }
  const normal: VimState = { ...vim, mode: "normal", change: { keys, typed: null } };
  const done = (next: EditorState, to = selected.start): VimStep => ({ vim: normal, editor: moved(next, to) });
  if (key === "r") return done(shifted(editor, selected.start, selected.end, argument as string, selected.start));
  if (key === "~") return done(shifted(editor, selected.start, selected.end, "~", selected.start));
  if (key === "u" || key === "U") return done(cased(editor, selected.start, selected.end, key, selected.start));
  if (key === "J") {
    const joined = joinLines({ ...editor, caret: selected.start }, lineCount(editor, selected), editor.caret);
    return done(joined, joined.caret);
  }
  return replaceSelection(normal, editor, selected, vim.mode === "visualLine", count);
};

/** p: the register takes the place of the selection, and the selection that of the register. */
const replaceSelection = (
  vim: VimState,
  editor: EditorState,
  selected: Stretch,
  isLinewise: boolean,
  count: number,
): VimStep => {
  const { register } = vim;
  if (!register) return { vim, editor };
  const cells = Array.from({ length: count }, (_, at) =>
    at > 0 && isLinewise ? ["\n", ...register.cells] : register.cells,
  ).flat();
  const framed = register.isLinewise && !isLinewise ? ["\n", ...cells, "\n"] : cells;
  const next = splice(editor, selected.start, selected.end, framed, selected.start);
  return { vim: yanked(vim, editor.cells, selected, isLinewise), editor: moved(next, selected.start) };
};
