// What one run remembers from turn to turn.
import type { Schedule } from "../execution/schedule.js";
import type { Message } from "../protocol/messages.js";
import type { LoopOptions, ModelChoice } from "./loop-options.js";
import { createRepeatGuard, type RepeatGuard } from "./repeat-guard.js";

export interface RunState {
  /** Model calls that count: a retry of the same request is none. */
  turn: number;
  usedIds: Set<string>;
  guard: RepeatGuard;
  /** The model that is asked: the chosen one, or a fallback after overload. */
  choice: ModelChoice;
  tried: string[];
  /** Reason 4 has been used: the limit is as high as it gets. */
  isRaised: boolean;
  /** Continuation prompts since the last whole answer. */
  recoveries: number;
  /** Paused answers in a row. */
  pauses: number;
  /** Stop hooks that said go on, in a row. */
  stopBlocks: number;
  /** The conversation was compacted for the request that is being tried. */
  hasCompacted: boolean;
  /** Text of the answers that the newest one continues. */
  carried: string;
  /** Schedule of an answer that was dropped: its finished reads serve the answer that replaces it. */
  retained?: Schedule;
}

const idsOf = (messages: readonly Message[]): Set<string> => {
  const ids = new Set<string>();
  for (const { content } of messages)
    if (typeof content !== "string") for (const block of content) if (block.type === "tool_use") ids.add(block.id);
  return ids;
};

/** The state of a run that begins. */
export const newRunState = (options: LoopOptions): RunState => ({
  turn: 0,
  usedIds: idsOf(options.messages),
  guard: createRepeatGuard(),
  choice: {
    model: options.model,
    label: options.model,
    contextWindow: options.contextWindow,
    maxOutputTokens: options.maxOutputTokens,
    raisedOutputTokens: options.raisedOutputTokens,
    thinking: options.thinking,
    effort: options.effort,
  },
  tried: [options.model],
  isRaised: false,
  recoveries: 0,
  pauses: 0,
  stopBlocks: 0,
  hasCompacted: false,
  carried: "",
});
