// Keys of every text field, one line or many: which key is which editor action.
import type { KeyPress } from "../keys/key-press.js";
import { type PromptAction, promptAction } from "../keys/keymap.js";
import type { EditorAction } from "./editor.js";

/** The editor action of a prompt action that needs nothing but the text; null for the prompt's own actions. */
export const plainEditorAction = (action: PromptAction, at: number): EditorAction | null => {
  switch (action) {
    case "backspace":
    case "delete":
      return { type: action, at };
    case "left":
    case "right":
    case "wordLeft":
    case "wordRight":
    case "lineStart":
    case "lineEnd":
    case "killToEnd":
    case "killToStart":
    case "killBlankBack":
    case "killWordBack":
    case "killWordForward":
    case "yank":
    case "yankCycle":
    case "undo":
    case "redo":
      return { type: action };
    default:
      return null;
  }
};

/** What a key does in a field of one line; null when the field has no use for it. Line ends become blanks. */
export const fieldAction = (press: KeyPress, at: number): EditorAction | null => {
  if (press.text !== "") return { type: "insert", text: oneLine(press.text), at };
  const action = promptAction(press.id);
  return action === undefined ? null : plainEditorAction(action, at);
};

/** Text as a field of one line takes it: the line end behind it goes, those inside become blanks. */
export const oneLine = (text: string): string => text.replace(/[\r\n]+$/, "").replace(/[\r\n]+/g, " ");
