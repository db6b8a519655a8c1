// Options of a run of the main thread: those of every call, and what only the main thread may do: compact its conversation.
import type { Emit } from "../execution/context.js";
import { autoCompact, compactNow } from "./auto-compact.js";
import type { LoopOptions } from "./loop-options.js";
import { loopOptions } from "./loop-setup.js";
import type { Session } from "./session.js";
import { keepNotes } from "./session-notes.js";

/** What the loop of the main thread is given for one run. */
export const mainOptions = (session: Session, emit: Emit, signal: AbortSignal): LoopOptions =>
  // Assigned, not spread: what is looked up anew each time stays so.
  Object.assign(loopOptions(session, emit, signal), {
    beforeTurn: async () => {
      await autoCompact(session, emit, signal);
      keepNotes(session);
    },
    compactNow: () => compactNow(session, emit, signal),
  });
