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

const prefix = (key: Key): string => `${key.ctrl ? "ctrl+" : ""}${key.meta ? "alt+" : ""}`;

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
  if (key.ctrl || key.meta) return [{ id: `${prefix(key)}${input.toLowerCase()}`, text: "" }];
  return [{ id: input, text: input }];
};
