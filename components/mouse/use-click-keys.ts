// A click on a row of a list does what the keys would: walk there and press Enter. The keys go the usual way, so that a
// dialog that is not awake yet is not answered by a click either.
import type { DOMElement } from "ink";
import { useLayoutEffect, useRef } from "react";
import { useServices } from "../app-context.js";
import { useKeyRouter } from "../keys/use-keymap.js";

/** The ref for the row's box; `at` and `focus` count rows of the list. */
export const useClickKeys = (at: number, focus: number) => {
  const node = useRef<DOMElement>(null);
  const place = useRef({ at, focus });
  place.current = { at, focus };
  const { clicks } = useServices();
  const router = useKeyRouter();
  useLayoutEffect(() => {
    if (node.current === null) return undefined;
    return clicks.add(node.current, () => {
      const steps = place.current.at - place.current.focus;
      for (let step = 0; step < Math.abs(steps); step++) router.press({ id: steps > 0 ? "down" : "up", text: "" });
      router.press({ id: "enter", text: "" });
    });
  }, [clicks, router]);
  return node;
};
