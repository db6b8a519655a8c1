import Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import { createModelServer } from "../../helpers/fixtures.js";
import { gate } from "../../helpers/gate.js";
import type { ModelServerOptions } from "../../helpers/model-server.js";

const serve = async (options: ModelServerOptions) => {
  const server = await createModelServer(options);
  const client = new Anthropic({ apiKey: "k", baseURL: server.url, maxRetries: 0 });
  const ask = (messages: Anthropic.MessageParam[] = [{ role: "user", content: "hi" }]) =>
    client.messages.stream({ model: "claude-sonnet-5-5", max_tokens: 100, messages });
  return { server, client, ask };
};

test("an answer with thinking, text and calls streams as the SDK expects it", async () => {
  const { server, ask } = await serve({
    answers: [
      {
        thinking: "hm",
        say: "I look.",
        calls: [{ Read: { file_path: "a" } }, { Glob: { pattern: "*" } }],
        deltaChars: 3,
      },
    ],
  });
  const message = await ask().finalMessage();
  expect(message).toMatchObject({
    id: "msg_001",
    model: "claude-sonnet-5-5",
    stop_reason: "tool_use",
    content: [
      { type: "thinking", thinking: "hm", signature: "sig-001" },
      { type: "text", text: "I look." },
      { type: "tool_use", id: "toolu_001", name: "Read", input: { file_path: "a" } },
      { type: "tool_use", id: "toolu_002", name: "Glob", input: { pattern: "*" } },
    ],
  });
  expect(server.turns()[0]?.stopSentAt).toBeGreaterThan(server.turns()[0]?.at ?? 0);
});

test.each([1, 2, 3])("random byte cuts (seed %d) and gzip change nothing for the reader", async (cutSeed) => {
  const { ask } = await serve({
    answers: [
      { say: "Grüße 👍 für alle", deltaChars: 2, cutSeed },
      { say: "zipped", gzip: true },
    ],
  });
  expect((await ask().finalMessage()).content).toEqual([{ type: "text", text: "Grüße 👍 für alle" }]);
  expect((await ask().finalMessage()).content).toEqual([{ type: "text", text: "zipped" }]);
});

test("a held answer waits for its gate, by object and by name", async () => {
  const held = gate();
  const { server, ask } = await serve({
    answers: [
      { say: "one two", deltaChars: 4, holds: [{ at: "delta:1", until: held }] },
      { say: "x", holds: [{ at: "beforeStop", until: "later" }] },
    ],
  });
  const first = ask();
  const seen: string[] = [];
  first.on("text", (text) => {
    seen.push(text);
    if (seen.length === 1) held.release();
  });
  await first.finalMessage();
  expect(seen).toEqual(["one ", "two"]);
  const second = ask();
  await new Promise<void>((resolve) => second.on("text", () => resolve()));
  expect(server.turns()[1]?.stopSentAt).toBeUndefined();
  server.release("later");
  expect((await second.finalMessage()).stop_reason).toBe("end_turn");
});

test("error answers keep status, body, headers and their place in the order", async () => {
  const { server, ask } = await serve({
    answers: [
      { status: 429, headers: { "retry-after": "7" }, error: { message: "slow down" } },
      { status: 529 },
      { say: "fine" },
    ],
  });
  await expect(ask().finalMessage()).rejects.toMatchObject({
    status: 429,
    error: { error: { type: "rate_limit_error", message: "slow down" } },
  });
  await expect(ask().finalMessage()).rejects.toMatchObject({ status: 529 });
  expect((await ask().finalMessage()).content).toMatchObject([{ text: "fine" }]);
  expect(server.turns().map(({ status }) => status)).toEqual([429, 529, 200]);
});

test("streams can break: error event, reset, clean end, stall", async () => {
  const { ask } = await serve({
    answers: [
      { say: "abcdef", deltaChars: 2, errorEvent: { afterDeltas: 1 } },
      { say: "abcdef", resetAfterBytes: 300 },
      { say: "abcdef", deltaChars: 2, endAfterDeltas: 2 },
      { say: "abcdef", deltaChars: 2, stallAfterDeltas: 1 },
    ],
  });
  await expect(ask().finalMessage()).rejects.toThrow(/Overloaded/);
  await expect(ask().finalMessage()).rejects.toThrow();
  await expect(ask().finalMessage()).rejects.toThrow();
  const stalled = ask();
  stalled.on("text", () => stalled.abort());
  await expect(stalled.finalMessage()).rejects.toThrow(/abort/i);
});

test("raw text, plain JSON and cut input are sent as written", async () => {
  const { ask } = await serve({
    answers: [
      { calls: [{ Bash: { command: "ls" } }], cutInputAfter: 9, stop: "max_tokens" },
      {
        raw: [
          'event: message_start\r\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\r\n\r\n',
          'event: message_stop\ndata: {"type":"message_stop"}\n\n',
        ],
      },
    ],
  });
  const events: string[] = [];
  const cut = ask();
  cut.on("streamEvent", (event) => {
    if (event.type === "content_block_delta" && event.delta.type === "input_json_delta")
      events.push(event.delta.partial_json);
  });
  await cut.finalMessage().catch(() => undefined);
  expect(events).toEqual(["", '{"command'.slice(0, 9)]);
  expect((await ask().finalMessage()).id).toBe("m");
});

test("the strict server refuses, counts no turn and remembers why", async () => {
  const { server, ask } = await serve({ answers: [{ say: "ok" }] });
  await expect(ask([{ role: "user", content: "" }]).finalMessage()).rejects.toMatchObject({ status: 400 });
  expect((await ask().finalMessage()).content).toMatchObject([{ text: "ok" }]);
  await expect(ask().finalMessage()).rejects.toThrow(/no answer for turn 2/);
  expect(server.violations).toEqual([
    "messages.0: all messages must have non-empty content except for the optional final assistant message",
    "the script has no answer for turn 2",
  ]);
});

test("thinking it sent must come back unchanged in the tool loop", async () => {
  const { server, ask } = await serve({ answers: [{ thinking: "t", calls: [{ Read: {} }] }, { say: "done" }] });
  const { content } = await ask().finalMessage();
  const back = (blocks: Anthropic.ContentBlockParam[]): Anthropic.MessageParam[] => [
    { role: "user", content: "hi" },
    { role: "assistant", content: blocks },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_001", content: "x" }] },
  ];
  await expect(ask(back(content.slice(1) as Anthropic.ContentBlockParam[])).finalMessage()).rejects.toThrow(
    /Expected `thinking`/,
  );
  expect((await ask(back(content as Anthropic.ContentBlockParam[])).finalMessage()).content).toMatchObject([
    { text: "done" },
  ]);
  expect(server.violations.length).toBe(1);
});

test("side requests are answered outside the turn order", async () => {
  const { server, ask } = await serve({
    answers: [{ say: "main" }],
    sideAnswers: [{ when: ({ body }) => JSON.stringify(body).includes("title"), answers: [{ say: "A title" }] }],
  });
  expect((await ask([{ role: "user", content: "a title please" }]).finalMessage()).content).toMatchObject([
    { text: "A title" },
  ]);
  expect((await ask().finalMessage()).content).toMatchObject([{ text: "main" }]);
  expect(server.requests.map(({ kind }) => kind)).toEqual(["side", "main"]);
});

test("an answer may be worked out from its request", async () => {
  const { ask } = await serve({ answers: [({ body }) => ({ say: `You sent ${body.messages.length}` })] });
  expect((await ask().finalMessage()).content).toMatchObject([{ text: "You sent 1" }]);
});

test("a prompt over the limit is refused as too long without using up an answer", async () => {
  const { server, ask } = await serve({ answers: [{ say: "ok" }], promptLimit: 200 });
  await expect(ask([{ role: "user", content: "x".repeat(2000) }]).finalMessage()).rejects.toThrow(
    /prompt is too long: \d+ tokens > 200 maximum/,
  );
  expect(server.remaining()).toBe(1);
});
