// The one runner for everything that talks to a model beside the main thread: its own messages, limits and signal.
import type { Emit, ExecutionContext } from "../execution/context.js";
import type { Message } from "../protocol/messages.js";
import type { Purpose, SystemBlock } from "../providers/provider.js";
import type { LoopOptions, LoopOutcome } from "./loop-options.js";
import { queryLoop } from "./query-loop.js";
import { noRecorder } from "./recorder.js";

export interface AgentRun {
  /** Options of the thread it springs from: provider, model, prefix, clock. */
  parent: LoopOptions;
  messages: Message[];
  purpose: Purpose;
  maxTurns: number;
  signal: AbortSignal;
  /** Replaces the parent's system prompt; absent: the same bytes, so that the parent's cache prefix serves. */
  system?: SystemBlock[];
  /** How calls are executed; absent: every call is refused (the tools stay in the request for the cache's sake). */
  execution?: ExecutionContext;
  /** What else differs from the parent: tools, recorder, where its events belong. */
  own?: Partial<LoopOptions>;
  /** Told of its events; absent: they stay inside. */
  onEvent?: Emit;
}

/** An execution in which no tool can be found: each call gets an error result. */
const refuseAll = (parent: ExecutionContext): ExecutionContext => ({
  ...parent,
  findTool: () => undefined,
  toolNames: [],
  askPermission: undefined,
  onDenied: () => undefined,
});

/** Runs an agent to its end and returns its outcome. Throws only for bugs. */
export const runAgent = async (run: AgentRun): Promise<LoopOutcome> => {
  const { parent, maxTurns } = run;
  const events = queryLoop({
    ...parent,
    messages: run.messages,
    purpose: run.purpose,
    signal: run.signal,
    system: run.system ?? parent.system,
    execution: run.execution ?? refuseAll(parent.execution),
    recorder: noRecorder,
    includeStream: false,
    takeReminders: () => [],
    takeQueued: () => [],
    askGoOn: undefined,
    // Of the main thread only: its messages are not these, and an agent that compacts must not compact.
    prepareMessages: undefined,
    beforeTurn: undefined,
    drainCollapses: undefined,
    compactNow: undefined,
    stopHooks: undefined,
    afterBatch: undefined,
    ...run.own,
    // The session's own limit of turns is for its main thread; its budgets count everywhere.
    checkLimits: (turns) =>
      turns >= maxTurns
        ? { cause: "max_turns", text: `Stopped after ${maxTurns} turns.` }
        : run.purpose === "agent"
          ? parent.checkLimits(0)
          : undefined,
  });
  for (;;) {
    const { done, value } = await events.next();
    if (done) return value;
    await run.onEvent?.(value);
  }
};
