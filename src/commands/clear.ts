// /clear: a new, empty session; the old one stays on disk.
import { defineCommand } from "./command.js";

export const clear = defineCommand({
  name: "clear",
  aliases: ["reset", "new"],
  description: "Start over with an empty context; the conversation so far can be resumed",
  argumentHint: "[name]",
  isHeadless: true,
  run: async (args, context) => {
    await context.clear(args.trim() || undefined);
    return context.isInteractive ? { kind: "none" } : { kind: "text", text: "Context cleared" };
  },
});
