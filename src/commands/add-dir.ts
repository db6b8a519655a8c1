// /add-dir: one more folder to work in, for this session.
import { defineCommand } from "./command.js";

export const addDir = defineCommand({
  name: "add-dir",
  description: "Work in one more folder in this session",
  argumentHint: "<folder>",
  isHeadless: true,
  isImmediate: true,
  run: async (args, context) => {
    const path = args.trim().replace(/^(["'])(.*)\1$/, "$2");
    if (path === "") return { kind: "text", text: "Say which folder: /add-dir <folder>", isError: true };
    return { kind: "text", text: await context.addDir(path) };
  },
});
