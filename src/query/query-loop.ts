// One run: turn after turn until there is no reason to go on.
import { createChannel } from "../lib/channel.js";
import type { EngineEvent } from "../protocol/events.js";
import type { Message, Usage } from "../protocol/messages.js";
import { reasonToGoOn } from "./continue-reasons.js";
import type { LoopOptions, LoopOutcome } from "./loop-options.js";
import { createRepeatGuard } from "./repeat-guard.js";
import { performTurn, type TurnOutcome, type TurnState } from "./turn.js";

const idsOf = (messages: readonly Message[]): Set<string> => {
  const ids = new Set<string>();
  for (const { content } of messages)
    if (typeof content !== "string") for (const block of content) if (block.type === "tool_use") ids.add(block.id);
  return ids;
};

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

/** A turn's events while it runs, then its outcome. */
async function* streamTurn(options: LoopOptions, state: TurnState): AsyncGenerator<EngineEvent, TurnOutcome> {
  const channel = createChannel<EngineEvent>();
  const work = performTurn(options, state, channel.push).finally(channel.close);
  work.catch(() => undefined); // awaited below; a reader that leaves early must not make it unhandled
  yield* channel;
  return await work;
}

/**
 * Runs turns until the model stops asking for calls, a limit is reached, an error is final, or the signal aborts.
 * Appends to `options.messages`. Every end leaves a conversation the API accepts. Throws only for bugs.
 */
export async function* queryLoop(options: LoopOptions): AsyncGenerator<EngineEvent, LoopOutcome> {
  const state: TurnState = { turn: 0, usedIds: idsOf(options.messages), guard: createRepeatGuard() };
  const outcome: LoopOutcome = {
    cause: "completed",
    text: "",
    turns: 0,
    toolResults: 0,
    apiMs: 0,
    usage: sum({ input_tokens: 0, output_tokens: 0 }, { input_tokens: 0, output_tokens: 0 }),
    stopReason: null,
    apiErrorStatus: null,
    errors: [],
  };
  for (;;) {
    const hit = options.checkLimits(state.turn);
    if (hit) return { ...outcome, cause: hit.cause, budget: hit.budget, text: hit.text, errors: [hit.text] };
    await options.beforeTurn?.();
    state.turn++;
    const turn = yield* streamTurn(options, state);
    outcome.turns = state.turn;
    outcome.toolResults += turn.results;
    outcome.apiMs += turn.apiMs;
    outcome.usage = sum(outcome.usage, turn.usage);
    outcome.stopReason = turn.stopReason;
    outcome.text = turn.text;
    if (turn.kind === "stopped") {
      const isFailure = !["completed", "interrupted", "declined", "refusal"].includes(turn.cause);
      return {
        ...outcome,
        cause: turn.cause,
        freshContext: turn.freshContext,
        apiErrorStatus: turn.error?.status ?? null,
        errorKind: turn.error?.kind,
        errors: isFailure ? [turn.text] : [],
      };
    }
    if (!reasonToGoOn(turn)) return outcome;
  }
}
