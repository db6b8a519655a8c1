// The mouse: wheel scrolls, a drag selects and copies, a click opens an item or chooses an option.
import { addressAt } from "../../src/lib/mark-cells.js";
import type { MouseEvent } from "../terminal/sequences.js";
import type { Clicks } from "./clicks.js";
import { createSelection, type Selection } from "./selection.js";

export interface MousePort {
  onMouse(listener: (event: MouseEvent) => void): () => void;
  readonly size: { rows: number };
  /** Rows as they are on the screen. */
  shownRows(): readonly string[];
  request(isUrgent: boolean): void;
}

export interface MouseOptions {
  terminal: MousePort;
  clicks: Clicks;
  now: () => number;
  wheel: (direction: 1 | -1) => void;
  /** A click on a row of the transcript. */
  onItem: (row: number) => void;
  /** A click with ctrl on a web address. */
  onLink: (address: string) => void;
  /** Scrolls what is shown by a row; its rows then, null where there is nothing more. */
  scroll: (by: 1 | -1) => readonly string[] | null;
  copy: (text: string) => void;
  /** False: selections are marked, not copied. */
  copiesOnSelect: () => boolean;
}

/** While a drag stays at the edge the transcript moves by a row this often. */
const edgeMs = 40;

/** Connects the mouse; returns the selection, whose overlay the screen draws. */
export const connectMouse = (options: MouseOptions): Selection => {
  const { terminal, clicks, now } = options;
  const selection = createSelection({
    rows: () => terminal.shownRows(),
    now,
    draw: () => terminal.request(true),
    onSelect: (text) => {
      if (options.copiesOnSelect()) options.copy(text);
    },
    scroll: options.scroll,
    repeat: (step) => {
      const timer = setInterval(step, edgeMs);
      return () => clearInterval(timer);
    },
  });
  const click = ({ row, column, ctrl }: MouseEvent): void => {
    const address = ctrl ? addressAt(terminal.shownRows()[row] ?? "", column) : undefined;
    if (address !== undefined) options.onLink(address);
    else if (!clicks.click(terminal.size.rows - 1 - row, column)) options.onItem(row);
  };
  terminal.onMouse((event) => {
    if (event.kind === "wheel") {
      selection.clear();
      options.wheel(event.button < 0 ? -1 : 1);
    } else if (event.button !== 0) return;
    else if (event.kind === "press") selection.press(event);
    else if (event.kind === "drag") selection.drag(event);
    else if (!selection.release(event)) click(event);
  });
  return selection;
};
