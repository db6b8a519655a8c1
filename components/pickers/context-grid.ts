// The grid of /context: one cell for each 200th of the window. Pure.
import type { ContextCategory } from "../../src/protocol/pickers.js";
import type { Token } from "../theme/tokens.js";

type CategoryId = ContextCategory["id"];

/** Each part has its own glyph: never colour alone. */
export const glyphs: Record<CategoryId, { glyph: string; token: Token }> = {
  system: { glyph: "▙", token: "dim" },
  tools: { glyph: "▒", token: "agentPurple" },
  mcp: { glyph: "▜", token: "agentPurple" },
  instructions: { glyph: "▛", token: "agentOrange" },
  conversation: { glyph: "█", token: "accent" },
  files: { glyph: "▓", token: "agentBlue" },
  results: { glyph: "▚", token: "agentCyan" },
  images: { glyph: "▞", token: "agentPink" },
  free: { glyph: "░", token: "subtle" },
  reserve: { glyph: "▖", token: "subtle" },
};

/** Cells of each part, in order: as many as its share, at least one for what is there, together exactly `count`. */
export const cellsOf = (categories: readonly ContextCategory[], count: number): CategoryId[] => {
  const total = categories.reduce((sum, { tokens }) => sum + tokens, 0);
  if (total === 0 || categories.length > count) return Array.from({ length: count }, () => "free");
  const sizes = categories.map(({ tokens }) => Math.max(1, Math.floor((tokens * count) / total)));
  let left = count - sizes.reduce((sum, size) => sum + size, 0);
  // What rounding left over or took too much goes to the largest part, where it shows least.
  while (left !== 0) {
    const largest = sizes.indexOf(Math.max(...sizes));
    const change = left > 0 ? left : Math.max(left, 1 - (sizes[largest] ?? 1));
    sizes[largest] = (sizes[largest] ?? 0) + change;
    left -= change;
  }
  return categories.flatMap(({ id }, at) => Array.from({ length: sizes[at] ?? 0 }, () => id));
};

/** 950, 8.8k, 122k. */
export const shortTokens = (tokens: number): string => {
  if (tokens < 1_000) return String(tokens);
  return tokens < 9_950 ? `${(tokens / 1_000).toFixed(1)}k` : `${Math.round(tokens / 1_000)}k`;
};
