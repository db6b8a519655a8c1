import { describe, expect, it } from "vitest";
import { costOf } from "../../../src/providers/cost.js";
import { effortFor, modelAliases, resolveModel, smallModel, thinkingFor } from "../../../src/providers/models.js";

describe("names of models", () => {
  it.each([
    ["default", "claude-sonnet-5-5"],
    ["best", "claude-fable-5-2"],
    ["Opus", "claude-opus-5-5"],
    ["haiku", "claude-haiku-5-5"],
    ["sonnet[1m]", "claude-sonnet-5-5"],
    ["opusplan", "claude-sonnet-5-5"],
    ["claude-sonnet-4-5[1m]", "claude-sonnet-4-5[1m]"],
    ["claude-haiku-4-5-20251001", "claude-haiku-4-5-20251001"],
    ["offline", "offline"],
    ["my-model", "my-model"],
  ])("%s is %s", (name, id) => {
    expect(resolveModel(name).id).toBe(id);
  });

  it("every alias is a known model", () => {
    expect(modelAliases.map((alias) => resolveModel(alias).known)).toEqual(modelAliases.map(() => true));
  });

  it("opusplan is Opus while planning", () => {
    expect(resolveModel("opusplan", { planning: true }).id).toBe("claude-opus-5-5");
  });

  it("the environment moves an alias, the long window included", () => {
    const env = { ANTHROPIC_DEFAULT_SONNET_MODEL: "claude-sonnet-4-5[1m]", ANTHROPIC_SMALL_FAST_MODEL: "tiny" };
    expect(resolveModel("sonnet", { env })).toMatchObject({ id: "claude-sonnet-4-5[1m]", contextWindow: 1_000_000 });
    expect(smallModel({ env }).id).toBe("tiny");
  });

  it("a dated id has the figures of its model, an unknown one safe figures without a price", () => {
    expect(resolveModel("claude-haiku-4-5-20251001")).toMatchObject({
      maxOutput: 64_000,
      thinking: "budget",
      known: true,
    });
    expect(resolveModel("gpt-x")).toEqual({
      id: "gpt-x",
      label: "gpt-x",
      contextWindow: 200_000,
      maxOutput: 32_000,
      prices: null,
      thinking: "none",
      defaultEffort: null,
      supportsEffort: false,
      minCachePrefix: 4096,
      known: false,
    });
  });

  it("rows of the setting change or add models", () => {
    const overrides = { mine: { context: 50_000, inputPrice: 1, outputPrice: 2, thinking: "budget" as const } };
    expect(resolveModel("mine", { overrides })).toMatchObject({
      contextWindow: 50_000,
      maxOutput: 32_000,
      prices: [{ input: 1, output: 2 }],
      thinking: "budget",
      known: true,
    });
  });
});

describe("thinking and effort", () => {
  const opus = resolveModel("opus");
  const sonnet = resolveModel("sonnet");
  const older = resolveModel("claude-sonnet-4-5");

  it.each([
    [opus, undefined, undefined, { type: "adaptive" }],
    [opus, "disabled", undefined, { type: "adaptive" }],
    [sonnet, "enabled", 4000, { type: "adaptive" }],
    [sonnet, undefined, 0, { type: "disabled" }],
    [sonnet, "disabled", undefined, { type: "disabled" }],
    [older, undefined, undefined, { type: "enabled", budget_tokens: 10_000 }],
    [older, "adaptive", 500, { type: "enabled", budget_tokens: 1024 }],
    [older, "enabled", 50_000, { type: "enabled", budget_tokens: 16_383 }],
    [older, "disabled", undefined, { type: "disabled" }],
    [resolveModel("offline"), "enabled", undefined, undefined],
  ] as const)("%o with %s and %s", (model, setting, tokens, expected) => {
    expect(thinkingFor(model, setting, tokens, 16_384)).toEqual(expected);
  });

  it("a limit too small for any budget switches thinking off", () => {
    expect(thinkingFor(older, "enabled", undefined, 1000)).toEqual({ type: "disabled" });
  });

  it("effort is sent only to models that know it", () => {
    expect([effortFor(opus, undefined), effortFor(sonnet, "low"), effortFor(older, "high")]).toEqual([
      "medium",
      "low",
      undefined,
    ]);
  });
});

describe("cost", () => {
  it("counts cache writes and reads apart", () => {
    const usage = {
      input_tokens: 1000,
      output_tokens: 2000,
      cache_read_input_tokens: 10_000,
      cache_creation_input_tokens: 3000,
      cache_creation: { ephemeral_5m_input_tokens: 1000, ephemeral_1h_input_tokens: 2000 },
    };
    // input 1000 + 1250 + 4000 + 1000 at $2, output 2000 at $10
    expect(costOf(resolveModel("sonnet"), usage)).toBeCloseTo((7250 * 2 + 2000 * 10) / 1e6, 12);
  });

  it("takes cache writes without a split for five-minute ones", () => {
    const usage = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 1000, cache_creation: null };
    expect(costOf(resolveModel("sonnet"), usage)).toBeCloseTo(0.0025, 12);
  });

  it("chooses the tier by the whole prompt", () => {
    const haiku = resolveModel("haiku");
    expect(costOf(haiku, { input_tokens: 100_000, output_tokens: 0 })).toBeCloseTo(0.01, 12);
    expect(costOf(haiku, { input_tokens: 1, output_tokens: 0, cache_read_input_tokens: 100_000 })).toBeCloseTo(
      (10_001 * 0.5) / 1e6,
      12,
    );
  });

  it("is unknown for an unknown price and nothing for the offline model", () => {
    const usage = { input_tokens: 10, output_tokens: 10 };
    expect([costOf(resolveModel("gpt-x"), usage), costOf(resolveModel("offline"), usage)]).toEqual([null, 0]);
  });
});
