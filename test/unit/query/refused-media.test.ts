// F054: what is taken out of a conversation when the API refuses a picture in it.
import { expect, it } from "vitest";
import type { ImageBlock, Message } from "../../../src/protocol/messages.js";
import { ProviderError } from "../../../src/providers/provider.js";
import { blamesMedia, takeOutRefused } from "../../../src/query/refused-media.js";

const image = (data: string): ImageBlock => ({
  type: "image",
  source: { type: "base64", media_type: "image/png", data },
});
const error = (message: string, status = 400) =>
  new ProviderError(message, { kind: "invalid_request", retryable: false, status });
const conversation = (): Message[] => [
  { role: "user", content: "look" },
  { role: "user", content: [image("pasted"), { type: "text", text: "at this" }] },
  {
    role: "assistant",
    content: [
      { type: "tool_use", id: "a", name: "Read", input: {} },
      { type: "tool_use", id: "b", name: "Read", input: {} },
    ],
  },
  {
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: "a", content: [image("first")] },
      { type: "tool_result", tool_use_id: "b", content: [{ type: "text", text: "note" }, image("second")] },
    ],
  },
];
/** Data of the pictures that are left. */
const left = (messages: Message[]) => [...JSON.stringify(messages).matchAll(/"data":"(\w+)"/g)].map(([, data]) => data);

it.each([
  ["messages.2.content.1.content.1.image.source.base64: Could not process image", ["pasted", "first"]],
  ["messages.2.content.0.tool_result.content.0.image.source: bad", ["pasted", "second"]],
  ["messages.0.content.1.image.source.base64: image exceeds 5 MB maximum", ["first", "second"]],
])("the place %s", (text, kept) => {
  const messages = conversation();
  expect(takeOutRefused(messages, error(text), false)).toBe(1);
  expect(left(messages)).toEqual(kept);
});

it("an error without a place, or a second one, takes all of them; other blocks stay", () => {
  const messages = conversation();
  expect(takeOutRefused(messages, error("Could not process image"), false)).toBe(3);
  expect(left(messages)).toEqual([]);
  expect(messages[1]?.content).toEqual([
    { type: "text", text: expect.stringContaining("was refused") },
    { type: "text", text: "at this" },
  ]);
  expect(takeOutRefused(messages, error("Could not process image"), true)).toBe(0);
});

it.each([
  [error("messages.0.content.0.image.source: bad"), true],
  [error("The PDF specified was not valid."), true],
  [error("prompt is too long: 1 > 0"), false],
  [error("Could not process image", 500), false],
])("blames a picture: %s", (found, is) => {
  expect(blamesMedia(found)).toBe(is);
});
