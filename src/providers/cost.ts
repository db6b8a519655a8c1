// What a model call cost, cache reads and writes counted apart.
import type { Usage } from "../protocol/messages.js";
import type { ModelInfo } from "./models.js";

// Multiples of the input price (the API's price list).
const write5m = 1.25;
const write1h = 2;
const read = 0.1;
const perMillion = 1_000_000;

/** Tokens of the whole prompt, cached or not. */
export const promptTokens = (usage: Usage): number =>
  usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);

const cacheWrites = ({ cache_creation, cache_creation_input_tokens }: Usage): { short: number; long: number } => {
  const total = cache_creation_input_tokens ?? 0;
  if (!cache_creation) return { short: total, long: 0 };
  const long = cache_creation.ephemeral_1h_input_tokens ?? 0;
  return { short: cache_creation.ephemeral_5m_input_tokens ?? Math.max(0, total - long), long };
};

/** Dollars of one call, or null when the model's price is unknown. */
export const costOf = (model: ModelInfo, usage: Usage): number | null => {
  const size = promptTokens(usage);
  const tier = model.prices?.find(({ upToPromptTokens }) => upToPromptTokens === undefined || size <= upToPromptTokens);
  if (!tier) return null;
  const writes = cacheWrites(usage);
  const input =
    usage.input_tokens + writes.short * write5m + writes.long * write1h + (usage.cache_read_input_tokens ?? 0) * read;
  return (input * tier.input + usage.output_tokens * tier.output) / perMillion;
};
