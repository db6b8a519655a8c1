// Reminders of the permission mode: told to the model when plan mode begins or ends, as messages, never as prompt edits.
import {
  type PlanFacts,
  planLeftReminder,
  planReentryReminder,
  planReminder,
  planStillOnReminder,
} from "../prompt/plan-reminder.js";
import type { PermissionMode } from "../protocol/permission.js";

export interface ModeReminders {
  /** Reminders due for this mode; empty when the model knows it already. */
  take(mode: PermissionMode, facts: PlanFacts): string[];
  /** A tool's result has told the model of the new mode (EnterPlanMode, ExitPlanMode): no reminder is due. */
  told(mode: PermissionMode): void;
  /** A prompt begins: while plan mode is on it is said again, in one sentence. */
  newPrompt(): void;
  /** The conversation starts anew. */
  reset(): void;
}

/** Nothing told yet. */
export const createModeReminders = (): ModeReminders => {
  let toldPlan = false;
  let wasInPlan = false;
  let isNewPrompt = false;
  return {
    take: (mode, facts) => {
      const isPlan = mode === "plan";
      const saysAgain = isPlan && toldPlan && isNewPrompt;
      isNewPrompt = false;
      if (saysAgain) return [planStillOnReminder(facts)];
      if (isPlan === toldPlan) return [];
      toldPlan = isPlan;
      if (!isPlan) return [planLeftReminder(facts)];
      const text = wasInPlan ? planReentryReminder(facts) : planReminder(facts);
      wasInPlan = true;
      return [text];
    },
    told: (mode) => {
      // Entering by a tool still needs the instructions themselves; leaving by an approved plan needs nothing more.
      if (mode !== "plan") toldPlan = false;
    },
    newPrompt: () => {
      isNewPrompt = true;
    },
    reset: () => {
      toldPlan = false;
      wasInPlan = false;
    },
  };
};
