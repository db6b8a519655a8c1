import { expect, test } from "vitest";
import { checkLimits, unknownPrice } from "../../../src/query/limits.js";

const counters = { turns: 2, usd: 0.5, tokens: 100 };

test.each([
  [{}, {}, undefined],
  [{ maxTurns: 3 }, {}, undefined],
  [{ maxTurns: 2 }, {}, { cause: "max_turns", text: "Reached maximum number of turns (2)" }],
  [{ maxUsd: 0.51 }, {}, undefined],
  [{ maxUsd: 0.5 }, {}, { cause: "budget_exhausted", budget: "usd", text: "Reached maximum budget ($0.5)" }],
  [
    { maxUsd: 0.6 },
    { nextCallUsd: 0.2 },
    { cause: "budget_exhausted", budget: "usd", text: "Reached maximum budget ($0.6)" },
  ],
  [{ maxUsd: 9 }, { usd: null }, { cause: "budget_exhausted", budget: "usd", text: "Reached maximum budget ($9)" }],
  [{ maxTokens: 101 }, {}, undefined],
  [
    { maxTokens: 100 },
    {},
    { cause: "budget_exhausted", budget: "tokens", text: "Reached maximum number of tokens (100)" },
  ],
] as const)("limits %j with %j: %j", (limits, change, expected) => {
  expect(checkLimits(limits, { ...counters, ...change })).toEqual(expected);
});

test("a dollar limit needs a known price", () => {
  expect(unknownPrice({ maxUsd: 1 }, "m", false)).toContain("The price of m is not known");
  expect(unknownPrice({ maxUsd: 1 }, "m", true)).toBeUndefined();
  expect(unknownPrice({}, "m", false)).toBeUndefined();
});
