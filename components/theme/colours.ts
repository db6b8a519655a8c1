// Colours as SGR parameters: how many the terminal can show, and the nearest one it has.
import type { AnsiName, ColourValue } from "./tokens.js";

/** What the terminal can show. "none" keeps weight (bold, dim, underline) and drops every colour (NO_COLOR). */
export type ColourLevel = "none" | "16" | "256" | "truecolour";

const ansiNames: readonly AnsiName[] = [
  "black",
  "red",
  "green",
  "yellow",
  "blue",
  "magenta",
  "cyan",
  "white",
  "blackBright",
  "redBright",
  "greenBright",
  "yellowBright",
  "blueBright",
  "magentaBright",
  "cyanBright",
  "whiteBright",
];
// What most terminals draw for the 16 names; used only to find the nearest one.
const ansiRgb: readonly (readonly [number, number, number])[] = [
  [0, 0, 0],
  [205, 49, 49],
  [13, 188, 121],
  [229, 229, 16],
  [36, 114, 200],
  [188, 63, 188],
  [17, 168, 205],
  [229, 229, 229],
  [102, 102, 102],
  [241, 76, 76],
  [35, 209, 139],
  [245, 245, 67],
  [59, 142, 234],
  [214, 112, 214],
  [41, 184, 219],
  [255, 255, 255],
];

/** Colour level from the environment, by the usual conventions (no-color.org, FORCE_COLOR, COLORTERM, TERM). */
export const detectColourLevel = (env: Record<string, string | undefined>, isTty = true): ColourLevel => {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return "none";
  const forced = {
    "0": "none",
    false: "none",
    "1": "16",
    true: "16",
    "": "16",
    "2": "256",
    "3": "truecolour",
  } as const;
  if (env.FORCE_COLOR !== undefined) return forced[env.FORCE_COLOR as keyof typeof forced] ?? "16";
  const term = env.TERM ?? "";
  if (!isTty || term === "dumb") return "none";
  if (/^(?:truecolor|24bit)$/i.test(env.COLORTERM ?? "") || env.WT_SESSION) return "truecolour";
  if (/^(?:iTerm\.app|WezTerm|ghostty|vscode)$/.test(env.TERM_PROGRAM ?? "")) return "truecolour";
  if (/kitty|ghostty|wezterm|alacritty|foot|-direct/.test(term)) return "truecolour";
  return /256/.test(term) || env.TERM_PROGRAM === "Apple_Terminal" ? "256" : "16";
};

const parseHex = (hex: string): [number, number, number] => {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
};

/** Whether a name is one of the terminal's 16. */
export const isAnsiName = (name: string): name is AnsiName => (ansiNames as readonly string[]).includes(name);

/** The number in "ansi256(n)"; null for other colours. */
const paletteIndex = (colour: string): number | null => {
  const match = /^ansi256\((\d{1,3})\)$/.exec(colour);
  return match === null ? null : Math.min(255, Number(match[1]));
};

/** What index 16 to 255 looks like in xterm's palette. */
const hexOf = (index: number): string => {
  const hex = (values: number[]) => `#${values.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
  if (index >= 232) return hex([8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10]);
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return hex([level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)]);
};

/** Index in the 6x6x6 cube or the grey ramp of xterm's 256 colours. */
export const to256 = (hex: string): number => {
  const [red, green, blue] = parseHex(hex);
  if (Math.max(red, green, blue) - Math.min(red, green, blue) < 10)
    return red < 8 ? 16 : red > 248 ? 231 : Math.min(255, 232 + Math.round((red - 8) / 10));
  // The cube's levels are 0, 95, 135, 175, 215, 255.
  const step = (value: number) => (value < 48 ? 0 : value < 115 ? 1 : Math.min(5, Math.round((value - 55) / 40)));
  return 16 + 36 * step(red) + 6 * step(green) + step(blue);
};

/** Index of the nearest of the 16 colours. */
export const to16 = (hex: string): number => {
  const [red, green, blue] = parseHex(hex);
  let best = 0;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const [index, [r, g, b]] of ansiRgb.entries()) {
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance >= bestDistance) continue;
    best = index;
    bestDistance = distance;
  }
  return best;
};

const ansiCode = (index: number, isBackground: boolean): string =>
  String((index < 8 ? 30 + index : 82 + index) + (isBackground ? 10 : 0));

/** SGR parameters of a colour at a level, or "" where it has none. */
export const sgrColour = (colour: ColourValue, level: ColourLevel, isBackground: boolean): string => {
  if (colour === undefined || level === "none") return "";
  if (colour.startsWith("ansi:")) return ansiCode(ansiNames.indexOf(colour.slice(5) as AnsiName), isBackground);
  const index = paletteIndex(colour);
  if (index !== null && level !== "16") return `${isBackground ? "48" : "38"};5;${index}`;
  if (index !== null) return ansiCode(index < 16 ? index : to16(hexOf(index)), isBackground);
  if (level === "16") return ansiCode(to16(colour), isBackground);
  const prefix = isBackground ? "48" : "38";
  return level === "256" ? `${prefix};5;${to256(colour)}` : `${prefix};2;${parseHex(colour).join(";")}`;
};

/** The same colour as an Ink colour property. */
export const inkColour = (colour: ColourValue, level: ColourLevel): string | undefined => {
  if (colour === undefined || level === "none") return undefined;
  if (colour.startsWith("ansi:")) return colour.slice(5);
  const index = paletteIndex(colour);
  if (index !== null && level === "16") return ansiNames[index < 16 ? index : to16(hexOf(index))];
  if (index !== null) return `ansi256(${index})`;
  if (level === "16") return ansiNames[to16(colour)];
  return level === "256" ? `ansi256(${to256(colour)})` : colour;
};
