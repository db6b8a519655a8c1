// /theme: opens the themes with a live preview, or switches to one.
import { defineCommand } from "./command.js";

export const theme = defineCommand({
  name: "theme",
  description: "Choose the colours",
  argumentHint: "[name]",
  isImmediate: true,
  run: async (args) => {
    const wanted = args.trim();
    if (wanted === "") return { kind: "picker", picker: { kind: "theme" } };
    return { kind: "screen", change: { theme: wanted } };
  },
});
