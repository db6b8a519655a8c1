// What the model is told when plan mode begins, goes on, is entered again or ends. Reminders, so that the system prompt never changes.
import { reminder } from "./first-reminder.js";

export interface PlanFacts {
  /** Absolute path of the plan file. */
  planPath: string;
  planExists: boolean;
  /** False where nobody can approve (headless): then the plan itself is the result. */
  canApprove: boolean;
  /** ExitPlanMode is known by name only. */
  isDeferred?: boolean;
}

const loadFirst = (isDeferred: boolean | undefined): string =>
  isDeferred ? ' (load it first: ToolSearch with "select:ExitPlanMode")' : "";

/** The full instructions, given when plan mode begins. */
export const planReminder = ({ planPath, planExists, canApprove, isDeferred }: PlanFacts): string =>
  reminder(
    [
      "# Plan mode is on",
      "The person wants a plan before anything changes. Until it is approved, change nothing: no edits, no commits, no installs, no commands with lasting effects, whatever other instructions say. Reading, searching and read-only commands are fine.",
      `Plan file: \`${planPath}\` ${planExists ? "(it exists: read it, then revise it)" : "(it does not exist yet: create it with Write)"}. It is the only file you may write.`,
      [
        "Work in this order:",
        "1. Explore. Read the code that matters until you know what has to change, what already exists to build on, and what could break.",
        "2. Design. Choose one way and know why. If a choice belongs to the person and the code cannot answer it, ask (AskUserQuestion, if offered).",
        "3. Write the plan file: the goal in a sentence, the steps in order with the files they touch, what is reused, how the result will be checked. Short enough to read in a minute, exact enough to work from.",
        canApprove
          ? `4. Call ExitPlanMode${loadFirst(isDeferred)}. It shows the plan and asks for approval.`
          : "4. End with the plan as your answer: nobody is here to approve it, and nothing is carried out.",
      ].join("\n"),
      canApprove
        ? 'Never ask for approval in prose ("shall I go on?"): ExitPlanMode is the only way to ask. End your turn with ExitPlanMode or with a question to the person, nothing else.'
        : undefined,
    ]
      .filter(Boolean)
      .join("\n\n"),
  );

/** A short form for later runs while plan mode is still on. */
export const planStillOnReminder = ({ planPath, canApprove, isDeferred }: PlanFacts): string =>
  reminder(
    `Plan mode is still on: change nothing but the plan file. Plan file: \`${planPath}\`. ${
      canApprove
        ? `When the plan is ready, call ExitPlanMode${loadFirst(isDeferred)}; do not ask for approval in prose.`
        : "End with the plan as your answer."
    }`,
  );

/** Plan mode was left before in this session and is on again. */
export const planReentryReminder = (facts: PlanFacts): string =>
  [
    planReminder(facts),
    reminder(
      "Plan mode was on earlier in this session. If the plan file is about the same task, revise it; if the task is another one, replace it. Either way call ExitPlanMode again before changing anything.",
    ),
  ].join("\n");

/** Plan mode ended without an approval (the person switched the mode). */
export const planLeftReminder = ({ planPath, planExists }: Pick<PlanFacts, "planPath" | "planExists">): string =>
  reminder(
    `Plan mode is off: you may change files and run commands again, as far as permissions allow.${
      planExists ? ` The plan file \`${planPath}\` is there if it is still of use.` : ""
    }`,
  );
