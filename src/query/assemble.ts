// Puts a provider's stream events together to an answer's blocks. Knows nothing of tools or screens.
import type { ContentBlock, StopReason, ToolUseBlock, Usage } from "../protocol/messages.js";
import type { StreamEvent } from "../providers/provider.js";

export interface AssembledBlock {
  index: number;
  block: ContentBlock;
  /** The call's input was not a JSON object: what came instead. */
  brokenJson?: string;
  /** A call none of whose input has come: complete only if the answer was not cut there. */
  isBare?: boolean;
}

export interface Answer {
  messageId: string;
  model: string;
  blocks: AssembledBlock[];
  stopReason: StopReason;
  stopSequence: string | null;
  /** Details of a refusal, as the API gave them. */
  stopDetails?: Record<string, unknown>;
  usage: Usage;
}

/** What an event meant for whoever shows or runs the answer. */
export type Assembled =
  | { kind: "start" }
  /** A second message_start: everything so far is void (Q20, Q21). */
  | { kind: "restart"; droppedId: string }
  | { kind: "delta"; of: "text" | "thinking"; index: number; text: string }
  | { kind: "block"; block: AssembledBlock }
  /** The answer is complete; `blocks` are those whose own end never came. */
  | { kind: "end"; blocks: AssembledBlock[] }
  | { kind: "nothing" };

interface OpenBlock {
  block: Record<string, unknown> & { type: string };
  json: string[];
}

const emptyUsage: Usage = { input_tokens: 0, output_tokens: 0 };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

interface ParsedInput {
  input: Record<string, unknown>;
  brokenJson?: string;
  isBare?: boolean;
}

const parseInput = (block: OpenBlock["block"], json: string): ParsedInput => {
  const initial = isObject(block.input) ? block.input : {};
  // No pieces: the start block's input holds (Q2-Q4).
  if (json.trim() === "") return { input: initial, ...(Object.keys(initial).length === 0 ? { isBare: true } : {}) };
  try {
    const value: unknown = JSON.parse(json);
    if (isObject(value)) return { input: value };
  } catch {
    // falls through: told to the model as an error result
  }
  return { input: {}, brokenJson: json };
};

const finished = (index: number, { block, json }: OpenBlock): AssembledBlock => {
  if (block.type !== "tool_use") return { index, block: block as unknown as ContentBlock };
  const { input, ...doubts } = parseInput(block, json.join(""));
  return { index, block: { ...block, input } as unknown as ToolUseBlock, ...doubts };
};

const mergeUsage = (before: Usage, change: Partial<Usage> | undefined): Usage => {
  if (!change) return before;
  const given = Object.entries(change).filter(([, value]) => value !== null && value !== undefined);
  return { ...before, ...Object.fromEntries(given) }; // absent or null fields keep the earlier value (Q22)
};

export interface Assembler {
  /** Takes one event. Never throws: unknown events, blocks and deltas mean "nothing" or are kept as they are. */
  push(event: StreamEvent): Assembled;
  /** The answer so far; complete once an event gave "end". */
  answer(): Answer;
  /** Text of the block that was still open when the stream ended (an interrupted answer). */
  openText(): { index: number; text: string } | undefined;
}

/** An assembler for one model call. */
export const createAssembler = (): Assembler => {
  let answer: Answer | undefined;
  let open = new Map<number, OpenBlock>();

  const applyDelta = (index: number, delta: Record<string, unknown> & { type: string }): Assembled => {
    const entry = open.get(index);
    if (!entry) return { kind: "nothing" };
    const { block } = entry;
    if (delta.type === "text_delta" && block.type === "text") {
      block.text = `${block.text ?? ""}${delta.text ?? ""}`;
      return { kind: "delta", of: "text", index, text: String(delta.text ?? "") };
    }
    if (delta.type === "thinking_delta" && block.type === "thinking") {
      block.thinking = `${block.thinking ?? ""}${delta.thinking ?? ""}`;
      return { kind: "delta", of: "thinking", index, text: String(delta.thinking ?? "") };
    }
    if (delta.type === "signature_delta") block.signature = `${block.signature ?? ""}${delta.signature ?? ""}`;
    else if (delta.type === "input_json_delta") entry.json.push(String(delta.partial_json ?? ""));
    else if (delta.type === "citations_delta")
      block.citations = [...((block.citations as unknown[]) ?? []), delta.citation];
    else if (delta.type === "compaction_delta") block.content = `${block.content ?? ""}${delta.content ?? ""}`;
    return { kind: "nothing" };
  };

  const begin = (event: Extract<StreamEvent, { type: "message_start" }>): Assembled => {
    const droppedId = answer?.messageId;
    const { id, model, usage } = event.message;
    answer = {
      messageId: id,
      model,
      blocks: [],
      stopReason: null,
      stopSequence: null,
      usage: { ...emptyUsage, ...usage },
    };
    open = new Map();
    return droppedId === undefined ? { kind: "start" } : { kind: "restart", droppedId };
  };

  const closed = (index: number): AssembledBlock | undefined => {
    const entry = open.get(index);
    if (!entry || !answer) return undefined;
    open.delete(index);
    const block = finished(index, entry);
    answer.blocks.push(block);
    return block;
  };

  const push = (event: StreamEvent): Assembled => {
    switch (event.type) {
      case "message_start":
        return begin(event);
      case "content_block_start":
        open.set(event.index, { block: { ...event.content_block } as OpenBlock["block"], json: [] });
        return { kind: "nothing" };
      case "content_block_delta":
        return applyDelta(event.index, event.delta);
      case "content_block_stop": {
        const block = closed(event.index);
        return block ? { kind: "block", block } : { kind: "nothing" };
      }
      case "message_delta": {
        if (!answer) return { kind: "nothing" };
        answer.stopReason = event.delta.stop_reason ?? answer.stopReason;
        answer.stopSequence = event.delta.stop_sequence ?? answer.stopSequence;
        if (event.delta.stop_details) answer.stopDetails = event.delta.stop_details as Record<string, unknown>;
        answer.usage = mergeUsage(answer.usage, event.usage);
        return { kind: "nothing" };
      }
      case "message_stop":
        return { kind: "end", blocks: [...open.keys()].flatMap((index) => closed(index) ?? []) };
      default:
        return { kind: "nothing" };
    }
  };

  return {
    push,
    answer: () =>
      answer ?? { messageId: "", model: "", blocks: [], stopReason: null, stopSequence: null, usage: emptyUsage },
    openText: () => {
      for (const [index, { block }] of open)
        if (block.type === "text" && typeof block.text === "string" && block.text.trim() !== "")
          return { index, text: block.text };
      return undefined;
    },
  };
};
