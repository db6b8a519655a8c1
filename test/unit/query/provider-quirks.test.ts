// Cases Q1-Q36 that concern the loop and no other test holds by its id: what goes in as events, what stands in the history after it.
import { expect, test } from "vitest";
import type { ContentBlock } from "../../../src/protocol/messages.js";
import { loopKit, streamed } from "../../helpers/loop-kit.js";

type Event = { type: string; [key: string]: unknown };

const start = (id = "m1", usage: object = { input_tokens: 43 }): Event => ({
  type: "message_start",
  message: { id, role: "assistant", model: "m", usage },
});
const begin = (index: number, block: object): Event => ({ type: "content_block_start", index, content_block: block });
const delta = (index: number, value: object): Event => ({ type: "content_block_delta", index, delta: value });
const say = (index: number, text: string): Event => delta(index, { type: "text_delta", text });
const end = (index: number): Event => ({ type: "content_block_stop", index });
const stop = (reason: string | null, more: object = {}): Event[] => [
  { type: "message_delta", delta: { stop_reason: reason, ...more }, usage: { output_tokens: 2 } },
  { type: "message_stop" },
];
const text = { type: "text", text: "" };
const tool = (id = "t1", input: object = {}) => ({ type: "tool_use", id, name: "Touch", input });
const reply =
  (...events: Event[]) =>
  () =>
    streamed(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));

const play = async (...replies: Parameters<typeof loopKit>[0]) => {
  const kit = loopKit(replies);
  const outcome = await kit.run();
  const blocks = (kit.messages[1]?.content ?? []) as ContentBlock[];
  return { kit, outcome, blocks, ran: kit.ran.map(([, input]) => input) };
};

test("Q4 an input that came whole with the block's start is used", async () => {
  const { ran } = await play(reply(start(), begin(0, tool("t1", { a: 1 })), end(0), ...stop("tool_use")), {
    say: "done",
  });
  expect(ran).toEqual([{ a: 1 }]);
});

test("Q11 Q12 hidden and empty but signed thinking is kept and sent back", async () => {
  const hidden = { type: "redacted_thinking", data: "D" };
  const empty = { type: "thinking", thinking: "", signature: "S" };
  const kit = loopKit([
    reply(start(), begin(0, hidden), end(0), begin(1, empty), end(1), begin(2, tool()), end(2), ...stop("tool_use")),
    { say: "done" },
  ]);
  kit.memory.redacted.add("D");
  kit.memory.signatures.set("S", "");
  expect(await kit.run()).toMatchObject({ cause: "completed" });
  expect(kit.sent[1]?.messages[1]?.content.slice(0, 2)).toEqual([hidden, empty]);
});

test("Q13 thinking without a signature is shown but not sent back", async () => {
  const { kit } = await play(
    reply(
      start(),
      begin(0, { type: "thinking", thinking: "" }),
      delta(0, { type: "thinking_delta", thinking: "hm" }),
      end(0),
      begin(1, tool()),
      end(1),
      ...stop("tool_use"),
    ),
    { say: "done" },
  );
  expect(kit.events).toContainEqual(expect.objectContaining({ type: "thinking", delta: "hm" }));
  expect(kit.sent[1]?.messages[1]?.content.map(({ type }) => type)).toEqual(["tool_use"]);
});

test("Q14 Q15 Q19 Q27 blocks of the server's own tools, fallback and compaction marks are kept as they came", async () => {
  const own: Event[] = [
    { type: "server_tool_use", id: "srv_1", name: "web_search", input: { query: "x" } },
    {
      type: "web_search_tool_result",
      tool_use_id: "srv_1",
      content: { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" },
    },
    { type: "fallback", from: "a", to: "b" },
    { type: "foo_result", anything: [1] },
  ];
  const events = own.flatMap((block, at) => [begin(at, block), end(at)]);
  const compaction = [
    begin(4, { type: "compaction", content: "" }),
    delta(4, { type: "compaction_delta", content: "short" }),
    end(4),
  ];
  const { blocks, ran } = await play(
    reply(start(), ...events, ...compaction, begin(5, text), say(5, "a"), end(5), ...stop("end_turn")),
  );
  expect(blocks).toEqual([...own, { type: "compaction", content: "short" }, { type: "text", text: "a" }]);
  expect(ran).toEqual([]);
});

test("Q17 a refusal without a block leaves nothing in the history and names its category", async () => {
  const { kit, outcome } = await play(reply(start(), ...stop("refusal", { stop_details: { category: "cyber" } })));
  expect(outcome).toMatchObject({
    cause: "refusal",
    stopReason: "refusal",
    text: expect.stringContaining("cyber"),
    errors: [],
  });
  expect(kit.messages).toHaveLength(1);
});

test("Q18 words before a refusal leave the screen, calls before it do not run, nothing is sent back", async () => {
  const { kit, outcome, ran } = await play(
    reply(start(), begin(0, text), say(0, "a"), end(0), begin(1, tool()), end(1), ...stop("refusal")),
  );
  expect(outcome.cause).toBe("refusal");
  expect([kit.messages.length, ran.length]).toEqual([1, 0]);
  expect(kit.events).toContainEqual(expect.objectContaining({ type: "dropped", messageId: "m1" }));
});

test("Q22 usage of the end adds to the start's; absent and null fields keep the earlier value", async () => {
  const usage = { input_tokens: 61, output_tokens: 2, cache_read_input_tokens: null };
  const last = { type: "message_delta", delta: { stop_reason: "end_turn" }, usage };
  const { outcome } = await play(
    reply(start("m1", { input_tokens: 43, cache_read_input_tokens: 7 }), begin(0, text), say(0, "a"), end(0), last, {
      type: "message_stop",
    }),
  );
  expect(outcome.usage).toMatchObject({ input_tokens: 61, output_tokens: 2, cache_read_input_tokens: 7 });
});

test("Q23 the last stop reason that is not null wins", async () => {
  const { outcome } = await play(
    reply(
      start(),
      begin(0, text),
      say(0, "a"),
      end(0),
      { type: "message_delta", delta: { stop_reason: null } },
      ...stop("end_turn"),
    ),
  );
  expect(outcome).toMatchObject({ cause: "completed", stopReason: "end_turn" });
});

test("Q24 interleaved blocks stand in the order of their indexes", async () => {
  const { blocks } = await play(
    reply(start(), begin(0, text), begin(1, text), say(0, "a"), say(1, "b"), end(1), end(0), ...stop("end_turn")),
  );
  expect(blocks).toEqual([
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ]);
});

test("Q25 deltas and ends of blocks that never began are ignored", async () => {
  const { blocks } = await play(
    reply(start(), say(5, "lost"), end(9), begin(0, text), say(0, "a"), end(0), ...stop("end_turn")),
  );
  expect(blocks).toEqual([{ type: "text", text: "a" }]);
});

test("a block whose own end never came is complete when the answer is", async () => {
  const { blocks, ran } = await play(
    reply(
      start(),
      begin(0, text),
      say(0, "a"),
      begin(1, tool()),
      delta(1, { type: "input_json_delta", partial_json: '{"b":1}' }),
      ...stop("tool_use"),
    ),
    { say: "done" },
  );
  expect(blocks.map(({ type }) => type)).toEqual(["text", "tool_use"]);
  expect(ran).toEqual([{ b: 1 }]);
});

test("Q33 a tool that does not exist gets an error that names the nearest one", async () => {
  const { kit, outcome } = await play({ calls: [{ touch: {} }, { Loook: {} }] }, { say: "done" });
  expect(outcome.cause).toBe("completed");
  expect(kit.messages[2]?.content).toMatchObject([
    { is_error: true, content: expect.stringContaining("Touch") },
    { is_error: true, content: expect.stringContaining("Look") },
  ]);
});

test("Q34 ids that a gateway repeats are made unique, results find their calls", async () => {
  const call = reply(start(), begin(0, tool("same", { n: 1 })), end(0), ...stop("tool_use"));
  const { kit } = await play(call, call, { say: "done" });
  expect(kit.refused).toEqual([]);
  const ids = kit.messages.flatMap(
    ({ content }) =>
      (content as { id?: string; tool_use_id?: string }[]).flatMap?.(
        ({ id, tool_use_id }) => id ?? tool_use_id ?? [],
      ) ?? [],
  );
  expect(ids).toEqual(["same", "same", "same_2", "same_2"]);
});

test("Q35 Q36 blocks decide, not the stop reason", async () => {
  const without = await play(reply(start(), begin(0, text), say(0, "a"), end(0), ...stop("tool_use")));
  expect(without.outcome).toMatchObject({ cause: "completed", text: "a", turns: 1 });
  const withCall = await play(reply(start(), begin(0, tool()), end(0), ...stop("end_turn")), { say: "done" });
  expect(withCall.outcome).toMatchObject({ cause: "completed", text: "done", turns: 2 });
});
