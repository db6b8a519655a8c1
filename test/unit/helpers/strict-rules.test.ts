import { expect, test } from "vitest";
import { newMemory, refusal, remember } from "../../helpers/strict-rules.js";

const base = (over: Record<string, unknown> = {}) => ({
  model: "claude-sonnet-5-5",
  max_tokens: 1000,
  messages: [{ role: "user", content: "hi" }],
  ...over,
});
const use = (id: string, name = "Read") => ({ type: "tool_use", id, name, input: {} });
const result = (id: string, content = "ok") => ({ type: "tool_result", tool_use_id: id, content });
const text = (t: string) => ({ type: "text", text: t });
const tool = (name: string, schema: Record<string, unknown> = { type: "object", properties: {} }) => ({
  name,
  input_schema: schema,
});
const conversation = (...messages: [string, unknown][]) =>
  base({ messages: messages.map(([role, content]) => ({ role, content })) });
const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(33);
  bytes.write("\x89PNG\r\n\x1a\n", 0, "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return { type: "image", source: { type: "base64", media_type: "image/png", data: bytes.toString("base64") } };
};

const loading = (name: string) =>
  conversation(
    ["user", "a"],
    ["assistant", [use("t1", "ToolSearch")]],
    ["user", [{ ...result("t1"), content: [{ type: "tool_reference", tool_name: name }] }]],
  );

const accepted: [string, unknown][] = [
  ["a reference to a deferred tool", { ...loading("A"), tools: [tool("Read"), { ...tool("A"), defer_loading: true }] }],
  ["a plain prompt", base()],
  ["effort and adaptive thinking", base({ thinking: { type: "adaptive" }, output_config: { effort: "high" } })],
  [
    "a budget on a model of 4.5",
    base({ model: "claude-haiku-4-5", max_tokens: 3000, thinking: { type: "enabled", budget_tokens: 2000 } }),
  ],
  ["a paired call", conversation(["user", "a"], ["assistant", [use("t1")]], ["user", [result("t1"), text("note")]])],
  [
    "results of one answer in two user messages",
    conversation(
      ["user", "a"],
      ["assistant", [use("t1"), use("t2")]],
      ["user", [result("t1")]],
      ["user", [result("t2")]],
    ),
  ],
  [
    "four cache marks",
    base({ system: [1, 2, 3, 4].map((n) => ({ ...text(`s${n}`), cache_control: { type: "ephemeral" } })) }),
  ],
  ["a picture of 8000 px", conversation(["user", [png(8000, 10)]])],
  ["two tools", base({ tools: [tool("Read"), tool("mcp__a__b")] })],
];
test.each(accepted)("accepts %s", (_, body) => {
  expect(refusal(body, { memory: newMemory() })).toBeUndefined();
});

const refused: [string, unknown, RegExp][] = [
  [
    "a reference to a tool that the request does not define",
    { ...loading("A"), tools: [tool("Read"), { ...tool("B"), defer_loading: true }] },
    /Tool reference 'A' not found in available tools/,
  ],
  [
    "a reference outside of a result",
    conversation(["user", [{ type: "tool_reference", tool_name: "A" }]]),
    /tool_reference/,
  ],
  [
    "a reference in a failed result",
    conversation(
      ["user", "a"],
      ["assistant", [use("t1")]],
      ["user", [{ ...result("t1"), is_error: true, content: [{ type: "tool_reference", tool_name: "A" }] }]],
    ),
    /./,
  ],
  [
    "a cache mark on a deferred tool",
    base({ tools: [tool("Read"), { ...tool("A"), defer_loading: true, cache_control: { type: "ephemeral" } }] }),
    /defer_loading=true and cache_control/,
  ],
  ["nothing but deferred tools", base({ tools: [{ ...tool("A"), defer_loading: true }] }), /At least one tool/],
  [
    "a call without a result",
    conversation(["user", "a"], ["assistant", [use("t1")]], ["user", "b"]),
    /messages\.1: `tool_use` ids were found without/,
  ],
  [
    "a result one message too late",
    conversation(
      ["user", "a"],
      ["assistant", [use("t1")]],
      ["user", "b"],
      ["assistant", "c"],
      ["user", [result("t1")]],
    ),
    /without `tool_result`/,
  ],
  [
    "text before the result",
    conversation(["user", "a"], ["assistant", [use("t1")]], ["user", [text("b"), result("t1")]]),
    /without `tool_result`/,
  ],
  [
    "a result for an unknown call",
    conversation(["user", [result("t9")]]),
    /unexpected `tool_use_id` found in `tool_result` blocks: t9/,
  ],
  [
    "two results for one call",
    conversation(["user", "a"], ["assistant", [use("t1")]], ["user", [result("t1"), result("t1")]]),
    /multiple `tool_result` blocks with id: t1/,
  ],
  [
    "an id used twice",
    conversation(
      ["user", "a"],
      ["assistant", [use("t1")]],
      ["user", [result("t1")]],
      ["assistant", [use("t1")]],
      ["user", [result("t1")]],
    ),
    /ids must be unique/,
  ],
  ["an empty text block", conversation(["user", [text("")]]), /text content blocks must be non-empty/],
  ["a blank text block", conversation(["user", [text(" \n")]]), /non-whitespace/],
  [
    "an empty text in a result",
    conversation(["user", "a"], ["assistant", [use("t1")]], ["user", [{ ...result("t1"), content: [text("")] }]]),
    /non-empty/,
  ],
  [
    "empty content",
    conversation(["user", "a"], ["assistant", []], ["user", "b"]),
    /messages\.1: all messages must have non-empty content/,
  ],
  [
    "an assistant at the start",
    conversation(["assistant", "a"], ["user", "b"]),
    /first message must use the "user" role/,
  ],
  ["a prefill", conversation(["user", "a"], ["assistant", "b"]), /prefill/],
  ["a lone surrogate", conversation(["user", "a\ud83d"]), /not valid JSON/],
  ["a bad tool name", base({ tools: [tool("my tool")] }), /tools\.0\.custom\.name/],
  ["a tool name of 129 characters", base({ tools: [tool("x".repeat(129))] }), /tools\.0\.custom\.name/],
  [
    "a bad tool name in history",
    conversation(["user", "a"], ["assistant", [use("t1", "a b")]], ["user", [result("t1")]]),
    /tool_use\.name/,
  ],
  ["anyOf at the top of a schema", base({ tools: [tool("A", { type: "object", anyOf: [] })] }), /top level/],
  ["a bad property name", base({ tools: [tool("A", { type: "object", properties: { "a b": {} } })] }), /Property keys/],
  ["a schema without type", base({ tools: [tool("A", {})] }), /input_schema\.type/],
  ["two tools of one name", base({ tools: [tool("A"), tool("A")] }), /must be unique/],
  [
    "five cache marks",
    base({ system: [1, 2, 3, 4, 5].map((n) => ({ ...text(`s${n}`), cache_control: { type: "ephemeral" } })) }),
    /maximum of 4 blocks.*Found 5/,
  ],
  [
    "a long-lived mark after a short one",
    base({
      system: [
        { ...text("a"), cache_control: { type: "ephemeral" } },
        { ...text("b"), cache_control: { type: "ephemeral", ttl: "1h" } },
      ],
    }),
    /ttl='1h'/,
  ],
  [
    "a budget on an adaptive model",
    base({ max_tokens: 4000, thinking: { type: "enabled", budget_tokens: 2000 } }),
    /thinking\.type\.enabled/,
  ],
  [
    "adaptive thinking on a model of 4.5",
    base({ model: "claude-sonnet-4-5", thinking: { type: "adaptive" } }),
    /adaptive thinking is not supported/,
  ],
  [
    "no thinking on a model that always thinks",
    base({ model: "claude-opus-5-5", thinking: { type: "disabled" } }),
    /always thinks/,
  ],
  [
    "a budget as large as max_tokens",
    base({ model: "claude-sonnet-4-5", max_tokens: 2000, thinking: { type: "enabled", budget_tokens: 2000 } }),
    /must be greater than/,
  ],
  [
    "a budget below 1024",
    base({ model: "claude-sonnet-4-5", thinking: { type: "enabled", budget_tokens: 100 } }),
    /1024/,
  ],
  ["no max_tokens", { model: "m", messages: [{ role: "user", content: "a" }] }, /max_tokens: Field required/],
  ["max_tokens over the model's", base({ max_tokens: 128_001 }), /128001 > 128000/],
  ["a temperature with thinking", base({ thinking: { type: "adaptive" }, temperature: 0.5 }), /temperature/],
  ["effort on a model without it", base({ model: "claude-haiku-4-5", output_config: { effort: "low" } }), /effort/],
  ["an unknown top-level field", base({ foo: 1 }), /^foo: Extra inputs/],
  [
    "an unknown field of a block",
    conversation(["user", [{ ...text("a"), uuid: "x" }]]),
    /messages\.0\.content\.0\.text\.uuid: Extra/,
  ],
  ["a picture over 8000 px", conversation(["user", [png(8001, 1)]]), /8000 pixels/],
  ["21 pictures over 2000 px", conversation(["user", Array.from({ length: 21 }, () => png(2001, 1))]), /2000 pixels/],
  [
    "bytes that are no picture",
    conversation(["user", [{ type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }]]),
    /Could not process image/,
  ],
  [
    "a picture in an error result",
    conversation(
      ["user", "a"],
      ["assistant", [use("t1")]],
      ["user", [{ ...result("t1"), is_error: true, content: [png(1, 1)] }]],
    ),
    /must be type `text` if `is_error`/,
  ],
];
test.each(refused)("refuses %s", (_, body, why) => {
  expect(refusal(body, { memory: newMemory() })).toMatch(why);
});

test("thinking inside an open tool loop must come back whole and in order", () => {
  const memory = newMemory();
  const one = { type: "thinking", thinking: "first", signature: "s1" };
  const two = { type: "thinking", thinking: "second", signature: "s2" };
  remember(memory, [one, two, use("t1")]);
  const loop = (...content: unknown[]) =>
    refusal(conversation(["user", "a"], ["assistant", [...content, use("t1")]], ["user", [result("t1")]]), { memory });
  expect(loop(one, two)).toBeUndefined();
  expect(loop(one, two, text("and words"))).toBeUndefined();
  expect(loop()).toMatch(/Expected `thinking`/);
  expect(loop(two, one)).toMatch(/cannot be modified/);
  expect(loop(one)).toMatch(/cannot be modified/);
  expect(loop({ ...one, thinking: "other" }, two)).toMatch(/Invalid `signature`/);
  expect(loop({ ...one, signature: "forged" }, two)).toMatch(/Invalid `signature`/);
  expect(loop({ type: "thinking", thinking: "first" }, two)).toMatch(/signature: Field required/);
});

test("thinking of a finished run may be left out, but not changed", () => {
  const memory = newMemory();
  const thought = { type: "thinking", thinking: "first", signature: "s1" };
  remember(memory, [thought, use("t1")]);
  const after = (...content: unknown[]) =>
    refusal(
      conversation(
        ["user", "a"],
        ["assistant", [...content, use("t1")]],
        ["user", [result("t1")]],
        ["assistant", "b"],
        ["user", "c"],
      ),
      { memory },
    );
  expect(after()).toBeUndefined();
  expect(after(thought)).toBeUndefined();
  expect(after({ ...thought, thinking: "x" })).toMatch(/Invalid `signature`/);
});
