// The `result` line: what a run came to, in the shape SDK hosts read.
import type { RunOutcome } from "../protocol/events.js";
import { newId } from "../protocol/ids.js";
import type { Usage } from "../protocol/messages.js";
import type { ModelUsageEntry } from "../query/cost-tracker.js";
import { outcomeRow } from "./outcome-table.js";

export interface SessionTotals {
  /** Null: the price of a model is not known. */
  costUsd: number | null;
  modelUsage: Record<string, ModelUsageEntry>;
}

export interface ResultFacts {
  sessionId: string;
  /** Tool results, interrupt marks and feedback of Stop hooks in the run; see `numTurns`. */
  userLines: number;
  wasInTools: boolean;
  totals: SessionTotals;
  ttftMs?: number;
}

/** The result object of a run. */
export const resultMessage = (outcome: RunOutcome, facts: ResultFacts): Record<string, unknown> => {
  const { subtype, terminalReason } = outcomeRow(outcome, facts.wasInTools);
  const isSuccess = subtype === "success";
  return {
    type: "result",
    subtype,
    is_error: outcome.isError || !isSuccess,
    ...(isSuccess ? { api_error_status: outcome.apiErrorStatus } : {}),
    duration_ms: Math.round(outcome.durationMs),
    duration_api_ms: Math.round(outcome.apiDurationMs),
    ...(facts.ttftMs === undefined ? {} : { ttft_ms: Math.round(facts.ttftMs) }),
    num_turns: outcome.isLocal ? 0 : 1 + facts.userLines,
    ...(isSuccess ? { result: outcome.text } : {}),
    stop_reason: outcome.stopReason,
    session_id: facts.sessionId,
    total_cost_usd: facts.totals.costUsd ?? 0,
    usage: wireUsage(outcome.usage),
    modelUsage: facts.totals.modelUsage,
    permission_denials: outcome.permissionDenials,
    ...(isSuccess ? {} : { errors: errorsOf(outcome) }),
    ...(terminalReason === undefined ? {} : { terminal_reason: terminalReason }),
    uuid: newId(),
  };
};

/** At least one line that says what went wrong. */
export const errorsOf = (outcome: RunOutcome): string[] => {
  if (outcome.errors.length > 0) return outcome.errors;
  if (outcome.cause === "max_turns") return [`Reached maximum number of turns (${outcome.turns})`];
  if (outcome.cause === "interrupted") return ["Request interrupted by user"];
  return [outcome.text || outcome.cause];
};

const wireUsage = (usage: Usage): Record<string, unknown> => ({
  ...usage,
  input_tokens: usage.input_tokens,
  cache_creation_input_tokens: usage.cache_creation_input_tokens ?? 0,
  cache_read_input_tokens: usage.cache_read_input_tokens ?? 0,
  output_tokens: usage.output_tokens,
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0, ...objectIn(usage, "server_tool_use") },
  service_tier: "service_tier" in usage ? usage.service_tier : "standard",
  cache_creation: {
    ephemeral_1h_input_tokens: usage.cache_creation?.ephemeral_1h_input_tokens ?? 0,
    ephemeral_5m_input_tokens: usage.cache_creation?.ephemeral_5m_input_tokens ?? 0,
  },
});

const objectIn = (usage: object, key: string): object => {
  const value: unknown = key in usage ? Reflect.get(usage, key) : undefined;
  return typeof value === "object" && value !== null ? value : {};
};
