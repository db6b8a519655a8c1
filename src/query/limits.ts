// The limits of runs and sessions: turns, dollars, tokens. Pure: what is counted comes in as numbers.
import type { StopCause } from "../protocol/events.js";

export interface Limits {
  /** Model calls of a run. */
  maxTurns?: number;
  /** Dollars: of the session interactively, of the run headless; the caller counts accordingly. */
  maxUsd?: number;
  /** Tokens of all model calls of a run. */
  maxTokens?: number;
}

export interface Counters {
  /** Model calls made. */
  turns: number;
  /** Spent so far; null: the price of a model in use is not known. */
  usd: number | null;
  /** Input and output of all calls. */
  tokens: number;
  /** What the next call costs at least, when that can be known (its input). */
  nextCallUsd?: number;
}

export interface LimitReached {
  cause: Extract<StopCause, "max_turns" | "budget_exhausted">;
  budget?: "usd" | "tokens";
  /** For the person; hosts read the first form verbatim. */
  text: string;
}

/** Asked before each model call: the limit that forbids it, or undefined. */
export const checkLimits = (limits: Limits, counters: Counters): LimitReached | undefined => {
  const { maxTurns, maxUsd, maxTokens } = limits;
  if (maxTurns !== undefined && counters.turns >= maxTurns)
    return { cause: "max_turns", text: `Reached maximum number of turns (${maxTurns})` };
  if (maxUsd !== undefined) {
    // Null cannot be compared: fail closed, the start should have refused it (see unknownPrice).
    const isOver =
      counters.usd === null || counters.usd >= maxUsd || counters.usd + (counters.nextCallUsd ?? 0) > maxUsd;
    if (isOver) return { cause: "budget_exhausted", budget: "usd", text: `Reached maximum budget ($${maxUsd})` };
  }
  if (maxTokens !== undefined && counters.tokens >= maxTokens)
    return { cause: "budget_exhausted", budget: "tokens", text: `Reached maximum number of tokens (${maxTokens})` };
  return undefined;
};

/** Why a session with a dollar limit may not start with this model; undefined when it may. */
export const unknownPrice = (limits: Limits, model: string, isPriceKnown: boolean): string | undefined =>
  limits.maxUsd !== undefined && !isPriceKnown
    ? `The price of ${model} is not known: a limit in dollars cannot be kept. Use --max-turns or --task-budget instead`
    : undefined;
