// Custom themes: a file's text to token styles. Unknown tokens and values that are no colours are told, not fatal.
import { isAnsiName } from "./colours.js";
import { type PaletteName, palettes } from "./palettes.js";
import { type ColourValue, type Token, type TokenStyle, tokenNames } from "./tokens.js";

export interface CustomTheme {
  slug: string;
  /** As the picker shows it. */
  name: string;
  base: PaletteName;
  overrides: Partial<Record<Token, TokenStyle>>;
  /** What was wrong with the file; the rest of it counts. */
  problems: string[];
}

/** Names that theme files use for tokens which are called otherwise here, and what they colour. */
const aliases: Record<string, readonly [Token, "fg" | "bg"]> = {
  claude: ["accent", "fg"],
  userMessageBackground: ["userMessage", "bg"],
  selectionBg: ["selection", "bg"],
  diffAdded: ["diffAdded", "bg"],
  diffRemoved: ["diffRemoved", "bg"],
  diffAddedWord: ["diffAddedWord", "bg"],
  diffRemovedWord: ["diffRemovedWord", "bg"],
  red_FOR_SUBAGENTS_ONLY: ["agentRed", "fg"],
  blue_FOR_SUBAGENTS_ONLY: ["agentBlue", "fg"],
  green_FOR_SUBAGENTS_ONLY: ["agentGreen", "fg"],
  yellow_FOR_SUBAGENTS_ONLY: ["agentYellow", "fg"],
  purple_FOR_SUBAGENTS_ONLY: ["agentPurple", "fg"],
  orange_FOR_SUBAGENTS_ONLY: ["agentOrange", "fg"],
  pink_FOR_SUBAGENTS_ONLY: ["agentPink", "fg"],
  cyan_FOR_SUBAGENTS_ONLY: ["agentCyan", "fg"],
};

/** Tokens of other versions that have nothing to colour here. */
const unused = /Shimmer$|^rainbow_|^diff(?:Added|Removed)Dimmed$/;

const placeOf = (name: string): readonly [Token, "fg" | "bg"] | null =>
  aliases[name] ?? ((tokenNames as readonly string[]).includes(name) ? [name as Token, "fg"] : null);

/** "#rgb", "#rrggbb", "rgb(1,2,3)", "ansi256(n)", "ansi:name"; null for anything else. */
export const parseColour = (value: string): Exclude<ColourValue, undefined> | null => {
  const text = value.trim();
  if (/^#[0-9a-f]{6}$/i.test(text)) return text.toLowerCase() as `#${string}`;
  if (/^#[0-9a-f]{3}$/i.test(text))
    return `#${[...text.slice(1)]
      .map((digit) => digit + digit)
      .join("")
      .toLowerCase()}`;
  const rgb = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/i.exec(text)?.slice(1).map(Number);
  if (rgb?.every((part) => part <= 255)) return `#${rgb.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  const index = /^ansi256\(\s*(\d{1,3})\s*\)$/i.exec(text);
  if (index && Number(index[1]) <= 255) return `ansi256(${Number(index[1])})`;
  const name = text.replace(/^ansi:/, "");
  return text.startsWith("ansi:") && isAnsiName(name) ? `ansi:${name}` : null;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads a theme file. Throws an Error for the person when it is no JSON object. */
export const parseCustomTheme = (slug: string, text: string): CustomTheme => {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    throw new Error(`Theme ${slug}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isObject(raw)) throw new Error(`Theme ${slug}: the file must hold an object.`);
  const problems: string[] = [];
  const base = String(raw.base ?? "dark");
  if (!Object.hasOwn(palettes, base)) problems.push(`"${base}" is no base theme, dark is used`);
  const overrides: CustomTheme["overrides"] = {};
  for (const [name, value] of Object.entries(isObject(raw.overrides) ? raw.overrides : {})) {
    const place = placeOf(name);
    const colour = typeof value === "string" ? parseColour(value) : null;
    if (unused.test(name)) continue;
    if (place === null) problems.push(`there is no token "${name}"`);
    else if (colour === null) problems.push(`"${String(value)}" for ${name} is no colour`);
    else overrides[place[0]] = { ...overrides[place[0]], [place[1]]: colour };
  }
  return {
    slug,
    name: typeof raw.name === "string" && raw.name.trim() !== "" ? raw.name : slug,
    base: Object.hasOwn(palettes, base) ? (base as PaletteName) : "dark",
    overrides,
    problems,
  };
};
