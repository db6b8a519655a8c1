// /tasks: what runs in the background.
import { defineCommand } from "./command.js";

export const tasks = defineCommand({
  name: "tasks",
  aliases: ["bashes"],
  description: "Show what runs in the background, read its output, stop it",
  isHeadless: true,
  isImmediate: true,
  run: async (_args, context) => {
    if (context.isInteractive) return { kind: "picker", picker: { kind: "tasks" } };
    const lines = context.tasks().map(({ id, status, title }) => `${id}  ${status}  ${title.replace(/\s+/g, " ")}`);
    return { kind: "text", text: lines.join("\n") || "Nothing runs in the background." };
  },
});
