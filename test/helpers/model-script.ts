// The script of the model server: what one answer may be, and the wire events it turns into.
import type { Gate } from "./gate.js";

/** Place in an answer where it can be held: before the headers, after a block, before message_delta/message_stop. */
export type HoldPlace = "start" | "afterStart" | `block:${number}` | `delta:${number}` | "beforeStop";
export interface Hold {
  at: HoldPlace;
  /** A gate, milliseconds, or the name of a gate opened with `server.release(name)`. */
  until: Gate | number | string;
}

export interface AnswerUsage {
  input_tokens?: number;
  output_tokens?: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
  [key: string]: unknown;
}

export interface ThinkingPart {
  text: string;
  /** Made up (and remembered) by the server when left out. */
  signature?: string;
}

export interface ModelAnswer {
  thinking?: string | ThinkingPart | ThinkingPart[];
  /** Payload of a redacted_thinking block. */
  redacted?: string;
  say?: string;
  /** Tool calls, each `{ ToolName: input }`. Ids are toolu_001, toolu_002 … in order of sending. */
  calls?: Record<string, unknown>[];
  /** Text after the calls (rare, but models do it). */
  sayAfter?: string;
  /** Blocks of other kinds, sent whole before the text. */
  blocks?: { type: string; [key: string]: unknown }[];
  /** Default: tool_use when there are calls, else end_turn. */
  stop?: string;
  usage?: AnswerUsage;
  /** Answers with this status and an error body instead of a message. */
  status?: number;
  error?: { type?: string; message?: string };
  /** Body of an error answer word for word (HTML of a captive proxy …). */
  body?: string;
  headers?: Record<string, string>;
  /** Characters a delta; default: the whole block in one, `1` for the finest stream. */
  deltaChars?: number;
  /** Pause before each delta, in milliseconds. */
  deltaDelayMs?: number;
  holds?: Hold[];
  /** After `afterDeltas` deltas an `error` event ends the stream. */
  errorEvent?: { afterDeltas: number; type?: string; message?: string };
  /** The connection is reset after this many bytes of the body. */
  resetAfterBytes?: number;
  /** After this many deltas nothing comes any more, the connection stays open. */
  stallAfterDeltas?: number;
  /** The stream ends (cleanly closed) after this many deltas: no message_stop. */
  endAfterDeltas?: number;
  /** Send `ping` events every this many deltas. */
  pingEvery?: number;
  /** The body word for word: SSE text in pieces, each piece one write. */
  raw?: string | string[];
  /** A complete message as application/json although a stream was asked for. */
  json?: boolean;
  /** The body is cut at random bytes, reproducibly. */
  cutSeed?: number;
  gzip?: boolean;
  /** Input JSON of the last call is cut after this many characters (with stop max_tokens). */
  cutInputAfter?: number;
  /** `request-id` header; default req_001 … */
  requestId?: string;
}

export type Block = { type: string; [key: string]: unknown };
export interface BuiltMessage {
  id: string;
  model: string;
  content: Block[];
  stopReason: string;
  usage: Required<Pick<AnswerUsage, "input_tokens" | "output_tokens">> & AnswerUsage;
}

/** Counters that make ids and signatures deterministic within one server. */
export interface IdSource {
  message(): string;
  toolUse(): string;
  signature(): string;
}

/** Fresh counters: msg_001, toolu_001, sig-001 … */
export const idSource = (): IdSource => {
  const counter = (prefix: string) => {
    let n = 0;
    return () => `${prefix}${String(++n).padStart(3, "0")}`;
  };
  return { message: counter("msg_"), toolUse: counter("toolu_"), signature: counter("sig-") };
};

const thinkingParts = (thinking: ModelAnswer["thinking"]): ThinkingPart[] => {
  if (thinking === undefined) return [];
  if (Array.isArray(thinking)) return thinking;
  return [typeof thinking === "string" ? { text: thinking } : thinking];
};

/** The whole message of an answer: blocks in wire order, ids and signatures filled in. */
export const buildMessage = (answer: ModelAnswer, model: string, ids: IdSource, inputTokens: number): BuiltMessage => {
  const content: Block[] = [];
  for (const part of thinkingParts(answer.thinking))
    content.push({ type: "thinking", thinking: part.text, signature: part.signature ?? ids.signature() });
  if (answer.redacted !== undefined) content.push({ type: "redacted_thinking", data: answer.redacted });
  content.push(...(answer.blocks ?? []));
  if (answer.say) content.push({ type: "text", text: answer.say });
  for (const call of answer.calls ?? []) {
    const entry = Object.entries(call)[0];
    if (!entry || Object.keys(call).length !== 1)
      throw new Error(`a call is { ToolName: input }, not ${JSON.stringify(call)}`);
    content.push({ type: "tool_use", id: ids.toolUse(), name: entry[0], input: entry[1] ?? {} });
  }
  if (answer.sayAfter) content.push({ type: "text", text: answer.sayAfter });
  const chars = JSON.stringify(content).length;
  return {
    id: ids.message(),
    model,
    content,
    stopReason: answer.stop ?? (answer.calls?.length ? "tool_use" : "end_turn"),
    usage: {
      input_tokens: inputTokens,
      output_tokens: Math.max(1, Math.ceil(chars / 4)),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      ...answer.usage,
    },
  };
};

/** One step of a streamed body. */
export type Step =
  | { do: "event"; event: { type: string; [key: string]: unknown } }
  | { do: "wait"; until: Gate | number | string }
  | { do: "stall" }
  | { do: "end" };

const pieces = (text: string, size: number | undefined): string[] => {
  if (!size || text.length <= size) return text ? [text] : [];
  const out: string[] = [];
  // Whole code points: a lone surrogate is no legal JSON text.
  let current = "";
  for (const point of text) {
    current += point;
    if (current.length >= size) {
      out.push(current);
      current = "";
    }
  }
  if (current) out.push(current);
  return out;
};

interface BlockPlan {
  start: Block;
  deltas: Block[];
}

const planBlock = (block: Block, answer: ModelAnswer, isLastCall: boolean): BlockPlan => {
  const size = answer.deltaChars;
  if (block.type === "text")
    return {
      start: { type: "text", text: "" },
      deltas: pieces(String(block.text), size).map((text) => ({ type: "text_delta", text })),
    };
  if (block.type === "thinking")
    return {
      start: { type: "thinking", thinking: "", signature: "" },
      deltas: [
        ...pieces(String(block.thinking), size).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: block.signature },
      ],
    };
  if (block.type === "tool_use") {
    let json = JSON.stringify(block.input);
    if (isLastCall && answer.cutInputAfter !== undefined) json = json.slice(0, answer.cutInputAfter);
    return {
      start: { ...block, input: {} },
      deltas: ["", ...pieces(json, size)].map((partial_json) => ({ type: "input_json_delta", partial_json })),
    };
  }
  return { start: block, deltas: [] };
};

/** The steps that stream a message, with the answer's pauses, holds and faults in place. */
export const streamSteps = (message: BuiltMessage, answer: ModelAnswer): Step[] => {
  const steps: Step[] = [];
  const emit = (event: { type: string; [key: string]: unknown }) => steps.push({ do: "event", event });
  const hold = (at: HoldPlace) => {
    for (const h of answer.holds ?? []) if (h.at === at) steps.push({ do: "wait", until: h.until });
  };
  const { output_tokens, ...inputUsage } = message.usage;
  emit({
    type: "message_start",
    message: {
      id: message.id,
      type: "message",
      role: "assistant",
      model: message.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...inputUsage, output_tokens: 1 },
    },
  });
  emit({ type: "ping" });
  hold("afterStart");
  const lastCall = message.content.findLastIndex((b) => b.type === "tool_use");
  let deltas = 0;
  for (const [index, block] of message.content.entries()) {
    const plan = planBlock(block, answer, index === lastCall);
    emit({ type: "content_block_start", index, content_block: plan.start });
    for (const delta of plan.deltas) {
      if (answer.stallAfterDeltas === deltas) return [...steps, { do: "stall" }];
      if (answer.endAfterDeltas === deltas) return [...steps, { do: "end" }];
      if (answer.errorEvent?.afterDeltas === deltas) {
        const { type = "overloaded_error", message: text = "Overloaded" } = answer.errorEvent;
        emit({ type: "error", error: { type, message: text } });
        return [...steps, { do: "end" }];
      }
      if (answer.deltaDelayMs) steps.push({ do: "wait", until: answer.deltaDelayMs });
      if (answer.pingEvery && deltas % answer.pingEvery === 0) emit({ type: "ping" });
      emit({ type: "content_block_delta", index, delta });
      deltas += 1;
      hold(`delta:${deltas}`);
    }
    emit({ type: "content_block_stop", index });
    hold(`block:${index}`);
  }
  if (answer.stallAfterDeltas !== undefined) return [...steps, { do: "stall" }];
  if (answer.endAfterDeltas !== undefined) return [...steps, { do: "end" }];
  if (answer.errorEvent) {
    const { type = "overloaded_error", message: text = "Overloaded" } = answer.errorEvent;
    emit({ type: "error", error: { type, message: text } });
    return [...steps, { do: "end" }];
  }
  hold("beforeStop");
  emit({
    type: "message_delta",
    delta: { stop_reason: message.stopReason, stop_sequence: null },
    usage: { output_tokens },
  });
  emit({ type: "message_stop" });
  return [...steps, { do: "end" }];
};

const errorTypes: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** JSON body of an error answer, in the API's shape. */
export const errorBody = (status: number, error: ModelAnswer["error"], requestId: string): string =>
  JSON.stringify({
    type: "error",
    error: { type: error?.type ?? errorTypes[status] ?? "api_error", message: error?.message ?? `Error ${status}` },
    request_id: requestId,
  });
