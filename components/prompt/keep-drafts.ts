// Keeps what stands in the prompt: after a pause in typing, at once when it is empty again. No timer while nothing is typed.
import type { Actions } from "../../state/actions.js";
import type { AppStore } from "../../state/store.js";
import { pastesOf, shownText } from "./cells.js";
import type { PromptStore } from "./prompt-store.js";

export interface KeepDraftsOptions {
  promptStore: PromptStore;
  store: AppStore;
  actions: Pick<Actions, "saveDraft">;
  pauseMs: number;
}

/** Longest time that somebody types on without a pause before the draft is kept all the same. */
const longestMs = 5_000;

/** Follows the prompt for as long as the program runs. */
export const keepDrafts = ({ promptStore, store, actions, pauseMs }: KeepDraftsOptions): void => {
  let saved = "";
  /** The engine put a text there that was not kept from here: it holds one. */
  let hasRestored = false;
  let timer: NodeJS.Timeout | undefined;
  let firstAt = 0;
  const save = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const { editor, isShell } = promptStore.getState();
    const shown = shownText(editor.cells);
    const text = shown === "" ? "" : `${isShell ? "!" : ""}${shown}`;
    // Before the session is open nobody takes it; the next pause does.
    if ((text === saved && !hasRestored) || store.getState().session === null) return;
    saved = text;
    hasRestored = false;
    actions.saveDraft(text, pastesOf(editor.cells));
  };
  store.subscribe(({ input }, before) => {
    if (input.restore !== null || before.input.restore !== null) hasRestored = true;
  });
  promptStore.subscribe(({ editor }, before) => {
    if (editor.cells === before.editor.cells) return;
    if (editor.cells.length === 0) {
      save();
      return;
    }
    const now = performance.now();
    if (timer === undefined) firstAt = now;
    clearTimeout(timer);
    timer = setTimeout(save, Math.max(0, Math.min(pauseMs, firstAt + longestMs - now)));
    timer.unref();
  });
};
