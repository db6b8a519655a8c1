import { ReadableStream } from "node:stream/web";
import { describe, expect, onTestFinished, test } from "vitest";
import type { LoopOutcome } from "../../../src/query/loop-options.js";
import {
  apiError,
  bytesOf,
  type LoopKit,
  loopKit,
  type Reply,
  type SentBody,
  streamed,
} from "../../helpers/loop-kit.js";
import type { ModelAnswer } from "../../helpers/model-script.js";
import { startModelServer } from "../../helpers/model-server.js";
import { newMemory, refusal } from "../../helpers/strict-rules.js";

const isLong = process.env.LONG === "1";

/** One round with everything in it: thinking, words of more than one byte, a read, a change. */
const round: ModelAnswer = {
  thinking: "Schön, zuerst lesen ✓",
  say: "Ich lese 👀 und ändere.",
  calls: [{ Look: { at: "größe" } }, { Touch: { at: "ö" } }],
  deltaChars: 6,
  pingEvery: 3,
};

const hasResults = (body: SentBody): boolean =>
  body.messages.at(-1)?.content.some(({ type }) => type === "tool_result") ?? false;

/** Answers as a model does: the round first, "done" once its results are there. `first` is the faulty answer before that. */
const afterFault = (first: (kit: () => LoopKit) => Reply, provider: Parameters<typeof loopKit>[2] = {}): LoopKit => {
  const model: Reply = (body) => streamed(bytesOf(hasResults(body) ? { say: "done" } : round, kit.memory));
  const kit: LoopKit = loopKit([first(() => kit), ...Array<Reply>(4).fill(model)], {}, provider);
  return kit;
};

/** Nothing ran twice, nothing is lost, nothing is left over of the faulty answer. */
const expectWhole = (kit: LoopKit, outcome: LoopOutcome, where: string): void => {
  expect({ where, cause: outcome.cause, text: outcome.text, errors: outcome.errors, refused: kit.refused }).toEqual({
    where,
    cause: "completed",
    text: "done",
    errors: [],
    refused: [],
  });
  expect(kit.ran.map(([name]) => name).sort()).toEqual(["Look", "Touch"]);
  const roles = kit.messages.map(
    ({ role, content }) => `${role} ${typeof content === "string" ? "text" : content.map(({ type }) => type).join()}`,
  );
  expect(roles).toEqual([
    "user text",
    "assistant thinking,text,tool_use,tool_use",
    "user tool_result,tool_result",
    "assistant text",
  ]);
};

describe("F158 a stream cut at any byte", () => {
  const length = bytesOf(round).length;
  const step = isLong ? 1 : 41;

  test.each([
    ["by a reset", true],
    ["by a clean close", false],
  ])(
    "%s is asked again: one answer, each call run once",
    async (_name, isCut) => {
      for (let at = 0; at < length; at += step) {
        const kit = afterFault((self) => () => streamed(bytesOf(round, self().memory).subarray(0, at), { isCut }));
        expectWhole(kit, await kit.run(), `cut at ${at} of ${length}`);
      }
    },
    600_000,
  );
});

/** The events of the round as separate pieces of text. */
const piecesOf = (kit: LoopKit): string[] =>
  bytesOf(round, kit.memory)
    .toString("utf8")
    .split(/(?<=\n\n)/);

describe("F158 an error event after 200, wherever it comes", () => {
  const error = (type: string) =>
    `event: error\ndata: ${JSON.stringify({ type: "error", error: { type, message: "Oh" } })}\n\n`;

  test.each(["overloaded_error", "api_error", "rate_limit_error", "timeout_error"])(
    "%s is asked again (Q7)",
    async (type) => {
      const count = bytesOf(round).toString().split("\n\n").length - 1;
      for (let at = 0; at < count; at += isLong ? 1 : 5) {
        const kit = afterFault((self) => () => {
          const pieces = piecesOf(self());
          return streamed([...pieces.slice(0, at), error(type)].join(""));
        });
        expectWhole(kit, await kit.run(), `${type} at event ${at}`);
      }
    },
  );

  test("what cannot get better is shown, once", async () => {
    const kit = loopKit([() => streamed(error("permission_error"))]);
    expect(await kit.run()).toMatchObject({
      cause: "api_error",
      apiErrorStatus: 403,
      errors: [expect.stringContaining("Oh")],
    });
  });
});

test("Q9 a stream that falls silent is given up after the idle limit and asked again; pings keep it alive", async () => {
  const server = await startModelServer({ answers: [{ ...round, stallAfterDeltas: 9 }, round, { say: "done" }] });
  onTestFinished(() => server.close());
  const kit = loopKit([], {}, { baseUrl: server.url, fetch: globalThis.fetch, idleTimeoutMs: 300 });
  expectWhole(kit, await kit.run(), "silence");
  expect(kit.events.find(({ type }) => type === "retry")).toMatchObject({ error: "idle" });
  expect(server.violations).toEqual([]);
  const slow = loopKit(
    [
      () => {
        const bytes = bytesOf({ say: "slow but alive" });
        const end = bytes.indexOf("event: content_block_stop");
        let pings = 6;
        const body = new ReadableStream<Uint8Array>({
          async pull(controller) {
            if (pings === 6) controller.enqueue(bytes.subarray(0, end));
            await new Promise((resolve) => setTimeout(resolve, 60));
            if (pings-- > 0) return controller.enqueue(Buffer.from('event: ping\ndata: {"type":"ping"}\n\n'));
            controller.enqueue(bytes.subarray(end));
            controller.close();
          },
        });
        return new Response(body as unknown as BodyInit, { headers: { "content-type": "text/event-stream" } });
      },
    ],
    {},
    { idleTimeoutMs: 250 },
  );
  expect(await slow.run()).toMatchObject({ cause: "completed", text: "slow but alive" });
});

test("Q1 pings, comments and unknown events anywhere change nothing (Q26)", async () => {
  const extras = [
    'event: ping\ndata: {"type":"ping"}\n\n',
    ": a comment of a proxy\n\n",
    'event: news\ndata: {"type":"some_future_event","index":0,"x":[1]}\n\n',
    'data: {"type":"content_block_delta","index":99,"delta":{"type":"text_delta","text":"lost"}}\n\n',
    'data: {"type":"content_block_delta","index":0,"delta":{"type":"bar_delta","bar":1}}\n\n',
    'data: {"type":"content_block_stop","index":77}\n\n',
    'data: {"no":"type"}\n\n',
  ];
  for (const extra of extras) {
    const kit = afterFault((self) => () => {
      const pieces = piecesOf(self());
      return streamed(pieces.map((piece, at) => (at < pieces.length - 1 ? piece + extra : piece)).join(""));
    });
    expectWhole(kit, await kit.run(), extra);
    expect(kit.sent).toHaveLength(2);
  }
});

test("Q20 Q21 a second message_start at any event voids what came before it", async () => {
  const count = piecesOf(loopKit([])).length;
  for (let at = 1; at < count - 2; at += isLong ? 1 : 3) {
    const kit = afterFault((self) => () => {
      const pieces = piecesOf(self());
      return streamed([...pieces.slice(0, at), ...pieces].join(""));
    });
    expectWhole(kit, await kit.run(), `started again at event ${at}`);
    expect(kit.sent).toHaveLength(2);
  }
});

test("a body in single bytes, in one piece, or zipped gives the same", async () => {
  const single = afterFault((self) => () => {
    const bytes = bytesOf(round, self().memory);
    const body = ReadableStream.from([...bytes].map((byte) => Uint8Array.of(byte)));
    return new Response(body as unknown as BodyInit, { headers: { "content-type": "text/event-stream" } });
  });
  expectWhole(single, await single.run(), "single bytes");
  const server = await startModelServer({
    answers: [
      { ...round, gzip: true },
      { say: "done", cutSeed: 3, gzip: true },
    ],
  });
  onTestFinished(() => server.close());
  const zipped = loopKit([], {}, { baseUrl: server.url, fetch: globalThis.fetch });
  expectWhole(zipped, await zipped.run(), "zipped");
});

describe("answers that are no event stream", () => {
  const message = {
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    content: [
      { type: "text", text: "Whole." },
      { type: "tool_use", id: "t", name: "Touch", input: { a: 1 } },
    ],
    stop_reason: "tool_use",
    usage: { input_tokens: 1, output_tokens: 1 },
  };

  test("Q29 a whole JSON message is one answer", async () => {
    const kit = loopKit([() => streamed(JSON.stringify(message), { type: "application/json" }), { say: "done" }]);
    expect(await kit.run()).toMatchObject({ cause: "completed", text: "done" });
    expect(kit.ran).toEqual([["Touch", { a: 1 }]]);
  });

  test("Q29 half a JSON message is no answer, and nothing of it runs", async () => {
    const kit = loopKit([() => streamed(JSON.stringify(message).slice(0, 150), { type: "application/json" })]);
    expect(await kit.run()).toMatchObject({ cause: "api_error" });
    expect(kit.ran).toEqual([]);
  });

  test("P32 a proxy's page is quoted, not taken for an answer", async () => {
    const kit = loopKit([() => streamed("<html><title>Sign in to the hotel</title></html>", { type: "text/html" })]);
    expect(await kit.run()).toMatchObject({
      cause: "api_error",
      text: expect.stringContaining("Sign in to the hotel"),
    });
    const disguised = loopKit([() => streamed("<html>no events at all</html>")]);
    expect(await disguised.run()).toMatchObject({
      cause: "api_error",
      text: expect.stringContaining("not an API answer"),
    });
  });

  test("an empty body is asked again", async () => {
    const kit = loopKit([() => streamed(""), { say: "done" }]);
    expect(await kit.run()).toMatchObject({ cause: "completed", text: "done" });
  });
});

describe("F162 broken input of a call", () => {
  const answer = (json: string[]): string =>
    [
      { type: "message_start", message: { id: "m", role: "assistant", model: "m", usage: {} } },
      { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "t", name: "Touch", input: {} } },
      ...json.map((partial_json) => ({
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json },
      })),
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "tool_use" } },
      { type: "message_stop" },
    ]
      .map((event) => `data: ${JSON.stringify(event)}\n\n`)
      .join("");

  const played = async (...json: string[]) => {
    const kit = loopKit([() => streamed(answer(json)), { say: "done" }]);
    const outcome = await kit.run();
    expect([outcome.cause, kit.refused]).toEqual(["completed", []]);
    const [call] = (kit.messages[1]?.content ?? []) as { input?: unknown }[];
    const [result] = (kit.messages[2]?.content ?? []) as { content?: string; is_error?: boolean }[];
    return {
      ran: kit.ran.map(([, input]) => input),
      input: call?.input,
      isError: result?.is_error,
      told: result?.content,
    };
  };

  test.each([
    ["no brace at the end", ['{"command": ', '"ls"']],
    ["plain text", ["ls -la"]],
    ["a list", ["[1]"]],
    ["a fenced block", ['```json\n{"command":"ls"}\n```']],
    ["cut inside an escape", ['{"a":"\\u00']],
  ])("%s: nothing runs, {} is kept, and the model reads what arrived", async (_name, json) => {
    expect(await played(...json)).toEqual({
      ran: [],
      input: {},
      isError: true,
      told: expect.stringContaining(json[0]!.slice(0, 4)),
    });
  });

  test.each([
    ["no input at all (Q3)", [], {}],
    ["an empty string (Q2)", [""], {}],
    ["an empty object", ["{}"], {}],
    ["a key twice: the last one counts, as JSON has it", ['{"command":"a",', '"command":"b"}'], { command: "b" }],
    ["a character cut in two pieces of JSON", ['{"p":"x\\ud83d', '\\ude00"}'], { p: "x😀" }],
  ])("%s runs", async (_name, json, input) => {
    expect(await played(...json)).toMatchObject({ ran: [input], input });
  });

  test("half a character in the input does not make the next request one that is refused", async () => {
    expect(await played('{"p":"\\ud83d"}')).toMatchObject({ ran: [{ p: "\ud83d" }] });
  });

  test("Q32 of two parallel calls the one with broken input fails, the other runs, results in order", async () => {
    const kit = loopKit([{ calls: [{ Touch: { a: 1 } }, { Touch: { b: 2 } }], cutInputAfter: 4 }, { say: "done" }]);
    await kit.run();
    expect(kit.ran).toEqual([["Touch", { a: 1 }]]);
    expect(kit.messages[2]?.content).toMatchObject([{ content: "Touch done" }, { is_error: true }]);
  });
});

test("the strict rules refuse what these tests are about, else they would prove nothing", () => {
  const body = { model: "m", max_tokens: 1, messages: [{ role: "user", content: [{ type: "text", text: "\ud83d" }] }] };
  expect(refusal(body, { memory: newMemory() })).toMatch(/surrogate/);
  expect(apiError(400, "x").status).toBe(400);
});
