// Stage 1: old results above a size become head and tail.
import { cutFirst, cutHarder } from "./numbers.js";
import { oldResults, type ResultFact } from "./results.js";
import type { Shrink, Shrinks } from "./shrink.js";

/** What this stage shrinks at this share of the window (percent). */
export const budgetResults = (facts: readonly ResultFact[], percent: number): Shrinks => {
  const rule = percent >= cutHarder.fromPercent ? cutHarder : percent >= cutFirst.fromPercent ? cutFirst : undefined;
  if (!rule) return new Map();
  return new Map(
    oldResults(facts)
      .filter(({ chars }) => chars > rule.aboveChars)
      .map(({ id }): [string, Shrink] => [id, { kind: "cut", chars: rule.keepChars }]),
  );
};
