import { expect, test } from "vitest";
import { markMessages } from "../../../src/context/cache-marks.js";
import { wireMessages } from "../../../src/context/history.js";
import type { ContentBlock, Message } from "../../../src/protocol/messages.js";

const text = (value: string): ContentBlock => ({ type: "text", text: value });
const call = (id: string): ContentBlock => ({ type: "tool_use", id, name: "Read", input: {} });
const result = (id: string, content = id): ContentBlock => ({ type: "tool_result", tool_use_id: id, content });

test("neighbours of one role become one message", () => {
  const messages: Message[] = [
    { role: "user", content: "reminder" },
    { role: "user", content: "prompt" },
    { role: "assistant", content: [text("a")] },
    { role: "assistant", content: [call("1")] },
    { role: "user", content: [result("1")] },
    { role: "user", content: "more" },
  ];
  expect(wireMessages(messages)).toEqual([
    { role: "user", content: [text("reminder"), text("prompt")] },
    { role: "assistant", content: [text("a"), call("1")] },
    { role: "user", content: [result("1"), text("more")] },
  ]);
});

test("results stand in the order of their calls, before everything else", () => {
  const messages: Message[] = [
    { role: "user", content: "go" },
    { role: "assistant", content: [call("1"), call("2")] },
    { role: "user", content: [text("note"), result("2"), result("1")] },
  ];
  expect(wireMessages(messages)[2]?.content).toEqual([result("1"), result("2"), text("note")]);
});

test("F048 a call without a result gets one that says it was interrupted", () => {
  const messages: Message[] = [
    { role: "user", content: "go" },
    { role: "assistant", content: [call("1"), call("2")] },
    { role: "user", content: [result("1")] },
    { role: "user", content: "continue" },
  ];
  const [first, second, third] = (wireMessages(messages)[2]?.content ?? []) as ContentBlock[];
  expect(first).toEqual(result("1"));
  expect(second).toMatchObject({ type: "tool_result", tool_use_id: "2", is_error: true });
  expect(third).toEqual(text("continue"));
});

test("a conversation that ends with open calls is closed", () => {
  const wire = wireMessages([
    { role: "user", content: "go" },
    { role: "assistant", content: [call("1")] },
  ]);
  expect(wire.at(-1)).toMatchObject({ role: "user", content: [{ type: "tool_result", tool_use_id: "1" }] });
});

test("a result nobody asked for and a second result of one call are left out", () => {
  const messages: Message[] = [
    { role: "user", content: [result("ghost"), text("go")] },
    { role: "assistant", content: [call("1")] },
    { role: "user", content: [result("1", "first"), result("1", "second")] },
  ];
  expect(wireMessages(messages)).toEqual([
    { role: "user", content: [text("go")] },
    { role: "assistant", content: [call("1")] },
    { role: "user", content: [result("1", "first")] },
  ]);
});

test("F164 empty text, unsigned thinking and answers of thinking alone are never sent", () => {
  const messages: Message[] = [
    { role: "user", content: "go" },
    { role: "assistant", content: [{ type: "thinking", thinking: "hm", signature: "s" }] },
    { role: "user", content: "and" },
    { role: "assistant", content: [text(""), { type: "thinking", thinking: "no signature" }, text("ok")] },
    { role: "user", content: "next" },
  ];
  expect(wireMessages(messages)).toEqual([
    { role: "user", content: [text("go"), text("and")] },
    { role: "assistant", content: [text("ok")] },
    { role: "user", content: [text("next")] },
  ]);
});

test("F052 signed thinking goes back byte for byte and in place", () => {
  const thinking: ContentBlock = { type: "thinking", thinking: "plan ", signature: "sig" };
  const wire = wireMessages([
    { role: "user", content: "go" },
    { role: "assistant", content: [thinking, call("1")] },
    { role: "user", content: [result("1")] },
  ]);
  expect(wire[1]?.content).toEqual([thinking, call("1")]);
});

test("lone surrogates are replaced, whole characters stay", () => {
  const wire = wireMessages([{ role: "user", content: "a\ud83d 😀" }]);
  expect(wire[0]?.content).toEqual([text("a\ufffd 😀")]);
});

test("cache marks stand on the last block of the last two user messages and nowhere else", () => {
  const wire = wireMessages([
    { role: "user", content: "1" },
    { role: "assistant", content: [text("a")] },
    { role: "user", content: "2" },
    { role: "assistant", content: [text("b")] },
    { role: "user", content: "3" },
  ]);
  const marked = markMessages(wire, { type: "ephemeral" });
  const marks = marked.map(({ content }) => (content as unknown as { cache_control?: object }[])[0]?.cache_control);
  expect(marks).toEqual([undefined, undefined, { type: "ephemeral" }, undefined, { type: "ephemeral" }]);
});
