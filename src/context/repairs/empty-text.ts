// Repair: no empty text ("text content blocks must be non-empty", "… must contain non-whitespace text").
import { type AnyBlock, mapBlocks, type Repair } from "./repair.js";

const isBlank = (block: AnyBlock): boolean => block.type === "text" && String(block.text ?? "").trim() === "";

const emptyResultText = "(no output)";

/** Leaves blank texts out; a result that holds nothing else says so. */
export const withoutEmptyText: Repair = (messages) =>
  mapBlocks(messages, (block) => {
    if (isBlank(block)) return undefined;
    if (block.type !== "tool_result" || !Array.isArray(block.content)) return block;
    const inner = block.content as AnyBlock[];
    if (inner.length > 0 && !inner.some(isBlank)) return block;
    const rest = inner.filter((part) => !isBlank(part));
    return { ...block, content: rest.length > 0 ? rest : emptyResultText };
  });
