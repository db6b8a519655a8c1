// What is known about each model (models.json), how a name or alias becomes a model, and how one thinking setting maps to each.
import type { Env } from "../platform/paths.js";
// biome-ignore lint/correctness/useImportExtensions: it is JSON, the rule would make it .js
import table from "./models.json" with { type: "json" };
import type { Effort, Thinking } from "./provider.js";

/** Dollars per million tokens; a tier holds for prompts of up to `upToPromptTokens` tokens, the last one for all longer ones. */
export interface PriceTier {
  upToPromptTokens?: number;
  input: number;
  output: number;
}

/** `adaptive_always` cannot be switched off; `budget` models take `enabled` with a number of tokens. */
export type ThinkingKind = "adaptive" | "adaptive_always" | "budget" | "none";

export interface ModelInfo {
  /** The id as requests carry it; `[1m]` stays on models that offer the long window by suffix only. */
  id: string;
  label: string;
  contextWindow: number;
  maxOutput: number;
  /** Null: unknown, never to be shown as 0. */
  prices: readonly PriceTier[] | null;
  thinking: ThinkingKind;
  defaultEffort: Effort | null;
  supportsEffort: boolean;
  /** Tokens a prefix must have to be cached at all. */
  minCachePrefix: number;
  /** False: not in the table, so every figure is the safe guess. */
  known: boolean;
}

/** Setting `models`: rows by model id that add to or change the table. Prices in dollars per million tokens. */
export type ModelOverrides = Readonly<
  Record<
    string,
    {
      context?: number;
      maxOutput?: number;
      inputPrice?: number;
      outputPrice?: number;
      thinking?: ThinkingKind;
      defaultEffort?: Effort;
    }
  >
>;

export interface ResolveOptions {
  overrides?: ModelOverrides;
  env?: Env;
  /** `opusplan` is Opus while planning, Sonnet otherwise. */
  planning?: boolean;
}

type Row = Omit<ModelInfo, "supportsEffort" | "known"> & { longContextBySuffix?: boolean };
const rows = table.models as readonly Row[];

export const offlineModel = "offline";

const longContext = /\[1m\]$/i;
const longWindow = 1_000_000;
const dateSuffix = /-\d{8}$/;

type Family = "fable" | "opus" | "sonnet" | "haiku";
const newest: Record<Family, string> = {
  fable: "claude-fable-5-2",
  opus: "claude-opus-5-5",
  sonnet: "claude-sonnet-5-5",
  haiku: "claude-haiku-5-5",
};
const familyOf: Record<string, Family> = {
  default: "sonnet",
  best: "fable",
  fable: "fable",
  opus: "opus",
  sonnet: "sonnet",
  haiku: "haiku",
};

/** Names a person may type instead of an id. */
export const modelAliases: readonly string[] = [...Object.keys(familyOf), "opusplan", "sonnet[1m]", "opus[1m]"];

/** Ids of the current generation plus the offline model, best first: what a picker offers. */
export const pickerModels: readonly string[] = [...Object.values(newest), offlineModel];

const idOfAlias = (name: string, { env = {}, planning = false }: ResolveOptions): string => {
  const alias = name.toLowerCase();
  const family = alias === "opusplan" ? (planning ? "opus" : "sonnet") : familyOf[alias];
  if (family === undefined) return name;
  const named = env[`ANTHROPIC_DEFAULT_${family.toUpperCase()}_MODEL`];
  if (named) return named;
  return (family === "haiku" && env.ANTHROPIC_SMALL_FAST_MODEL) || newest[family];
};

/** A model nobody told us about: figures that are safe with any of them (spec/models: safe row). */
const safeRow = (id: string): Row => ({
  id,
  label: id,
  contextWindow: 200_000,
  maxOutput: 32_000,
  prices: null,
  thinking: "none",
  defaultEffort: null,
  minCachePrefix: 4096,
});

const withOverride = (row: Row, override: ModelOverrides[string] | undefined): Row => {
  if (!override) return row;
  const { context, maxOutput, inputPrice, outputPrice, thinking, defaultEffort } = override;
  return {
    ...row,
    contextWindow: context ?? row.contextWindow,
    maxOutput: maxOutput ?? row.maxOutput,
    prices:
      inputPrice !== undefined && outputPrice !== undefined ? [{ input: inputPrice, output: outputPrice }] : row.prices,
    thinking: thinking ?? row.thinking,
    defaultEffort: defaultEffort ?? row.defaultEffort,
  };
};

/**
 * The model a name means: an alias, an id of the table (also with a date at its end), a row of the setting `models`, or any other id,
 * which gets safe figures. Never throws.
 */
export const resolveModel = (nameOrAlias: string, options: ResolveOptions = {}): ModelInfo => {
  const trimmed = nameOrAlias.trim();
  const wantsLong = longContext.test(trimmed);
  const named = idOfAlias(trimmed.replace(longContext, ""), options);
  const long = wantsLong || longContext.test(named);
  const id = named.replace(longContext, "");
  const known = rows.find((row) => row.id === id) ?? rows.find((row) => row.id === id.replace(dateSuffix, ""));
  const override = options.overrides?.[`${id}[1m]`] ?? options.overrides?.[id];
  const row = withOverride({ ...(known ?? safeRow(id)), id }, override);
  const { longContextBySuffix, ...rest } = row;
  const widened = long && longContextBySuffix === true;
  return {
    ...rest,
    ...(widened && { id: `${id}[1m]`, label: `${row.label} (1M context)`, contextWindow: longWindow }),
    supportsEffort: row.thinking === "adaptive" || row.thinking === "adaptive_always",
    known: known !== undefined || override !== undefined,
  };
};

/** The model for small side jobs: titles, recall, classification. */
export const smallModel = (options: ResolveOptions = {}): ModelInfo => resolveModel("haiku", options);

export type ThinkingSetting = "adaptive" | "enabled" | "disabled";

const defaultBudget = 10_000; // design.md section 11
const minBudget = 1024; // the API's own lower limit

/**
 * The `thinking` field of a request, undefined where the model has none. `maxThinkingTokens` 0 switches thinking off where that is
 * possible, any other number is the budget of models that need one; the budget always stays below `maxTokens`.
 */
export const thinkingFor = (
  model: ModelInfo,
  setting: ThinkingSetting | undefined,
  maxThinkingTokens: number | undefined,
  maxTokens: number,
): Thinking | undefined => {
  if (model.thinking === "none") return undefined;
  if (model.thinking === "adaptive_always") return { type: "adaptive" };
  if (setting === "disabled" || maxThinkingTokens === 0) return { type: "disabled" };
  if (model.thinking === "adaptive") return { type: "adaptive" };
  const budget = Math.min(Math.max(maxThinkingTokens ?? defaultBudget, minBudget), maxTokens - 1);
  return budget < minBudget ? { type: "disabled" } : { type: "enabled", budget_tokens: budget };
};

/** The effort to ask for: the wanted one, else the model's own; undefined where the model knows no effort. */
export const effortFor = (model: ModelInfo, wanted: Effort | undefined): Effort | undefined =>
  model.supportsEffort ? (wanted ?? model.defaultEffort ?? undefined) : undefined;
