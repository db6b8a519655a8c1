// What all dialogs share: their place on the screen and the words they show while they wait for quiet.
import { createContext, useContext } from "react";
import { useStore } from "zustand";
import { columns, rows } from "../../state/selectors.js";
import { useAppState, useServices } from "../app-context.js";
import type { KeyPress } from "../keys/key-press.js";
import { useKeys } from "../keys/use-keymap.js";
import { panelFrame } from "../ui/Panel.js";

export interface DialogPlace {
  /** Keys answer the dialog now. */
  isLive: boolean;
  /** "1 of 3" when several questions wait, else empty. */
  queueNote: string;
  /** Text that means nothing to the dialog: it goes to the draft, and the dialog is deaf again until a pause (F033). */
  onStray: (text: string) => void;
}

export const DialogPlaceContext = createContext<DialogPlace>({
  isLive: true,
  queueNote: "",
  onStray: () => undefined,
});

/**
 * Takes the keys of a dialog. The handlers return false for what has no meaning there; typed or pasted text of that
 * kind shows that somebody is writing, not choosing, and a following Enter must not answer.
 */
export const useDialogKeys = (handlers: {
  onKey: (press: KeyPress) => boolean;
  onPaste?: (text: string) => boolean;
}): void => {
  const { onStray } = useContext(DialogPlaceContext);
  useKeys({
    context: "dialog",
    onKey: (press) => {
      if (!handlers.onKey(press) && press.text !== "") onStray(press.text);
      return true;
    },
    onPaste: (text) => {
      if (!handlers.onPaste?.(text)) onStray(text);
      return true;
    },
  });
};

/** The lower border of a dialog that takes no keys yet. */
export const waitingHint = "one moment: keys go to your draft until you pause";

/** Rows the transcript keeps when a dialog is open. */
const transcriptRows = 3;

export interface DialogSize {
  width: number;
  /** Cells of a row inside the frame. */
  inner: number;
  /** Rows left for the body beside `fixedRows` rows of other content; at least 1. */
  bodyRows: (fixedRows: number) => number;
  /** Rows between the borders. */
  contentRows: number;
  /** True when there is no room for blank rows. */
  isTight: boolean;
}

export const useDialogSize = (): DialogSize => {
  const width = useAppState(columns);
  const height = useAppState(rows);
  return {
    width,
    inner: width - panelFrame,
    bodyRows: (fixedRows) => Math.max(1, height - transcriptRows - 2 - fixedRows),
    contentRows: Math.max(2, height - transcriptRows - 2),
    isTight: height < 20,
  };
};

/** Footer and queue note of a dialog. */
export const useDialogPlace = (hints: string): { footer: string; note: string; isLive: boolean } => {
  const { isLive, queueNote } = useContext(DialogPlaceContext);
  const { promptStore } = useServices();
  const armed = useStore(promptStore, (state) => state.armed?.key);
  // What the next press does comes first: the line above the dialog has no room when the dialog is tall.
  const footer = armed ? `${armed} again leaves` : isLive ? hints : waitingHint;
  return { footer, note: queueNote, isLive };
};
