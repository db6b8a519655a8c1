// A request that is refused because of a picture or document in it: that block becomes a note, so that the session lives on.
import { wireMessages } from "../context/history.js";
import type { ContentBlock, Message, ResultContent } from "../protocol/messages.js";
import type { ProviderError } from "../providers/provider.js";

const note = "[A picture or document that stood here was refused by the model's service and taken out.]";
const noteBlock = { type: "text", text: note } as const;

const isMedia = ({ type }: { type: string }): boolean => type === "image" || type === "document";

/** True for an error that blames a picture or document. */
export const blamesMedia = ({ status, message }: ProviderError): boolean =>
  status === 400 && /\b(image|pdf|document)s?\b/i.test(message);

type Block = ContentBlock | ResultContent;

/** The block an error names by its place ("messages.2.content.0.content.1"), as it stands in the conversation. */
const namedBlock = (messages: readonly Message[], text: string): Block | undefined => {
  const [, message, block, inner] =
    /messages\.(\d+)\.content\.(\d+)(?:\.(?:tool_result\.)?content\.(\d+))?/.exec(text) ?? [];
  const content = wireMessages(messages)[Number(message)]?.content;
  const outer = Array.isArray(content) ? content[Number(block)] : undefined;
  if (outer?.type !== "tool_result") return outer && isMedia(outer) ? outer : undefined;
  const found = inner !== undefined && Array.isArray(outer.content) ? outer.content[Number(inner)] : undefined;
  return found && isMedia(found) ? found : undefined;
};

/**
 * Takes out the block the error names, or with `all` (and when it names none) every picture and document.
 * Changes the list in place, messages are replaced; returns how many blocks went.
 */
export const takeOutRefused = (messages: Message[], { message: text }: ProviderError, all: boolean): number => {
  const named = all ? undefined : namedBlock(messages, text);
  const isRefused = (block: Block): boolean => (named ? block === named : isMedia(block));
  let count = 0;
  const replaced = <T extends Block>(block: T): T | typeof noteBlock => {
    if (!isRefused(block)) return block;
    count++;
    return noteBlock;
  };
  for (const [index, { role, content }] of messages.entries()) {
    if (typeof content === "string") continue;
    const before = count;
    const blocks = content.map((block): ContentBlock => {
      if (block.type !== "tool_result" || !Array.isArray(block.content)) return replaced(block);
      const inner = block.content.map(replaced);
      return inner.some((item, at) => item !== (block.content as ResultContent[])[at])
        ? { ...block, content: inner }
        : block;
    });
    if (count > before) messages[index] = { role, content: blocks };
  }
  return count;
};
