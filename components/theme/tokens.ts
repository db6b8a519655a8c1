// Semantic colour tokens: what a colour means, never which colour it is. Themes give the values.

/**
 * A colour: "#rrggbb", one of the terminal's 256 ("ansi256(208)") or 16 ("ansi:redBright"), or nothing (the terminal's
 * own).
 */
export type ColourValue = `#${string}` | `ansi256(${number})` | `ansi:${AnsiName}` | undefined;

export type AnsiName =
  | "black"
  | "red"
  | "green"
  | "yellow"
  | "blue"
  | "magenta"
  | "cyan"
  | "white"
  | "blackBright"
  | "redBright"
  | "greenBright"
  | "yellowBright"
  | "blueBright"
  | "magentaBright"
  | "cyanBright"
  | "whiteBright";

/** How a token is drawn. Weight ranks (bold: must be read, plain: content, dim: the rest); colour means a state. */
export interface TokenStyle {
  fg?: ColourValue;
  bg?: ColourValue;
  isBold?: boolean;
  isDim?: boolean;
  isItalic?: boolean;
  isUnderlined?: boolean;
  isInverse?: boolean;
  isStruck?: boolean;
}

export const tokenNames = [
  // Ranks of text.
  "text",
  "strong",
  "dim",
  "subtle",
  "inactive",
  "inverseText",
  "emphasis",
  "struck",
  // States: running (the product's accent), done, failed, waiting for you.
  "accent",
  "success",
  "error",
  "warning",
  "suggestion",
  "permission",
  "remember",
  "merged",
  // Modes and places.
  "planMode",
  "autoAccept",
  "promptBorder",
  "bashBorder",
  "ide",
  "fastMode",
  "userMessage",
  "selection",
  // Prose.
  "heading",
  "code",
  "codeBlock",
  "link",
  "quote",
  "rule",
  // Code.
  "syntaxKeyword",
  "syntaxString",
  "syntaxNumber",
  "syntaxComment",
  "syntaxName",
  "syntaxType",
  "syntaxMeta",
  // Diffs.
  "diffAdded",
  "diffRemoved",
  "diffAddedWord",
  "diffRemovedWord",
  "diffContext",
  "lineNumber",
  // Agents' own colours.
  "agentRed",
  "agentBlue",
  "agentGreen",
  "agentYellow",
  "agentPurple",
  "agentOrange",
  "agentPink",
  "agentCyan",
] as const;

export type Token = (typeof tokenNames)[number];

/** Agents take these in the order in which they start. */
const agentTokens: readonly Token[] = [
  "agentRed",
  "agentBlue",
  "agentGreen",
  "agentYellow",
  "agentPurple",
  "agentOrange",
  "agentPink",
  "agentCyan",
];

/** An agent's colour by the name it carries ("red", "agentRed"); undefined for a name we do not know. */
export const agentToken = (color: string | undefined): Token | undefined =>
  agentTokens.find((token) => token.toLowerCase() === `agent${(color ?? "").toLowerCase().replace(/^agent/, "")}`);
