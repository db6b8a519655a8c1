// One turn: reminders, the request, its calls, their results. Events go to a channel so that calls and stream overlap.
import type { Emit } from "../execution/context.js";
import { resultEvent } from "../execution/run-call.js";
import { createSchedule, type FinishedCall, type Schedule } from "../execution/schedule.js";
import type { StopCause } from "../protocol/events.js";
import { newId } from "../protocol/ids.js";
import { type ContentBlock, interruptMarks, type ToolResultBlock, type Usage } from "../protocol/messages.js";
import type { ProviderError } from "../providers/provider.js";
import type { LoopOptions } from "./loop-options.js";
import { requestAnswer } from "./recovery.js";
import type { RepeatGuard } from "./repeat-guard.js";
import { emitBlock, envelope, type StreamSink, type StreamState } from "./stream-turn.js";

export type TurnOutcome =
  | {
      kind: "answered";
      hasCalls: boolean;
      text: string;
      stopReason: string | null;
      usage: Usage;
      apiMs: number;
      results: number;
    }
  | {
      kind: "stopped";
      cause: StopCause;
      text: string;
      stopReason: string | null;
      usage: Usage;
      apiMs: number;
      results: number;
      error?: ProviderError;
      freshContext?: string;
    };

export interface TurnState {
  turn: number;
  usedIds: Set<string>;
  guard: RepeatGuard;
}

const noUsage: Usage = { input_tokens: 0, output_tokens: 0 };

interface TurnWork {
  options: LoopOptions;
  emit: Emit;
  schedule: Schedule;
}

/** Adds a user message to the conversation, the record and the screen. */
export const addUserMessage = async (
  { options, emit }: Pick<TurnWork, "options" | "emit">,
  content: string | ContentBlock[],
  extra: { uuid?: string; isMeta: boolean; shown?: string },
): Promise<void> => {
  const shown = extra.shown ?? (typeof content === "string" ? content : "");
  const uuid = options.recorder.user(content, { ...extra, shown });
  options.messages.push({ role: "user", content });
  await emit({
    type: "user_message",
    uuid,
    content,
    shown,
    isMeta: extra.isMeta,
    timestamp: new Date(options.clock.now()).toISOString(),
    parentToolUseId: options.parentToolUseId,
  });
};

/** Writes a finished answer down, block by block, and shows what was not shown while it streamed. */
const recordAnswer = async (work: TurnWork, state: StreamState, blocks = state.blocks): Promise<void> => {
  const { options } = work;
  const answer = state.assembler.answer();
  if (blocks.length > 0) options.messages.push({ role: "assistant", content: blocks.map(({ block }) => block) });
  for (const [index, block] of blocks.entries()) {
    const isLast = index === blocks.length - 1;
    options.recorder.assistant(envelope(answer, block, isLast), {
      uuid: block.uuid,
      index,
      requestId: state.requestId,
    });
    if (!options.includeStream) await emitBlock(work, state, block, isLast);
  }
};

const countUsage = async ({ options, emit }: TurnWork, state: StreamState, apiMs: number): Promise<Usage> => {
  const { usage, model } = state.assembler.answer();
  const totals = options.onUsage(model || options.model, usage, apiMs);
  const contextTokens =
    usage.input_tokens +
    (usage.cache_read_input_tokens ?? 0) +
    (usage.cache_creation_input_tokens ?? 0) +
    usage.output_tokens;
  await emit({
    type: "usage",
    usage,
    contextTokens,
    contextWindow: options.contextWindow,
    ...totals,
    parentToolUseId: options.parentToolUseId,
  });
  return usage;
};

const runCalls = async (work: TurnWork): Promise<{ finished: FinishedCall[]; results: ToolResultBlock[] }> => {
  const { options, emit, schedule } = work;
  const finished = await schedule.run(async ({ call, outcome }) => {
    const uuid = newId();
    const block: ToolResultBlock = {
      type: "tool_result",
      tool_use_id: call.block.id,
      content: outcome.result.content,
      ...(outcome.result.isError ? { is_error: true } : {}),
    };
    const { structured, display } = outcome.result;
    const durationMs = options.clock.now() - call.startedAt;
    options.recorder.result(block, { uuid, structured, display, durationMs });
    await emit(resultEvent(call, outcome.result, uuid, options.execution));
  });
  const results = finished.map(
    ({ call, outcome }): ToolResultBlock => ({
      type: "tool_result",
      tool_use_id: call.block.id,
      content: outcome.result.content,
      ...(outcome.result.isError ? { is_error: true } : {}),
    }),
  );
  if (results.length > 0) options.messages.push({ role: "user", content: results });
  return { finished, results };
};

/** The person pressed stop while the answer streamed: what is complete stays, the rest is gone. */
const interruptStream = async (work: TurnWork, state: StreamState): Promise<void> => {
  const blocks = [...state.blocks];
  const open = state.assembler.openText();
  if (open) blocks.push({ index: open.index, block: { type: "text", text: open.text }, uuid: newId() });
  await recordAnswer(work, state, blocks);
  const { finished } = await runCalls(work); // aborted: gives each call its result
  await addUserMessage(work, finished.length > 0 ? interruptMarks.tools : interruptMarks.streaming, { isMeta: false });
};

const refusalText = (details: Record<string, unknown> | undefined): string => {
  const category = typeof details?.category === "string" ? ` (${details.category})` : "";
  return `The model declined to answer this${category}. Nothing of it was kept: change the request or switch the model.`;
};

const cutText =
  "The answer was cut off at the model's output limit. Ask it to go on, or raise CLAUDE_CODE_MAX_OUTPUT_TOKENS.";

const pausedText =
  "The answer was paused before its end (pause_turn). What had arrived is kept: ask the model to go on.";

/** After the calls: what the person added, what the guard has to say, prompts typed meanwhile. */
const afterCalls = async (work: TurnWork, state: TurnState, finished: FinishedCall[]): Promise<"go on" | "stop"> => {
  const { options } = work;
  for (const { outcome } of finished)
    if (outcome.comment) await addUserMessage(work, outcome.comment, { isMeta: false, shown: outcome.comment });
  const verdict = state.guard.see(finished);
  if (verdict.kind === "remind")
    await addUserMessage(work, `<system-reminder>\n${verdict.text}\n</system-reminder>`, { isMeta: true });
  if (verdict.kind === "ask") {
    const goOn = (await options.askGoOn?.(verdict.text)) ?? false;
    if (!goOn) return "stop";
    state.guard.forget();
  }
  for (const { content, uuid, shown, notes = [] } of await options.takeQueued()) {
    await addUserMessage(work, content, { uuid, isMeta: false, shown });
    for (const note of notes) await work.emit({ type: "notice", ...note });
  }
  return "go on";
};

const finalText = (state: StreamState): string =>
  state.blocks.map(({ block }) => (block.type === "text" && "text" in block ? String(block.text) : "")).join("");

/** Runs one turn and says how it ended. Events arrive through `emit`; throws only for bugs. */
export const performTurn = async (options: LoopOptions, state: TurnState, emit: Emit): Promise<TurnOutcome> => {
  const schedule = createSchedule(options.execution, emit, options.signal, options.concurrency);
  const work: TurnWork = { options, emit, schedule };
  const sink: StreamSink = { options, emit, schedule, usedIds: state.usedIds };
  for (const text of options.takeReminders()) await addUserMessage(work, text, { isMeta: true });
  const requested = await requestAnswer(sink, state.turn);
  const { apiMs } = requested;
  const nothing = { stopReason: null, usage: noUsage, apiMs, results: 0 };
  if (requested.kind === "failed")
    return {
      kind: "stopped",
      cause: failureCause(requested.error),
      text: requested.error.message,
      error: requested.error,
      ...nothing,
    };
  const answer = requested.state.assembler.answer();
  const usage = answer.messageId === "" ? noUsage : await countUsage(work, requested.state, apiMs);
  if (requested.kind === "interrupted") {
    await interruptStream(work, requested.state);
    return { kind: "stopped", cause: "interrupted", text: finalText(requested.state), ...nothing, usage };
  }
  const { stopReason } = answer;
  if (stopReason === "refusal")
    return { kind: "stopped", cause: "refusal", text: refusalText(answer.stopDetails), ...nothing, usage, stopReason };
  await recordAnswer(work, requested.state);
  return finishTurn(work, state, requested.state, { usage, apiMs });
};

const failureCause = (error: ProviderError): StopCause =>
  error.kind === "prompt_too_long" ? "prompt_too_long" : "api_error";

const finishTurn = async (
  work: TurnWork,
  state: TurnState,
  streamed: StreamState,
  { usage, apiMs }: { usage: Usage; apiMs: number },
): Promise<TurnOutcome> => {
  const { options } = work;
  const { stopReason } = streamed.assembler.answer();
  const text = finalText(streamed);
  const { finished, results } = await runCalls(work);
  const base = { text, stopReason, usage, apiMs, results: results.length };
  const freshContext = finished.find(({ outcome }) => outcome.result.freshContext)?.outcome.result.freshContext;
  if (freshContext !== undefined) return { kind: "stopped", cause: "completed", freshContext, ...base };
  if (options.signal.aborted) {
    await addUserMessage(work, interruptMarks.tools, { isMeta: false });
    return { kind: "stopped", cause: "interrupted", ...base };
  }
  if (finished.some(({ outcome }) => outcome.endsRun)) {
    await addUserMessage(work, interruptMarks.tools, { isMeta: false });
    return { kind: "stopped", cause: "declined", ...base };
  }
  if (stopReason === "max_tokens" || stopReason === "model_context_window_exceeded")
    return { kind: "stopped", cause: "max_output_tokens", ...base, text: cutText };
  if (stopReason === "pause_turn" && finished.length === 0)
    return { kind: "stopped", cause: "api_error", ...base, text: pausedText };
  if (finished.length > 0 && (await afterCalls(work, state, finished)) === "stop")
    return {
      kind: "stopped",
      cause: "internal_error",
      ...base,
      text: "Stopped: the same call kept failing the same way.",
    };
  return { kind: "answered", hasCalls: finished.length > 0, ...base };
};
