// Reminders of the permission mode: told to the model when plan mode begins or ends, as messages, never as prompt edits.
import { leftPlanReminder, planReminder } from "../prompt/plan-reminder.js";
import type { PermissionMode } from "../protocol/permission.js";

export interface ModeReminders {
  /** Reminders due for this mode; empty when the model knows it already. */
  take(mode: PermissionMode, planPath: string): string[];
  /** The conversation starts anew or was loaded: what the model has been told. */
  reset(toldPlan: boolean): void;
}

/** Nothing told yet. */
export const createModeReminders = (): ModeReminders => {
  let toldPlan = false;
  return {
    take: (mode, planPath) => {
      const isPlan = mode === "plan";
      if (isPlan === toldPlan) return [];
      toldPlan = isPlan;
      return [isPlan ? planReminder(planPath) : leftPlanReminder()];
    },
    reset: (told) => {
      toldPlan = told;
    },
  };
};
