// What every component may reach: the store, the actions, the prompt, the caret, and how this session is shown.
import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { Actions } from "../state/actions.js";
import type { AppState } from "../state/app-state.js";
import type { AppStore } from "../state/store.js";
import type { HistorySearch } from "./history/history-search.js";
import type { Clicks } from "./mouse/clicks.js";
import type { PromptController } from "./prompt/prompt-controller.js";
import type { PromptStore } from "./prompt/prompt-store.js";
import type { Look } from "./theme/look.js";
import type { TranscriptView } from "./transcript-view.js";
import type { Caret } from "./ui/caret.js";
import type { InlaySurface } from "./ui/inlay-surface.js";
import type { Viewer } from "./viewer/viewer.js";

export interface AppServices {
  store: AppStore;
  actions: Actions;
  prompt: PromptController;
  promptStore: PromptStore;
  /** Where the reader is in the transcript. */
  view: TranscriptView;
  /** The whole conversation, expanded, over the prompt (Ctrl+O). */
  viewer: Viewer;
  /** The search of earlier prompts (Ctrl+R). */
  history: HistorySearch;
  /** The colours, and how they are changed. */
  look: Look;
  /** What can be clicked. */
  clicks: Clicks;
  caret: Caret;
  /** Draws rows past Ink; absent where Ink's frames are all there is. */
  inlay?: InlaySurface | undefined;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Nothing animates. */
  reducedMotion: boolean;
  /** How long a dialog must be visible and the keyboard quiet before keys answer it. */
  quietMs: number;
  /** Opens the user's editor on a text; null when it was left without a change. */
  editOutside?: ((text: string) => Promise<string | null>) | undefined;
  /** Opens a file in the user's editor; resolves to null, or to what went wrong. */
  openFile?: ((path: string) => Promise<string | null>) | undefined;
  /** Prints lines into the terminal's own scrollback. */
  printOut?: ((text: string) => Promise<void>) | undefined;
}

export const AppServicesContext = createContext<AppServices | null>(null);

/** The services; throws outside of <App>, which is a bug. */
export const useServices = (): AppServices => {
  const services = useContext(AppServicesContext);
  if (!services) throw new Error("useServices outside of App");
  return services;
};

/** A piece of the state. The selector returns a primitive or a reference that stays the same while nothing changed. */
export const useAppState = <T>(selector: (state: AppState) => T): T => useStore(useServices().store, selector);
