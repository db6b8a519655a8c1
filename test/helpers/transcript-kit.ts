// Small builders for transcripts in tests.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AssistantMessage, ContentBlock } from "../../src/protocol/messages.js";
import { openTranscript, type TranscriptOptions } from "../../src/sessions/transcript.js";

/** A fresh temporary folder. */
export const tempDir = (): string => mkdtempSync(join(tmpdir(), "sessions-"));

export const sessionId = "6b1f2b1e-0000-4000-8000-000000000001";

/** A writer for `file` with everything but the file made up. */
export const writerFor = (file: string, options: Partial<TranscriptOptions> = {}) =>
  openTranscript({
    file,
    sessionId,
    cwd: "/project",
    version: "3.0.0",
    gitBranch: "main",
    entrypoint: "cli",
    ...options,
  });

/** An API message with the given blocks. */
export const answer = (id: string, ...content: ContentBlock[]): AssistantMessage => ({
  id,
  type: "message",
  role: "assistant",
  model: "model-a",
  content,
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
});

export const text = (value: string): ContentBlock => ({ type: "text", text: value });

export const call = (
  id: string,
  name = "Read",
  input: Record<string, unknown> = { file_path: "/a" },
): ContentBlock => ({
  type: "tool_use",
  id,
  name,
  input,
});

export const result = (id: string, content: string, isError = false) => ({
  type: "tool_result" as const,
  tool_use_id: id,
  content,
  ...(isError ? { is_error: true } : {}),
});
