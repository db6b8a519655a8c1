// /sandbox: whether commands run in the sandbox, whether it works here, and what it lets through.
import { defineCommand } from "./command.js";

export const sandbox = defineCommand({
  name: "sandbox",
  description: "Show the sandbox for commands: state, what is missing, what it lets through",
  isHeadless: true,
  isImmediate: true,
  run: async (_args, context) => ({ kind: "text", text: await context.sandboxText() }),
});
