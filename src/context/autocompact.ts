// Stage 5: at what size a conversation is compacted without being asked, and when it is not.
import type { Env } from "../platform/paths.js";
import {
  autoCompactWindowBounds,
  compactBuffer,
  failuresBeforeBreak,
  largestReserveShare,
  leastFreedShare,
  refillCompactions,
  refillTurns,
  summaryReserve,
} from "./numbers.js";

export interface AutoCompactSettings {
  /** Setting autoCompactEnabled. */
  enabled?: boolean;
  /** Setting autoCompactWindow. */
  window?: number;
  env: Env;
}

const isOn = (text: string | undefined): boolean => /^(1|true|yes|on)$/i.test(text ?? "");

const inBounds = (text: string | undefined): number | undefined => {
  const { min, max } = autoCompactWindowBounds;
  const value = Number.parseInt(text ?? "", 10);
  return Number.isInteger(value) && value >= min && value <= max ? value : undefined;
};

/** The window that percentages and thresholds are of: the model's, or a smaller one from CLAUDE_CODE_AUTO_COMPACT_WINDOW or the settings. */
export const effectiveWindow = (modelWindow: number, { window, env }: AutoCompactSettings): number =>
  Math.min(modelWindow, inBounds(env.CLAUDE_CODE_AUTO_COMPACT_WINDOW) ?? window ?? modelWindow);

/** DISABLE_COMPACT: not even /compact. */
export const mayCompact = (env: Env): boolean => !isOn(env.DISABLE_COMPACT);

/** Tokens from which on a conversation is compacted unasked; undefined when that is switched off. */
export const compactAt = (modelWindow: number, settings: AutoCompactSettings): number | undefined => {
  const { enabled, env } = settings;
  if (enabled === false || isOn(env.DISABLE_AUTO_COMPACT) || !mayCompact(env)) return undefined;
  const window = effectiveWindow(modelWindow, settings);
  const usual = window - Math.min(summaryReserve + compactBuffer, window * largestReserveShare);
  const percent = Number.parseFloat(env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE ?? "");
  const isPercent = percent >= 1 && percent <= 100;
  return Math.floor(isPercent ? Math.min(usual, (window * percent) / 100) : usual); // the override can only lower it
};

/** How compactions went so far: a plain value. */
export interface CompactHistory {
  /** In a row. */
  failures: number;
  /** The last one freed too little to be worth another. */
  isExhausted: boolean;
  /** Turns of the session at which the newest ones happened by themselves, oldest first. */
  turns: readonly number[];
}

export const noCompactions: CompactHistory = { failures: 0, isExhausted: false, turns: [] };

export const afterFailure = (history: CompactHistory): CompactHistory => ({
  ...history,
  failures: history.failures + 1,
});

/** After a compaction from `preTokens` to `postTokens`; `turn`: the session's turn, if it happened by itself. */
export const afterSuccess = (
  { turns }: CompactHistory,
  preTokens: number,
  postTokens: number,
  turn?: number,
): CompactHistory => ({
  failures: 0,
  isExhausted: preTokens - postTokens < preTokens * leastFreedShare,
  turns: turn === undefined ? [] : [...turns, turn].slice(-refillCompactions),
});

/** Why nothing is compacted unasked although the conversation is large; undefined: it may be. */
export const heldBack = (
  { failures, isExhausted, turns }: CompactHistory,
  turn: number,
): "failures" | "exhausted" | "refill" | undefined => {
  if (failures >= failuresBeforeBreak) return "failures";
  if (turns.length === refillCompactions && turn - (turns[0] ?? 0) < refillTurns) return "refill";
  return isExhausted ? "exhausted" : undefined;
};
