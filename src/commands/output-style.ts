// /output-style: lists the output styles, or keeps one beside the project.
import { defineCommand } from "./command.js";

export const outputStyle = defineCommand({
  name: "output-style",
  description: "Choose how answers are written",
  argumentHint: "[name]",
  isHeadless: true,
  isImmediate: true,
  run: async (args, context) => {
    if (args.trim() !== "") return { kind: "text", text: await context.chooseStyle(args.trim()) };
    const picker = await context.stylesPicker();
    if (context.isInteractive) return { kind: "picker", picker };
    const lines = picker.rows.map(
      ({ label, detail, isCurrent }) => `${isCurrent ? "*" : " "} ${label}: ${detail ?? ""}`,
    );
    return { kind: "text", text: lines.join("\n") };
  },
});
