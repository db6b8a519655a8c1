// /permissions: the rules in force, what was denied, the working folders; /permissions test says what would happen.
import { defineCommand } from "./command.js";

/** The command behind `test`, without the quotes around the whole of it. */
const testedCommand = (args: string): string | undefined => {
  const text = args.match(/^test(?:\s+(.*))?$/s);
  if (!text) return undefined;
  const given = (text[1] ?? "").trim();
  return given.match(/^"([^"]*)"$/s)?.[1] ?? given.match(/^'([^']*)'$/s)?.[1] ?? given;
};

export const permissions = defineCommand({
  name: "permissions",
  aliases: ["allowed-tools"],
  description: "Show and change what may run without asking",
  argumentHint: "[test <command>]",
  isHeadless: true,
  isImmediate: true,
  run: async (args, context) => {
    const command = testedCommand(args.trim());
    if (command === "") return { kind: "text", text: "Say which command: /permissions test <command>", isError: true };
    if (command !== undefined) return { kind: "text", text: await context.explainCommand(command) };
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
