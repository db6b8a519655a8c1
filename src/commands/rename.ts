// /rename: gives the conversation a name of the person's.
import { defineCommand } from "./command.js";

export const rename = defineCommand({
  name: "rename",
  description: "Name this conversation; without a name one is made from what was said",
  argumentHint: "[name]",
  isHeadless: true,
  run: async (args, context) => {
    const name = await context.rename(args.trim() || undefined);
    return { kind: "text", text: `This conversation is called "${name}" now.` };
  },
});
