// /hooks: the hooks in force, to look at; they are changed in the settings files.
import { defineCommand } from "./command.js";

export const hooks = defineCommand({
  name: "hooks",
  description: "Show the hooks in force and where they came from",
  isHeadless: true,
  isImmediate: true,
  run: async (_args, context) => {
    const picker = context.hooksPicker();
    if (context.isInteractive) return { kind: "picker", picker };
    const lines = picker.events.flatMap(({ name, matchers }) =>
      matchers.flatMap(({ matcher, handlers }) =>
        handlers.map(({ text, source }) => `${name}${matcher ? ` ${matcher}` : ""}: ${text} (${source})`),
      ),
    );
    if (picker.note !== undefined) lines.unshift(`Hooks: ${picker.note}`);
    return { kind: "text", text: lines.length > 0 ? lines.join("\n") : "No hooks are in force." };
  },
});
