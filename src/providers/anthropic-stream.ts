// Reads an HTTP answer of the Messages API as stream events: SSE bytes or one JSON message, with a watchdog for silence.
import { ReadableStream } from "node:stream/web";
import { apiFailure, connectionFailure, quoteBody, streamFailure } from "./errors.js";
import { ProviderError, type StreamEvent } from "./provider.js";

/** Splits the bytes of `response` into server-sent events (the SDK's reader). */
export type SseReader = (
  response: Response,
  controller: AbortController,
) => AsyncIterable<{ event: string | null; data: string }>;

export interface ReadOptions {
  readSse: SseReader;
  /** Ends the transfer; aborted by the reader on silence, by the caller on interruption. */
  controller: AbortController;
  idleTimeoutMs: number;
  host: string;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const fieldsOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

const notAnAnswer = (text: string, host: string, status: number): ProviderError =>
  new ProviderError(
    `${host} sent something that is not an API answer. Check ANTHROPIC_BASE_URL and any proxy. It begins: ${quoteBody(text) || "(nothing)"}`,
    { kind: "unknown", retryable: false, status },
  );

const cutStream = (why: string): ProviderError =>
  new ProviderError(`The answer broke off: ${why}.`, { kind: "cut_stream", retryable: true });

/** The bytes of a body; throws kind `idle` when none has come for `idleTimeoutMs`, and keeps the first characters for an error text. */
class WatchedBody {
  /** First bytes as text: what a body without any event is quoted by. */
  head = "";
  #timer: NodeJS.Timeout | undefined;
  #isSilent = false;

  constructor(
    private readonly body: ReadableStream<Uint8Array>,
    private readonly options: ReadOptions,
  ) {}

  async *bytes(): AsyncGenerator<Uint8Array> {
    const { idleTimeoutMs, controller } = this.options;
    const reader = this.body.getReader();
    const watch = () => {
      this.#isSilent = true;
      controller.abort();
    };
    this.#timer = setTimeout(watch, idleTimeoutMs);
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        this.#timer.refresh();
        if (this.head.length < 400) this.head += Buffer.from(value).toString("utf8").slice(0, 400);
        yield value;
      }
      // The last event may come without the blank line that ends it.
      yield new TextEncoder().encode("\n\n");
    } catch (error) {
      throw this.failure(error);
    } finally {
      clearTimeout(this.#timer);
    }
  }

  private failure(error: unknown): unknown {
    const { idleTimeoutMs, controller, host } = this.options;
    if (this.#isSilent) {
      const seconds = Math.round(idleTimeoutMs / 1000);
      return new ProviderError(`The answer went silent: no byte from ${host} for ${seconds} s.`, {
        kind: "idle",
        retryable: true,
        cause: error,
      });
    }
    if (controller.signal.aborted) return error;
    const broken = connectionFailure(error, host);
    return new ProviderError(`The answer broke off. ${broken.message}`, {
      kind: "cut_stream",
      retryable: true,
      cause: error,
    });
  }
}

const blockEvents = function* (block: Record<string, unknown>, index: number): Generator<StreamEvent> {
  const type = String(block.type);
  const delta = (fields: { type: string; [key: string]: unknown }): StreamEvent => ({
    type: "content_block_delta",
    index,
    delta: fields,
  });
  if (type === "text") {
    yield { type: "content_block_start", index, content_block: { ...block, type: "text", text: "" } };
    yield delta({ type: "text_delta", text: block.text });
  } else if (type === "thinking") {
    yield {
      type: "content_block_start",
      index,
      content_block: { ...block, type: "thinking", thinking: "", signature: "" },
    };
    yield delta({ type: "thinking_delta", thinking: block.thinking ?? "" });
    if (block.signature) yield delta({ type: "signature_delta", signature: block.signature });
  } else {
    yield { type: "content_block_start", index, content_block: { ...block, type } };
  }
  yield { type: "content_block_stop", index };
};

/** A complete message (a gateway that ignores `stream`) as the events a stream would have brought. */
export const eventsOfMessage = function* (message: Record<string, unknown>): Generator<StreamEvent> {
  const { content, stop_reason, stop_sequence, usage, ...rest } = message;
  const start = { type: "message_start", message: { ...rest, content: [], stop_reason: null, usage: usage ?? {} } };
  yield start as unknown as StreamEvent;
  for (const [index, block] of (Array.isArray(content) ? content : []).entries()) {
    if (isRecord(block)) yield* blockEvents(block, index);
  }
  yield {
    type: "message_delta",
    delta: { stop_reason: stop_reason ?? "end_turn", stop_sequence: stop_sequence ?? null },
    usage: usage ?? {},
  } as StreamEvent;
  yield { type: "message_stop" };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller reports it with its own words
  }
};

const readJson = async function* (text: string, host: string, status: number): AsyncGenerator<StreamEvent> {
  const body = fieldsOf(parseJson(text));
  if (body.type === "error") throw streamFailure(body);
  if (!Array.isArray(body.content)) throw notAnAnswer(text, host, status);
  yield* eventsOfMessage(body);
};

const collect = async (bytes: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8").trim();
};

const fieldNames = ["event", "data", "id", "retry"];

/** Whether a body began as an event stream does; it may have been cut inside its first word. */
const couldBeEvents = (head: string): boolean =>
  /^(event|data|id|retry)?\s*:/m.test(head) || fieldNames.some((name) => name.startsWith(head.trim()));

const readEvents = async function* (
  response: Response,
  watched: WatchedBody,
  options: ReadOptions,
): AsyncGenerator<StreamEvent> {
  const { readSse, controller, host } = options;
  const tapped = new Response(ReadableStream.from(watched.bytes()) as unknown as BodyInit);
  let count = 0;
  let hasStopReason = false;
  for await (const { event, data } of readSse(tapped, controller)) {
    if (data === "" || data === "[DONE]") continue;
    const parsed = parseJson(data);
    if (event === "error" || (isRecord(parsed) && parsed.type === "error")) {
      throw streamFailure(parsed ?? data, response.headers);
    }
    if (!isRecord(parsed)) throw cutStream("an event was not valid JSON");
    if (typeof parsed.type !== "string") continue;
    count += 1;
    if (parsed.type === "message_delta") hasStopReason ||= Boolean(fieldsOf(parsed.delta).stop_reason);
    // What comes after message_stop is not part of the answer.
    yield parsed as unknown as StreamEvent;
    if (parsed.type === "message_stop") return;
  }
  if (count === 0 && !couldBeEvents(watched.head)) {
    throw notAnAnswer(watched.head, host, response.status);
  }
  // Some gateways end after the final delta; anything less is an incomplete answer.
  if (!hasStopReason) throw cutStream("the connection closed before its end");
  yield { type: "message_stop" };
};

/** The events of a successful HTTP answer. Throws ProviderError; errors of an aborted transfer pass through as they are. */
export const readAnswer = async function* (response: Response, options: ReadOptions): AsyncGenerator<StreamEvent> {
  const contentType = response.headers.get("content-type") ?? "";
  if (!response.body) {
    throw apiFailure({ status: 502, message: "the answer had no body", headers: response.headers });
  }
  const watched = new WatchedBody(response.body as ReadableStream<Uint8Array>, options);
  if (/json/i.test(contentType)) {
    yield* readJson(await collect(watched.bytes()), options.host, response.status);
  } else if (/html/i.test(contentType)) {
    throw notAnAnswer(await collect(watched.bytes()), options.host, response.status);
  } else {
    yield* readEvents(response, watched, options);
  }
};
