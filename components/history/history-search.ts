// The search of earlier prompts: reads them once it opens and looks through them in slices, so that no key waits. No React.
import { createStore, type StoreApi } from "zustand/vanilla";
import type { EarlierPrompt } from "../../src/protocol/requests.js";
import type { AppStore } from "../../state/store.js";
import { fullText } from "../prompt/cells.js";
import { type EditorState, emptyEditor } from "../prompt/editor.js";
import { fitOf, isInScope, type SearchScope, searchScopes, wordsOf } from "./matching.js";

export interface HistorySearchState {
  isOpen: boolean;
  field: EditorState;
  scope: SearchScope;
  /** What fits, best first: prompts with the words, newest first, then those with the letters. */
  results: readonly EarlierPrompt[];
  focus: number;
  /** Prompts that were looked through. */
  seen: number;
  /** Everything is read and looked through. */
  isComplete: boolean;
}

export interface HistorySearch {
  store: StoreApi<HistorySearchState>;
  open(): void;
  close(): void;
  setField(field: EditorState): void;
  /** Moves the focus: 1 is older. */
  step(by: number): void;
  cycleScope(): void;
  chosen(): EarlierPrompt | undefined;
}

export interface HistorySearchOptions {
  store: AppStore;
  readPrompts: (onBatch: (prompts: readonly EarlierPrompt[]) => void) => Promise<void>;
  /** Runs something once keys had their turn. */
  later?: (run: () => void) => void;
}

/** More results than these nobody walks through: typing on is quicker. */
const maxResults = 200;
/** Prompts looked through without a pause: some milliseconds at most. */
const sliceSize = 2_000;

interface Known {
  prompt: EarlierPrompt;
  lower: string;
}

const closed: Omit<HistorySearchState, "scope"> = {
  isOpen: false,
  field: emptyEditor,
  results: [],
  focus: 0,
  seen: 0,
  isComplete: false,
};

class Search implements HistorySearch {
  readonly store = createStore<HistorySearchState>()(() => ({ ...closed, scope: "project" }));
  private known: Known[] = [];
  private isRead = false;
  /** Counts up with every opening and closing: what was read for an older one is dropped. */
  private opening = 0;
  private cursor = 0;
  private words: string[] = [];
  private withWords: EarlierPrompt[] = [];
  private withLetters: EarlierPrompt[] = [];
  private texts = new Set<string>();
  private isPlanned = false;

  constructor(private readonly options: HistorySearchOptions) {}

  open(): void {
    if (this.store.getState().isOpen) return;
    const { layout } = this.options.store.getState().screen;
    this.store.setState({ ...closed, isOpen: true, scope: layout === "inline" ? "all" : "project" });
    this.known = [];
    this.isRead = false;
    this.begin();
    void this.read(++this.opening);
  }

  close(): void {
    this.opening += 1;
    this.known = [];
    this.store.setState({ isOpen: false, results: [] });
  }

  setField(field: EditorState): void {
    const isSame = fullText(field.cells) === fullText(this.store.getState().field.cells);
    this.store.setState({ field });
    if (!isSame) this.begin();
  }

  step(by: number): void {
    // While more may come, the focus may go ahead of it.
    this.store.setState(({ focus, results, isComplete }) => ({
      focus: Math.max(0, Math.min((isComplete ? results.length : maxResults) - 1, focus + by)),
    }));
  }

  cycleScope(): void {
    const { scope } = this.store.getState();
    const next = searchScopes[(searchScopes.indexOf(scope) + 1) % searchScopes.length] as SearchScope;
    this.store.setState({ scope: next });
    this.begin();
  }

  chosen(): EarlierPrompt | undefined {
    const { results, focus } = this.store.getState();
    return results[Math.min(focus, results.length - 1)];
  }

  private async read(opening: number): Promise<void> {
    await this.options.readPrompts((prompts) => {
      if (opening !== this.opening) return;
      for (const prompt of prompts) this.known.push({ prompt, lower: prompt.text.toLowerCase() });
      this.plan();
    });
    if (opening !== this.opening) return;
    // Drafts that were put away unsent are in no file.
    const filed = new Set(this.known.map(({ prompt }) => prompt.text));
    for (const text of this.options.store.getState().input.history.toReversed())
      if (!filed.has(text))
        this.known.push({ prompt: { text, at: 0, isProject: true, isSession: true }, lower: text.toLowerCase() });
    this.isRead = true;
    this.plan();
  }

  /** Looks for the query from the newest prompt on. What was found before stays on the screen until then. */
  private begin(): void {
    this.cursor = 0;
    this.words = wordsOf(fullText(this.store.getState().field.cells));
    this.withWords = [];
    this.withLetters = [];
    this.texts = new Set();
    this.store.setState({ focus: 0, seen: 0, isComplete: false });
    this.plan();
  }

  private plan(): void {
    if (this.isPlanned) return;
    this.isPlanned = true;
    (this.options.later ?? setImmediate)(() => {
      this.isPlanned = false;
      if (this.store.getState().isOpen) this.slice();
    });
  }

  private slice(): void {
    const { scope } = this.store.getState();
    const end = Math.min(this.known.length, this.cursor + sliceSize);
    const letters = this.words.join("");
    for (; this.cursor < end && this.withWords.length < maxResults; this.cursor++) {
      const { prompt, lower } = this.known[this.cursor] as Known;
      if (!isInScope(prompt, scope) || this.texts.has(prompt.text)) continue;
      const fit = fitOf(lower, this.words, letters);
      if (fit === null) continue;
      this.texts.add(prompt.text);
      if (fit === "words") this.withWords.push(prompt);
      else if (this.withLetters.length < maxResults) this.withLetters.push(prompt);
    }
    const isFull = this.withWords.length >= maxResults;
    const isThrough = isFull || this.cursor >= this.known.length;
    const results = [...this.withWords, ...this.withLetters].slice(0, maxResults);
    const isComplete = isThrough && (isFull || this.isRead);
    this.store.setState(({ focus }) => ({
      results,
      seen: this.cursor,
      isComplete,
      focus: isComplete ? Math.max(0, Math.min(focus, results.length - 1)) : focus,
    }));
    if (!isThrough) this.plan();
  }
}

export const createHistorySearch = (options: HistorySearchOptions): HistorySearch => new Search(options);
