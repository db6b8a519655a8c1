// Withheld errors: a request that failed is repaired or tried again while that can help; only then does anybody see the error.
import { type Refusal, refusalKey, refusalOf, replaceMessages, withRepair } from "../context/refusals.js";
import { type ErrorKind, ProviderError } from "../providers/provider.js";
import { overloadsBeforeFallback } from "../providers/retry.js";
import {
  buildRequest,
  newStreamState,
  type SentRequest,
  type StreamSink,
  type StreamState,
  streamCall,
} from "./stream-turn.js";

export type RequestOutcome =
  | { kind: "answered"; state: StreamState; apiMs: number }
  | { kind: "interrupted"; state: StreamState; apiMs: number }
  | { kind: "failed"; error: ProviderError; apiMs: number };

const asProviderError = (error: unknown): ProviderError => {
  if (error instanceof ProviderError) return error;
  throw error; // a bug, not a failure of the service: it goes to the boundary
};

/** Makes an answer void: off the screen, its calls stopped. */
export const dropStreamed = async ({ options, emit, schedule }: StreamSink, state: StreamState): Promise<void> => {
  const { messageId } = state.assembler.answer();
  schedule.reset();
  if (messageId !== "") await emit({ type: "dropped", messageId, parentToolUseId: options.parentToolUseId });
};

interface Wait {
  attempt: number;
  delayMs: number;
  status: number | null;
  reason: string;
  error: string;
}

const seconds = (ms: number): string => `${Math.ceil(ms / 1000)} s`;

/** What a person reads beside the countdown; the whole error is in /why. */
const calmWords: Partial<Record<ErrorKind, string>> = {
  cut_stream: "Connection lost while answering",
  idle: "The answer went silent",
  overloaded: "The model is overloaded",
  rate_limit: "The rate limit is reached",
};

const reasonOf = ({ kind, message }: ProviderError): string => calmWords[kind] ?? message.split("\n", 1)[0] ?? message;

/** Shows the countdown and waits it out; other requests of the session wait with it. */
const countDown = async ({ options, emit }: StreamSink, wait: Wait): Promise<void> => {
  const { clock, signal, maxRetries, parentToolUseId, backOff } = options;
  const retryAt = clock.now() + wait.delayMs;
  await emit({ type: "retry", maxAttempts: maxRetries, retryAt, parentToolUseId, ...wait });
  const release = backOff?.hold(retryAt);
  await clock.sleep(wait.delayMs, signal);
  release?.();
  await emit({ type: "retry_settled", parentToolUseId });
};

/** Lets a wait that another request of the session is in pass first. */
const waitWithOthers = async (sink: StreamSink, attempt: number): Promise<void> => {
  const { clock, backOff, signal } = sink.options;
  const delayMs = backOff?.leftMs(clock.now()) ?? 0;
  if (delayMs === 0 || signal.aborted) return;
  const reason = "The server is busy: waiting together with another request.";
  await countDown(sink, { attempt, delayMs, status: null, reason, error: "overloaded" });
};

/** Changes what the API refused, the same repair at most once a request. True: send it again. */
const repairRefused = async (
  sink: StreamSink,
  sent: SentRequest,
  error: ProviderError,
  done: Set<string>,
): Promise<boolean> => {
  const { options, emit } = sink;
  const refusal: Refusal | undefined = refusalOf(error, sent, done);
  if (refusal === undefined) return false;
  done.add(refusalKey(refusal));
  if (refusal.kind === "drop_tool") {
    if (!options.refusedTools) return false;
    options.refusedTools.add(refusal.name);
    const text = `The API refused the definition of the tool ${refusal.name}: it is left out of this session.`;
    await emit({ type: "notice", level: "warning", text });
  } else if (refusal.kind === "no_references") {
    if (!options.references?.isTaken) return false;
    options.references.isTaken = false;
  } else replaceMessages(options.messages, withRepair(options.messages, refusal));
  options.recorder.repair?.(`${refusal.what} The API had refused the request: ${error.message}`, refusal);
  options.explain?.({ kind: "repair", what: refusal.what, why: error.message });
  return true;
};

/** Goes over to the next fallback model, if there is one. */
const switchModel = async ({ options, emit, run }: StreamSink): Promise<boolean> => {
  const next = options.nextFallback?.(run.tried);
  if (next === undefined) return false;
  const text = `${run.choice.label} is overloaded: going on with ${next.label} until this run ends.`;
  options.explain?.({ kind: "retry", what: `Switched to ${next.label}`, why: `${run.choice.label} stayed overloaded` });
  run.tried.push(next.model);
  run.choice = next;
  await emit({ type: "notice", level: "warning", text });
  return true;
};

/** What one turn's request has been through. */
interface Tries {
  attempt: number;
  overloads: number;
  repaired: Set<string>;
}

/** After a failure: "again" when the request may go out once more (the wait is over), else the failure is final. */
const recover = async (sink: StreamSink, sent: SentRequest, error: ProviderError, tries: Tries): Promise<boolean> => {
  const { options } = sink;
  if (await repairRefused(sink, sent, error, tries.repaired)) return true;
  tries.overloads = error.kind === "overloaded" ? tries.overloads + 1 : 0;
  const delayMs = options.retryDelayMs(error, tries.attempt);
  const isStuck = tries.overloads >= overloadsBeforeFallback || (error.kind === "overloaded" && delayMs === undefined);
  if (isStuck && (await switchModel(sink))) {
    tries.overloads = 0;
    tries.attempt = 0;
    return true;
  }
  if (delayMs === undefined) return false;
  const { status, message, kind } = error;
  options.explain?.({
    kind: "retry",
    what: `Asked again after ${seconds(delayMs)} (try ${tries.attempt})`,
    why: message,
  });
  await countDown(sink, { attempt: tries.attempt, delayMs, status, reason: reasonOf(error), error: kind });
  return true;
};

/** Sends the turn's request until it is answered, fails for good, or the run is interrupted. */
export const requestAnswer = async (sink: StreamSink): Promise<RequestOutcome> => {
  const { options, emit, run } = sink;
  const { clock, signal, parentToolUseId } = options;
  const tries: Tries = { attempt: 0, overloads: 0, repaired: new Set() };
  for (let apiMs = 0; ; ) {
    tries.attempt++;
    await waitWithOthers(sink, tries.attempt);
    const state = newStreamState();
    if (signal.aborted) return { kind: "interrupted", state, apiMs };
    const sentAt = clock.now();
    const sent = buildRequest(options, run);
    await emit({ type: "turn_start", turn: run.turn, attempt: tries.attempt, parentToolUseId });
    try {
      await streamCall(state, sink, sent);
      apiMs += clock.now() - sentAt;
      return { kind: signal.aborted && !state.isComplete ? "interrupted" : "answered", state, apiMs };
    } catch (thrown) {
      apiMs += clock.now() - sentAt;
      if (signal.aborted) return { kind: "interrupted", state, apiMs };
      const error = asProviderError(thrown);
      await dropStreamed(sink, state);
      if (!(await recover(sink, sent, error, tries))) return { kind: "failed", error, apiMs };
    }
  }
};
