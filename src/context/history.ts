// Makes a conversation fit for the API: pairs calls and results, drops what is never accepted, joins neighbours of one role.
import type { ContentBlock, Message, ToolResultBlock, ToolUseBlock } from "../protocol/messages.js";
import { blocksOf } from "../protocol/messages.js";

const missingResultText = "This call was interrupted: whether it did part of its work is not known.";

const isToolUse = (block: ContentBlock): block is ToolUseBlock => block.type === "tool_use";
const isToolResult = (block: ContentBlock): block is ToolResultBlock => block.type === "tool_result";

const isSendable = (block: ContentBlock): boolean => {
  if (block.type === "text") return block.text.trim() !== "";
  if (block.type === "thinking") return Boolean(block.signature); // the API refuses thinking it did not sign
  return true;
};

const withoutLoneSurrogates = (block: ContentBlock): ContentBlock =>
  block.type === "text" && !block.text.isWellFormed() ? { ...block, text: block.text.toWellFormed() } : block;

/** An answer that holds thinking and nothing else says nothing: the API refuses it as an answer's only content. */
const hasMoreThanThinking = (content: readonly ContentBlock[]): boolean =>
  content.some(({ type }) => type !== "thinking" && type !== "redacted_thinking");

/** Neighbours of one role as one message; empty and unsendable blocks left out. */
const joined = (messages: readonly Message[]): { role: Message["role"]; content: ContentBlock[] }[] => {
  const out: { role: Message["role"]; content: ContentBlock[] }[] = [];
  for (const { role, content } of messages) {
    const blocks = blocksOf(content).filter(isSendable).map(withoutLoneSurrogates);
    if (blocks.length === 0 || (role === "assistant" && !hasMoreThanThinking(blocks))) continue;
    const last = out.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else out.push({ role, content: blocks });
  }
  return out;
};

/** The user message after an answer with calls: exactly one result a call, in the calls' order, then the rest. */
const paired = (calls: readonly ToolUseBlock[], content: readonly ContentBlock[]): ContentBlock[] => {
  const results = new Map<string, ToolResultBlock>();
  for (const block of content)
    if (isToolResult(block) && !results.has(block.tool_use_id)) results.set(block.tool_use_id, block);
  return [
    ...calls.map(
      ({ id }): ToolResultBlock =>
        results.get(id) ?? { type: "tool_result", tool_use_id: id, content: missingResultText, is_error: true },
    ),
    ...content.filter((block) => !isToolResult(block)),
  ];
};

/**
 * The messages as they go on the wire. Pure; the result always begins with a user message, alternates, and has
 * exactly one result for each call. The same input gives the same output, so that the prefix stays cacheable.
 */
export const wireMessages = (messages: readonly Message[]): Message[] => {
  const out: { role: Message["role"]; content: ContentBlock[] }[] = [];
  let openCalls: ToolUseBlock[] = [];
  for (const { role, content } of joined(messages)) {
    if (role === "assistant") {
      if (out.length === 0) continue; // an answer without a question before it
      openCalls = content.filter(isToolUse);
      out.push({ role, content });
      continue;
    }
    const blocks = paired(openCalls, content);
    openCalls = [];
    if (blocks.length > 0) out.push({ role, content: blocks });
  }
  if (openCalls.length > 0) out.push({ role: "user", content: paired(openCalls, []) });
  return out;
};
