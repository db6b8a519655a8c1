// Settings of the model and its answers.
import { z } from "zod";
import { flag, setting, text, texts } from "./entry.js";

const modelFacts = z.looseObject({
  context: z.number().optional(),
  maxOutput: z.number().optional(),
  inputPrice: z.number().optional(),
  outputPrice: z.number().optional(),
  thinking: z.union([z.string(), z.boolean()]).optional(),
  defaultEffort: z.string().optional(),
});

export const modelSettings = {
  model: setting(text, undefined, "Model to use: an alias or a full id."),
  effortLevel: setting(z.enum(["low", "medium", "high", "xhigh"]), undefined, "How hard the model thinks by default."),
  alwaysThinkingEnabled: setting(flag, true, "Whether the model may think; false turns thinking off."),
  fallbackModel: setting(texts, undefined, "Models to try, in order, when the chosen one is overloaded."),
  outputStyle: setting(text, "default", "Output style that shapes the answers."),
  language: setting(text, undefined, "Language of the answers."),
  availableModels: setting(texts, undefined, "The only models that may be chosen."),
  models: setting(
    z.record(z.string(), modelFacts),
    undefined,
    "Facts of models the product does not know: windows, prices, thinking.",
    "um",
  ),
  showThinkingSummaries: setting(flag, false, "Show summaries of the model's thinking."),
};
