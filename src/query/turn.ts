// One turn: reminders, the request, its calls, their results. Events go to a channel so that calls and stream overlap.
import type { Emit } from "../execution/context.js";
import { durationOf, resultEvent } from "../execution/run-call.js";
import { createSchedule, type FinishedCall, type Schedule } from "../execution/schedule.js";
import type { StopCause } from "../protocol/events.js";
import { newId } from "../protocol/ids.js";
import { type ContentBlock, interruptMarks, type ToolResultBlock, type Usage } from "../protocol/messages.js";
import type { ProviderError } from "../providers/provider.js";
import type { LoopOptions } from "./loop-options.js";
import { countUsage, recordAnswer } from "./record-answer.js";
import { dropStreamed, requestAnswer } from "./recovery.js";
import type { RunState } from "./run-state.js";
import { releaseHeld, type StreamSink, type StreamState } from "./stream-turn.js";

interface TurnBase {
  text: string;
  stopReason: string | null;
  usage: Usage;
  apiMs: number;
  results: number;
}

export type Answered = TurnBase & { kind: "answered"; hasCalls: boolean };
export type Stopped = TurnBase & { kind: "stopped"; cause: StopCause; freshContext?: string };
/** No answer: the error is withheld until nothing can be done about it. */
export type Failed = TurnBase & { kind: "failed"; error: ProviderError };
/** The answer ended at a limit. Nothing of it is in the conversation yet: exactly one of `keep` and `drop` is called. */
export type Cut = TurnBase & {
  kind: "cut";
  at: "output_limit" | "context_window";
  /** Records it as far as it came and runs the calls that are whole. */
  keep(): Promise<Answered | Stopped>;
  /** Takes it from the screen: the same request follows. */
  drop(): Promise<void>;
};
export type TurnOutcome = Answered | Stopped | Failed | Cut;

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
    const durationMs = durationOf(call, options.clock.now());
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
  await releaseHeld(state, work);
  await recordAnswer(work, state, blocks);
  const { finished } = await runCalls(work); // aborted: gives each call its result
  await addComments(work, finished);
  await addUserMessage(work, finished.length > 0 ? interruptMarks.tools : interruptMarks.streaming, { isMeta: false });
};

const refusalText = (details: Record<string, unknown> | undefined): string => {
  const category = typeof details?.category === "string" ? ` (${details.category})` : "";
  return `The model declined to answer this${category}. Nothing of it was kept: change the request or switch the model.`;
};

/** What the person added to a "Yes": reaches the conversation however the turn goes on. */
const addComments = async (work: TurnWork, finished: FinishedCall[]): Promise<void> => {
  for (const { outcome } of finished)
    for (const text of outcome.reminders ?? []) await addUserMessage(work, text, { isMeta: true });
  for (const { outcome } of finished)
    if (outcome.comment) await addUserMessage(work, outcome.comment, { isMeta: false, shown: outcome.comment });
};

/** Whether a hook stops the run after these calls, and why; those that are told of all calls together are asked last. */
const hookStop = async (work: TurnWork, finished: FinishedCall[]): Promise<string | undefined> => {
  const stopped = finished.find(({ outcome }) => outcome.stop !== undefined);
  if (stopped) return stopped.outcome.stop;
  const said = await work.options.afterBatch?.(finished);
  for (const text of said?.reminders ?? []) await addUserMessage(work, text, { isMeta: true });
  return said?.stop;
};

/** After the calls: what the guard has to say, prompts typed meanwhile. */
const afterCalls = async (work: TurnWork, run: RunState, finished: FinishedCall[]): Promise<"go on" | "stop"> => {
  const { options } = work;
  const verdict = run.guard.see(finished);
  if (verdict.kind === "remind")
    await addUserMessage(work, `<system-reminder>\n${verdict.text}\n</system-reminder>`, { isMeta: true });
  if (verdict.kind === "ask") {
    const goOn = (await options.askGoOn?.(verdict.text)) ?? false;
    if (!goOn) return "stop";
    run.guard.forget();
  }
  for (const { content, uuid, shown, notes = [], reminders = [] } of await options.takeQueued()) {
    await addUserMessage(work, content, { uuid, isMeta: false, shown });
    for (const text of reminders) await addUserMessage(work, text, { isMeta: true });
    for (const note of notes) await work.emit({ type: "notice", ...note });
  }
  return "go on";
};

const finalText = (state: StreamState): string =>
  state.blocks.map(({ block }) => (block.type === "text" && "text" in block ? String(block.text) : "")).join("");

/** Records a whole answer, runs its calls, and says how the turn ended. */
const finishTurn = async (
  work: TurnWork,
  run: RunState,
  streamed: StreamState,
  { usage, apiMs }: { usage: Usage; apiMs: number },
): Promise<Answered | Stopped> => {
  const { options } = work;
  const { stopReason } = streamed.assembler.answer();
  await releaseHeld(streamed, work);
  await recordAnswer(work, streamed);
  const text = finalText(streamed);
  const { finished, results } = await runCalls(work);
  const base = { text, stopReason, usage, apiMs, results: results.length };
  const freshContext = finished.find(({ outcome }) => outcome.result.freshContext)?.outcome.result.freshContext;
  await addComments(work, finished);
  if (freshContext !== undefined) return { kind: "stopped", cause: "completed", freshContext, ...base };
  if (options.signal.aborted) {
    await addUserMessage(work, interruptMarks.tools, { isMeta: false });
    return { kind: "stopped", cause: "interrupted", ...base };
  }
  if (finished.some(({ outcome }) => outcome.endsRun)) {
    await addUserMessage(work, interruptMarks.tools, { isMeta: false });
    return { kind: "stopped", cause: "declined", ...base };
  }
  const stop = finished.length > 0 ? await hookStop(work, finished) : undefined;
  if (stop !== undefined) {
    const text = `A hook stopped the run${stop ? `: ${stop}` : "."}`;
    await work.emit({ type: "notice", level: "warning", text });
    return { kind: "stopped", cause: "hook_stopped", ...base, text: "" };
  }
  if (finished.length > 0 && (await afterCalls(work, run, finished)) === "stop")
    return {
      kind: "stopped",
      cause: "internal_error",
      ...base,
      text: "Stopped: the same call kept failing the same way.",
    };
  return { kind: "answered", hasCalls: finished.length > 0, ...base };
};

const limitOf = (stopReason: string | null): Cut["at"] | undefined => {
  if (stopReason === "max_tokens") return "output_limit";
  return stopReason === "model_context_window_exceeded" ? "context_window" : undefined; // Q28
};

/** Ends that say nothing against the answer. */
const goodEnds: ReadonlySet<string | null> = new Set([null, "end_turn", "tool_use", "stop_sequence", "pause_turn"]);

const warnOfEnd = ({ emit }: TurnWork, stopReason: string | null): Promise<void> => {
  const text = `The answer ended for a reason that this version does not know (${stopReason}): it may be incomplete.`;
  return emit({ type: "notice", level: "warning", text });
};

/** What a complete answer means for the turn. */
const settle = async (
  work: TurnWork,
  sink: StreamSink,
  state: StreamState,
  known: { usage: Usage; apiMs: number },
): Promise<TurnOutcome> => {
  const { run } = sink;
  const { stopReason, stopDetails } = state.assembler.answer();
  const base = { stopReason, ...known, results: 0 };
  if (stopReason === "refusal") {
    await dropStreamed(sink, state); // the API does not take a refused answer back (Q17, Q18)
    return { kind: "stopped", cause: "refusal", text: refusalText(stopDetails), ...base };
  }
  const at = limitOf(stopReason);
  if (at === undefined) {
    if (!goodEnds.has(stopReason)) await warnOfEnd(work, stopReason);
    return finishTurn(work, run, state, known);
  }
  return {
    kind: "cut",
    at,
    text: finalText(state),
    ...base,
    keep: () => finishTurn(work, run, state, known),
    drop: async () => {
      await dropStreamed(sink, state);
      run.retained = work.schedule;
    },
  };
};

/** Runs one turn and says how it ended. Events arrive through `emit`; throws only for bugs. */
export const performTurn = async (options: LoopOptions, run: RunState, emit: Emit): Promise<TurnOutcome> => {
  const schedule = run.retained ?? createSchedule(options.execution, emit, options.signal, options.concurrency);
  run.retained = undefined;
  const work: TurnWork = { options, emit, schedule };
  const sink: StreamSink = { options, emit, schedule, run };
  for (const text of options.takeReminders()) await addUserMessage(work, text, { isMeta: true });
  const requested = await requestAnswer(sink);
  const { apiMs } = requested;
  const nothing = { stopReason: null, usage: noUsage, apiMs, results: 0 };
  if (requested.kind === "failed") {
    run.retained = schedule;
    return { kind: "failed", text: requested.error.message, error: requested.error, ...nothing };
  }
  const { state } = requested;
  const isEmpty = state.assembler.answer().messageId === "";
  const usage = isEmpty ? noUsage : await countUsage(work, run, state, apiMs);
  if (requested.kind === "interrupted") {
    await interruptStream(work, state);
    return { kind: "stopped", cause: "interrupted", text: finalText(state), ...nothing, usage };
  }
  return settle(work, sink, state, { usage, apiMs });
};
