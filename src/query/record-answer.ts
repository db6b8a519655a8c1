// A complete answer goes into the conversation, the record and the totals.
import type { Emit } from "../execution/context.js";
import type { Usage } from "../protocol/messages.js";
import type { LoopOptions } from "./loop-options.js";
import type { RunState } from "./run-state.js";
import { emitBlock, envelope, type StreamState } from "./stream-turn.js";

interface Work {
  options: LoopOptions;
  emit: Emit;
}

/** Writes a finished answer down, block by block, and shows what was not shown while it streamed. */
export const recordAnswer = async (work: Work, state: StreamState, given = state.blocks): Promise<void> => {
  const { options } = work;
  const answer = state.assembler.answer();
  const blocks = [...given].sort((a, b) => a.index - b.index); // servers may end them in another order (Q24)
  if (blocks.length > 0) options.messages.push({ role: "assistant", content: blocks.map(({ block }) => block) });
  for (const [place, block] of blocks.entries()) {
    const isLast = place === blocks.length - 1;
    options.recorder.assistant(envelope(answer, block, isLast), {
      uuid: block.uuid,
      index: place,
      requestId: state.requestId,
    });
    if (!options.includeStream) await emitBlock(work, state, block, isLast);
  }
};

/** Counts an answer's tokens and tells the session's totals. */
export const countUsage = async (
  { options, emit }: Work,
  run: RunState,
  state: StreamState,
  apiMs: number,
): Promise<Usage> => {
  const { usage, model } = state.assembler.answer();
  const totals = options.onUsage(model || run.choice.model, usage, apiMs);
  const contextTokens =
    usage.input_tokens +
    (usage.cache_read_input_tokens ?? 0) +
    (usage.cache_creation_input_tokens ?? 0) +
    usage.output_tokens;
  await emit({
    type: "usage",
    usage,
    contextTokens,
    contextWindow: run.choice.contextWindow,
    ...totals,
    parentToolUseId: options.parentToolUseId,
  });
  return usage;
};
