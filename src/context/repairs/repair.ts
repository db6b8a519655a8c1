// What a repair of the history is, and how one walks over blocks without copying what stays as it is.
import type { ContentBlock, Message } from "../../protocol/messages.js";

/** Pure; the same messages in give the same messages out, so that the prefix stays cacheable. What needs no change keeps its identity. */
export type Repair = (messages: readonly BlockMessage[]) => BlockMessage[];

/** A message whose content is a list of blocks. */
export interface BlockMessage extends Message {
  content: ContentBlock[];
}

/** A block of any kind, as it may come from a file or a gateway. */
export type AnyBlock = { type: string; [key: string]: unknown };

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const asAny = (block: ContentBlock): AnyBlock => block as unknown as AnyBlock;
export const asBlock = (block: AnyBlock): ContentBlock => block as unknown as ContentBlock;

/** The messages with each block changed; undefined leaves a block out, and a message without blocks goes too. */
export const mapBlocks = (
  messages: readonly BlockMessage[],
  change: (block: AnyBlock, message: BlockMessage) => AnyBlock | undefined,
): BlockMessage[] =>
  messages.flatMap((message) => {
    let isSame = true;
    const content = message.content.flatMap((block) => {
      const changed = change(asAny(block), message);
      if (changed !== asAny(block)) isSame = false;
      return changed === undefined ? [] : [asBlock(changed)];
    });
    if (content.length === 0) return [];
    return isSame ? [message] : [{ ...message, content }];
  });

/** A text block that stands for something left out. */
export const note = (text: string): AnyBlock => ({ type: "text", text: `[${text}]` });
