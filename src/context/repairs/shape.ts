// Repair: messages and blocks have the fields the API knows, and nothing else ("Extra inputs are not permitted").
import type { Message } from "../../protocol/messages.js";
import { type AnyBlock, asBlock, type BlockMessage, isObject, note } from "./repair.js";

/** Fields by kind of block; kinds that are not here travel as they came. */
const fields: Readonly<Record<string, readonly string[]>> = {
  text: ["type", "text", "citations"],
  tool_use: ["type", "id", "name", "input", "caller", "toolset_name"],
  tool_result: ["type", "tool_use_id", "content", "is_error", "toolset_name"],
  thinking: ["type", "thinking", "signature"],
  redacted_thinking: ["type", "data"],
  image: ["type", "source", "transformations"],
  document: ["type", "source", "citations", "context", "title"],
  tool_reference: ["type", "tool_name"],
};

const known = (block: AnyBlock): AnyBlock => {
  const allowed = fields[block.type];
  if (!allowed || Object.keys(block).every((key) => allowed.includes(key))) return block;
  return Object.fromEntries(Object.entries(block).filter(([key]) => allowed.includes(key))) as AnyBlock;
};

const resultKinds = new Set(["text", "image", "document", "search_result", "tool_reference"]);

const isBlock = (value: unknown): value is AnyBlock => isObject(value) && typeof value.type === "string";

/** A result's content as text or a list of blocks that may stand in a result; errors hold text alone. */
const resultContent = ({ content, is_error: isError }: AnyBlock): unknown => {
  if (content === undefined || typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  let isSame = true;
  const blocks = content.flatMap((inner: unknown) => {
    if (!isBlock(inner) || !resultKinds.has(inner.type)) {
      isSame = false;
      return isBlock(inner) ? [note(`${inner.type} left out`)] : [];
    }
    const clean =
      isError === true && inner.type !== "text" ? note(`${inner.type} left out of a failed call`) : known(inner);
    if (clean !== inner) isSame = false;
    return [clean];
  });
  return isSame ? content : blocks;
};

const hasText = (value: unknown): boolean => typeof value === "string" && value !== "";

/** The block as the API may see it; undefined: nothing of it can be saved. */
const shaped = (given: AnyBlock): AnyBlock | undefined => {
  const block = known(given);
  switch (block.type) {
    case "text":
      return typeof block.text === "string" ? block : undefined;
    case "tool_use":
      if (!hasText(block.id) || !hasText(block.name)) return undefined;
      return isObject(block.input) ? block : { ...block, input: {} };
    case "tool_result": {
      if (!hasText(block.tool_use_id)) return undefined;
      const content = resultContent(block);
      const isError = block.is_error === undefined || typeof block.is_error === "boolean";
      if (content === block.content && isError) return block;
      return { ...block, content, ...(isError ? {} : { is_error: Boolean(block.is_error) }) };
    }
    case "image":
    case "document":
      return isObject(block.source) ? block : note(`${block.type} left out: it holds no data`);
    default:
      return block;
  }
};

/** Messages of any origin as lists of blocks; what is no message or no block is left out. */
export const shapeMessages = (messages: readonly Message[]): BlockMessage[] =>
  messages.flatMap((message) => {
    if (!isObject(message) || (message.role !== "user" && message.role !== "assistant")) return [];
    const { role, content } = message;
    const list: unknown = typeof content === "string" ? [{ type: "text", text: content }] : content;
    if (!Array.isArray(list)) return [];
    const blocks = list.flatMap((block: unknown) => (isBlock(block) ? (shaped(block) ?? []) : []));
    const isSame = blocks.length === list.length && blocks.every((block, at) => block === list[at]);
    if (isSame && list === content && Object.keys(message).length === 2) return [message as BlockMessage];
    return [{ role, content: blocks.map(asBlock) }];
  });
