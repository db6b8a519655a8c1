// KeyRouter: the stack of contexts that may take a key, topmost first. One reader of Ink's input feeds it.
import type { KeyPress } from "./key-press.js";
import { isBound, isChordStart, type KeyContext } from "./keymap.js";

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
  overlay: 9,
  gate: 8,
  dialog: 7,
  picker: 6,
  search: 5,
  menu: 4,
  panes: 3,
  task: 2,
  prompt: 1,
  global: 0,
};

/** How long the first key of a chord waits for the next one. */
export const chordMs = 3_000;

/**
 * Makes the router. Ctrl+C goes to the global layer before any other, so that nothing on the screen can take it
 * away; every other key goes down the stack until a layer uses it. The keys of a chord are collected and go down as
 * one press; `onChord` hears which keys wait for the next one, and null when none do any more. A key that continues no
 * chord is an ordinary key; Esc only ends the chord.
 */
export const createKeyRouter = (
  now: () => number,
  onChord: (keys: string | null) => void = () => undefined,
): KeyRouter => {
  let layers: KeyLayer[] = [];
  let lastKeyAt = 0;
  let begun: string | null = null;
  const some = (test: (context: KeyContext, id: string) => boolean, id: string): boolean =>
    layers.some(({ context }) => test(context, id));
  /** The press to act on: a whole chord or a plain key; null while a chord is under way. */
  const collect = (press: KeyPress): KeyPress | null => {
    const before = begun !== null && now() - lastKeyAt < chordMs ? begun : null;
    const id = before === null ? press.id : `${before} ${press.id}`;
    if (begun !== null) onChord(null);
    begun = null;
    if (press.id !== "ctrl+c" && press.id !== " " && some(isChordStart, id)) {
      begun = id;
      onChord(id);
      return null;
    }
    if (before === null) return press;
    if (some(isBound, id)) return { id, text: "" };
    return press.id === "esc" ? null : press;
  };
  return {
    add: (layer) => {
      layers = [...layers, layer].sort((first, second) => rank[second.context] - rank[first.context]);
      return () => {
        layers = layers.filter((other) => other !== layer);
      };
    },
    press: (key) => {
      const press = collect(key);
      const order = press?.id === "ctrl+c" ? layers.toReversed() : layers;
      if (press) order.some((layer) => layer.onKey(press));
      lastKeyAt = now();
    },
    paste: (text) => {
      layers.some((layer) => layer.onPaste?.(text) ?? false);
      lastKeyAt = now();
    },
    lastKeyAt: () => lastKeyAt,
  };
};
