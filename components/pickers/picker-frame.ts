// What all pickers share: their size, walking through a list, and closing.
import { columns, rows } from "../../state/selectors.js";
import { useAppState } from "../app-context.js";
import type { KeyPress } from "../keys/key-press.js";
import { pickerAction } from "../keys/keymap.js";
import { panelFrame } from "../ui/Panel.js";

/** Rows of the screen that stay to the transcript. */
const transcriptRows = 3;

export const usePickerSize = (): { width: number; inner: number; bodyRows: (fixedRows: number) => number } => {
  const width = useAppState(columns);
  const height = useAppState(rows);
  return {
    width,
    inner: width - panelFrame,
    bodyRows: (fixedRows) => Math.max(1, height - transcriptRows - 2 - fixedRows),
  };
};

/** The focus after a key that walks through a list; null when the key does something else. */
export const walkList = (press: KeyPress, focus: number, count: number, page: number): number | null => {
  const action = pickerAction(press.id);
  const last = Math.max(0, count - 1);
  if (action === "previous") return focus === 0 ? last : focus - 1;
  if (action === "next") return focus >= last ? 0 : focus + 1;
  if (action === "pageUp") return Math.max(0, focus - page);
  if (action === "pageDown") return Math.min(last, focus + page);
  return null;
};
