// Streams a reply as a model would: small deltas, a little apart.
import { createHash } from "node:crypto";
import { type Clock, systemClock } from "../../platform/clock.js";
import type { Usage } from "../../protocol/messages.js";
import { abortedFailure } from "../errors.js";
import { offlineModel } from "../models.js";
import type { ModelRequest, StreamEvent } from "../provider.js";
import type { Reply } from "./program.js";

export interface StreamOptions {
  /** Pause before each delta in milliseconds; 0: at once. */
  delayMs: number;
  clock?: Clock;
}

const charsPerToken = 4;
const tokens = (chars: number): number => Math.ceil(chars / charsPerToken);

const promptSize = ({ system, messages, tools }: ModelRequest): number =>
  JSON.stringify(system).length + JSON.stringify(messages).length + JSON.stringify(tools).length;

/** A piece is a few words: what models send in one delta. */
const pieces = (text: string): string[] => text.match(/(?:\s*\S+){1,3}|\s+/g) ?? [];
const jsonPieces = (json: string): string[] => json.match(/[\s\S]{1,40}/g) ?? [];

/** Ids that are the same for the same request and different for the next. */
const idsFor = (request: ModelRequest): ((kind: string, index: number) => string) => {
  const seed = createHash("sha256").update(JSON.stringify(request.messages)).digest("hex").slice(0, 20);
  return (kind, index) => `${kind}_off${seed}${index.toString(36)}`;
};

const textEvents = function* (text: string, index: number): Generator<StreamEvent> {
  yield { type: "content_block_start", index, content_block: { type: "text", text: "" } };
  for (const piece of pieces(text)) {
    yield { type: "content_block_delta", index, delta: { type: "text_delta", text: piece } };
  }
  yield { type: "content_block_stop", index };
};

/** The events of a reply, without pauses. Usage is estimated from characters. */
export const replyEvents = function* (request: ModelRequest, { text, calls }: Reply): Generator<StreamEvent> {
  const idOf = idsFor(request);
  const usage: Usage = {
    input_tokens: tokens(promptSize(request)),
    output_tokens: 1,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const id = idOf("msg", 0);
  yield {
    type: "message_start",
    message: {
      id,
      type: "message",
      role: "assistant",
      model: offlineModel,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  };
  let index = 0;
  if (text !== "") {
    yield* textEvents(text, index);
    index += 1;
  }
  for (const [number, { name, input }] of calls.entries()) {
    yield {
      type: "content_block_start",
      index,
      content_block: { type: "tool_use", id: idOf("toolu", number), name, input: {} },
    };
    for (const piece of jsonPieces(JSON.stringify(input))) {
      yield { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: piece } };
    }
    yield { type: "content_block_stop", index };
    index += 1;
  }
  yield {
    type: "message_delta",
    delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null },
    usage: { ...usage, output_tokens: Math.max(1, tokens(text.length + JSON.stringify(calls).length - 2)) },
  };
  yield { type: "message_stop" };
};

/** The events of a reply at the pace of a stream; ends with kind `aborted` when the signal fires. */
export const paced = async function* (
  request: ModelRequest,
  reply: Reply,
  { delayMs, clock = systemClock }: StreamOptions,
): AsyncGenerator<StreamEvent> {
  for (const event of replyEvents(request, reply)) {
    if (request.signal.aborted) throw abortedFailure();
    if (event.type === "content_block_delta" && delayMs > 0) await clock.sleep(delayMs, request.signal);
    if (request.signal.aborted) throw abortedFailure();
    yield event;
  }
};
