// Caret: puts the terminal's own cursor where text is being typed, so that input methods and screen readers find it.
import { type DOMElement, measureElement } from "ink";

/** Rows counted upwards from the last row of the screen, columns from the left; both from 0. */
export interface CaretPosition {
  rowFromBottom: number;
  column: number;
}

export interface Caret {
  /** The field that has the caret now: row and column inside `node`. The newest owner wins. */
  place(owner: object, node: DOMElement, row: number, column: number): void;
  remove(owner: object): void;
  /** Works the position out again: call after each layout. */
  report(): void;
}

interface Place {
  owner: object;
  node: DOMElement;
  row: number;
  column: number;
}

const rootOf = (node: DOMElement): DOMElement => {
  let root = node;
  while (root.parentNode) root = root.parentNode;
  return root;
};

const positionOf = ({ node, row, column }: Place): CaretPosition => {
  const { x, y } = measureElement(node);
  const { height } = measureElement(rootOf(node));
  return { rowFromBottom: Math.max(0, height - 1 - (y + row)), column: x + column };
};

/** `setCursor` gets each new position, or null when no field is open. */
export const createCaret = (setCursor: (position: CaretPosition | null) => void): Caret => {
  let places: Place[] = [];
  let shown = "";
  const report = (): void => {
    const top = places.at(-1);
    const position = top ? positionOf(top) : null;
    const key = position ? `${position.rowFromBottom}:${position.column}` : "none";
    if (key === shown) return;
    shown = key;
    setCursor(position);
  };
  return {
    report,
    place: (owner, node, row, column) => {
      const known = places.find((place) => place.owner === owner);
      if (known) Object.assign(known, { node, row, column });
      else places = [...places, { owner, node, row, column }];
      report();
    },
    remove: (owner) => {
      places = places.filter((place) => place.owner !== owner);
      report();
    },
  };
};
