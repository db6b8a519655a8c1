// Where the cache breakpoints of a request stand: last tool and the last two user messages (the system block carries its own).
import type { ContentBlock, Message } from "../protocol/messages.js";
import type { CacheControl, ToolSpec } from "../providers/provider.js";

const marked = <T extends object>(value: T, control: CacheControl): T => ({ ...value, cache_control: control });

/** The tools with a mark on the last one of the prefix: deferred tools are not in it, and the API takes no mark on them. */
export const markTools = (tools: readonly ToolSpec[], control: CacheControl): ToolSpec[] => {
  const last = tools.findLastIndex(({ defer_loading }) => !defer_loading);
  return tools.map((tool, index) => (index === last ? marked(tool, control) : tool));
};

const canCarryMark = (block: ContentBlock): boolean => block.type !== "thinking" && block.type !== "redacted_thinking";

/** The messages with a mark on the last block of each of the last two user messages. */
export const markMessages = (messages: readonly Message[], control: CacheControl): Message[] => {
  const users = messages.flatMap(({ role }, index) => (role === "user" ? [index] : [])).slice(-2);
  return messages.map((message, index) => {
    if (!users.includes(index) || typeof message.content === "string") return message;
    const at = message.content.findLastIndex(canCarryMark);
    if (at < 0) return message;
    return { ...message, content: message.content.map((block, i) => (i === at ? marked(block, control) : block)) };
  });
};
