// /compact: replaces the conversation by a summary.
import { defineCommand } from "./command.js";
import { messageOf, tokensText } from "./texts.js";

export const compact = defineCommand({
  name: "compact",
  description: "Summarise the conversation to free context",
  argumentHint: "[what to keep in focus]",
  isHeadless: true,
  run: async (args, context) => {
    try {
      const { preTokens, postTokens } = await context.compact(args.trim() || undefined);
      return { kind: "text", text: `Compacted: ${tokensText(preTokens)} → ${tokensText(postTokens)} tokens` };
    } catch (error) {
      return { kind: "text", text: messageOf(error), isError: true };
    }
  },
});
