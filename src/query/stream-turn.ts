// One model call: sends the request, turns the stream into events, hands finished calls to the schedule.
import { markMessages, markTools } from "../context/cache-marks.js";
import { wireMessages } from "../context/history.js";
import type { Emit } from "../execution/context.js";
import type { Schedule } from "../execution/schedule.js";
import { newId } from "../protocol/ids.js";
import type { AssistantMessage, ToolUseBlock } from "../protocol/messages.js";
import { type CacheControl, type ModelRequest, ProviderError } from "../providers/provider.js";
import { type Answer, type AssembledBlock, type Assembler, createAssembler } from "./assemble.js";
import type { LoopOptions } from "./loop-options.js";

export interface StreamedBlock extends AssembledBlock {
  uuid: string;
}

export interface StreamState {
  assembler: Assembler;
  blocks: StreamedBlock[];
  requestId?: string;
  /** The answer's end has been seen. */
  isComplete: boolean;
}

/** The request of one turn, byte-stable in everything but the newest messages. */
export const buildRequest = (options: LoopOptions, signal: AbortSignal): ModelRequest => {
  const messages = wireMessages(options.prepareMessages?.(options.messages) ?? options.messages);
  const isCached = options.cacheTtl !== "off";
  const control: CacheControl = options.cacheTtl === "1h" ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" };
  return {
    model: options.model,
    system: options.system,
    messages: isCached ? markMessages(messages, control) : messages,
    tools: isCached ? markTools(options.tools, control) : options.tools,
    serverTools: options.serverTools,
    maxTokens: options.maxOutputTokens,
    thinking: options.thinking,
    effort: options.effort,
    signal,
    sessionId: options.sessionId,
    purpose: options.purpose,
  };
};

/** The API envelope around one block, as hosts and transcripts want it. */
export const envelope = (answer: Answer, block: AssembledBlock | undefined, isLast: boolean): AssistantMessage => ({
  id: answer.messageId,
  type: "message",
  role: "assistant",
  model: answer.model,
  content: block ? [block.block] : [],
  stop_reason: isLast ? answer.stopReason : null,
  stop_sequence: isLast ? answer.stopSequence : null,
  usage: answer.usage,
});

const inputErrorOf = ({ block, brokenJson }: AssembledBlock): string | undefined => {
  if (brokenJson === undefined) return undefined;
  const shown = brokenJson.length > 500 ? `${brokenJson.slice(0, 500)}…` : brokenJson;
  return `The input of ${(block as ToolUseBlock).name} was not a JSON object, so nothing was run. What arrived: ${shown}`;
};

/** Gives ids that an earlier answer used already a suffix, so that results find their call (Q34). */
const uniqueId = (block: ToolUseBlock, usedIds: Set<string>): void => {
  let id = block.id || "call";
  for (let n = 2; usedIds.has(id); n++) id = `${block.id || "call"}_${n}`;
  usedIds.add(id);
  block.id = id;
};

const onBlock = async (state: StreamState, block: AssembledBlock, sink: StreamSink): Promise<void> => {
  const { options, schedule } = sink;
  if (block.block.type === "tool_use") uniqueId(block.block as ToolUseBlock, sink.usedIds);
  const streamed = { ...block, uuid: newId() };
  state.blocks.push(streamed);
  if (options.includeStream) await emitBlock(sink, state, streamed, false);
  if (block.block.type === "tool_use") await schedule.add(block.block as ToolUseBlock, inputErrorOf(block));
};

export interface StreamSink {
  options: LoopOptions;
  emit: Emit;
  schedule: Schedule;
  usedIds: Set<string>;
}

/** The event of one finished block. */
export const emitBlock = (
  { options, emit }: Pick<StreamSink, "options" | "emit">,
  state: StreamState,
  block: StreamedBlock,
  isLast: boolean,
): Promise<void> =>
  emit({
    type: "assistant_message",
    uuid: block.uuid,
    message: envelope(state.assembler.answer(), block, isLast),
    index: block.index,
    requestId: state.requestId,
    timestamp: new Date(options.clock.now()).toISOString(),
    parentToolUseId: options.parentToolUseId,
  });

/**
 * Streams one call into `state`. Throws ProviderError as the provider does, also when the stream ends early;
 * `state` then holds what had arrived.
 */
export const streamCall = async (state: StreamState, sink: StreamSink, signal: AbortSignal): Promise<void> => {
  const { options, emit, schedule } = sink;
  const parentToolUseId = options.parentToolUseId;
  const stream = options.provider.stream(buildRequest(options, signal));
  const sentAt = options.clock.now();
  let isFirst = true;
  for await (const event of stream) {
    if (signal.aborted) break;
    state.requestId = stream.requestId;
    if (options.includeStream && event.type !== "ping") {
      const ttftMs = isFirst ? options.clock.now() - sentAt : undefined;
      await emit({ type: "stream", event, ttftMs, parentToolUseId });
    }
    isFirst = false;
    const assembled = state.assembler.push(event);
    const { messageId } = state.assembler.answer();
    if (assembled.kind === "delta")
      await emit({ type: assembled.of, messageId, index: assembled.index, delta: assembled.text, parentToolUseId });
    else if (assembled.kind === "block") await onBlock(state, assembled.block, sink);
    else if (assembled.kind === "restart") {
      schedule.reset();
      state.blocks = [];
      await emit({ type: "dropped", messageId: assembled.droppedId, parentToolUseId });
    } else if (assembled.kind === "end") state.isComplete = true;
  }
  if (!state.isComplete && !signal.aborted)
    throw new ProviderError("The connection closed before the answer was complete.", {
      kind: "cut_stream",
      retryable: true,
    });
};

/** A state for one try of a request. */
export const newStreamState = (): StreamState => ({ assembler: createAssembler(), blocks: [], isComplete: false });
