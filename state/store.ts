// The store: one AppState that everybody may read and only actions and the pump change.
import { createStore, type StoreApi } from "zustand/vanilla";
import type { AppState } from "./app-state.js";

export type AppStore = StoreApi<AppState>;

/** An empty session on a screen of the given size. */
export const initialState = (size = { columns: 80, rows: 24 }): AppState => ({
  session: null,
  mode: "default",
  transcript: { items: [], rev: 0 },
  questions: [],
  run: {
    isRunning: false,
    startedAt: 0,
    verb: "Working",
    inputTokens: 0,
    outputTokens: 0,
    settledOutputTokens: 0,
    retry: null,
    status: null,
  },
  agents: [],
  openedAgent: null,
  todos: [],
  completions: null,
  background: [],
  showTodos: true,
  input: { queued: [], history: [], restore: null },
  hint: null,
  picker: null,
  statusLine: null,
  usage: { contextTokens: 0, contextWindow: 0, costUsd: null },
  size,
  screen: { layout: "fullscreen", mouse: true, theme: null, editorMode: "normal", keybindings: null, copy: null },
  exit: null,
});

/** A store that starts as an empty session, with `overrides` on top. */
export const createAppStore = (overrides: Partial<AppState> = {}): AppStore =>
  createStore<AppState>()(() => ({ ...initialState(), ...overrides }));
