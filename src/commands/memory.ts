// /memory: the instruction files that the model reads.
import { defineCommand } from "./command.js";

export const memory = defineCommand({
  name: "memory",
  description: "Show and edit the instruction files",
  isImmediate: true,
  run: async (_args, context) => {
    const files = await context.memoryFiles();
    if (context.isInteractive) return { kind: "picker", picker: { kind: "memory", files } };
    const lines = files.map(({ path, label, exists }) => `${label}: ${path}${exists ? "" : " (not there yet)"}`);
    return { kind: "text", text: lines.join("\n") || "There are no instruction files" };
  },
});
