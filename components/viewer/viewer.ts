// The transcript viewer: the whole conversation with everything expanded, its own position, and search. No React.
import { createStore, type StoreApi } from "zustand/vanilla";
import { stripStyles } from "../../src/lib/text-width.js";
import type { TranscriptItem } from "../../state/app-state.js";
import { fullText } from "../prompt/cells.js";
import { type EditorState, emptyEditor } from "../prompt/editor.js";
import type { Theme } from "../theme/themes.js";
import { createTranscriptModel, type TranscriptModel } from "../transcript/model.js";
import { createSource } from "../transcript/source.js";
import { markMatches, matchingItems, rowMatches } from "./search.js";

export interface ViewerState {
  isOpen: boolean;
  /** The search field while it is open. */
  field: EditorState | null;
  query: string;
  /** Items that hold the query, and which of them was shown last (1-based; 0: none). */
  matches: number;
  match: number;
  showKeys: boolean;
  /** Outputs in their short form, for finding one's way; else everything whole. */
  isShort: boolean;
  /** Counts up with every move: something is to be drawn. */
  moves: number;
}

export interface Viewer {
  store: StoreApi<ViewerState>;
  model: TranscriptModel;
  /** Opens at the item the reader has in view; at the end without one. */
  open(index?: number): void;
  close(): void;
  /** Rows for the screen, matches marked. */
  rows(height: number, width: number): readonly string[];
  move(step: (model: TranscriptModel) => void): void;
  setField(field: EditorState | null): void;
  /** Searches for what stands in the field and closes it. */
  search(): void;
  /** Goes to the next (1) or the previous (-1) match, round the ends. */
  step(direction: 1 | -1): void;
  /** Goes to the next or previous prompt of the person. */
  toPrompt(direction: 1 | -1): void;
  toggleKeys(): void;
  /** Between everything whole and outputs in short. */
  toggleShort(): void;
  /** Everything as plain text, for an editor. */
  text(): string;
}

export interface ViewerOptions {
  items: () => readonly TranscriptItem[];
  theme: () => Theme;
  now: () => number;
  /** Asks for a frame. */
  draw: () => void;
}

const closed: ViewerState = {
  isOpen: false,
  field: null,
  query: "",
  matches: 0,
  match: 0,
  showKeys: false,
  isShort: false,
  moves: 0,
};

/** Rows kept above a match, so that it is read in its place. */
const lead = 3;
/** Width of the text for an editor. */
const textWidth = 100;

export const createViewer = ({ items, theme, now, draw }: ViewerOptions): Viewer => {
  const store = createStore<ViewerState>()(() => closed);
  const source = createSource({
    items,
    theme,
    now,
    get isExpanded() {
      return !store.getState().isShort;
    },
  });
  const model = createTranscriptModel(source);
  let width = 80;
  /** Row of the last match: the next one is looked for behind it. */
  let cursor: { index: number; row: number } | null = null;

  const set = (change: Partial<ViewerState>): void => {
    store.setState((state) => ({ ...change, moves: state.moves + 1 }));
    draw();
  };
  /** The first matching row of an item's block behind (before) `row`; null when there is none. */
  const rowIn = (index: number, query: string, row: number, direction: 1 | -1): number | null => {
    const rows = source.rows(source.blockAt(index), width);
    for (let at = row + direction; at >= 0 && at < rows.length; at += direction)
      if (rowMatches(rows[at] as string, query)) return at;
    return null;
  };
  const show = (index: number, row: number): void => {
    cursor = { index, row };
    model.show(index, row, lead);
  };
  const step = (direction: 1 | -1): void => {
    const { query } = store.getState();
    const found = matchingItems(items(), query);
    if (found.length === 0) {
      set({ matches: 0, match: 0 });
      return;
    }
    const from = cursor ?? { index: model.position.index - 1, row: -1 };
    const within = found.includes(from.index) ? rowIn(from.index, query, from.row, direction) : null;
    if (within !== null) {
      show(from.index, within);
      set({ matches: found.length, match: found.indexOf(from.index) + 1 });
      return;
    }
    const ahead = direction === 1 ? found.find((index) => index > from.index) : found.findLast((i) => i < from.index);
    const index = ahead ?? (found.at(direction === 1 ? 0 : -1) as number);
    const last = source.rows(source.blockAt(index), width).length;
    show(index, rowIn(index, query, direction === 1 ? -1 : last, direction) ?? 0);
    set({ matches: found.length, match: found.indexOf(index) + 1 });
  };
  return {
    store,
    model,
    open: (index) => {
      cursor = null;
      model.toEnd();
      if (index !== undefined) model.show(index, 0, 0);
      set({ ...closed, isOpen: true });
    },
    close: () => set(closed),
    rows: (height, columns) => {
      width = columns;
      const { query } = store.getState();
      const rows = model.rows(height, columns);
      if (query === "") return rows;
      return rows.map((row) => markMatches(row, query, "\u001b[7m", "\u001b[27m"));
    },
    move: (stepBy) => {
      stepBy(model);
      cursor = null;
      set({});
    },
    setField: (field) => set({ field }),
    search: () => {
      const query = fullText(store.getState().field?.cells ?? emptyEditor.cells);
      set({ field: null, query });
      cursor = null;
      if (query !== "") step(1);
    },
    step,
    toPrompt: (direction) => {
      const all = items();
      const top = model.position.index - 1;
      const isPrompt = (_: unknown, index: number): boolean => all[index]?.kind === "user";
      const before = all.slice(0, Math.max(0, top));
      const index =
        direction === 1
          ? all.findIndex((item, at) => at > top && isPrompt(item, at))
          : before.findLastIndex((item, at) => isPrompt(item, at));
      if (index < 0) return;
      cursor = null;
      model.show(index, 0, 0);
      set({});
    },
    toggleKeys: () => set({ showKeys: !store.getState().showKeys }),
    toggleShort: () => {
      cursor = null;
      set({ isShort: !store.getState().isShort });
    },
    text: () => {
      const rows: string[] = [];
      for (let index = 0; index < source.count; ) {
        const block = source.blockAt(index);
        rows.push(...source.rows(block, textWidth).map((row) => stripStyles(row).trimEnd()));
        index = block.end + 1;
      }
      return `${rows.join("\n")}\n`;
    },
  };
};
