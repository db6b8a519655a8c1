import { afterEach, describe, expect, it } from "vitest";
import { createAnthropic } from "../../../src/providers/anthropic.js";
import { type Provider, ProviderError } from "../../../src/providers/provider.js";
import {
  type Answerer,
  finish,
  options,
  play,
  request,
  sendError,
  sendSse,
  sse,
  start,
  startWire,
  textBlock,
  type Wire,
} from "./wire.js";

let wire: Wire | undefined;
const serve = async (answer: Answerer): Promise<Wire> => {
  wire = await startWire(answer);
  return wire;
};
afterEach(async () => {
  await wire?.close();
  wire = undefined;
});

const eventsOfCall = async (provider: Provider): Promise<void> => {
  for await (const _ of provider.stream(request()));
};

const whole = [start, ...textBlock, ...finish];

describe("what goes over the wire", () => {
  it("sends the key, our headers and the body of the API", async () => {
    const server = await serve(sendSse(sse(...whole)));
    await play(
      server,
      { userId: "u", customHeaders: { "x-team": "blue" }, betas: ["b-1", ""], extraBody: { extra: 1 } },
      {
        model: "claude-sonnet-4-5[1m]",
        system: [{ type: "text", text: "S", cache_control: { type: "ephemeral" } }],
        tools: [{ name: "T", description: "t", input_schema: { type: "object" } }],
        thinking: { type: "enabled", budget_tokens: 2000 },
        effort: "high",
      },
    );
    const [seen] = server.seen;
    expect(seen?.path).toBe("/v1/messages");
    expect(seen?.headers).toMatchObject({
      "x-api-key": "sk-test",
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "b-1,context-1m-2025-08-07,interleaved-thinking-2025-05-14",
      "user-agent": "claude/3.0.0",
      "x-app": "cli",
      "x-claude-code-session-id": "s-1",
      "x-team": "blue",
    });
    expect(seen?.headers.authorization).toBeUndefined();
    expect(seen?.body).toEqual({
      model: "claude-sonnet-4-5",
      max_tokens: 16_384,
      system: [{ type: "text", text: "S", cache_control: { type: "ephemeral" } }],
      messages: [{ role: "user", content: "hi" }],
      tools: [{ name: "T", description: "t", input_schema: { type: "object" } }],
      thinking: { type: "enabled", budget_tokens: 2000 },
      output_config: { effort: "high" },
      metadata: { user_id: "u" },
      stream: true,
      extra: 1,
    });
  });

  it("sends a token as Bearer, asked for anew before each call", async () => {
    const server = await serve(sendSse(sse(...whole)));
    const tokens = ["one", "two"];
    const provider = createAnthropic({
      ...options(server.baseUrl),
      apiKey: undefined,
      credentials: async () => ({ authToken: tokens.shift() }),
    });
    for (let call = 0; call < 2; call += 1) for await (const _ of provider.stream(request()));
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer one", "Bearer two"]);
    expect(server.seen[0]?.headers["x-api-key"]).toBeUndefined();
  });

  it("refuses a call without credentials before anything is sent", async () => {
    const server = await serve(sendSse(sse(...whole)));
    const { error } = await play(server, { apiKey: undefined });
    expect(error).toMatchObject({ kind: "authentication_failed", retryable: false });
    expect(server.seen).toEqual([]);
  });

  it("a helper that fails is an authentication failure in its own words", async () => {
    const server = await serve(sendSse(sse(...whole)));
    const { error } = await play(server, {
      credentials: () => Promise.reject(new Error("apiKeyHelper printed nothing.")),
    });
    expect(error).toMatchObject({
      kind: "authentication_failed",
      retryable: false,
      message: "apiKeyHelper printed nothing.",
    });
  });

  it("repairs lone surrogates and leaves the rest as it is", async () => {
    const server = await serve(sendSse(sse(...whole)));
    await play(server, {}, { messages: [{ role: "user", content: [{ type: "text", text: "a\ud800b 👋" }] }] });
    expect(server.seen[0]?.body.messages).toEqual([{ role: "user", content: [{ type: "text", text: "a\ufffdb 👋" }] }]);
  });

  it("marks caches for an hour, or not at all, when told so", async () => {
    const server = await serve(sendSse(sse(...whole)));
    const marked = { system: [{ type: "text" as const, text: "S", cache_control: { type: "ephemeral" as const } }] };
    await play(server, { caching: () => "1h" }, marked);
    await play(server, { caching: () => "off" }, marked);
    expect(server.seen.map(({ body }) => body.system)).toEqual([
      [{ type: "text", text: "S", cache_control: { type: "ephemeral", ttl: "1h" } }],
      [{ type: "text", text: "S" }],
    ]);
  });
});

describe("what comes back", () => {
  it("Q1 gives the events as they came, pings too, and the request id", async () => {
    const ping = { type: "ping" };
    const server = await serve(sendSse(sse(start, ping, ...textBlock, ping, ...finish)));
    expect(await play(server)).toEqual({ events: [start, ping, ...textBlock, ping, ...finish], requestId: "req_1" });
  });

  it("Q5 joins bytes before decoding, wherever the stream is cut", async () => {
    const bytes = Buffer.from(sse(start, ...textBlock, ...finish));
    const middle = bytes.indexOf(Buffer.from("👋"));
    for (const cut of [1, 7, middle + 1, middle + 2, middle + 3, bytes.length - 1]) {
      const server = await serve(async (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        await new Promise<void>((resolve) => response.write(bytes.subarray(0, cut), () => setImmediate(resolve)));
        response.end(bytes.subarray(cut));
      });
      expect((await play(server)).events).toEqual(whole);
      await server.close();
    }
  });

  it("any cut of the bytes gives the same events", async () => {
    const bytes = Buffer.from(sse(start, { type: "ping" }, ...textBlock, ...finish).replaceAll("\n", "\r\n"));
    const server = await serve(async (response, count) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const size = 1 + ((count * 37) % 90);
      for (let at = 0; at < bytes.length; at += size) {
        response.write(bytes.subarray(at, at + size));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    for (let round = 0; round < 25; round += 1) {
      expect((await play(server)).events).toEqual([start, { type: "ping" }, ...textBlock, ...finish]);
    }
  });

  it("Q26 lets unknown events, blocks and deltas pass", async () => {
    const odd = [
      { type: "content_block_start", index: 1, content_block: { type: "foo_result", x: 1 } },
      { type: "content_block_delta", index: 1, delta: { type: "bar_delta", y: 2 } },
      { type: "news", z: 3 },
    ];
    const server = await serve(sendSse(sse(start, ...odd, ...finish)));
    expect((await play(server)).events).toEqual([start, ...odd, ...finish]);
  });

  it("Q29 takes a whole JSON message as a stream", async () => {
    const content = [
      { type: "thinking", thinking: "t", signature: "S" },
      { type: "text", text: "a" },
      { type: "tool_use", id: "c", name: "T", input: { a: 1 } },
    ];
    const server = await serve((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ ...start.message, content, stop_reason: "tool_use", stop_sequence: null }));
    });
    const { events, error } = await play(server);
    expect(error).toBeUndefined();
    expect(events.map((event) => ("index" in event ? `${event.type} ${event.index}` : event.type))).toEqual([
      "message_start",
      "content_block_start 0",
      "content_block_delta 0",
      "content_block_delta 0",
      "content_block_stop 0",
      "content_block_start 1",
      "content_block_delta 1",
      "content_block_stop 1",
      "content_block_start 2",
      "content_block_stop 2",
      "message_delta",
      "message_stop",
    ]);
    expect(events[8]).toEqual({ type: "content_block_start", index: 2, content_block: content[2] });
    expect(events[10]).toMatchObject({ delta: { stop_reason: "tool_use" } });
  });

  it("Q31 reads every legal form of SSE", async () => {
    const text = [
      `: a comment\r\nevent: message_start\r\ndata:${JSON.stringify(start).replace(/\}$/, " }")}\r\n\r\n`,
      `data: {"type":"content_block_start","index":0,\ndata: "content_block":{"type":"text","text":""}}\n\n`,
      `id: 7\nretry: 10\ndata: {"type":"content_block_stop","index":0}\n\n`,
      `event: message_delta\ndata: ${JSON.stringify(finish[0])}\n\n`,
      `event: message_stop\ndata: {"type":"message_stop"}`,
    ].join("");
    const server = await serve(sendSse(text));
    expect(await play(server)).toMatchObject({
      events: [
        start,
        { type: "content_block_start", content_block: { type: "text", text: "" } },
        { type: "content_block_stop" },
        ...finish,
      ],
    });
  });
});

describe("failures", () => {
  it("Q7 an error event in mid-stream is thrown with its kind and request id", async () => {
    const broken = { type: "error", error: { type: "overloaded_error", message: "Overloaded" }, request_id: "req_7" };
    const server = await serve(sendSse(sse(start, ...textBlock.slice(0, 2), broken)));
    const { events, error } = await play(server);
    expect(events).toHaveLength(3);
    expect(error).toMatchObject({
      name: "ProviderError",
      kind: "overloaded",
      retryable: true,
      status: 529,
      requestId: "req_7",
    });
  });

  it("Q8 a stream that ends too early, at any byte, is a cut stream", async () => {
    const bytes = Buffer.from(sse(start, ...textBlock));
    for (let cut = 0; cut <= bytes.length; cut += 17) {
      const server = await serve(sendSse(bytes.subarray(0, cut)));
      expect((await play(server)).error).toMatchObject({ kind: "cut_stream", retryable: true });
      await server.close();
    }
  });

  it("F158 a reset in mid-answer is a cut stream", async () => {
    const server = await serve(async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      await new Promise<void>((resolve) => response.write(sse(start, textBlock[0]!), () => resolve()));
      setTimeout(() => response.socket?.resetAndDestroy(), 20);
    });
    const { events, error } = await play(server);
    expect(events).toEqual([start, textBlock[0]]);
    expect(error).toMatchObject({ kind: "cut_stream", retryable: true });
  });

  it("Q9 silence longer than the limit is kind idle, and pings hold it off", async () => {
    const server = await serve((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(sse(start));
      let pings = 0;
      const timer = setInterval(() => {
        pings += 1;
        if (pings > 4) clearInterval(timer);
        else response.write(sse({ type: "ping" }));
      }, 100);
    });
    const { events, error } = await play(server, { idleTimeoutMs: 300 });
    expect(events).toHaveLength(5);
    expect(error).toMatchObject({ kind: "idle", retryable: true });
  });

  it.each([
    [529, "overloaded_error", "Overloaded", { kind: "overloaded", retryable: true, status: 529 }],
    [503, "api_error", "down", { kind: "server_error", retryable: true, status: 503 }],
    [
      429,
      "rate_limit_error",
      "slow down",
      { kind: "rate_limit", retryable: true, retryAfterMs: 7000, requestId: "req_9" },
    ],
    [
      400,
      "invalid_request_error",
      "prompt is too long: 210000 tokens > 200000 maximum",
      { kind: "prompt_too_long", retryable: false },
    ],
    [400, "invalid_request_error", "messages.1: bad", { kind: "invalid_request", retryable: false }],
    [400, "invalid_request_error", "Your credit balance is too low", { kind: "billing_error", retryable: false }],
    [401, "authentication_error", "invalid x-api-key", { kind: "authentication_failed", retryable: false }],
    [403, "permission_error", "no", { kind: "permission", retryable: false }],
    [404, "not_found_error", "model: x", { kind: "model_not_found", retryable: false }],
    [413, "request_too_large", "too big", { kind: "request_too_large", retryable: false }],
  ])("Q30 status %i (%s: %s)", async (status, type, message, expected) => {
    const server = await serve(sendError(status, type, message, status === 429 ? { "retry-after": "7" } : {}));
    const { error } = await play(server);
    expect(error).toMatchObject(expected);
    expect((error as Error).message).toContain(`API error ${status} (${type}): ${message}`);
    expect((error as Error).message).not.toContain("sk-test");
    expect(server.seen).toHaveLength(1); // never retries by itself
  });

  it("a refused key of a helper is renewed once, then refused for good", async () => {
    const server = await serve(sendError(401, "authentication_error", "invalid x-api-key"));
    let key = 1;
    const provider = createAnthropic({
      ...options(server.baseUrl),
      credentials: async () => ({ apiKey: `key-${key}` }),
      renewCredentials: () => {
        key += 1;
      },
    });
    const failures: unknown[] = [];
    for (let call = 0; call < 2; call += 1) {
      await eventsOfCall(provider).catch((error: unknown) => failures.push(error));
    }
    expect(failures).toMatchObject([
      { kind: "authentication_failed", retryable: true, retryAfterMs: 0 },
      { kind: "authentication_failed", retryable: false },
    ]);
    expect(server.seen.map(({ headers }) => headers["x-api-key"])).toEqual(["key-1", "key-2"]);
  });

  it.each([["text/html"], ["text/event-stream"]])(
    "P32 a page of a captive proxy as %s is no API answer",
    async (type) => {
      const server = await serve((response) => {
        response.writeHead(200, { "content-type": type });
        response.end(`<html>\n<title>Log in</title>${"x".repeat(500)}`);
      });
      const { error } = await play(server);
      expect(error).toMatchObject({ retryable: false });
      expect((error as Error).message).toMatch(/not an API answer.*<html> <title>Log in<\/title>x+$/);
      expect((error as Error).message.length).toBeLessThan(400);
    },
  );

  it("F160 a 503 with an HTML body is a server error with its start quoted", async () => {
    const server = await serve((response) => {
      response.writeHead(503, { "content-type": "text/html", "retry-after": "3" });
      response.end("<html>bad gateway</html>");
    });
    expect((await play(server)).error).toMatchObject({ kind: "server_error", retryable: true, retryAfterMs: 3000 });
  });

  it("a host that refuses connections is named, with what went wrong", async () => {
    const server = await serve(() => undefined);
    await server.close();
    const { error } = await play(server);
    expect(error).toMatchObject({ kind: "connection", retryable: true });
    expect((error as Error).message).toBe(
      `Cannot reach ${server.baseUrl.slice(7)}: the connection was refused (ECONNREFUSED).`,
    );
  });

  it("no headers within the time limit is a connection failure", async () => {
    const server = await serve(() => undefined);
    expect((await play(server, { timeoutMs: 100 })).error).toMatchObject({ kind: "connection", retryable: true });
  });

  it("stops at any moment with kind aborted, and nothing is left hanging", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    const server = await serve((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(sse(start, ...textBlock));
    });
    for (const after of [-1, 0, 1, 2, 3]) {
      const abort = new AbortController();
      if (after < 0) abort.abort();
      const stream = createAnthropic(options(server.baseUrl)).stream(request({ signal: abort.signal }));
      let count = 0;
      const reading = (async () => {
        if (after === 0) setTimeout(() => abort.abort(), 5);
        for await (const _ of stream) {
          count += 1;
          if (count === after) abort.abort();
        }
      })();
      await expect(reading).rejects.toMatchObject({ name: "ProviderError", kind: "aborted", retryable: false });
    }
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  it("a consumer that leaves early ends the transfer", async () => {
    let closed: (() => void) | undefined;
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const server = await serve((response) => {
      response.on("close", () => closed?.());
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(sse(start, ...textBlock));
    });
    for await (const _ of createAnthropic(options(server.baseUrl)).stream(request())) break;
    await gone;
  });

  it("a mistake of our own is not taken for a broken connection", async () => {
    const server = await serve(sendSse(sse(...whole)));
    const { error } = await play(server, {
      caching: () => {
        throw new RangeError("bug");
      },
    });
    expect(error).toMatchObject({ kind: "unknown", retryable: false, message: "The request failed: bug" });
  });

  it("a base URL that is none is said so", async () => {
    const stream = createAnthropic(options("not a url")).stream(request());
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(ProviderError);
  });
});
