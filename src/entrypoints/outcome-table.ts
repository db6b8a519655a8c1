// How each cause a run can end for is told to SDK hosts. One row a cause.
import type { RunOutcome, StopCause } from "../protocol/events.js";

type ResultSubtype =
  | "success"
  | "error_during_execution"
  | "error_max_turns"
  | "error_max_budget_usd"
  | "error_max_structured_output_retries";

interface Row {
  subtype: ResultSubtype;
  /** Absent: the field is left out. */
  terminalReason?: string;
}

/** An API failure is, by the protocol, a "success" with `is_error`: it has a result text. */
export const outcomeTable: Readonly<Record<StopCause, Row>> = {
  completed: { subtype: "success", terminalReason: "completed" },
  interrupted: { subtype: "error_during_execution", terminalReason: "aborted_streaming" },
  max_turns: { subtype: "error_max_turns", terminalReason: "max_turns" },
  budget_exhausted: { subtype: "error_max_budget_usd", terminalReason: "budget_exhausted" },
  api_error: { subtype: "success", terminalReason: "api_error" },
  prompt_too_long: { subtype: "success", terminalReason: "prompt_too_long" },
  max_output_tokens: { subtype: "success", terminalReason: "model_error" },
  refusal: { subtype: "success", terminalReason: "model_error" },
  stop_hook_prevented: { subtype: "success", terminalReason: "stop_hook_prevented" },
  hook_stopped: { subtype: "success", terminalReason: "hook_stopped" },
  declined: { subtype: "error_during_execution", terminalReason: "aborted_tools" },
  internal_error: { subtype: "error_during_execution" },
};

/** The row of an outcome; `wasInTools`: the interrupt came while tools ran. Local commands have no reason. */
export const outcomeRow = (outcome: RunOutcome, wasInTools: boolean): Row => {
  const row = outcomeTable[outcome.cause];
  if (outcome.isLocal) return { subtype: row.subtype };
  if (outcome.cause === "interrupted" && wasInTools) return { ...row, terminalReason: "aborted_tools" };
  // Only the dollar limit has a subtype of its own.
  if (outcome.cause === "budget_exhausted" && outcome.budget === "tokens")
    return { ...row, subtype: "error_during_execution" };
  return row;
};

/** 0 after a good end, else 1. */
export const exitCodeOf = (outcome: RunOutcome): number =>
  outcome.isError || outcomeTable[outcome.cause].subtype !== "success" ? 1 : 0;
