// /export: the conversation as plain text, into a file or the clipboard.
import { defineCommand } from "./command.js";

export const exportConversation = defineCommand({
  name: "export",
  description: "Write the conversation as plain text into a file, or copy it",
  argumentHint: "[file]",
  isHeadless: true,
  run: async (args, context) => {
    const text = await context.conversationText();
    if (text === "") return { kind: "text", text: "There is nothing to export yet: nothing was said.", isError: true };
    const file = args.trim();
    if (file !== "") return { kind: "text", text: `The conversation is in ${await context.saveNew(file, text)}` };
    if (!context.isInteractive) return { kind: "text", text: text.trimEnd() };
    return { kind: "screen", change: { copy: text } };
  },
});
