// /effort: how hard the model thinks, chosen from a list or at once.
import { defineCommand } from "./command.js";

const levels = {
  low: "quick answers, little thinking",
  medium: "between the two",
  high: "thorough",
  xhigh: "more thorough, slower",
  max: "as much as the model can, for this session only",
  auto: "what the model does by itself",
} as const;

export type EffortWish = keyof typeof levels;
const isLevel = (text: string): text is EffortWish => Object.hasOwn(levels, text);

export const effort = defineCommand({
  name: "effort",
  description: "Choose how hard the model thinks",
  argumentHint: "[low|medium|high|xhigh|max|auto|status]",
  isHeadless: true,
  isImmediate: true,
  run: async (args, context) => {
    const wish = args.trim().toLowerCase();
    const now = context.session().effort ?? "auto";
    if (wish === "status" || (wish === "" && !context.isInteractive)) return { kind: "text", text: `Effort: ${now}` };
    if (isLevel(wish)) return { kind: "text", text: await context.setEffort(wish) };
    if (wish !== "")
      return { kind: "text", text: `The effort may be ${Object.keys(levels).join(", ")}.`, isError: true };
    const rows = Object.entries(levels).map(([label, detail]) => ({
      label,
      detail,
      isCurrent: label === now,
      command: `/effort ${label}`,
    }));
    return { kind: "picker", picker: { kind: "list", title: "Effort", rows, empty: "" } };
  },
});
