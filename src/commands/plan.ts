// /plan: goes into plan mode, and with a text starts planning it.
import { defineCommand } from "./command.js";

export const plan = defineCommand({
  name: "plan",
  description: "Plan first: nothing is changed until you approve the plan",
  argumentHint: "[what to plan]",
  run: async (args, context) => {
    context.setMode("plan");
    const text = args.trim();
    if (text === "") return { kind: "text", text: `Plan mode is on. The plan is written to ${context.planPath()}` };
    return { kind: "prompt", content: text, shown: `/plan ${text}` };
  },
});
