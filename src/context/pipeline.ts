// The stages in front of every request, cheapest first. Stage 0 is result sizing (execution/), stage 5 the compaction (autocompact.ts).
import type { Message } from "../protocol/messages.js";
import { applyCollapses, type Collapse, type TitleOf } from "./collapse.js";
import { estimateMessages } from "./count.js";
import { clearAfterPause } from "./microcompact.js";
import { firstStepPercent, stepPercent } from "./numbers.js";
import { budgetResults } from "./result-budget.js";
import { resultFacts } from "./results.js";
import { applyShrinks, type Shrinks, withShrinks } from "./shrink.js";
import { snipResults } from "./snip.js";

/** What has been made smaller so far. A plain value: replaced, never changed. */
export interface ContextState {
  shrinks: Shrinks;
  /** Committed, in the order of the conversation. */
  collapses: readonly Collapse[];
  /** Percent of the window at which stages 1 and 2 act next. */
  nextStep: number;
}

export const freshContext: ContextState = { shrinks: new Map(), collapses: [], nextStep: firstStepPercent };

export interface PipelineFacts {
  /** Tokens in front of the conversation: system prompt and tools (estimated, uncorrected). */
  prefixTokens: number;
  /** Counted ÷ estimated, see count.ts. */
  ratio: number;
  /** The model's window, or the smaller one of the settings. */
  window: number;
  /** Since the last request; 0 when there was none. */
  idleMs: number;
  ttlMs: number;
  titleOf: TitleOf;
}

/** The messages of a request as this state makes them. The same arguments give the same bytes. */
export const prepared = (messages: readonly Message[], state: ContextState, titleOf: TitleOf): Message[] =>
  applyCollapses(applyShrinks(messages, state.shrinks), state.collapses, titleOf);

/** Share of the window that the next request takes, in percent. */
export const usedPercent = (messages: readonly Message[], state: ContextState, facts: PipelineFacts): number => {
  const tokens = facts.prefixTokens + estimateMessages(prepared(messages, state, facts.titleOf));
  return (tokens * facts.ratio * 100) / facts.window;
};

const nextStepAfter = (percent: number): number =>
  Math.max(firstStepPercent, Math.ceil((percent + stepPercent) / stepPercent) * stepPercent);

/**
 * The state for the next request: stage 3 after a pause, stages 1 and 2 when a step is crossed. Between steps it returns the state it was
 * given, so that the prefix stays cached; it only ever shrinks.
 */
export const advance = (messages: readonly Message[], state: ContextState, facts: PipelineFacts): ContextState => {
  const percent = usedPercent(messages, state, facts);
  const isStep = percent >= state.nextStep;
  const isPause = facts.idleMs > facts.ttlMs;
  if (!isStep && !isPause) return state;
  const results = resultFacts(messages);
  let shrinks = state.shrinks;
  if (isStep) {
    shrinks = withShrinks(shrinks, budgetResults(results, percent));
    shrinks = withShrinks(shrinks, snipResults(results, percent));
  }
  if (isPause) shrinks = withShrinks(shrinks, clearAfterPause(results, facts.idleMs, facts.ttlMs));
  if (!isStep) return shrinks === state.shrinks ? state : { ...state, shrinks };
  const after = usedPercent(messages, { ...state, shrinks }, facts);
  return { ...state, shrinks, nextStep: nextStepAfter(after) };
};
