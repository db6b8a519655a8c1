// Conversations for tests of the context pipeline: made by hand or at random.
import fc from "fast-check";
import type { ContentBlock, Message } from "../../../src/protocol/messages.js";

export const call = (
  id: string,
  name = "Read",
  input: Record<string, unknown> = { file_path: `/p/${id}` },
): ContentBlock => ({
  type: "tool_use",
  id,
  name,
  input,
});
export const result = (id: string, content = id): ContentBlock => ({ type: "tool_result", tool_use_id: id, content });

/** One round: an answer with one call, and its result. */
export const round = (
  id: string,
  options: { say?: string; tool?: string; input?: Record<string, unknown>; chars?: number; text?: string } = {},
): Message[] => [
  {
    role: "assistant",
    content: [
      ...(options.say ? [{ type: "text" as const, text: options.say }] : []),
      call(id, options.tool, options.input ?? { file_path: `/p/${id}` }),
    ],
  },
  { role: "user", content: [result(id, options.text ?? `${id} ${"line\n".repeat((options.chars ?? 0) / 5)}`)] },
];

const tools = ["Read", "Grep", "Glob", "Bash", "AskUserQuestion", "TaskUpdate"];

/** A conversation of up to 60 rounds with texts, prompts, images and results of many sizes. */
export const conversations: fc.Arbitrary<Message[]> = fc
  .array(
    fc.record({
      tool: fc.constantFrom(...tools),
      file: fc.integer({ min: 0, max: 5 }),
      chars: fc.constantFrom(0, 50, 2_000, 5_000, 12_000, 40_000),
      say: fc.boolean(),
      prompt: fc.boolean(),
      image: fc.boolean(),
      isDone: fc.boolean(),
    }),
    { minLength: 0, maxLength: 60 },
  )
  .map((rounds) => {
    const messages: Message[] = [{ role: "user", content: "go" }];
    for (const [at, { tool, file, chars, say, prompt, image, isDone }] of rounds.entries()) {
      const input: Record<string, unknown> = { file_path: `/p/${file}`, ...(isDone ? { status: "completed" } : {}) };
      const [answer, results] = round(`t${at}`, { tool, input, chars, ...(say ? { say: `working on ${at}` } : {}) });
      messages.push(answer!);
      const source = { type: "base64" as const, media_type: "image/png", data: `AAAA${file}` };
      messages.push(
        image
          ? {
              role: "user",
              content: [{ type: "tool_result", tool_use_id: `t${at}`, content: [{ type: "image", source }] }],
            }
          : results!,
      );
      if (prompt)
        messages.push(
          { role: "assistant", content: [{ type: "text", text: "done" }] },
          { role: "user", content: `prompt ${at}` },
        );
    }
    return messages;
  });
