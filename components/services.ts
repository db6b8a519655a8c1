// Wires what the components need: store, actions, prompt, keys. No React, no terminal; mount and tests both use it.
import type { Engine } from "../src/protocol/engine.js";
import { createActions } from "../state/actions.js";
import type { AppStore } from "../state/store.js";
import type { AppServices } from "./app-context.js";
import { createHistorySearch } from "./history/history-search.js";
import { searchLayer } from "./history/search-layer.js";
import { chordMs, createKeyRouter, type KeyRouter } from "./keys/key-router.js";
import { type Clicks, createClicks } from "./mouse/clicks.js";
import { keepDrafts } from "./prompt/keep-drafts.js";
import { PromptController } from "./prompt/prompt-controller.js";
import { createPromptStore } from "./prompt/prompt-store.js";
import { followStatusLine } from "./status/follow-status-line.js";
import type { Look } from "./theme/look.js";
import type { TranscriptView } from "./transcript-view.js";
import { type CaretPosition, createCaret } from "./ui/caret.js";
import type { InlaySurface } from "./ui/inlay-surface.js";
import type { Viewer } from "./viewer/viewer.js";

/** How long a dialog must be visible and the keyboard quiet before keys answer it (F033). */
const defaultQuietMs = 400;

export interface ServicesOptions {
  engine: Promise<Engine>;
  store: AppStore;
  now?: () => number;
  reducedMotion?: boolean;
  quietMs?: number;
  /** Pause in typing after which the draft is kept; absent: it is not. */
  draftMs?: number;
  /** Quiet time before the status line is asked for anew; absent: it is not asked for. */
  statusLineMs?: number;
  isBlocked?: () => boolean;
  setCursor?: (position: CaretPosition | null) => void;
  view: TranscriptView;
  viewer: Viewer;
  look: Look;
  clicks?: Clicks;
  inlay?: InlaySurface;
  editOutside?: ((text: string) => Promise<string | null>) | undefined;
  openFile?: ((path: string) => Promise<string | null>) | undefined;
  printOut?: ((text: string) => Promise<void>) | undefined;
}

export interface Wired {
  services: AppServices;
  router: KeyRouter;
}

/** Makes everything around one session. The engine may still be loading. */
export const wireServices = (options: ServicesOptions): Wired => {
  const now = options.now ?? Date.now;
  const isBlocked = options.isBlocked ?? (() => false);
  const { editOutside, openFile, store, view, viewer } = options;
  const actions = createActions({ engine: options.engine, store, now, isBlocked });
  const promptStore = createPromptStore(store.getState().screen.editorMode);
  const prompt = new PromptController({
    prompt: promptStore,
    app: store,
    actions,
    now,
    editOutside,
    onType: view.bottom,
    onSearch: () => history.open(),
  });
  const history = createHistorySearch({ store, readPrompts: actions.readPrompts });
  store.subscribe((state) => {
    if (state.input.restore === null) return;
    const text = actions.takeRestore();
    if (text !== null) prompt.restore(text);
  });
  if (options.statusLineMs !== undefined)
    followStatusLine({ store, promptStore, actions, debounceMs: options.statusLineMs });
  if (options.draftMs !== undefined) keepDrafts({ promptStore, store, actions, pauseMs: options.draftMs });
  const services: AppServices = {
    store,
    actions,
    prompt,
    promptStore,
    view,
    viewer,
    history,
    look: options.look,
    clicks: options.clicks ?? createClicks(),
    caret: createCaret(options.setCursor ?? (() => undefined)),
    inlay: options.inlay,
    now,
    reducedMotion: options.reducedMotion ?? false,
    quietMs: options.quietMs ?? defaultQuietMs,
    editOutside,
    openFile,
    printOut: options.printOut,
  };
  const onChord = (keys: string | null): void => {
    if (keys === null) actions.clearHint();
    else actions.hint(`${keys} …`, chordMs);
  };
  const router = createKeyRouter(now, onChord);
  router.add(searchLayer(history, prompt, now));
  return { services, router };
};
