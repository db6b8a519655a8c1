// Names of keys and the bytes a terminal sends for them.

const named: Record<string, string> = {
  enter: "\r",
  esc: "\x1b",
  tab: "\t",
  "shift-tab": "\x1b[Z",
  space: " ",
  backspace: "\x7f",
  delete: "\x1b[3~",
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  home: "\x1b[H",
  end: "\x1b[F",
  pageup: "\x1b[5~",
  pagedown: "\x1b[6~",
  "shift-enter": "\x1b[13;2u",
  "alt-enter": "\x1b\r",
  "ctrl-up": "\x1b[1;5A",
  "ctrl-down": "\x1b[1;5B",
  "ctrl-right": "\x1b[1;5C",
  "ctrl-left": "\x1b[1;5D",
  "alt-left": "\x1b[1;3D",
  "alt-right": "\x1b[1;3C",
  "ctrl-home": "\x1b[1;5H",
  "ctrl-end": "\x1b[1;5F",
  "alt-backspace": "\x1b\x7f",
  "ctrl-_": "\x1f",
  "ctrl-space": "\0",
  "esc esc": "\x1b\x1b",
  "focus-in": "\x1b[I",
  "focus-out": "\x1b[O",
};

/** Bytes of a key by name: "enter", "ctrl-c", "alt-b", "shift-tab", or one character. Throws on an unknown name. */
export const keyBytes = (key: string): string => {
  const known = named[key.toLowerCase()];
  if (known !== undefined) return known;
  const control = /^ctrl-([a-z])$/i.exec(key)?.[1];
  if (control) return String.fromCharCode(control.toLowerCase().charCodeAt(0) - 96);
  const alt = /^alt-(.)$/.exec(key)?.[1];
  if (alt) return `\x1b${alt}`;
  if ([...key].length === 1) return key;
  throw new Error(`Unknown key "${key}". Known: ${Object.keys(named).join(", ")}, ctrl-<letter>, alt-<character>.`);
};

export type MouseButton = "left" | "middle" | "right" | "wheel-up" | "wheel-down";
const buttonCodes: Record<MouseButton, number> = { left: 0, middle: 1, right: 2, "wheel-up": 64, "wheel-down": 65 };

/** SGR mouse report of a press (or wheel step); `x` and `y` are 0-based cells. */
export const mousePress = (button: MouseButton, x: number, y: number): string =>
  `\x1b[<${buttonCodes[button]};${x + 1};${y + 1}M`;

/** SGR mouse report of a release. */
export const mouseRelease = (button: MouseButton, x: number, y: number): string =>
  `\x1b[<${buttonCodes[button]};${x + 1};${y + 1}m`;

/** Text as a bracketed paste. */
export const pasteBytes = (text: string): string => `\x1b[200~${text}\x1b[201~`;
