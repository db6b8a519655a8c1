// A loopback server that plays one scripted HTTP answer after the other and keeps the requests it got.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type AnthropicOptions, createAnthropic } from "../../../src/providers/anthropic.js";
import type { ModelRequest, StreamEvent } from "../../../src/providers/provider.js";

export interface Seen {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}
export type Answerer = (response: ServerResponse, count: number) => void | Promise<void>;

export interface Wire {
  baseUrl: string;
  seen: Seen[];
  close(): Promise<void>;
}

export const startWire = async (answer: Answerer): Promise<Wire> => {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, unknown>;
      seen.push({ path: request.url ?? "", headers: request.headers, body });
      void answer(response, seen.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

export const sse = (...events: { type: string; [key: string]: unknown }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");

export const sendSse =
  (text: string | Buffer): Answerer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "request-id": "req_1" });
    response.end(text);
  };

export const sendError =
  (status: number, type: string, message: string, headers: Record<string, string> = {}): Answerer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", "request-id": "req_9", ...headers });
    response.end(JSON.stringify({ type: "error", error: { type, message } }));
  };

export const start = {
  type: "message_start",
  message: {
    id: "m1",
    type: "message",
    role: "assistant",
    model: "x",
    content: [],
    usage: { input_tokens: 43, output_tokens: 1 },
  },
};
export const textBlock = [
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "héllo 👋" } },
  { type: "content_block_stop", index: 0 },
];
export const finish = [
  {
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: { input_tokens: 61, output_tokens: 2 },
  },
  { type: "message_stop" },
];

export const request = (fields: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "claude-sonnet-5-5",
  system: [],
  messages: [{ role: "user", content: "hi" }],
  tools: [],
  maxTokens: 16_384,
  signal: new AbortController().signal,
  sessionId: "s-1",
  purpose: "main",
  ...fields,
});

export const options = (baseUrl: string, fields: Partial<AnthropicOptions> = {}): AnthropicOptions => ({
  apiKey: "sk-test",
  baseUrl,
  userAgent: "claude/3.0.0",
  ...fields,
});

/** All events of one call, and what it threw. */
export const play = async (
  wire: Wire,
  fields: Partial<AnthropicOptions> = {},
  asked: Partial<ModelRequest> = {},
): Promise<{ events: StreamEvent[]; error?: unknown; requestId?: string }> => {
  const stream = createAnthropic(options(wire.baseUrl, fields)).stream(request(asked));
  const events: StreamEvent[] = [];
  try {
    for await (const event of stream) events.push(event);
  } catch (error) {
    return { events, error, requestId: stream.requestId };
  }
  return { events, requestId: stream.requestId };
};
