// The tool results of a conversation as the stages look at them: which call, how large, in order.
import {
  blocksOf,
  type Message,
  type ResultContent,
  type ToolResultBlock,
  type ToolUseBlock,
  textOf,
} from "../protocol/messages.js";
import { estimateBlock } from "./count.js";
import { resultsKeptWhole } from "./numbers.js";

export interface ResultFact {
  id: string;
  tool: string;
  input: Record<string, unknown>;
  /** Characters of its text. */
  chars: number;
  /** Estimated tokens, media included. */
  tokens: number;
  isError: boolean;
}

/** Results that hold what a person said or what must stay known: they are never shrunk. */
const alwaysWhole = new Set(["AskUserQuestion", "ExitPlanMode", "EnterPlanMode", "Skill", "ToolSearch"]);

const factOf = (block: ToolResultBlock, call: ToolUseBlock | undefined): ResultFact => ({
  id: block.tool_use_id,
  tool: call?.name ?? "",
  input: call?.input ?? {},
  chars: textOf(block.content as string | readonly { type: string }[] | undefined).length,
  tokens: estimateBlock(block),
  isError: block.is_error === true,
});

/** All results, oldest first. */
export const resultFacts = (messages: readonly Message[]): ResultFact[] => {
  const calls = new Map<string, ToolUseBlock>();
  const facts: ResultFact[] = [];
  for (const { content } of messages)
    for (const block of blocksOf(content)) {
      if (block.type === "tool_use") calls.set(block.id, block);
      else if (block.type === "tool_result") facts.push(factOf(block, calls.get(block.tool_use_id)));
    }
  return facts;
};

/** What the stages may shrink: all but the newest results, and but those that must stay. */
export const oldResults = (facts: readonly ResultFact[]): ResultFact[] =>
  facts.slice(0, Math.max(0, facts.length - resultsKeptWhole)).filter(({ tool }) => !alwaysWhole.has(tool));

/** A content's blocks, a plain text as one block. */
export const resultBlocks = (content: string | ResultContent[] | undefined): ResultContent[] =>
  content === undefined ? [] : typeof content === "string" ? [{ type: "text", text: content }] : content;
