// /permissions: the rules in force, what was denied, the working folders.
import { defineCommand } from "./command.js";

export const permissions = defineCommand({
  name: "permissions",
  aliases: ["allowed-tools"],
  description: "Show and change what may run without asking",
  isImmediate: true,
  run: async (_args, context) => {
    const picker = await context.permissionsPicker();
    if (context.isInteractive) return { kind: "picker", picker };
    const lines = [
      `Mode: ${picker.mode}`,
      ...picker.rules.map(({ rule, behavior, source }) => `${behavior} ${rule} (${source})`),
      ...picker.directories.map(({ path, source }) => `folder ${path} (${source})`),
    ];
    return { kind: "text", text: lines.join("\n") };
  },
});
