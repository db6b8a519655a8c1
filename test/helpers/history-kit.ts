// Conversations for tests of the history's repairs: blocks, images made of a header, and what a strict API says of them.
import type { ContentBlock, Message } from "../../src/protocol/messages.js";
import { buildBody } from "../../src/providers/anthropic-body.js";
import type { ToolSpec } from "../../src/providers/provider.js";
import { newMemory, refusal, remember, type SentMemory } from "./strict-rules.js";

export const text = (value: string): ContentBlock => ({ type: "text", text: value });
export const call = (id: string, name = "Read", input: Record<string, unknown> = {}): ContentBlock => ({
  type: "tool_use",
  id,
  name,
  input,
});
export const result = (id: string, content: unknown = `result of ${id}`, isError = false): ContentBlock =>
  ({ type: "tool_result", tool_use_id: id, content, ...(isError ? { is_error: true } : {}) }) as ContentBlock;
export const thinking = (n: string): ContentBlock => ({
  type: "thinking",
  thinking: `thought ${n}`,
  signature: `sig-${n}`,
});

export const user = (...content: (ContentBlock | string)[]): Message => ({
  role: "user",
  content: content.map((block) => (typeof block === "string" ? text(block) : block)),
});
export const assistant = (...content: (ContentBlock | string)[]): Message => ({
  ...user(...content),
  role: "assistant",
});

/** The first bytes of a PNG of this size, padded to `bytes`: enough for everything but a decoder. */
export const png = (width: number, height: number, bytes = 64): string => {
  const data = Buffer.alloc(bytes);
  data.write("\x89PNG\r\n\x1a\n", 0, "latin1");
  data.writeUInt32BE(13, 8);
  data.write("IHDR", 12, "latin1");
  data.writeUInt32BE(width, 16);
  data.writeUInt32BE(height, 20);
  return data.toString("base64");
};
export const image = (data = png(10, 10), media_type = "image/png"): ContentBlock => ({
  type: "image",
  source: { type: "base64", media_type, data },
});

/** What the API has sent, if it sent these answers. */
export const memoryOf = (messages: readonly Message[]): SentMemory => {
  const memory = newMemory();
  for (const { role, content } of messages)
    if (role === "assistant" && typeof content !== "string") remember(memory, structuredClone(content) as never);
  return memory;
};

/** The API's complaint about a request with these messages (and tools), or undefined. */
export const complaint = (
  messages: readonly Message[],
  memory: SentMemory,
  tools: ToolSpec[] = [],
): string | undefined => {
  const body = buildBody(
    {
      model: "claude-sonnet-5-5",
      system: [],
      messages: [...messages],
      tools,
      maxTokens: 1000,
      signal: new AbortController().signal,
      sessionId: "s",
      purpose: "main",
    },
    { caching: "off" },
  );
  return refusal(JSON.parse(JSON.stringify(body)), { memory });
};

/** Whether the roles alternate, beginning with the person. */
export const alternates = (messages: readonly Message[]): boolean =>
  messages.every(({ role }, at) => role === (at % 2 === 0 ? "user" : "assistant"));
