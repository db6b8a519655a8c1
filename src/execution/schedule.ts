// The calls of one answer: safe ones start while the model still streams, the rest run in batches after it.
import type { ToolUseBlock } from "../protocol/messages.js";
import { callTitle } from "./call-title.js";
import type { Emit, ExecutionContext, PendingCall } from "./context.js";
import { partition } from "./partition.js";
import { type CallOutcome, runCall } from "./run-call.js";

export interface FinishedCall {
  call: PendingCall;
  outcome: CallOutcome;
}

interface Scheduled {
  call: PendingCall;
  isSafe: boolean;
  started?: Promise<CallOutcome>;
}

export interface Schedule {
  /** A call's block is complete in the stream. */
  add(block: ToolUseBlock, inputError?: string): Promise<void>;
  /** The answer is complete: runs what is left. Yields each call once, in the order in which they finish. */
  run(onFinished: (finished: FinishedCall) => Promise<void>): Promise<FinishedCall[]>;
  /** The answer is void (a retry follows): stops what started; finished safe calls serve an identical later call. */
  reset(): void;
  calls(): readonly PendingCall[];
}

const notStartedText = "Not run: the person stopped this answer at an earlier call.";

const keyOf = (block: ToolUseBlock): string => `${block.name} ${JSON.stringify(block.input)}`;

/** An empty schedule. `concurrency` bounds how many calls run at the same time (10, spec/tools). */
export const createSchedule = (
  execution: ExecutionContext,
  emit: Emit,
  signal: AbortSignal,
  concurrency: number,
): Schedule => {
  let scheduled: Scheduled[] = [];
  let attempt = new AbortController();
  /** Results of finished safe calls of a void answer: the same call is not run twice. */
  const finishedEarlier = new Map<string, CallOutcome>();
  let running = 0;
  const waiting: (() => void)[] = [];

  const limited = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      return await work();
    } finally {
      running--;
      waiting.shift()?.();
    }
  };

  const start = (entry: Scheduled): Promise<CallOutcome> => {
    entry.started ??= limited(async () => {
      const key = keyOf(entry.call.block);
      const earlier = entry.isSafe ? finishedEarlier.get(key) : undefined;
      finishedEarlier.delete(key);
      return earlier ?? runCall(entry.call, execution, emit);
    });
    return entry.started;
  };

  return {
    add: async (block, inputError) => {
      const tool = execution.findTool(block.name);
      if (tool) await execution.warmUp?.(tool);
      const parsed = tool?.input.safeParse(block.input);
      const isSafe =
        inputError === undefined &&
        tool !== undefined &&
        parsed?.success === true &&
        tool.isConcurrencySafe(parsed.data);
      const callSignal = AbortSignal.any([signal, attempt.signal]);
      const call: PendingCall = {
        block,
        inputError,
        tool,
        input: block.input,
        reminders: [],
        context: execution.toolContext(block, callSignal),
      };
      const entry: Scheduled = { call, isSafe };
      scheduled.push(entry);
      await emit({
        type: "tool_call",
        id: block.id,
        name: tool?.name ?? block.name,
        input: block.input,
        title: parsed?.success ? callTitle(tool, parsed.data, call.context.cwd) : "",
        isReadOnly: parsed?.success === true && tool?.isReadOnly(parsed.data) === true,
        parentToolUseId: execution.parentToolUseId,
      });
      if (scheduled.every((other) => other.isSafe)) void start(entry);
    },
    run: async (onFinished) => {
      const finished: FinishedCall[] = [];
      let mustStop = false;
      for (const batch of partition(scheduled.map(({ isSafe }) => isSafe))) {
        await Promise.all(
          batch.map(async (index) => {
            const entry = scheduled[index];
            if (!entry) return;
            if (mustStop && !entry.started) attempt.abort(notStartedText);
            const outcome = await start(entry);
            const done = { call: entry.call, outcome };
            finished[index] = done;
            await onFinished(done);
          }),
        );
        // The person said no (or the tool ended the run): what has not started is not started any more.
        if (batch.some((index) => finished[index]?.outcome.endsRun)) mustStop = true;
      }
      return finished;
    },
    reset: () => {
      for (const { started, isSafe, call } of scheduled)
        if (isSafe && started)
          void started.then((outcome) => {
            if (!outcome.result.isError) finishedEarlier.set(keyOf(call.block), outcome);
          });
      attempt.abort();
      attempt = new AbortController();
      scheduled = [];
    },
    calls: () => scheduled.map(({ call }) => call),
  };
};
