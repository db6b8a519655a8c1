// One model call: sends the request, turns the stream into events, hands finished calls to the schedule.
import { markMessages, markTools } from "../context/cache-marks.js";
import { wireMessages } from "../context/history.js";
import { type WireTools, wireTools } from "../context/repairs/tool-schemas.js";
import { withMissingReferences } from "../context/tool-references.js";
import type { Emit } from "../execution/context.js";
import type { Schedule } from "../execution/schedule.js";
import { newId } from "../protocol/ids.js";
import type { AssistantMessage, Message, ToolUseBlock } from "../protocol/messages.js";
import { type CacheControl, type ModelRequest, ProviderError } from "../providers/provider.js";
import { type Answer, type AssembledBlock, type Assembler, createAssembler } from "./assemble.js";
import type { LoopOptions } from "./loop-options.js";
import type { RunState } from "./run-state.js";

export interface StreamedBlock extends AssembledBlock {
  uuid: string;
}

export interface StreamState {
  assembler: Assembler;
  blocks: StreamedBlock[];
  /** Calls that wait for the answer's end, because only its stop reason tells whether the first of them is whole. */
  held: StreamedBlock[];
  requestId?: string;
  /** The answer's end has been seen. */
  isComplete: boolean;
}

export interface StreamSink {
  options: LoopOptions;
  emit: Emit;
  schedule: Schedule;
  run: RunState;
}

export interface SentRequest {
  request: ModelRequest;
  /** The messages as sent, without marks: what an error's path points into. */
  wire: Message[];
  tools: WireTools;
}

/** The request of one turn, byte-stable in everything but the newest messages. */
export const buildRequest = (options: LoopOptions, run: Pick<RunState, "choice" | "pauses">): SentRequest => {
  const takesReferences = options.references?.isTaken ?? false;
  const tools = wireTools(options.tools, options.refusedTools, takesReferences);
  const prepared = options.prepareMessages?.(options.messages) ?? options.messages;
  const wire = wireMessages(takesReferences ? withMissingReferences(prepared, options.tools) : prepared, {
    tools,
    takesReferences,
    isPaused: run.pauses > 0,
  });
  const isCached = options.cacheTtl !== "off";
  const control: CacheControl = options.cacheTtl === "1h" ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" };
  const { model, maxOutputTokens, thinking, effort } = run.choice;
  const request: ModelRequest = {
    model,
    system: options.system,
    messages: isCached ? markMessages(wire, control) : wire,
    tools: isCached ? markTools(tools.specs, control) : tools.specs,
    deferredTools: options.deferredTools?.(),
    serverTools: options.serverTools,
    maxTokens: maxOutputTokens,
    thinking,
    effort,
    signal: options.signal,
    sessionId: options.sessionId,
    purpose: options.purpose,
  };
  return { request, wire, tools };
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

const wasCut = ({ stopReason }: Answer): boolean =>
  stopReason === "max_tokens" || stopReason === "model_context_window_exceeded";

/** Why a call must not run although its block is there; undefined: it may. */
const inputErrorOf = (block: AssembledBlock, isCutHere: boolean): string | undefined => {
  const { name } = block.block as ToolUseBlock;
  const { brokenJson, isBare } = block;
  if (isCutHere && (isBare || brokenJson !== undefined))
    return `The input of ${name} was cut off by the output limit, so nothing was run. Call it again with less at a time.`;
  if (brokenJson === undefined) return undefined;
  const shown = brokenJson.length > 500 ? `${brokenJson.slice(0, 500)}…` : brokenJson;
  return `The input of ${name} was not a JSON object, so nothing was run. What arrived: ${shown}`;
};

/** Gives ids that an earlier answer used already a suffix, so that results find their call (Q34). */
const uniqueId = (block: ToolUseBlock, usedIds: Set<string>): void => {
  const wished = (block.id || "call").replace(/[^a-zA-Z0-9_-]/g, "_"); // the API takes no other characters back
  let id = wished;
  for (let n = 2; usedIds.has(id); n++) id = `${wished}_${n}`;
  usedIds.add(id);
  block.id = id;
};

const onBlock = async (
  state: StreamState,
  block: AssembledBlock,
  sink: StreamSink,
  tools: WireTools,
): Promise<void> => {
  const { options, schedule, run } = sink;
  const streamed = { ...block, uuid: newId() };
  state.blocks.push(streamed);
  const isCall = block.block.type === "tool_use";
  if (isCall) {
    const call = block.block as ToolUseBlock;
    uniqueId(call, run.usedIds);
    call.input = tools.realInput(call.name, call.input);
    call.name = tools.realName(call.name);
  }
  if (options.includeStream) await emitBlock(sink, state, streamed, false);
  if (!isCall) return;
  const isDoubtful = block.isBare === true || block.brokenJson !== undefined;
  // Calls keep their order: behind one that waits, all wait.
  if (isDoubtful || state.held.length > 0) state.held.push(streamed);
  else await schedule.add(block.block as ToolUseBlock);
};

/** Hands over the calls that waited for the answer's end. Call once, when no more of the answer comes. */
export const releaseHeld = async (state: StreamState, { schedule }: Pick<StreamSink, "schedule">): Promise<void> => {
  const isCut = wasCut(state.assembler.answer());
  for (const held of state.held) {
    const isLast = held === state.blocks.at(-1);
    await schedule.add(held.block as ToolUseBlock, inputErrorOf(held, isCut && isLast));
  }
  state.held = [];
};

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
export const streamCall = async (state: StreamState, sink: StreamSink, sent: SentRequest): Promise<void> => {
  const { options, emit, schedule } = sink;
  const { parentToolUseId, signal } = options;
  const stream = options.provider.stream(sent.request);
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
    else if (assembled.kind === "block") await onBlock(state, assembled.block, sink, sent.tools);
    else if (assembled.kind === "restart") {
      schedule.reset();
      state.blocks = [];
      state.held = [];
      await emit({ type: "dropped", messageId: assembled.droppedId, parentToolUseId });
    } else if (assembled.kind === "end") {
      for (const block of assembled.blocks) await onBlock(state, block, sink, sent.tools);
      state.isComplete = true;
    }
  }
  if (!state.isComplete && !signal.aborted)
    throw new ProviderError("The connection closed before the answer was complete.", {
      kind: "cut_stream",
      retryable: true,
    });
};

/** A state for one try of a request. */
export const newStreamState = (): StreamState => ({
  assembler: createAssembler(),
  blocks: [],
  held: [],
  isComplete: false,
});
