// Options of a run of the main thread: those of every call, and what only the main thread may do (compact, ask Stop hooks).
import type { Emit } from "../execution/context.js";
import { compactConversation } from "./compact.js";
import type { LoopOptions } from "./loop-options.js";
import { loopOptions } from "./loop-setup.js";
import type { Session } from "./session.js";

/** Compacts in the middle of a run; says no where that is not possible. */
const compactNow = (session: Session, emit: Emit, signal: AbortSignal) => async (): Promise<boolean> => {
  try {
    await compactConversation(session, undefined, emit, signal);
    return true;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    session.why.add({ kind: "compaction", what: "Could not compact the conversation", why });
    return false;
  }
};

/** What the loop of the main thread is given for one run. */
export const mainOptions = (session: Session, emit: Emit, signal: AbortSignal): LoopOptions =>
  // Assigned, not spread: `messages` is looked up anew each time.
  Object.assign(loopOptions(session, emit, signal), { compactNow: compactNow(session, emit, signal) });
