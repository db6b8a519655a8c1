// J of the vim mode: lines become one. Pure.
import { type EditorState, maxUndo } from "./editor.js";
import { lineEnd } from "./motions.js";
import { splice } from "./vim-edits.js";

const isBlank = (cell: unknown): boolean => cell === " " || cell === "\t";

const joinOne = (editor: EditorState): EditorState => {
  const { cells, caret } = editor;
  const end = lineEnd(cells, caret);
  if (end >= cells.length) return editor;
  let next = end + 1;
  while (isBlank(cells[next])) next += 1;
  const before = cells[end - 1];
  const after = cells[next];
  const isGlued =
    before === undefined ||
    before === "\n" ||
    isBlank(before) ||
    after === undefined ||
    after === "\n" ||
    after === ")";
  return splice(editor, end, next, isGlued ? [] : [" "], end);
};

/** Joins `count` lines (two at least) from the caret's on, with a blank between them; undone as one, back to `caret`. */
export const joinLines = (editor: EditorState, count: number, caret: number): EditorState => {
  let joined = editor;
  for (let done = 0; done < Math.max(1, count - 1); done++) {
    const next = joinOne(joined);
    if (next === joined) break;
    joined = next;
  }
  if (joined === editor) return { ...editor, caret };
  return { ...joined, undo: [...editor.undo, { cells: editor.cells, caret }].slice(-maxUndo) };
};
