// Schemas of messages, for whatever crosses a socket or a file. Apart from messages.ts, so that the types cost nothing at start-up.
import { z } from "zod";

export const textBlock = z.looseObject({ type: z.literal("text"), text: z.string() });
export const thinkingBlock = z.looseObject({
  type: z.literal("thinking"),
  thinking: z.string(),
  signature: z.string().optional(),
});
export const redactedThinkingBlock = z.looseObject({ type: z.literal("redacted_thinking"), data: z.string() });
export const toolUseBlock = z.looseObject({
  type: z.literal("tool_use"),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
});
export const imageBlock = z.looseObject({ type: z.literal("image"), source: z.looseObject({ type: z.string() }) });
export const documentBlock = z.looseObject({
  type: z.literal("document"),
  source: z.looseObject({ type: z.string() }),
});
export const toolResultBlock = z.looseObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).optional(),
  is_error: z.boolean().optional(),
});
/** A block of a kind this version does not know: kept and sent back unchanged. */
export const unknownBlock = z.looseObject({ type: z.string() });
export const contentBlock = z.union([
  textBlock,
  thinkingBlock,
  redactedThinkingBlock,
  toolUseBlock,
  toolResultBlock,
  imageBlock,
  documentBlock,
  unknownBlock,
]);
export const role = z.enum(["user", "assistant"]);
export const usage = z.looseObject({
  input_tokens: z.number().default(0),
  output_tokens: z.number().default(0),
  cache_creation_input_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
  cache_creation: z
    .looseObject({ ephemeral_5m_input_tokens: z.number().optional(), ephemeral_1h_input_tokens: z.number().optional() })
    .nullish(),
});
