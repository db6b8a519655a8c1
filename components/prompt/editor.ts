// Editor: a pure reducer for text fields of one or many lines. The caret counts cells (graphemes), never code units.
import { unreachable } from "../../src/lib/unreachable.js";
import type { ImageBlock } from "../../src/protocol/messages.js";
import {
  type Cell,
  type Cells,
  cleanText,
  isLongPaste,
  isPaste,
  type PasteCell,
  spliceCells,
  toCells,
} from "./cells.js";
import { caretAtColumn, columnOfCaret, layoutRows, rowOfCaret } from "./layout.js";
import { blankLeft, lineEnd, lineStart, wordLeft, wordRight } from "./motions.js";

interface Snapshot {
  readonly cells: Cells;
  readonly caret: number;
}

export interface EditorState extends Snapshot {
  /** Column that Up and Down aim for; null after any other move. */
  readonly goalColumn: number | null;
  readonly undo: readonly Snapshot[];
  readonly redo: readonly Snapshot[];
  /** Cut stretches, newest last. */
  readonly killed: readonly Cells[];
  /** The stretch the last yank put in, so that the next one may replace it. */
  readonly yanked: { start: number; end: number; at: number } | null;
  /** What the last action was, and when: similar ones in a row undo as one. */
  readonly last: { group: "type" | "erase" | "kill" | "other"; at: number };
  readonly nextPasteId: number;
}

export type EditorAction =
  | { type: "insert"; text: string; at?: number }
  | { type: "paste"; text: string }
  | { type: "left" | "right" | "wordLeft" | "wordRight" | "lineStart" | "lineEnd" | "textStart" | "textEnd" }
  | { type: "up" | "down"; width: number }
  | { type: "backspace" | "delete"; at?: number }
  | { type: "killToEnd" | "killToStart" | "killBlankBack" | "killWordBack" | "killWordForward" }
  | { type: "yank" | "yankCycle" | "undo" | "redo" | "expandPaste" | "clear" }
  | { type: "image"; image: ImageBlock }
  | { type: "moveTo"; caret: number }
  | { type: "replace"; from: number; to: number; text: string }
  | { type: "splice"; from: number; to: number; cells: Cells }
  | { type: "set"; cells: Cells };

/** Pause after which typing begins a new undo step. */
const coalesceMs = 1_000;
/** Undo steps kept; older ones are forgotten. */
export const maxUndo = 200;
/** Cut stretches kept. */
const maxKilled = 20;

export const emptyEditor: EditorState = {
  cells: [],
  caret: 0,
  goalColumn: null,
  undo: [],
  redo: [],
  killed: [],
  yanked: null,
  last: { group: "other", at: 0 },
  nextPasteId: 1,
};

/** An editor that holds `text`, caret behind it. */
export const editorWith = (text: string): EditorState => reduceEditor(emptyEditor, { type: "insert", text });

/** The editor after one action. Never throws; an action that cannot do anything returns the same state. */
export const reduceEditor = (state: EditorState, action: EditorAction): EditorState => {
  switch (action.type) {
    case "insert":
      return insertText(state, action.text, action.at ?? 0);
    case "paste":
      return pasteText(state, action.text);
    case "up":
      return moveVertically(state, -1, action.width);
    case "down":
      return moveVertically(state, 1, action.width);
    case "backspace":
      return erase(state, state.caret - 1, state.caret, action.at ?? 0);
    case "delete":
      return erase(state, state.caret, state.caret + 1, action.at ?? 0);
    case "yank":
      return yank(state);
    case "yankCycle":
      return yankCycle(state);
    case "undo":
      return travel(state, "undo", "redo");
    case "redo":
      return travel(state, "redo", "undo");
    case "expandPaste":
      return expandPaste(state);
    case "image":
      return insertPaste(state, { text: `[Image #${state.nextPasteId}]`, image: action.image });
    case "replace":
      return replace(state, action.from, action.to, toCells(action.text), "other", 0);
    case "moveTo":
      return moveTo(state, action.caret);
    case "splice":
      return replace(state, action.from, action.to, action.cells, "other", 0);
    case "clear":
      return replace(state, 0, state.cells.length, [], "other", 0);
    case "set":
      return { ...replace(state, 0, state.cells.length, action.cells, "other", 0), caret: action.cells.length };
    default:
      return moveOrKill(state, action);
  }
};

type MoveOrKill =
  | Extract<
      EditorAction,
      { type: "left" | "right" | "wordLeft" | "wordRight" | "lineStart" | "lineEnd" | "textStart" | "textEnd" }
    >
  | Extract<EditorAction, { type: "killToEnd" | "killToStart" | "killBlankBack" | "killWordBack" | "killWordForward" }>;

const moveOrKill = (state: EditorState, action: MoveOrKill): EditorState => {
  const { cells, caret } = state;
  switch (action.type) {
    case "left":
      return moveTo(state, caret - 1);
    case "right":
      return moveTo(state, caret + 1);
    case "wordLeft":
      return moveTo(state, wordLeft(cells, caret));
    case "wordRight":
      return moveTo(state, wordRight(cells, caret));
    case "lineStart":
      return moveTo(state, lineStart(cells, caret));
    case "lineEnd":
      return moveTo(state, lineEnd(cells, caret));
    case "textStart":
      return moveTo(state, 0);
    case "textEnd":
      return moveTo(state, cells.length);
    case "killToEnd":
      return kill(state, caret, Math.max(lineEnd(cells, caret), Math.min(caret + 1, cells.length)));
    case "killToStart":
      return kill(state, Math.min(lineStart(cells, caret), Math.max(0, caret - 1)), caret);
    case "killBlankBack":
      return kill(state, blankLeft(cells, caret), caret);
    case "killWordBack":
      return kill(state, wordLeft(cells, caret), caret);
    case "killWordForward":
      return kill(state, caret, wordRight(cells, caret));
    default:
      return unreachable(action);
  }
};

/** The end of a run of similar actions: the next one is undone by itself. */
const settled = { goalColumn: null, yanked: null, last: { group: "other", at: 0 } } as const;

const moveTo = (state: EditorState, target: number): EditorState => {
  const caret = Math.max(0, Math.min(state.cells.length, target));
  return caret === state.caret && state.last.group === "other" && !state.yanked && state.goalColumn === null
    ? state
    : { ...state, ...settled, caret };
};

const moveVertically = (state: EditorState, by: number, width: number): EditorState => {
  const rows = layoutRows(state.cells, width);
  const at = rowOfCaret(rows, state.caret);
  const target = rows[at + by];
  if (!target) return state;
  const goalColumn = state.goalColumn ?? columnOfCaret(state.cells, rows[at]!, state.caret);
  return { ...state, ...settled, goalColumn, caret: caretAtColumn(state.cells, target, goalColumn) };
};

/** Whether Up (-1) or Down (1) would stay inside the text. */
export const canMoveVertically = (state: EditorState, by: -1 | 1, width: number): boolean => {
  const rows = layoutRows(state.cells, width);
  return rows[rowOfCaret(rows, state.caret) + by] !== undefined;
};

/** Every change goes through here: it records the undo step unless the change continues the last one. */
const replace = (
  state: EditorState,
  from: number,
  to: number,
  inserted: Cells,
  group: EditorState["last"]["group"],
  at: number,
): EditorState => {
  const start = Math.max(0, from);
  const end = Math.min(state.cells.length, to);
  if (start >= end && inserted.length === 0) return state;
  const { cells, caret } = spliceCells(state.cells, start, end, inserted);
  const isContinued = group !== "other" && group === state.last.group && at - state.last.at < coalesceMs;
  const undo = isContinued ? state.undo : [...state.undo, { cells: state.cells, caret: state.caret }].slice(-maxUndo);
  return { ...state, cells, caret, undo, redo: [], goalColumn: null, yanked: null, last: { group, at } };
};

const insertText = (state: EditorState, text: string, at: number): EditorState => {
  const cells = toCells(cleanText(text));
  const inserted = replace(state, state.caret, state.caret, cells, "type", at);
  // A word is one undo step: after a blank the next character begins another.
  return cells.some((cell) => cell === " " || cell === "\n") ? { ...inserted, last: settled.last } : inserted;
};

const pasteText = (state: EditorState, text: string): EditorState => {
  const clean = cleanText(text);
  if (!isLongPaste(clean)) return replace(state, state.caret, state.caret, toCells(clean), "other", 0);
  return insertPaste(state, { text: clean });
};

const insertPaste = (state: EditorState, paste: Omit<PasteCell, "id">): EditorState => {
  const cell: Cell = { id: state.nextPasteId, ...paste };
  return { ...replace(state, state.caret, state.caret, [cell], "other", 0), nextPasteId: state.nextPasteId + 1 };
};

const erase = (state: EditorState, from: number, to: number, at: number): EditorState => {
  const cell = state.cells[from];
  if (cell === undefined) return state;
  return replace(state, from, to, [], isPaste(cell) ? "other" : "erase", at);
};

/** Cuts into the kill ring; cuts in a row add up to one stretch. */
const kill = (state: EditorState, from: number, to: number): EditorState => {
  if (from >= to) return state;
  const cut = state.cells.slice(from, to);
  const previous = state.last.group === "kill" ? state.killed.at(-1) : undefined;
  const stretch = previous ? (from < state.caret ? [...cut, ...previous] : [...previous, ...cut]) : cut;
  const older = previous ? state.killed.slice(0, -1) : state.killed;
  const next = replace({ ...state, last: settled.last }, from, to, [], "other", 0);
  return { ...next, killed: [...older, stretch].slice(-maxKilled), last: { group: "kill", at: 0 } };
};

const yank = (state: EditorState, at = state.killed.length - 1): EditorState => {
  const stretch = state.killed[at];
  if (!stretch) return state;
  const next = replace(state, state.caret, state.caret, stretch, "other", 0);
  return { ...next, yanked: { start: Math.min(state.caret, next.caret), end: next.caret, at } };
};

/** Right after a yank: the next older stretch takes its place. */
const yankCycle = (state: EditorState): EditorState => {
  const { yanked, killed } = state;
  if (!yanked || killed.length < 2) return state;
  const before = state.undo.at(-1);
  if (!before) return state;
  const undone = { ...state, cells: before.cells, caret: before.caret, undo: state.undo.slice(0, -1) };
  return yank(undone, (yanked.at - 1 + killed.length) % killed.length);
};

const travel = (state: EditorState, from: "undo" | "redo", to: "undo" | "redo"): EditorState => {
  const target = state[from].at(-1);
  if (!target) return state;
  return {
    ...state,
    ...settled,
    cells: target.cells,
    caret: target.caret,
    [from]: state[from].slice(0, -1),
    [to]: [...state[to], { cells: state.cells, caret: state.caret }],
  };
};

/** Puts a paste's text in the place of its placeholder: the one at the caret, else the one before it. */
const expandPaste = (state: EditorState): EditorState => {
  const at = isPaste(state.cells[state.caret]) ? state.caret : state.caret - 1;
  const cell = state.cells[at];
  return isPaste(cell) && !cell.image ? replace(state, at, at + 1, toCells(cell.text), "other", 0) : state;
};
