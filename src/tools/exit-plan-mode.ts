// ExitPlanMode: shows the plan file to the person, who starts it in one of three ways or asks for more planning.
import { z } from "zod";
import { FileProblem, readBytes } from "../platform/fs.js";
import { writeFileWhole } from "../platform/write-file.js";
import type { PermissionMode } from "../protocol/permission.js";
import type { AnswerOf } from "../protocol/questions.js";
import { noteRead } from "./shared/read-state.js";
import { readableText } from "./shared/text-encoding.js";
import { defineTool, type ToolContext, type ToolResult } from "./tool.js";

const input = z.object({}).loose(); // older models send the plan or allowed prompts; both are ignored

const prompt = `Presents your plan for approval and ends plan mode when the person approves.

- Write the plan to the plan file first: this tool takes no text, it shows that file.
- Call it once the plan is complete and its open questions are settled. Never ask "is this plan ok?" in prose or with AskUserQuestion.
- Only for plans of work that changes things; research and questions need no approval.`;

export const exitPlanMode = defineTool<z.infer<typeof input>>({
  name: "ExitPlanMode",
  aliases: ["exit_plan_mode"],
  searchHint: "plan mode exit approve present plan",
  deferred: true,
  prompt,
  input,
  isReadOnly: () => true,
  needsPerson: true,
  title: () => "",
  validate: async (_, context) =>
    context.permissionMode === "plan"
      ? undefined
      : "Plan mode is not on, so there is nothing to leave. Go on with the work.",
  checkPermissions: async () => ({ reads: [], writes: [], isInteraction: true }),
  call: async (_, context) => {
    if (context.permissionMode !== "plan")
      return failed("Plan mode is not on, so there is nothing to leave. Go on with the work.");
    const plan = await readPlan(context.planPath);
    if (!plan)
      return failed(`There is no plan yet: write it to ${context.planPath} with Write, then call ExitPlanMode again.`);
    if (!context.ask)
      return failed(`Nobody can approve the plan in this session. It is in ${context.planPath}; plan mode stays on.`);
    const answer = await context.ask<"plan">({
      kind: "plan",
      plan,
      planPath: context.planPath,
      contextTokens: context.contextTokens,
      modeBefore: modeBefore(context),
    });
    return settle(plan, answer, context);
  },
});

const failed = (content: string): ToolResult => ({ content, isError: true });

/** The plan's text; undefined when the file is missing or blank. */
const readPlan = async (path: string): Promise<string | undefined> => {
  try {
    const text = readableText((await readBytes(path)).bytes);
    return text.trim() === "" ? undefined : text;
  } catch (error) {
    if (error instanceof FileProblem) return undefined;
    throw error;
  }
};

/** Where "approve each edit" leads: never back into plan mode. */
const modeBefore = ({ modeBeforePlan }: ToolContext): PermissionMode =>
  modeBeforePlan === "plan" ? "default" : modeBeforePlan;

const settle = async (shown: string, answer: AnswerOf<"plan">, context: ToolContext): Promise<ToolResult> => {
  const wasEdited = answer.editedPlan !== undefined && answer.editedPlan !== shown;
  const plan = answer.editedPlan ?? shown;
  if (wasEdited) await savePlan(plan, context);
  const structured = {
    plan,
    isAgent: context.agentId !== undefined,
    filePath: context.planPath,
    planWasEdited: wasEdited,
  };
  const display = { kind: "markdown" as const, text: plan, title: "The plan" };
  if (answer.choice === 4) {
    const changed = wasEdited ? `\nThey edited the plan; ${context.planPath} now holds:\n${plan}` : "";
    const feedback = answer.feedback?.trim();
    return {
      content: feedback
        ? `The person wants to keep planning. Plan mode stays on. They say: ${feedback}${changed}`
        : `The person did not approve the plan. Plan mode stays on; wait for what they say.${changed}`,
      isError: true,
      endsRun: !feedback,
      structured,
      display: { kind: "text", text: feedback ? `Keep planning: ${feedback}` : "Keep planning" },
    };
  }
  const mode: PermissionMode = answer.choice === 3 ? modeBefore(context) : "acceptEdits";
  context.setPermissionMode(mode);
  const edited = wasEdited ? " with changes of their own" : "";
  const content = `The person approved the plan${edited}. Plan mode is over; the permission mode is now ${mode}. Carry it out now. The plan (${context.planPath}):\n\n${plan}`;
  return {
    content,
    structured,
    display,
    ...(answer.choice === 1 ? { freshContext: freshText(plan, context.planPath) } : {}),
  };
};

/** First message of the fresh context: it begins with the plan itself. */
const freshText = (plan: string, path: string): string =>
  `${plan.trimEnd()}\n\nThis plan was approved by the person and is kept in ${path}. Carry it out now.`;

const savePlan = async (plan: string, { planPath, fileState }: ToolContext): Promise<void> => {
  const bytes = Buffer.from(plan, "utf8");
  const written = await writeFileWhole(planPath, bytes);
  noteRead(fileState, written.path, { bytes, mtimeMs: written.mtimeMs, extent: "whole" });
};
