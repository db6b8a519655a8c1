// What can be clicked in the bottom pane: rows register while they are shown, a click finds the one under it.
import { type DOMElement, measureElement } from "ink";

export interface Clicks {
  /** Adds a target; returns the function that takes it out. */
  add(node: DOMElement, onClick: () => void): () => void;
  /** A click on the screen, rows counted upwards from the last one; false when nothing is there. */
  click(rowFromBottom: number, column: number): boolean;
}

const heightOfRoot = (node: DOMElement): number => {
  let root = node;
  while (root.parentNode) root = root.parentNode;
  return measureElement(root).height;
};

export const createClicks = (): Clicks => {
  const targets = new Map<DOMElement, () => void>();
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
        onClick();
        return true;
      }
      return false;
    },
  };
};
