// /branch: goes on in a copy of the conversation; the original stays as it is.
import { defineCommand } from "./command.js";

export const branch = defineCommand({
  name: "branch",
  description: "Go on in a copy of this conversation; the original stays as it is",
  argumentHint: "[name]",
  run: async (args, context) => {
    const { from, name } = await context.branch(args.trim() || undefined);
    const called = name === undefined ? "a branch" : `the branch "${name}"`;
    return { kind: "text", text: `You are in ${called} now. Back to the original: /resume ${from}` };
  },
});
