import { expect, test } from "vitest";
import { callTokens, createCostTracker } from "../../../src/query/cost-tracker.js";

const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 20 };

test("calls add up per model, the cache apart", () => {
  const tracker = createCostTracker({
    costOf: (model) => (model === "a" ? 0.25 : 1),
    describe: (model) => (model === "a" ? { contextWindow: 200_000, maxOutputTokens: 64_000 } : undefined),
  });
  tracker.add("a", usage, 100);
  tracker.add("a", { ...usage, cache_read_input_tokens: null }, 50);
  tracker.add("b", { input_tokens: 1, output_tokens: 1 }, 10);
  const a = { model: "a", inputTokens: 20, outputTokens: 10, cacheReadTokens: 100, cacheWriteTokens: 40, costUsd: 0.5 };
  const b = { model: "b", inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 1 };
  expect(tracker.rows()).toEqual([a, b]);
  expect([tracker.totalUsd(), tracker.knownUsd(), tracker.apiMs(), tracker.tokens()]).toEqual([1.5, 1.5, 160, 172]);
  expect(tracker.modelUsage().a).toEqual({
    inputTokens: 20,
    outputTokens: 10,
    cacheReadInputTokens: 100,
    cacheCreationInputTokens: 40,
    webSearchRequests: 0,
    costUSD: 0.5,
    contextWindow: 200_000,
    maxOutputTokens: 64_000,
  });
});

test("an unknown price makes the total unknown, not zero", () => {
  const tracker = createCostTracker({ costOf: (model) => (model === "a" ? 0.25 : null) });
  expect(tracker.totalUsd()).toBe(0);
  tracker.add("a", usage, 0);
  tracker.add("x", usage, 0);
  expect([tracker.totalUsd(), tracker.knownUsd()]).toEqual([null, 0.25]);
  expect(tracker.rows().map(({ costUsd }) => costUsd)).toEqual([0.25, null]);
});

test("a call's tokens are all it read and wrote", () => {
  expect(callTokens(usage)).toBe(135);
});
