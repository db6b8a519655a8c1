// EnterPlanMode: the model itself decides to plan before it changes anything.
import { z } from "zod";
import { defineTool } from "./tool.js";

const prompt = `Switches to plan mode: you explore and write a plan, and change nothing until the person has approved it.

Use it before work that is large or can be done in clearly different ways: new features, changes of structure, changes in many files, unclear requirements. Do not use it for small, obvious changes or for questions and research.`;

export const enterPlanMode = defineTool({
  name: "EnterPlanMode",
  aliases: ["enter_plan_mode"],
  searchHint: "plan mode enter design before coding",
  deferred: true,
  prompt,
  input: z.object({}),
  isReadOnly: () => true,
  needsPerson: true,
  title: () => "",
  checkPermissions: async () => ({ reads: [], writes: [], isInteraction: true }),
  call: async (_, context) => {
    if (context.permissionMode === "plan")
      return { content: `Plan mode is already on. The plan file is ${context.planPath}.` };
    context.setPermissionMode("plan");
    return {
      content: [
        "Plan mode is on: change nothing but the plan file.",
        "1. Explore: read what matters, find existing code and patterns to build on.",
        "2. Settle open requirements with AskUserQuestion.",
        `3. Write the plan to ${context.planPath}: what changes where, in which order, and how it will be tested.`,
        "4. Call ExitPlanMode to have it approved. Do not ask for approval in prose.",
      ].join("\n"),
      display: { kind: "text", text: "Plan mode is on" },
      structured: { message: "Plan mode is on", planPath: context.planPath },
    };
  },
});
