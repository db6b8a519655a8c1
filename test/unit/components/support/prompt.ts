// A prompt controller with a scripted engine, for tests that need no screen.

import { fullText, shownText } from "../../../../components/prompt/cells.js";
import { PromptController } from "../../../../components/prompt/prompt-controller.js";
import { createPromptStore } from "../../../../components/prompt/prompt-store.js";
import { createActions } from "../../../../state/actions.js";
import type { AppState } from "../../../../state/app-state.js";
import { createAppStore } from "../../../../state/store.js";
import { createFakeEngine, sessionFor } from "./fake-engine.js";

export const setUpPrompt = async (state: Partial<AppState> = {}) => {
  const engine = createFakeEngine();
  const app = createAppStore({ session: sessionFor(), ...state });
  const time = { now: 1_000_000 };
  const now = (): number => time.now;
  const actions = createActions({ engine: Promise.resolve(engine), store: app, now, isBlocked: () => false });
  await actions.open();
  const store = createPromptStore();
  const edits: string[] = [];
  const prompt = new PromptController({
    prompt: store,
    app,
    actions,
    now,
    editOutside: async (text) => {
      edits.push(text);
      return `${text} edited\n`;
    },
  });
  /** Presses keys by name; anything longer than a name is typed character by character. */
  const press = (...names: string[]): void => {
    for (const id of names) prompt.press({ id, text: "" });
  };
  const type = (text: string): void => {
    for (const character of text) prompt.press({ id: character, text: character });
  };
  return {
    engine,
    app,
    actions,
    store,
    prompt,
    time,
    edits,
    press,
    type,
    shown: () => shownText(store.getState().editor.cells),
    full: () => fullText(store.getState().editor.cells),
    sent: () => engine.requests.flatMap((request) => (request.type === "prompt" ? [request.text] : [])),
    settle: async () => {
      for (let at = 0; at < 6; at++) await new Promise((resolve) => setImmediate(resolve));
    },
  };
};
