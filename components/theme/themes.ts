// Themes: tokens as SGR for rows and as properties for Ink, at the colour level of this terminal.

import type { Highlight } from "../highlight/highlighter.js";
import { type ColourLevel, inkColour, sgrColour } from "./colours.js";
import { type PaletteName, palettes } from "./palettes.js";
import type { Token, TokenStyle } from "./tokens.js";
import { tokenNames } from "./tokens.js";

export type ThemeName = PaletteName;

/** Properties for Ink's <Text>; spread them: `<Text {...theme.ink("error")}>`. */
export interface InkStyle {
  color?: string;
  backgroundColor?: string;
  bold?: boolean;
  dimColor?: boolean;
  italic?: boolean;
  underline?: boolean;
  inverse?: boolean;
  strikethrough?: boolean;
}

export interface Theme {
  name: ThemeName;
  level: ColourLevel;
  /** Changes whenever rows drawn with this theme would look different: part of row cache keys. */
  key: string;
  /** The text in the token's style, closed again; styles inside `text` survive. Empty text stays empty. */
  style(token: Token, text: string): string;
  /** The token as Ink text properties. */
  ink(token: Token): InkStyle;
  /** Colours code, where that is wanted and the terminal has colours. */
  highlight?: Highlight | undefined;
  /** Changed lines have a background, so that code on them may have colours of its own. */
  isDiffTinted: boolean;
}

export interface ThemeExtras {
  /** What a custom theme changes. */
  overrides?: Partial<Record<Token, TokenStyle>>;
  /** Tells themes with overrides apart: part of the theme's key. */
  id?: string;
  highlight?: Highlight | undefined;
}

interface Codes {
  open: string;
  close: string;
}

const codesOf = (style: TokenStyle, level: ColourLevel): Codes => {
  const open: string[] = [];
  const close: string[] = [];
  const add = (isOn: boolean | undefined, on: string, off: string) => {
    if (!isOn) return;
    open.push(on);
    close.push(off);
  };
  add(style.isBold, "1", "22");
  add(style.isDim, "2", "22");
  add(style.isItalic, "3", "23");
  add(style.isUnderlined, "4", "24");
  add(style.isInverse, "7", "27");
  add(style.isStruck, "9", "29");
  const fg = sgrColour(style.fg, level, false);
  const bg = sgrColour(style.bg, level, true);
  add(fg !== "", fg, "39");
  add(bg !== "", bg, "49");
  if (open.length === 0) return { open: "", close: "" };
  return { open: `\u001b[${open.join(";")}m`, close: `\u001b[${[...new Set(close)].join(";")}m` };
};

const inkOf = (style: TokenStyle, level: ColourLevel): InkStyle => {
  const properties: InkStyle = {};
  const color = inkColour(style.fg, level);
  const backgroundColor = inkColour(style.bg, level);
  if (color) properties.color = color;
  if (backgroundColor) properties.backgroundColor = backgroundColor;
  if (style.isBold) properties.bold = true;
  if (style.isDim) properties.dimColor = true;
  if (style.isItalic) properties.italic = true;
  if (style.isUnderlined) properties.underline = true;
  if (style.isInverse) properties.inverse = true;
  if (style.isStruck) properties.strikethrough = true;
  return properties;
};

/** A theme for a terminal. At level "none" removed and added words are underlined, so that colour is never alone. */
export const createTheme = (name: ThemeName, level: ColourLevel, extras: ThemeExtras = {}): Theme => {
  const { overrides = {}, id = name, highlight } = extras;
  const codes = {} as Record<Token, Codes>;
  const ink = {} as Record<Token, InkStyle>;
  for (const token of tokenNames) {
    let style = { ...palettes[name][token], ...overrides[token] };
    if (level === "none" && /Word$/.test(token)) style = { isUnderlined: true };
    if (level === "none" && token === "selection") style = { isInverse: true };
    codes[token] = codesOf(style, level);
    ink[token] = inkOf(style, level);
  }
  return {
    name,
    level,
    key: `${id}/${level}`,
    isDiffTinted: level !== "none" && { ...palettes[name].diffAdded, ...overrides.diffAdded }.bg !== undefined,
    highlight: level === "none" ? undefined : highlight,
    style(token, text) {
      const { open, close } = codes[token];
      if (open === "" || text === "") return text;
      // A style that ends inside the text with the same code would end ours as well: open it again behind it.
      return open + (text.includes(close) ? text.replaceAll(close, close + open) : text) + close;
    },
    ink: (token) => ink[token],
  };
};

/** The dark or light one of a pair. */
export type Background = "dark" | "light";

/** What the environment says about the terminal's background: COLORFGBG, which some terminals set; else dark. */
export const backgroundFromEnv = (env: Record<string, string | undefined>): Background => {
  const background = env.COLORFGBG?.split(";").at(-1);
  return background === "7" || background === "15" ? "light" : "dark";
};

/** A built-in theme for a setting; anything unknown, unset or "auto" follows the terminal's background. */
export const resolveThemeName = (setting: string | undefined, background: Background): ThemeName => {
  if (setting === "ansi") return `${background}-ansi`;
  return setting !== undefined && Object.hasOwn(palettes, setting) ? (setting as ThemeName) : background;
};
