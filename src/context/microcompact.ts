// Stage 3: after a pause that outlived the cache, old results are cleared: the next request pays for the prefix anew anyway.
import { clearFromTokens } from "./numbers.js";
import { oldResults, type ResultFact } from "./results.js";
import type { Shrink, Shrinks } from "./shrink.js";

export const clearedText = "[Old result cleared]";

/** What this stage shrinks after `idleMs` without a request, where a cache entry lives `ttlMs`. */
export const clearAfterPause = (facts: readonly ResultFact[], idleMs: number, ttlMs: number): Shrinks => {
  const old = oldResults(facts);
  if (idleMs <= ttlMs || old.reduce((sum, { tokens }) => sum + tokens, 0) < clearFromTokens) return new Map();
  return new Map(old.map(({ id }): [string, Shrink] => [id, { kind: "line", text: clearedText }]));
};
