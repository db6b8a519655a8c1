// Repair: thinking goes back byte for byte or not at all, only from the model, and never as the end of an answer.
import type { ContentBlock } from "../../protocol/messages.js";
import { type AnyBlock, type BlockMessage, mapBlocks, type Repair } from "./repair.js";

export const isThinking = ({ type }: { type: string }): boolean => type === "thinking" || type === "redacted_thinking";

/** Thinking without a signature is of a stream that broke off, or of a server that signs nothing: the API refuses it. */
const isSigned = (block: AnyBlock): boolean =>
  block.type === "thinking"
    ? typeof block.thinking === "string" && typeof block.signature === "string" && block.signature !== ""
    : typeof block.data === "string" && block.data !== "";

const withoutTrailing = (content: readonly ContentBlock[]): ContentBlock[] =>
  content.slice(0, content.findLastIndex((block) => !isThinking(block)) + 1);

/** Leaves out unsigned thinking, and thinking in what the person said. */
export const checkedThinking: Repair = (messages) =>
  mapBlocks(messages, (block, { role }) =>
    isThinking(block) && (role !== "assistant" || !isSigned(block)) ? undefined : block,
  );

/** Leaves out thinking that nothing follows in its answer. Wants joined roles. */
export const thinkingBeforeWords: Repair = (messages) =>
  messages.flatMap((message): BlockMessage[] => {
    const last = message.content.at(-1);
    if (message.role !== "assistant" || last === undefined || !isThinking(last)) return [message];
    const content = withoutTrailing(message.content);
    return content.length === 0 ? [] : [{ ...message, content }];
  });
