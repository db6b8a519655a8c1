// Plans of the offline model: numbered steps in its own request language, approved by the person, then carried out one by one.
import type { View } from "./conversation.js";
import { parseStep, splitSteps } from "./parse.js";
import { numberedItems } from "./patterns.js";
import { callOne, type Outcome, type Part, type Program, say } from "./program.js";
import type { OfflineRequest } from "./requests.js";
import { simpleStep, writeFile } from "./steps.js";
import { toolMessage, troubleWith } from "./summaries.js";

const isUnderstood = (step: string): boolean => {
  const { kind } = parseStep(step);
  return kind !== "unknown" && kind !== "plan" && kind !== "tour" && kind !== "carryOut";
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A plan as Markdown; steps that need a real model are marked as such. */
export const planText = (title: string, steps: readonly string[]): string =>
  [
    `# Plan: ${title}`,
    "",
    "Written by the offline model (scripted, no AI).",
    "",
    "## Steps",
    "",
    ...steps.map(
      (step, index) =>
        `${index + 1}. ${capital(step)}${isUnderstood(step) ? "" : " (needs a real model: will be skipped)"}`,
    ),
    "",
  ].join("\n");

/** Carries out the steps of a plan, saying what came of each. */
export function* carryOut(view: View, steps: readonly string[]): Program {
  for (const step of steps) {
    const text = step.replace(/\s*\(needs a real model[^)]*\)\s*$/, "");
    const program = simpleStep(view, parseStep(text));
    if (program) yield* program;
    else yield* say(`Skipped, because it needs a real model: ${text}`);
  }
}

const planResult = (outcome: Outcome, own: readonly string[]): readonly string[] => {
  const approved = numberedItems(outcome.text);
  return approved.length > 0 ? approved : own;
};

/** What the person wrote beside a refusal of the plan, when the result quotes it. */
const feedbackIn = (text: string): string | undefined => {
  const after = /(?:they say|feedback|said|wrote)\b[^:\n]*:\s*([\s\S]+?)(?:\nThey edited the plan;|$)/i.exec(text)?.[1];
  return (
    after
      ?.replace(/<\/?[a-z_-]+>/g, "")
      .trim()
      .replace(/^["“]|["”]$/g, "") || undefined
  );
};

export interface PlanOffer {
  title: string;
  steps: readonly string[];
}

/**
 * Enters plan mode if need be, writes the plan file and asks for approval. Gives the approved steps, or undefined when the plan
 * was not approved (what happened has then been said).
 */
export function* offerPlan(view: View, { title, steps }: PlanOffer): Part<readonly string[] | undefined> {
  let { planPath } = view;
  if (!view.isPlanning && view.tools.has("EnterPlanMode")) {
    const entered = yield* callOne("EnterPlanMode", {});
    const trouble = troubleWith(entered, "enter plan mode");
    if (trouble) return yield* say(trouble);
    planPath = view.newestPlanPath() ?? planPath;
  }
  if (!view.tools.has("ExitPlanMode") || planPath === undefined) {
    yield* say(planText(title, steps).trim());
    if (!view.isPlanning) yield* say("Plan approval is not offered in this session, so nothing was carried out.");
    return undefined;
  }
  const wanted = [...steps];
  for (;;) {
    const written = yield* writeFile(view, planPath, planText(title, wanted));
    const unwritten = troubleWith(written, "write the plan file");
    if (unwritten) return yield* say(unwritten);
    const outcome = yield* callOne("ExitPlanMode", {});
    if (!outcome.isError) return planResult(outcome, wanted);
    const feedback = feedbackIn(outcome.text) ?? outcome.words;
    if (feedback === undefined) {
      return yield* say("The plan is not approved, so nothing is changed. Tell me what it should say instead.");
    }
    yield* say(
      `You would like the plan to change: "${toolMessage(feedback)}". As a script I can only add that as a step; here is the plan again.`,
    );
    wanted.push(...splitSteps(feedback));
  }
}

/** "plan …": the plan, its approval and its execution. */
export function* planAndCarryOut(view: View, { goal, steps }: Extract<OfflineRequest, { kind: "plan" }>): Program {
  if (steps.length === 0) {
    return yield* say('Say what to plan, for example: plan to replace "a" with "b" in notes.txt, then run `npm test`');
  }
  yield* say("I write a plan first and change nothing until you approve it.");
  const approved = yield* offerPlan(view, { title: goal, steps });
  if (approved) yield* carryOut(view, approved);
}
