// One run: turn after turn until there is no reason to go on.
import type { Emit } from "../execution/context.js";
import { createChannel } from "../lib/channel.js";
import type { EngineEvent, StopCause } from "../protocol/events.js";
import { interruptMarks, type Usage } from "../protocol/messages.js";
import { nextStep } from "./continue-reasons.js";
import type { LoopOptions, LoopOutcome } from "./loop-options.js";
import { newRunState, type RunState } from "./run-state.js";
import { addUserMessage, performTurn, type TurnOutcome } from "./turn.js";

const sum = (a: Usage, b: Usage): Usage => {
  const add = (x: number | null | undefined, y: number | null | undefined) => (x ?? 0) + (y ?? 0);
  const [ca, cb] = [a.cache_creation, b.cache_creation];
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_creation_input_tokens: add(a.cache_creation_input_tokens, b.cache_creation_input_tokens),
    cache_read_input_tokens: add(a.cache_read_input_tokens, b.cache_read_input_tokens),
    cache_creation: {
      ephemeral_5m_input_tokens: add(ca?.ephemeral_5m_input_tokens, cb?.ephemeral_5m_input_tokens),
      ephemeral_1h_input_tokens: add(ca?.ephemeral_1h_input_tokens, cb?.ephemeral_1h_input_tokens),
    },
  };
};

const noUsage: Usage = { input_tokens: 0, output_tokens: 0 };

const count = (outcome: LoopOutcome, turn: TurnOutcome): void => {
  outcome.toolResults += turn.results;
  outcome.apiMs += turn.apiMs;
  outcome.usage = sum(outcome.usage, turn.usage);
  outcome.stopReason = turn.stopReason;
  outcome.text = turn.text;
};

const tooLongText =
  "The conversation is longer than the model's window, and making it smaller did not help. Use /compact, or /clear to start anew; very large results and attachments are the usual cause.";

const cutText =
  "The answer was cut off at the model's output limit. Ask it to go on, or raise CLAUDE_CODE_MAX_OUTPUT_TOKENS.";

const pausedText =
  "The answer was paused again and again before its end (pause_turn). What had arrived is kept: ask the model to go on.";

const failed = (turn: Extract<TurnOutcome, { kind: "failed" }>): { cause: StopCause; text: string } =>
  turn.error.kind === "prompt_too_long"
    ? { cause: "prompt_too_long", text: `${turn.error.message}\n${tooLongText}` }
    : { cause: "api_error", text: turn.error.message };

/** A turn nothing follows: the run's outcome, with what was withheld so far. */
const ended = async (outcome: LoopOutcome, last: TurnOutcome, run: RunState): Promise<LoopOutcome> => {
  const stopped = (cause: StopCause, text: string, more: Partial<LoopOutcome> = {}): LoopOutcome => {
    const isFailure = !["completed", "interrupted", "declined", "refusal", "hook_stopped"].includes(cause);
    return { ...outcome, cause, text, errors: isFailure ? [text] : [], ...more };
  };
  switch (last.kind) {
    case "failed": {
      const { cause, text } = failed(last);
      return stopped(cause, text, { apiErrorStatus: last.error.status, errorKind: last.error.kind });
    }
    case "stopped":
      return stopped(last.cause, last.text, { freshContext: last.freshContext });
    case "cut": {
      const kept = await last.keep();
      if (kept.kind === "stopped") return stopped(kept.cause, kept.text, { freshContext: kept.freshContext });
      if (last.at === "output_limit") return stopped("max_output_tokens", cutText);
      return stopped("prompt_too_long", `The answer reached the end of the model's window. ${tooLongText}`);
    }
    case "answered":
      if (last.stopReason === "pause_turn") return stopped("api_error", pausedText);
      return { ...outcome, text: run.carried + last.text };
  }
};

const runLoop = async (options: LoopOptions, emit: Emit): Promise<LoopOutcome> => {
  const run = newRunState(options);
  const outcome: LoopOutcome = {
    cause: "completed",
    text: "",
    turns: 0,
    toolResults: 0,
    apiMs: 0,
    usage: sum(noUsage, noUsage),
    stopReason: null,
    apiErrorStatus: null,
    errors: [],
  };
  for (let isRetry = false; ; ) {
    const hit = options.checkLimits(isRetry ? run.turn - 1 : run.turn);
    if (hit) return { ...outcome, cause: hit.cause, budget: hit.budget, text: hit.text, errors: [hit.text] };
    if (!isRetry) await options.beforeTurn?.();
    if (!isRetry) run.turn++;
    const turn = await performTurn(options, run, emit);
    outcome.turns = run.turn;
    count(outcome, turn);
    const next = await nextStep({ turn, run, options, emit });
    if (next.kind === "end") return ended(outcome, next.turn, run);
    isRetry = next.isRetry;
    if (options.signal.aborted) {
      await addUserMessage({ options, emit }, interruptMarks.streaming, { isMeta: false });
      return { ...outcome, cause: "interrupted" };
    }
  }
};

/**
 * Runs turns until the model stops asking for calls, a limit is reached, an error is final, or the signal aborts.
 * Appends to `options.messages`. Every end leaves a conversation the API accepts. Throws only for bugs.
 */
export async function* queryLoop(options: LoopOptions): AsyncGenerator<EngineEvent, LoopOutcome> {
  const channel = createChannel<EngineEvent>();
  const work = runLoop(options, channel.push).finally(channel.close);
  work.catch(() => undefined); // awaited below; a reader that leaves early must not make it unhandled
  yield* channel;
  return await work;
}
