// History: walks through earlier prompts. The draft and edits of recalled prompts survive until something is sent.
import { type Cells, shownText } from "./cells.js";

export interface HistoryState {
  /** Position from the newest entry (0); null while the draft is shown. */
  readonly at: number | null;
  readonly draft: Cells;
  /** Edited recalled prompts, by position. */
  readonly edits: ReadonlyMap<number, Cells>;
}

export interface Recalled {
  history: HistoryState;
  cells: Cells;
}

export interface HistoryEntries {
  /** Earlier prompts as they were shown, newest last. */
  prompts: readonly string[];
  /** The cells of one of them: with its pastes, if it was written in this session. */
  cellsOf: (prompt: string) => Cells;
}

export const noHistory: HistoryState = { at: null, draft: [], edits: new Map() };

/**
 * One step towards older (1) or newer (-1) prompts. `current`: what the prompt holds now, kept for the way back.
 * Null when there is nothing further.
 */
export const recall = (history: HistoryState, entries: HistoryEntries, current: Cells, by: 1 | -1): Recalled | null => {
  const target = (history.at ?? -1) + by;
  if (target < -1 || target >= entries.prompts.length) return null;
  const left = leave(history, entries, current);
  if (target === -1) return { history: { ...left, at: null }, cells: left.draft };
  return {
    history: { ...left, at: target },
    cells: left.edits.get(target) ?? entries.cellsOf(promptAt(entries, target)),
  };
};

const promptAt = ({ prompts }: HistoryEntries, position: number): string => prompts[prompts.length - 1 - position]!;

/** Keeps what the prompt holds under the place it belongs to. */
const leave = (history: HistoryState, entries: HistoryEntries, current: Cells): HistoryState => {
  if (history.at === null) return { ...history, draft: current };
  if (!history.edits.has(history.at) && shownText(current) === promptAt(entries, history.at)) return history;
  return { ...history, edits: new Map([...history.edits, [history.at, current]]) };
};
