// Keys as people write them in a keybindings file, and as a KeyPress names them.
import { graphemes } from "../../src/lib/text-width.js";

const modifiers: Readonly<Record<string, string>> = {
  ctrl: "ctrl",
  control: "ctrl",
  alt: "alt",
  opt: "alt",
  option: "alt",
  meta: "alt",
  cmd: "cmd",
  command: "cmd",
  super: "cmd",
  win: "cmd",
  shift: "shift",
};
const keyNames: Readonly<Record<string, string>> = {
  escape: "esc",
  esc: "esc",
  enter: "enter",
  return: "enter",
  tab: "tab",
  space: " ",
  up: "up",
  down: "down",
  left: "left",
  right: "right",
  backspace: "backspace",
  delete: "delete",
  home: "home",
  end: "end",
  pageup: "pageup",
  pagedown: "pagedown",
};
const order = ["ctrl", "alt", "cmd", "shift"];

export type Keystroke = { id: string } | { problem: string };

const parseStroke = (stroke: string): Keystroke => {
  const plusIsKey = stroke === "+" || stroke.endsWith("++");
  const parts = plusIsKey ? [...stroke.slice(0, -1).split("+").filter(Boolean), "+"] : stroke.split("+");
  const key = parts.at(-1) ?? "";
  const found = new Set<string>();
  for (const part of parts.slice(0, -1)) {
    const modifier = modifiers[part.toLowerCase()];
    if (!modifier) return { problem: `${part} is no modifier (ctrl, alt, shift, cmd)` };
    found.add(modifier);
  }
  const name = keyNames[key.toLowerCase()];
  if (name === undefined && graphemes(key).length !== 1) return { problem: `${key || "nothing"} is no key` };
  const isLetter = /^\p{L}$/u.test(key);
  if (name === undefined && isLetter && !found.has("ctrl") && !found.has("alt") && !found.has("cmd"))
    return { id: found.has("shift") ? key.toUpperCase() : key };
  if (name === undefined && found.has("shift") && !isLetter) found.delete("shift"); // the character tells it
  if (isLetter && found.has("shift") && found.has("alt") && !found.has("ctrl"))
    return { problem: "terminals do not tell alt+shift and a letter from alt and that letter" };
  const prefix = order.filter((modifier) => found.has(modifier)).map((modifier) => `${modifier}+`);
  return { id: `${prefix.join("")}${name ?? key.toLowerCase()}` };
};

/** The name of a key or chord (strokes with blanks between): modifiers in one order, one name a key. */
export const parseKeystroke = (text: string): Keystroke => {
  const strokes = text.trim().split(/\s+/);
  const ids: string[] = [];
  for (const stroke of strokes) {
    const parsed = parseStroke(stroke);
    if ("problem" in parsed) return parsed;
    ids.push(parsed.id);
  }
  return { id: ids.join(" ") };
};

/** A key as it is shown: " " is written out. */
export const keyText = (id: string): string => (id === " " ? "space" : id);

/** Whether a key would be typed where there is a text field. */
export const isTyped = (id: string): boolean => {
  const first = id === " " ? id : (id.split(" ", 1)[0] as string);
  return graphemes(first).length === 1;
};
