// Keys of the search of earlier prompts. The layer is there before the search is drawn: what is typed right behind Ctrl+R
// lands in the search, never in the prompt below.
import type { KeyPress } from "../keys/key-press.js";
import type { KeyLayer } from "../keys/key-router.js";
import { searchAction } from "../keys/keymap.js";
import { reduceEditor } from "../prompt/editor.js";
import { fieldAction, oneLine } from "../prompt/field-keys.js";
import type { PromptController } from "../prompt/prompt-controller.js";
import type { HistorySearch } from "./history-search.js";

/** Results that the page keys pass. */
const pageSize = 10;

export const searchLayer = (history: HistorySearch, prompt: PromptController, now: () => number): KeyLayer => {
  const isOpen = (): boolean => history.store.getState().isOpen;
  const take = (isSent: boolean): void => {
    const chosen = history.chosen();
    history.close();
    if (!chosen) return;
    prompt.take(chosen.text, chosen.pastes);
    if (isSent) prompt.submit();
  };
  const press = (key: KeyPress): void => {
    const action = searchAction(key.id);
    const { field, results } = history.store.getState();
    if (action === "older") history.step(1);
    else if (action === "newer") history.step(-1);
    else if (action === "accept") take(false);
    else if (action === "execute") {
      if (results.length > 0) take(true);
    } else if (action === "cancel") history.close();
    else if (action === "cycleScope") history.cycleScope();
    else if (key.id === "pageup" || key.id === "pagedown") history.step(key.id === "pagedown" ? pageSize : -pageSize);
    else {
      const edit = fieldAction(key, now());
      if (edit) history.setField(reduceEditor(field, edit));
    }
  };
  return {
    context: "search",
    onKey: (key) => {
      if (!isOpen()) return false;
      press(key);
      return true;
    },
    onPaste: (text) => {
      if (!isOpen()) return false;
      const { field } = history.store.getState();
      history.setField(reduceEditor(field, { type: "insert", text: oneLine(text), at: now() }));
      return true;
    },
  };
};
