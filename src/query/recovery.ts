// Withheld errors: a request that failed is tried again while that can help; only then does anybody see the error.
import { ProviderError } from "../providers/provider.js";
import { blamesMedia, takeOutRefused } from "./refused-media.js";
import { newStreamState, type StreamSink, type StreamState, streamCall } from "./stream-turn.js";

export type RequestOutcome =
  | { kind: "answered"; state: StreamState; apiMs: number }
  | { kind: "interrupted"; state: StreamState; apiMs: number }
  | { kind: "failed"; error: ProviderError; apiMs: number };

const asProviderError = (error: unknown): ProviderError => {
  if (error instanceof ProviderError) return error;
  throw error; // a bug, not a failure of the service: it goes to the boundary
};

const dropStreamed = async ({ options, emit, schedule }: StreamSink, state: StreamState): Promise<void> => {
  const { messageId } = state.assembler.answer();
  schedule.reset();
  if (messageId !== "") await emit({ type: "dropped", messageId, parentToolUseId: options.parentToolUseId });
};

const waitForRetry = async (
  { options, emit }: StreamSink,
  error: ProviderError,
  attempt: number,
  delayMs: number,
): Promise<void> => {
  const { clock, signal, maxRetries, parentToolUseId } = options;
  await emit({
    type: "retry",
    attempt,
    maxAttempts: maxRetries,
    delayMs,
    retryAt: clock.now() + delayMs,
    status: error.status,
    reason: error.message,
    error: error.kind,
    parentToolUseId,
  });
  await clock.sleep(delayMs, signal);
  await emit({ type: "retry_settled", parentToolUseId });
};

/** Takes the picture that was refused out of the conversation and says so; false when there is none. */
const dropMedia = async ({ options, emit }: StreamSink, error: ProviderError, all: boolean): Promise<boolean> => {
  const count = takeOutRefused(options.messages, error, all);
  if (count === 0) return false;
  const what = count === 1 ? "A picture or document" : `${count} pictures or documents`;
  await emit({
    type: "notice",
    level: "warning",
    text: `${what} of this conversation was refused by the model's service and taken out: ${error.message}`,
  });
  return true;
};

/** Sends the turn's request until it is answered, fails for good, or the run is interrupted. */
export const requestAnswer = async (sink: StreamSink, turn: number): Promise<RequestOutcome> => {
  const { options, emit } = sink;
  const { clock, signal, parentToolUseId } = options;
  let apiMs = 0;
  let mediaTries = 0;
  for (let attempt = 1; ; attempt++) {
    const state = newStreamState();
    const sentAt = clock.now();
    await emit({ type: "turn_start", turn, attempt, parentToolUseId });
    try {
      await streamCall(state, sink, signal);
      apiMs += clock.now() - sentAt;
      return { kind: signal.aborted && !state.isComplete ? "interrupted" : "answered", state, apiMs };
    } catch (thrown) {
      apiMs += clock.now() - sentAt;
      if (signal.aborted) return { kind: "interrupted", state, apiMs };
      const error = asProviderError(thrown);
      await dropStreamed(sink, state);
      if (blamesMedia(error) && mediaTries < 2 && (await dropMedia(sink, error, mediaTries++ > 0))) continue;
      const delayMs = options.retryDelayMs(error, attempt);
      if (delayMs === undefined) return { kind: "failed", error, apiMs };
      await waitForRetry(sink, error, attempt, delayMs);
      if (signal.aborted) return { kind: "interrupted", state: newStreamState(), apiMs };
    }
  }
};
