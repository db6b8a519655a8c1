// Why the loop goes on after a turn: a table, first row that applies wins.
import type { TurnOutcome } from "./turn.js";

/** All reasons of the design; a row exists for those that are built. */
export type ContinueReason =
  | "next_turn"
  | "collapse_drain_retry"
  | "reactive_compact_retry"
  | "max_output_tokens_escalate"
  | "max_output_tokens_recovery"
  | "stop_hook_blocking"
  | "token_budget_continuation";

interface ReasonRow {
  reason: ContinueReason;
  applies(turn: TurnOutcome): boolean;
}

export const continueReasons: readonly ReasonRow[] = [
  // Calls decide, not the stop reason: "end_turn" beside a call still means that the model waits for its result (Q35, Q36).
  { reason: "next_turn", applies: (turn) => turn.kind === "answered" && turn.hasCalls },
];

/** The reason to call the model again, or undefined when the run is over. */
export const reasonToGoOn = (turn: TurnOutcome): ContinueReason | undefined =>
  continueReasons.find(({ applies }) => applies(turn))?.reason;
