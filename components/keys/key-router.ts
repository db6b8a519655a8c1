// KeyRouter: the stack of contexts that may take a key, topmost first. One reader of Ink's input feeds it.
import type { KeyPress } from "./key-press.js";
import type { KeyContext } from "./keymap.js";

export interface KeyLayer {
  context: KeyContext;
  /** True when the key is used up; false lets the layer below see it. */
  onKey: (press: KeyPress) => boolean;
  /** Pasted text; true when used up. */
  onPaste?: (text: string) => boolean;
}

export interface KeyRouter {
  /** Adds a layer; returns the function that takes it out. */
  add(layer: KeyLayer): () => void;
  press(press: KeyPress): void;
  paste(text: string): void;
  /** When the last key came, ms since the epoch: dialogs wait for quiet. */
  lastKeyAt(): number;
}

const rank: Record<KeyContext, number> = {
  overlay: 7,
  gate: 6,
  dialog: 5,
  picker: 4,
  menu: 3,
  panes: 2,
  prompt: 1,
  global: 0,
};

/**
 * Makes the router. Ctrl+C goes to the global layer before any other, so that nothing on the screen can take it
 * away; every other key goes down the stack until a layer uses it.
 */
export const createKeyRouter = (now: () => number): KeyRouter => {
  let layers: KeyLayer[] = [];
  let lastKeyAt = 0;
  return {
    add: (layer) => {
      layers = [...layers, layer].sort((first, second) => rank[second.context] - rank[first.context]);
      return () => {
        layers = layers.filter((other) => other !== layer);
      };
    },
    press: (press) => {
      const order = press.id === "ctrl+c" ? layers.toReversed() : layers;
      order.some((layer) => layer.onKey(press));
      lastKeyAt = now();
    },
    paste: (text) => {
      layers.some((layer) => layer.onPaste?.(text) ?? false);
      lastKeyAt = now();
    },
    lastKeyAt: () => lastKeyAt,
  };
};
