import { expect, test } from "vitest";
import type { StreamEvent } from "../../../src/providers/provider.js";
import { createAssembler } from "../../../src/query/assemble.js";

const start = (id = "m1", usage = { input_tokens: 1, output_tokens: 1 }): StreamEvent => ({
  type: "message_start",
  message: { id, model: "m", role: "assistant", usage },
});
const block = (index: number, content_block: { type: string; [key: string]: unknown }): StreamEvent => ({
  type: "content_block_start",
  index,
  content_block,
});
const delta = (index: number, value: { type: string; [key: string]: unknown }): StreamEvent => ({
  type: "content_block_delta",
  index,
  delta: value,
});
const json = (index: number, partial_json: string) => delta(index, { type: "input_json_delta", partial_json });
const end = (index: number): StreamEvent => ({ type: "content_block_stop", index });
const stop = (stop_reason: "end_turn" | "tool_use" | "max_tokens"): StreamEvent => ({
  type: "message_delta",
  delta: { stop_reason },
});
const tool = { type: "tool_use", id: "t", name: "T", input: {} };

const assemble = (events: StreamEvent[]) => {
  const assembler = createAssembler();
  const kinds = events.map((event) => assembler.push(event).kind);
  return { answer: assembler.answer(), kinds, blocks: assembler.answer().blocks.map(({ block }) => block) };
};

test("Q1 pings produce nothing", () => {
  const { blocks } = assemble([
    start(),
    { type: "ping" },
    block(0, { type: "text", text: "" }),
    { type: "ping" },
    delta(0, { type: "text_delta", text: "a" }),
    end(0),
    stop("end_turn"),
    { type: "message_stop" },
  ]);
  expect(blocks).toEqual([{ type: "text", text: "a" }]);
});

test("Q2 an empty string as input means no arguments", () => {
  expect(assemble([start(), block(1, tool), json(1, ""), end(1)]).blocks).toEqual([{ ...tool, input: {} }]);
});

test("Q3 no piece of input means no arguments", () => {
  expect(assemble([start(), block(1, tool), end(1)]).blocks).toEqual([{ ...tool, input: {} }]);
});

test("Q4 input that stands in the block's start is kept", () => {
  expect(assemble([start(), block(1, { ...tool, input: { a: 1 } }), end(1)]).blocks).toEqual([
    { ...tool, input: { a: 1 } },
  ]);
});

test("Q6 input cut by the output limit is empty and marked with what arrived", () => {
  const { answer } = assemble([start(), block(0, tool), json(0, '{"path":"a'), end(0), stop("max_tokens")]);
  expect(answer.blocks).toEqual([{ index: 0, block: { ...tool, input: {} }, brokenJson: '{"path":"a' }]);
});

test("Q10 thinking keeps its signature and its place", () => {
  const { blocks } = assemble([
    start(),
    block(0, { type: "thinking", thinking: "", signature: "" }),
    delta(0, { type: "thinking_delta", thinking: "t" }),
    delta(0, { type: "signature_delta", signature: "S" }),
    end(0),
    block(1, { type: "text", text: "" }),
    delta(1, { type: "text_delta", text: "x" }),
    end(1),
  ]);
  expect(blocks).toEqual([
    { type: "thinking", thinking: "t", signature: "S" },
    { type: "text", text: "x" },
  ]);
});

test("Q11 redacted thinking is kept as it came", () => {
  const blocks = [
    { type: "redacted_thinking", data: "D" },
    { type: "redacted_thinking", data: "E" },
  ];
  expect(assemble([start(), block(0, blocks[0]!), end(0), block(1, blocks[1]!), end(1)]).blocks).toEqual(blocks);
});

test("Q14 citations are gathered", () => {
  const { blocks } = assemble([
    start(),
    block(0, { type: "text", text: "a" }),
    delta(0, { type: "citations_delta", citation: { url: "u" } }),
    end(0),
  ]);
  expect(blocks).toEqual([{ type: "text", text: "a", citations: [{ url: "u" }] }]);
});

test("Q21 a second message start throws away everything of the first", () => {
  const { answer, kinds } = assemble([
    start("m1"),
    block(0, { ...tool, id: "old" }),
    json(0, '{"v":"Sp'),
    start("m2"),
    block(0, { ...tool, id: "new" }),
    json(0, '{"v":"ok"}'),
    end(0),
    stop("tool_use"),
  ]);
  expect(kinds).toContain("restart");
  expect(answer.messageId).toBe("m2");
  expect(answer.blocks.map(({ block }) => block)).toEqual([{ ...tool, id: "new", input: { v: "ok" } }]);
});

test("Q22 usage of the delta wins, absent and null fields keep the earlier value", () => {
  const { answer } = assemble([
    start("m", { input_tokens: 43, output_tokens: 1 }),
    {
      type: "message_delta",
      delta: { stop_reason: null },
      usage: { input_tokens: 61, output_tokens: 2, cache_read_input_tokens: null },
    },
    { type: "message_delta", delta: { stop_reason: "end_turn" } },
  ]);
  expect(answer.usage).toEqual({ input_tokens: 61, output_tokens: 2 });
  expect(answer.stopReason).toBe("end_turn");
});

test("unknown blocks are kept, unknown events and deltas mean nothing", () => {
  const odd = { type: "foo_result", value: 1 };
  const { blocks, kinds } = assemble([
    start(),
    block(0, odd),
    delta(0, { type: "bar_delta", x: 1 }),
    end(0),
    { type: "something_new" } as unknown as StreamEvent,
  ]);
  expect(blocks).toEqual([odd]);
  expect(kinds.at(-1)).toBe("nothing");
});

test("the text of a block that was still open can be kept when the person interrupts", () => {
  const assembler = createAssembler();
  for (const event of [start(), block(0, { type: "text", text: "" }), delta(0, { type: "text_delta", text: "half" })])
    assembler.push(event);
  expect(assembler.openText()).toEqual({ index: 0, text: "half" });
});
