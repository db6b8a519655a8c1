// The palettes of the built-in themes: token values for dark, light and 16-colour terminals.
import type { ColourValue, Token, TokenStyle } from "./tokens.js";

interface Hues {
  accent: ColourValue;
  success: ColourValue;
  error: ColourValue;
  warning: ColourValue;
  suggestion: ColourValue;
  remember: ColourValue;
  merged: ColourValue;
  planMode: ColourValue;
  border: ColourValue;
  bash: ColourValue;
  ide: ColourValue;
  subtle: ColourValue;
  inverse: ColourValue;
  code: ColourValue;
  userBackground: ColourValue;
  selection: ColourValue;
  added: ColourValue;
  removed: ColourValue;
  addedWord: ColourValue;
  removedWord: ColourValue;
  keyword: ColourValue;
  string: ColourValue;
  number: ColourValue;
  name: ColourValue;
  type: ColourValue;
}

const tokensOf = (hues: Hues): Record<Token, TokenStyle> => ({
  text: {},
  strong: { isBold: true },
  dim: { isDim: true },
  subtle: { fg: hues.subtle, isDim: hues.subtle === undefined },
  inactive: { fg: hues.subtle, isDim: hues.subtle === undefined },
  inverseText: { fg: hues.inverse },
  emphasis: { isItalic: true },
  struck: { isStruck: true },
  accent: { fg: hues.accent },
  success: { fg: hues.success },
  error: { fg: hues.error },
  warning: { fg: hues.warning },
  suggestion: { fg: hues.suggestion },
  permission: { fg: hues.warning },
  remember: { fg: hues.remember },
  merged: { fg: hues.merged },
  planMode: { fg: hues.planMode },
  autoAccept: { fg: hues.merged },
  promptBorder: { fg: hues.border, isDim: hues.border === undefined },
  bashBorder: { fg: hues.bash },
  ide: { fg: hues.ide },
  fastMode: { fg: hues.accent },
  userMessage: { isBold: true, bg: hues.userBackground },
  selection: hues.selection === undefined ? { isInverse: true } : { bg: hues.selection },
  heading: { isBold: true },
  code: { fg: hues.code },
  codeBlock: {},
  link: { fg: hues.suggestion, isUnderlined: true },
  quote: { isItalic: true, isDim: true },
  rule: { isDim: true },
  syntaxKeyword: { fg: hues.keyword },
  syntaxString: { fg: hues.string },
  syntaxNumber: { fg: hues.number },
  syntaxComment: { isDim: true },
  syntaxName: { fg: hues.name },
  syntaxType: { fg: hues.type },
  syntaxMeta: { fg: hues.subtle, isDim: hues.subtle === undefined },
  diffAdded: hues.added?.startsWith("#") ? { bg: hues.added } : { fg: hues.added },
  diffRemoved: hues.removed?.startsWith("#") ? { bg: hues.removed } : { fg: hues.removed },
  diffAddedWord: hues.addedWord?.startsWith("#") ? { bg: hues.addedWord } : { fg: hues.addedWord, isUnderlined: true },
  diffRemovedWord: hues.removedWord?.startsWith("#")
    ? { bg: hues.removedWord }
    : { fg: hues.removedWord, isUnderlined: true },
  diffContext: {},
  lineNumber: { isDim: true },
  agentRed: { fg: hues.error },
  agentBlue: { fg: hues.suggestion },
  agentGreen: { fg: hues.success },
  agentYellow: { fg: hues.warning },
  agentPurple: { fg: hues.merged },
  agentOrange: { fg: hues.accent },
  agentPink: { fg: hues.bash },
  agentCyan: { fg: hues.planMode },
});

const darkHues: Hues = {
  accent: "#e08a5b",
  success: "#5fbf77",
  error: "#f2707f",
  warning: "#e5b84b",
  suggestion: "#8fb0f5",
  remember: "#9a9ff0",
  merged: "#b58cf0",
  planMode: "#4fb3a9",
  border: "#7d7d7d",
  bash: "#e36fb1",
  ide: "#5a95d6",
  subtle: "#8c8c8c",
  inverse: "#000000",
  code: "#9fc0ef",
  userBackground: undefined,
  selection: "#2f4a78",
  added: "#1e4a2c",
  removed: "#5c2530",
  addedWord: "#2f7d47",
  removedWord: "#a03a4b",
  keyword: "#c792ea",
  string: "#a5d6a0",
  number: "#f0a875",
  name: "#82aaff",
  type: "#7fd1cf",
};

const lightHues: Hues = {
  accent: "#b8551f",
  success: "#1f7a3a",
  error: "#b3253a",
  warning: "#8a6100",
  suggestion: "#2f56c4",
  remember: "#3d3fc0",
  merged: "#7a2fc4",
  planMode: "#00695f",
  border: "#8f8f8f",
  bash: "#c01f7d",
  ide: "#1f62a8",
  subtle: "#6b6b6b",
  inverse: "#ffffff",
  code: "#2a4fa8",
  userBackground: undefined,
  selection: "#b9d2ff",
  added: "#c9efd2",
  removed: "#ffd3da",
  addedWord: "#7fd693",
  removedWord: "#ff9aab",
  keyword: "#7c2fb5",
  string: "#20702f",
  number: "#a3490b",
  name: "#1f4fc0",
  type: "#00686a",
};

// For people who do not tell red from green: good is blue, bad is orange, and the two differ in lightness as well.
const darkDaltonized: Hues = {
  ...darkHues,
  accent: "#d6a76a",
  success: "#56b4e9",
  error: "#ff9e3d",
  warning: "#f0e442",
  added: "#123f63",
  removed: "#5e3a10",
  addedWord: "#1f73b5",
  removedWord: "#b3701f",
  string: "#8ecbf0",
  number: "#f2c26b",
};

const lightDaltonized: Hues = {
  ...lightHues,
  accent: "#8a5a00",
  success: "#005f9e",
  error: "#a84800",
  warning: "#6e5b00",
  added: "#c6e2fa",
  removed: "#ffdfb8",
  addedWord: "#7fbdf0",
  removedWord: "#ffb55e",
  string: "#00548c",
  number: "#8a4b00",
};

const darkAnsi: Hues = {
  accent: "ansi:magenta",
  success: "ansi:green",
  error: "ansi:red",
  warning: "ansi:yellow",
  suggestion: "ansi:blue",
  remember: "ansi:blueBright",
  merged: "ansi:magentaBright",
  planMode: "ansi:cyan",
  border: undefined,
  bash: "ansi:magentaBright",
  ide: "ansi:blueBright",
  subtle: undefined,
  inverse: "ansi:black",
  code: "ansi:cyan",
  userBackground: undefined,
  selection: undefined,
  added: "ansi:green",
  removed: "ansi:red",
  addedWord: "ansi:greenBright",
  removedWord: "ansi:redBright",
  keyword: "ansi:magenta",
  string: "ansi:green",
  number: "ansi:yellow",
  name: "ansi:blueBright",
  type: "ansi:cyan",
};

// Bright names are pale on white: the plain ones only.
const lightAnsi: Hues = {
  ...darkAnsi,
  warning: "ansi:magenta",
  accent: "ansi:red",
  remember: "ansi:blue",
  merged: "ansi:magenta",
  bash: "ansi:magenta",
  ide: "ansi:blue",
  inverse: "ansi:white",
  code: "ansi:blue",
  addedWord: "ansi:green",
  removedWord: "ansi:red",
  number: "ansi:red",
  name: "ansi:blue",
};

export const palettes = {
  dark: tokensOf(darkHues),
  light: tokensOf(lightHues),
  "dark-daltonized": tokensOf(darkDaltonized),
  "light-daltonized": tokensOf(lightDaltonized),
  "dark-ansi": tokensOf(darkAnsi),
  "light-ansi": tokensOf(lightAnsi),
} as const;
export type PaletteName = keyof typeof palettes;
