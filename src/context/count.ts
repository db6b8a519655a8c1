// Tokens of messages and prompts: estimated from characters, corrected by what the API counted for the same model.
import { blocksOf, type ContentBlock, type Message, type ResultContent } from "../protocol/messages.js";
import type { SystemBlock, ToolSpec } from "../providers/provider.js";
import { charsPerToken, documentBytesPerToken, imageTokens } from "./numbers.js";

const fromChars = (chars: number): number => Math.ceil(chars / charsPerToken);

const mediaTokens = (block: ContentBlock | ResultContent): number | undefined => {
  if (block.type === "image") return imageTokens;
  if (block.type !== "document") return undefined;
  const { data } = block.source as { data?: string };
  return Math.max(imageTokens, Math.ceil(((data?.length ?? 0) * 3) / 4 / documentBytesPerToken));
};

const measure = (block: ContentBlock): number => {
  const media = mediaTokens(block);
  if (media !== undefined) return media;
  if (block.type === "text") return fromChars(block.text.length);
  if (block.type !== "tool_result") return fromChars(JSON.stringify(block).length);
  const { content } = block;
  if (content === undefined) return fromChars(block.tool_use_id.length);
  const envelope = fromChars(block.tool_use_id.length);
  if (typeof content === "string") return envelope + fromChars(content.length);
  return content.reduce(
    (sum, part) => sum + (mediaTokens(part) ?? fromChars(part.type === "text" ? part.text.length : 0)),
    envelope,
  );
};

/** Blocks are never changed once they are in a conversation, so each is measured once. */
const measured = new WeakMap<ContentBlock, number>();

/** Estimated tokens of one block, before any correction. */
export const estimateBlock = (block: ContentBlock): number => {
  const known = measured.get(block);
  if (known !== undefined) return known;
  const tokens = measure(block);
  measured.set(block, tokens);
  return tokens;
};

const perMessage = 4; // role and separators

/** Estimated tokens of a conversation. */
export const estimateMessages = (messages: readonly Message[]): number =>
  messages.reduce(
    (sum, { content }) =>
      sum +
      perMessage +
      (typeof content === "string"
        ? fromChars(content.length)
        : blocksOf(content).reduce((all, block) => all + estimateBlock(block), 0)),
    0,
  );

/** Estimated tokens of the system prompt. */
export const estimateSystem = (system: readonly SystemBlock[]): number =>
  system.reduce((sum, { text }) => sum + fromChars(text.length), 0);

const toolSizes = new WeakMap<ToolSpec, number>();

const estimateTool = (tool: ToolSpec): number => {
  const known = toolSizes.get(tool);
  if (known !== undefined) return known;
  const tokens = fromChars(JSON.stringify(tool).length);
  toolSizes.set(tool, tokens);
  return tokens;
};

/** Estimated tokens of the tool specifications. */
export const estimateTools = (tools: readonly ToolSpec[]): number =>
  tools.reduce((sum, tool) => sum + estimateTool(tool), 0);

/**
 * Counted ÷ estimated of a model after one more request: the newest measurement counts most, since it is about the very conversation
 * that goes on. What cannot be a measurement leaves the ratio as it is.
 */
export const learnRatio = (ratio: number | undefined, estimated: number, counted: number): number => {
  if (estimated <= 0 || counted <= 0) return ratio ?? 1;
  return counted / estimated;
};
