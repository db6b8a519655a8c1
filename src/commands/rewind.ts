// /rewind: back to an earlier prompt, with the conversation, the files, or both.
import { defineCommand } from "./command.js";
import { messageOf } from "./texts.js";

export const rewind = defineCommand({
  name: "rewind",
  aliases: ["checkpoint", "undo"],
  description: "Go back to an earlier prompt: conversation, files or both",
  run: async (_args, context) => {
    try {
      return { kind: "picker", picker: await context.rewindPicker() };
    } catch (error) {
      return { kind: "text", text: messageOf(error) };
    }
  },
});
