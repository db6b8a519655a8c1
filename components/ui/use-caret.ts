// Hook for text fields: the returned ref goes on the box in which row and column are counted.
import type { DOMElement } from "ink";
import { type RefObject, useLayoutEffect, useRef } from "react";
import { useServices } from "../app-context.js";

/** Reports the caret of a field after each render; `isActive` false gives it up. */
export const useCaret = (row: number, column: number, isActive = true): RefObject<DOMElement | null> => {
  const { caret } = useServices();
  const node = useRef<DOMElement | null>(null);
  useLayoutEffect(() => {
    if (isActive && node.current) caret.place(node, node.current, row, column);
    else caret.remove(node);
  });
  useLayoutEffect(() => () => caret.remove(node), [caret]);
  return node;
};
