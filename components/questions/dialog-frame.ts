// What all dialogs share: their place on the screen and the words they show while they wait for quiet.
import { createContext, useContext } from "react";
import { columns, rows } from "../../state/selectors.js";
import { useAppState } from "../app-context.js";
import { panelFrame } from "../ui/Panel.js";

export interface DialogPlace {
  /** Keys answer the dialog now. */
  isLive: boolean;
  /** "1 of 3" when several questions wait, else empty. */
  queueNote: string;
}

export const DialogPlaceContext = createContext<DialogPlace>({ isLive: true, queueNote: "" });

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
  return { footer: isLive ? hints : waitingHint, note: queueNote, isLive };
};
