// /model: shows the models or switches to one.
import { defineCommand } from "./command.js";
import { messageOf } from "./texts.js";

export const model = defineCommand({
  name: "model",
  description: "Show or change the model",
  argumentHint: "[model]",
  isHeadless: true,
  isImmediate: true,
  run: async (args, context) => {
    const wanted = args.trim();
    const models = context.models();
    if (wanted !== "") {
      try {
        // Interactively the choice is the new default, as in the picker; a headless run changes nothing for later ones.
        const label = await context.setModel(wanted === "default" ? null : wanted, context.isInteractive);
        return { kind: "text", text: `Model: ${label}` };
      } catch (error) {
        return { kind: "text", text: messageOf(error), isError: true };
      }
    }
    if (context.isInteractive) return { kind: "picker", picker: { kind: "model", models } };
    const lines = models.map(({ value, label, current }) => `${current ? "*" : " "} ${value}: ${label}`);
    return { kind: "text", text: [`Model: ${context.session().modelLabel}`, ...lines].join("\n") };
  },
});
