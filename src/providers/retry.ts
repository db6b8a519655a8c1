// When a failed model call is tried again and how long to wait before: pure, so that the loop can show and test it.
import type { Env } from "../platform/paths.js";
import type { ProviderError } from "./provider.js";

const firstWaitMs = 1000;
const longestWaitMs = 30_000;
const jitterMs = 1000;
const defaultTries = 10;

/** A server's `retry-after` is honoured up to this long. */
export const longestRetryAfterMs = 15 * 60_000;

/** After this many overloaded answers in a row the fallback model takes over, if there is one. */
export const overloadsBeforeFallback = 3;

/**
 * Milliseconds to wait before try `attempt` + 1. `attempt` counts failed tries from 0, `random` gives numbers in [0, 1).
 * Doubles from 1 s to 30 s plus up to a second; what the server asked for wins.
 */
export const retryDelay = (
  attempt: number,
  error: Pick<ProviderError, "retryAfterMs">,
  random: () => number = Math.random,
): number => {
  if (error.retryAfterMs !== undefined) return Math.min(error.retryAfterMs, longestRetryAfterMs);
  return Math.min(firstWaitMs * 2 ** Math.min(attempt, 10), longestWaitMs) + Math.floor(random() * (jitterMs + 1));
};

/** Tries in all from CLAUDE_CODE_MAX_RETRIES, else 10. 0 means: no second try. */
export const maxRetries = (env: Env): number => {
  const set = Number.parseInt(env.CLAUDE_CODE_MAX_RETRIES ?? "", 10);
  return Number.isInteger(set) && set >= 0 ? set : defaultTries;
};

/** Whether to try again. With a person watching the countdown goes on until they stop it, unless the limit was set by hand. */
export const shouldRetry = (
  attempt: number,
  error: Pick<ProviderError, "retryable">,
  options: { env: Env; isInteractive: boolean },
): boolean => {
  if (!error.retryable) return false;
  if (options.isInteractive && !options.env.CLAUDE_CODE_MAX_RETRIES) return true;
  return attempt < maxRetries(options.env);
};
