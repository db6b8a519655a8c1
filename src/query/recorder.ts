// What the loop writes down as it goes. sessions/transcript.ts keeps it on disk; a forked run keeps nothing.
import type { Refusal } from "../context/refusals.js";
import type { Display } from "../protocol/display.js";
import { newId } from "../protocol/ids.js";
import type { AssistantMessage, ContentBlock, ToolResultBlock } from "../protocol/messages.js";

export interface Recorder {
  /** A user message; returns its uuid. */
  user(content: string | ContentBlock[], options: { uuid?: string; isMeta?: boolean; shown?: string }): string;
  /** One block of an answer in its API envelope. */
  assistant(
    message: AssistantMessage,
    options: { uuid: string; index: number; requestId?: string; error?: string },
  ): void;
  result(
    block: ToolResultBlock,
    options: { uuid: string; structured?: unknown; display?: Display; durationMs: number },
  ): void;
  /** The API refused the history and it was changed: kept, so that a resume makes the same change. */
  repair?(text: string, repair: Refusal): void;
}

/** Keeps nothing: compaction, side questions, --no-session-persistence. */
export const noRecorder: Recorder = {
  user: (_content, { uuid }) => uuid ?? newId(),
  assistant: () => undefined,
  result: () => undefined,
};
