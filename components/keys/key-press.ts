// KeyPress: one key as the keymap names it, made from what Ink reports.
import type { Key } from "ink";

export interface KeyPress {
  /** Name with modifiers, e.g. `ctrl+c`, `shift+tab`, `alt+enter`, `up`; a printed character is its own name. */
  id: string;
  /** What it types, if it types something. */
  text: string;
}

const named: readonly (readonly [keyof Key, string])[] = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "pageup"],
  ["pageDown", "pagedown"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["tab", "tab"],
  ["backspace", "backspace"],
  ["delete", "delete"],
];

const prefix = (key: Key): string => `${key.ctrl ? "ctrl+" : ""}${key.meta ? "alt+" : ""}${key.super ? "cmd+" : ""}`;

/** Shift with ctrl or cmd and a letter: only some terminals tell. With alt it comes as a capital, which is the letter. */
const shiftOf = (input: string, key: Key): string =>
  key.shift && (key.ctrl || key.super) && /^\p{L}$/u.test(input) ? "shift+" : "";

/**
 * The presses in one report of Ink. Two quick Escs arrive as one report and become two presses; a line feed is
 * Ctrl+J; text with a line end inside is one press (a paste without marks).
 */
export const pressesOf = (input: string, key: Key): KeyPress[] => {
  if (key.eventType === "release") return [];
  if (key.escape) return Array.from({ length: key.meta ? 2 : 1 }, () => ({ id: "esc", text: "" }));
  const name = named.find(([flag]) => key[flag] === true)?.[1];
  if (name) return [{ id: `${prefix(key)}${key.shift ? "shift+" : ""}${name}`, text: "" }];
  if (input === "\n") return [{ id: "ctrl+j", text: "" }];
  if (input === "") return [];
  if (key.ctrl || key.meta || key.super)
    return [{ id: `${prefix(key)}${shiftOf(input, key)}${input.toLowerCase()}`, text: "" }];
  return [{ id: input, text: input }];
};
