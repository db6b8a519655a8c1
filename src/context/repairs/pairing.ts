// Repair: right behind each answer stands one result for each of its calls, in their order, before everything else.
import type { ContentBlock, ToolResultBlock, ToolUseBlock } from "../../protocol/messages.js";
import type { BlockMessage, Repair } from "./repair.js";

const missingResultText = "This call was interrupted: whether it did part of its work is not known.";

const isToolUse = (block: ContentBlock): block is ToolUseBlock => block.type === "tool_use";
const isToolResult = (block: ContentBlock): block is ToolResultBlock => block.type === "tool_result";

/** The first result behind each call, wherever it stands: a message in between must not cost it. */
const resultsByCall = (messages: readonly BlockMessage[]): Map<string, ToolResultBlock> => {
  const open = new Set<string>();
  const results = new Map<string, ToolResultBlock>();
  for (const { content } of messages)
    for (const block of content) {
      if (isToolUse(block)) open.add(block.id);
      if (isToolResult(block) && open.delete(block.tool_use_id)) results.set(block.tool_use_id, block);
    }
  return results;
};

const resultOf = (results: ReadonlyMap<string, ToolResultBlock>, { id }: ToolUseBlock): ToolResultBlock =>
  results.get(id) ?? { type: "tool_result", tool_use_id: id, content: missingResultText, is_error: true };

/** Moves results to their calls, makes up missing ones, leaves out what belongs to no call. Wants joined roles. */
export const pairedCalls: Repair = (messages) => {
  const results = resultsByCall(messages);
  const out: BlockMessage[] = [];
  let calls: ToolUseBlock[] = [];
  const answer = (rest: ContentBlock[]): void => {
    const content = [...calls.map((call) => resultOf(results, call)), ...rest];
    calls = [];
    if (content.length > 0) out.push({ role: "user", content });
  };
  for (const message of messages) {
    if (message.role === "user") {
      const { content } = message;
      const isInPlace =
        calls.every(({ id }, at) => content[at] !== undefined && content[at] === results.get(id)) &&
        !content.slice(calls.length).some(isToolResult);
      if (isInPlace) {
        out.push(message);
        calls = [];
      } else answer(content.filter((block) => !isToolResult(block)));
      continue;
    }
    if (calls.length > 0) answer([]);
    calls = message.content.filter(isToolUse);
    out.push(message);
  }
  if (calls.length > 0) answer([]);
  return out;
};
