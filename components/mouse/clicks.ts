// What can be clicked in the bottom pane: rows register while they are shown, a click finds the one under it.
import { type DOMElement, measureElement } from "ink";

/** Where in the target it was: rows and columns from 0. */
export interface ClickPlace {
  row: number;
  column: number;
}

export interface Clicks {
  /** Adds a target; returns the function that takes it out. */
  add(node: DOMElement, onClick: (place: ClickPlace) => void): () => void;
  /** A click on the screen, rows counted upwards from the last one; false when nothing is there. */
  click(rowFromBottom: number, column: number): boolean;
}

const heightOfRoot = (node: DOMElement): number => {
  let root = node;
  while (root.parentNode) root = root.parentNode;
  return measureElement(root).height;
};

export const createClicks = (): Clicks => {
  const targets = new Map<DOMElement, (place: ClickPlace) => void>();
  return {
    add: (node, onClick) => {
      targets.set(node, onClick);
      return () => void targets.delete(node);
    },
    click: (rowFromBottom, column) => {
      for (const [node, onClick] of targets) {
        const { x, y, width, height } = measureElement(node);
        const row = heightOfRoot(node) - 1 - rowFromBottom;
        if (row < y || row >= y + height || column < x || column >= x + width) continue;
        onClick({ row: row - y, column: column - x });
        return true;
      }
      return false;
    },
  };
};
