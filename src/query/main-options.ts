// Options of a run of the main thread: those of every call, and what only the main thread may do: compact its conversation.
import type { Emit } from "../execution/context.js";
import type { FinishedCall } from "../execution/schedule.js";
import { autoCompact, compactNow } from "./auto-compact.js";
import { batchHooks, stopHooks } from "./hook-events.js";
import type { LoopOptions } from "./loop-options.js";
import { loopOptions } from "./loop-setup.js";
import { adoptTools } from "./mcp.js";
import type { Session } from "./session.js";
import { keepNotes } from "./session-notes.js";

/** What the loop of the main thread is given for one run. */
export const mainOptions = (session: Session, emit: Emit, signal: AbortSignal): LoopOptions => {
  const options = loopOptions(session, emit, signal);
  // Assigned, not spread: what is looked up anew each time stays so.
  return Object.assign(options, {
    beforeTurn: async () => {
      adoptTools(session);
      await autoCompact(session, emit, signal);
      keepNotes(session);
    },
    compactNow: () => compactNow(session, emit, signal),
    stopHooks: (lastText: string, isActive: boolean) => stopHooks(session, { lastText, isActive, emit, options }),
    afterBatch: (finished: readonly FinishedCall[]) => batchHooks(session, finished, { emit, options }),
  });
};
