// What has been made smaller in a conversation, and the conversation with it applied. Only requests are changed, never the messages.
import { createHash } from "node:crypto";
import { headAndTail } from "../lib/head-tail.js";
import {
  type ContentBlock,
  type DocumentBlock,
  type ImageBlock,
  type Message,
  type ResultContent,
  type ToolResultBlock,
  textOf,
} from "../protocol/messages.js";
import { resultBlocks } from "./results.js";

/** A result cut to head and tail of together `chars` characters, or replaced by one line. */
export type Shrink = { kind: "cut"; chars: number } | { kind: "line"; text: string };

/** By tool_use id; media outside of results by `mediaKey`. */
export type Shrinks = ReadonlyMap<string, Shrink>;

const rank = (shrink: Shrink | undefined): number => {
  if (!shrink) return Number.POSITIVE_INFINITY;
  return shrink.kind === "line" ? 0 : shrink.chars;
};

/** Both together; where both name a result, the stronger one counts, and of two lines the earlier one: nothing ever grows back. */
export const withShrinks = (before: Shrinks, more: Shrinks): Shrinks => {
  const out = new Map(before);
  for (const [id, shrink] of more) if (rank(shrink) < rank(out.get(id))) out.set(id, shrink);
  return out.size === before.size && [...out].every(([id, shrink]) => before.get(id) === shrink) ? before : out;
};

type Media = ImageBlock | DocumentBlock;
const keys = new WeakMap<Media, string>();

/** Names an image or document by what it shows, so that the name is the same after a resume. */
export const mediaKey = (block: Media): string => {
  const known = keys.get(block);
  if (known) return known;
  const hash = createHash("sha256").update(JSON.stringify(block.source)).digest("hex").slice(0, 16);
  const key = `media:${hash}`;
  keys.set(block, key);
  return key;
};

export const isMedia = (block: ContentBlock | ResultContent): block is Media =>
  block.type === "image" || block.type === "document";

/** Content with each text cut; media stays. */
const cutContent = (content: ToolResultBlock["content"], chars: number): ToolResultBlock["content"] => {
  if (typeof content === "string") return headAndTail(content, chars / 2);
  return content?.map((part) => (part.type === "text" ? { ...part, text: headAndTail(part.text, chars / 2) } : part));
};

/** Shrunk blocks by the block they were made of: the same bytes and the same object each time. */
const made = new WeakMap<ContentBlock, { shrink: Shrink; block: ContentBlock }>();

const shrunkResult = (block: ToolResultBlock, shrink: Shrink): ToolResultBlock => {
  if (shrink.kind === "line") return { ...block, content: shrink.text };
  return { ...block, content: cutContent(block.content, shrink.chars) };
};

const hasMediaLine = (block: ToolResultBlock, shrinks: Shrinks): boolean =>
  resultBlocks(block.content).some((part) => isMedia(part) && shrinks.has(mediaKey(part)));

const withoutMedia = (block: ToolResultBlock, shrinks: Shrinks): ToolResultBlock => ({
  ...block,
  content: resultBlocks(block.content).map((part): ResultContent => {
    const shrink = isMedia(part) ? shrinks.get(mediaKey(part)) : undefined;
    return shrink?.kind === "line" ? { type: "text", text: shrink.text } : part;
  }),
});

const applyTo = (block: ContentBlock, shrinks: Shrinks): ContentBlock => {
  if (isMedia(block)) {
    const shrink = shrinks.get(mediaKey(block));
    return shrink?.kind === "line" ? { type: "text", text: shrink.text } : block;
  }
  if (block.type !== "tool_result") return block;
  const shrink = shrinks.get(block.tool_use_id);
  if (!shrink) return hasMediaLine(block, shrinks) ? withoutMedia(block, shrinks) : block;
  const known = made.get(block);
  if (known?.shrink === shrink) return known.block;
  const small = shrunkResult(block, shrink);
  // A shrink that would not make it smaller (a line longer than the result) is none.
  const isSmaller = textOf(small.content as never).length < textOf(block.content as never).length;
  const result = isSmaller || typeof block.content !== "string" ? small : block;
  made.set(block, { shrink, block: result });
  return result;
};

/** The conversation with everything applied. What is not touched keeps its identity; no block is added or taken away. */
export const applyShrinks = (messages: readonly Message[], shrinks: Shrinks): Message[] => {
  if (shrinks.size === 0) return [...messages];
  return messages.map((message) => {
    if (typeof message.content === "string") return message;
    const content = message.content.map((block) => applyTo(block, shrinks));
    return content.some((block, at) => block !== (message.content as ContentBlock[])[at])
      ? { ...message, content }
      : message;
  });
};
