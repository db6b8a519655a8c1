// Why the loop goes on after a turn: a table, the first row that applies and can act wins.
import type { Emit } from "../execution/context.js";
import type { LoopOptions } from "./loop-options.js";
import type { RunState } from "./run-state.js";
import { addUserMessage, type TurnOutcome } from "./turn.js";

export type ContinueReason =
  | "next_turn"
  | "collapse_drain_retry"
  | "reactive_compact_retry"
  | "max_output_tokens_escalate"
  | "max_output_tokens_recovery"
  | "stop_hook_blocking"
  | "token_budget_continuation";

const mostRecoveries = 3; // design.md section 3, reason 5
const mostStopBlocks = 8; // reason 6; CLAUDE_CODE_STOP_HOOK_BLOCK_CAP
const mostPauses = 10; // reason 7

interface Situation {
  turn: TurnOutcome;
  run: RunState;
  options: LoopOptions;
  emit: Emit;
}

/** "no": this reason cannot help, ask the next row. An outcome: the run ends with it after all. */
type Acted = "go on" | "no" | TurnOutcome;

interface ReasonRow {
  reason: ContinueReason;
  /** The same request goes out again: it does not count as a turn. */
  isRetry: boolean;
  /** For /why; absent where going on needs no explanation. */
  why?: string;
  applies(situation: Situation): boolean;
  act(situation: Situation): Promise<Acted>;
}

const isTooLong = ({ turn }: Situation): boolean =>
  turn.kind === "failed" ? turn.error.kind === "prompt_too_long" : turn.kind === "cut" && turn.at === "context_window";

const isCut = ({ turn }: Situation): boolean => turn.kind === "cut" && turn.at === "output_limit";

const dropCut = async ({ turn }: Situation): Promise<void> => {
  if (turn.kind === "cut") await turn.drop();
};

const continuationText =
  "<system-reminder>\nThe answer above was cut off at the output limit. Go on exactly where it stopped: no excuse, no repetition, no summary. If much is left, do it in smaller parts (for a file: several smaller writes or edits).\n</system-reminder>";

/** The answer stays as far as it came, and a hidden prompt asks for the rest. */
const askForRest = async ({ turn, run, options, emit }: Situation): Promise<Acted> => {
  if (turn.kind !== "cut") return "no";
  const kept = await turn.keep();
  if (kept.kind !== "answered") return kept;
  run.recoveries++;
  run.carried += kept.text;
  await addUserMessage({ options, emit }, continuationText, { isMeta: true });
  return "go on";
};

const stopHooks = async ({ turn, run, options, emit }: Situation): Promise<Acted> => {
  const text = run.carried + turn.text;
  const verdict = await options.stopHooks?.(text, run.stopBlocks > 0);
  if (verdict === undefined) return "no";
  run.stopBlocks++;
  const cap = options.stopHookBlockCap ?? mostStopBlocks;
  if (run.stopBlocks > cap)
    return {
      ...turn,
      kind: "stopped",
      cause: "stop_hook_prevented",
      text: `Stopped: a Stop hook asked to go on ${run.stopBlocks} times in a row (limit ${cap}, CLAUDE_CODE_STOP_HOOK_BLOCK_CAP). It said: ${verdict.block}`,
    };
  await addUserMessage({ options, emit }, `Stop hook feedback:\n${verdict.block}`, { isMeta: true });
  return "go on";
};

export const continueReasons: readonly ReasonRow[] = [
  {
    // Calls decide, not the stop reason: "end_turn" beside a call still means that the model waits for its result (Q35, Q36).
    reason: "next_turn",
    isRetry: false,
    applies: ({ turn }) => turn.kind === "answered" && turn.hasCalls,
    act: async ({ run }) => {
      Object.assign(run, { recoveries: 0, pauses: 0, hasCompacted: false, carried: "" });
      return "go on";
    },
  },
  {
    reason: "collapse_drain_retry",
    isRetry: true,
    why: "the prompt was too long, and finished parts of the conversation could be folded",
    applies: (situation) => isTooLong(situation) && situation.options.drainCollapses !== undefined,
    act: async (situation) => {
      if (!situation.options.drainCollapses?.()) return "no";
      await dropCut(situation);
      return "go on";
    },
  },
  {
    reason: "reactive_compact_retry",
    isRetry: true,
    why: "the prompt was too long, so the conversation was compacted",
    applies: (situation) =>
      isTooLong(situation) && !situation.run.hasCompacted && situation.options.compactNow !== undefined,
    act: async (situation) => {
      situation.run.hasCompacted = true;
      // An answer that hit the end of the window is void either way: what it held is not in the conversation yet.
      if (!(await situation.options.compactNow?.("prompt_too_long"))) return "no";
      await dropCut(situation);
      return "go on";
    },
  },
  {
    reason: "max_output_tokens_escalate",
    isRetry: true,
    why: "the answer was cut at the output limit, which could be raised",
    applies: (situation) => {
      const { raisedOutputTokens = 0, maxOutputTokens } = situation.run.choice;
      return isCut(situation) && !situation.run.isRaised && raisedOutputTokens > maxOutputTokens;
    },
    act: async (situation) => {
      const { choice } = situation.run;
      situation.run.isRaised = true;
      situation.run.choice = { ...choice, maxOutputTokens: choice.raisedOutputTokens ?? choice.maxOutputTokens };
      await dropCut(situation);
      return "go on";
    },
  },
  {
    reason: "max_output_tokens_recovery",
    isRetry: false,
    why: "the answer was cut at the highest output limit, so the model was asked for the rest",
    applies: (situation) => isCut(situation) && situation.run.recoveries < mostRecoveries,
    act: askForRest,
  },
  {
    reason: "stop_hook_blocking",
    isRetry: false,
    why: "a Stop hook asked to go on",
    applies: ({ turn, options }) =>
      turn.kind === "answered" && !turn.hasCalls && turn.stopReason !== "pause_turn" && options.stopHooks !== undefined,
    act: stopHooks,
  },
  {
    reason: "token_budget_continuation",
    isRetry: false,
    why: "the API paused the answer, so it was sent back to be continued",
    applies: ({ turn, run }) => turn.kind === "answered" && turn.stopReason === "pause_turn" && run.pauses < mostPauses,
    act: async ({ turn, run }) => {
      run.pauses++;
      run.carried += turn.text;
      return "go on";
    },
  },
];

export type Next = { kind: "go on"; reason: ContinueReason; isRetry: boolean } | { kind: "end"; turn: TurnOutcome };

/** Looks for the first reason to call the model again and does what it takes; else the run ends with the turn. */
export const nextStep = async (situation: Situation): Promise<Next> => {
  for (const { reason, isRetry, why, applies, act } of continueReasons) {
    if (!applies(situation)) continue;
    const acted = await act(situation);
    if (acted === "no") continue;
    if (acted !== "go on") return { kind: "end", turn: acted };
    if (why !== undefined) situation.options.explain?.({ kind: "loop", what: `Went on (${reason})`, why });
    return { kind: "go on", reason, isRetry };
  }
  return { kind: "end", turn: situation.turn };
};
