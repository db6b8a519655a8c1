// Run slice: what the spinner line knows about the run that goes on.
import type { Todo } from "../../src/protocol/display.js";
import type { EventOf } from "../../src/protocol/events.js";
import type { RunState } from "../app-state.js";

/** Characters a token has on average: only for the figure shown while an answer streams. */
const charactersPerToken = 4;
const defaultVerb = "Working";

export const startRun = (run: RunState, now: number, todos: Todo[]): RunState => ({
  ...run,
  isRunning: true,
  startedAt: now,
  verb: verbOf(todos),
  inputTokens: 0,
  outputTokens: 0,
  settledOutputTokens: 0,
  retry: null,
  status: null,
  ended: undefined,
});

/** The run is over. A command that never went to the model leaves what was said of the run before. */
export const endRun = (run: RunState, now: number, isCompleted: boolean): RunState => ({
  ...run,
  ...(run.isRunning ? { ended: { durationMs: Math.max(0, now - run.startedAt), isCompleted } } : {}),
  isRunning: false,
  retry: null,
  status: null,
  hooks: undefined,
});

export const countDelta = (run: RunState, delta: string): RunState => ({
  ...run,
  retry: null,
  outputTokens: run.outputTokens + delta.length / charactersPerToken,
});

/** The provider's figures of one call replace what was estimated while it streamed. */
export const countUsage = (run: RunState, { usage }: EventOf<"usage">): RunState => {
  const sent = usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
  const outputTokens = run.settledOutputTokens + usage.output_tokens;
  return { ...run, inputTokens: run.inputTokens + sent, outputTokens, settledOutputTokens: outputTokens };
};

export const waitForRetry = (run: RunState, event: EventOf<"retry">): RunState => ({
  ...run,
  retry: {
    attempt: event.attempt,
    maxAttempts: event.maxAttempts,
    retryAt: event.retryAt,
    reason: event.reason,
  },
});

/** What is being done: the active task's own words, else a plain verb. */
export const verbOf = (todos: Todo[]): string => {
  const active = todos.find(({ status }) => status === "in_progress");
  return active?.activeForm ?? active?.subject ?? defaultVerb;
};
