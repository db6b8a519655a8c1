// /resume: goes back to an earlier session.
import { defineCommand } from "./command.js";
import { messageOf } from "./texts.js";

export const resume = defineCommand({
  name: "resume",
  aliases: ["continue"],
  description: "Go back to an earlier conversation",
  argumentHint: "[id or title]",
  run: async (args, context) => {
    const wanted = args.trim();
    if (wanted === "") return { kind: "picker", picker: await context.sessionsPicker("") };
    try {
      if ((await context.resume(wanted)) === "resumed") return { kind: "none" };
      return { kind: "picker", picker: await context.sessionsPicker(wanted) };
    } catch (error) {
      return { kind: "text", text: messageOf(error), isError: true };
    }
  },
});
