// /help: the commands there are.
import { defineCommand } from "./command.js";

export const help = defineCommand({
  name: "help",
  description: "Show commands and keys",
  isHeadless: true,
  isImmediate: true,
  run: async (_args, context) => {
    const commands = [...context.commands()];
    if (context.isInteractive) return { kind: "picker", picker: { kind: "help", commands } };
    const lines = commands.map(({ name, argumentHint, description }) => {
      const usage = argumentHint === undefined ? `/${name}` : `/${name} ${argumentHint}`;
      return `${usage}: ${description}`;
    });
    return { kind: "text", text: lines.join("\n") };
  },
});
