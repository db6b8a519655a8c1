// Adds up what a session's model calls used and cost, per model: for /cost, the result line and the budgets.
import type { CostRow } from "../commands/command.js";
import type { Usage } from "../protocol/messages.js";

interface TrackedModel {
  contextWindow: number;
  maxOutputTokens: number;
}

export interface CostTrackerOptions {
  /** Dollars of one call; null: the model's price is not known. */
  costOf(model: string, usage: Usage): number | null;
  describe?(model: string): TrackedModel | undefined;
}

interface Totals {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  webSearchRequests: number;
  costUsd: number;
  hasUnknownPrice: boolean;
}

export interface CostTracker {
  /** One finished (or broken-off) model call. */
  add(model: string, usage: Usage, apiMs: number): void;
  rows(): CostRow[];
  /** Null as soon as a call's price was not known. */
  totalUsd(): number | null;
  /** What is known of the cost, at least. */
  knownUsd(): number;
  apiMs(): number;
  /** Input (cached or not) and output of all calls. */
  tokens(): number;
  /** Per model, in the shape of the result line. */
  modelUsage(): Record<string, ModelUsageEntry>;
}

export interface ModelUsageEntry {
  inputTokens: number;
  outputTokens: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  webSearchRequests: number;
  costUSD: number;
  contextWindow: number;
  maxOutputTokens: number;
}

/** An empty tracker: one a session, subagents and compactions included. */
export const createCostTracker = (options: CostTrackerOptions): CostTracker => {
  const models = new Map<string, Totals>();
  let apiMs = 0;
  const all = () => [...models.values()];
  const knownUsd = () => all().reduce((sum, { costUsd }) => sum + costUsd, 0);
  return {
    add: (model, usage, durationMs) => {
      const totals = models.get(model) ?? emptyTotals();
      models.set(model, totals);
      addCall(totals, usage, options.costOf(model, usage));
      apiMs += durationMs;
    },
    rows: () => [...models].map(([model, totals]) => costRow(model, totals)),
    totalUsd: () => (all().some(({ hasUnknownPrice }) => hasUnknownPrice) ? null : knownUsd()),
    knownUsd,
    apiMs: () => apiMs,
    tokens: () => all().reduce((sum, totals) => sum + tokensOf(totals), 0),
    modelUsage: () =>
      Object.fromEntries(
        [...models].map(([model, totals]) => [model, usageEntry(totals, options.describe?.(model))] as const),
      ),
  };
};

const emptyTotals = (): Totals => ({
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  webSearchRequests: 0,
  costUsd: 0,
  hasUnknownPrice: false,
});

const addCall = (totals: Totals, usage: Usage, costUsd: number | null): void => {
  totals.inputTokens += usage.input_tokens;
  totals.outputTokens += usage.output_tokens;
  totals.cacheReadTokens += usage.cache_read_input_tokens ?? 0;
  totals.cacheWriteTokens += usage.cache_creation_input_tokens ?? 0;
  totals.webSearchRequests += searchesOf(usage);
  totals.costUsd += costUsd ?? 0;
  if (costUsd === null) totals.hasUnknownPrice = true;
};

/** Tokens of one call, as --task-budget counts them. */
export const callTokens = (usage: Usage): number =>
  usage.input_tokens +
  usage.output_tokens +
  (usage.cache_read_input_tokens ?? 0) +
  (usage.cache_creation_input_tokens ?? 0);

const tokensOf = (totals: Totals): number =>
  totals.inputTokens + totals.outputTokens + totals.cacheReadTokens + totals.cacheWriteTokens;

const searchesOf = (usage: Usage & { server_tool_use?: unknown }): number => {
  const used = usage.server_tool_use;
  if (typeof used !== "object" || used === null || !("web_search_requests" in used)) return 0;
  return typeof used.web_search_requests === "number" ? used.web_search_requests : 0;
};

const costRow = (model: string, totals: Totals): CostRow => ({
  model,
  inputTokens: totals.inputTokens,
  outputTokens: totals.outputTokens,
  cacheReadTokens: totals.cacheReadTokens,
  cacheWriteTokens: totals.cacheWriteTokens,
  costUsd: totals.hasUnknownPrice ? null : totals.costUsd,
});

const usageEntry = (totals: Totals, model: TrackedModel | undefined): ModelUsageEntry => ({
  inputTokens: totals.inputTokens,
  outputTokens: totals.outputTokens,
  cacheReadInputTokens: totals.cacheReadTokens,
  cacheCreationInputTokens: totals.cacheWriteTokens,
  webSearchRequests: totals.webSearchRequests,
  costUSD: totals.costUsd,
  contextWindow: model?.contextWindow ?? 0,
  maxOutputTokens: model?.maxOutputTokens ?? 0,
});
