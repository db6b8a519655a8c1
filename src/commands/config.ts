// /config: the settings in force and where they came from, changed in a dialog or as name=value. And the dialog's other tabs.
import { type Command, type CommandContext, type CommandResult, defineCommand } from "./command.js";
import { messageOf } from "./texts.js";
import { usageRows } from "./usage-rows.js";

/** The dialog of /status, /config and /cost, open at a tab. */
export const settingsPicker = async (
  context: CommandContext,
  tab: "status" | "config" | "usage",
): Promise<CommandResult> => ({
  kind: "picker",
  picker: {
    kind: "settings",
    tab,
    status: await context.statusRows(),
    settings: await context.settingRows(),
    usage: usageRows(context),
  },
});

/** Pairs as they were typed: `name=value`, several in a row; a value with blanks stands in quotes. */
export const pairsIn = (args: string): { name: string; value: string }[] | undefined => {
  const pair = /\s*([A-Za-z][\w.]*)=(?:"([^"]*)"|'([^']*)'|(\S*))(?=\s|$)/y;
  const pairs: { name: string; value: string }[] = [];
  while (pair.lastIndex < args.length) {
    const match = pair.exec(args);
    if (!match) return undefined;
    pairs.push({ name: match[1]!, value: match[2] ?? match[3] ?? match[4] ?? "" });
  }
  return pairs;
};

const change = async (args: string, context: CommandContext): Promise<CommandResult> => {
  const pairs = pairsIn(args.trim());
  if (!pairs) return { kind: "text", text: "It reads  /config name=value  or just  /config", isError: true };
  const lines: string[] = [];
  for (const { name, value } of pairs) {
    try {
      lines.push(await context.changeSetting(name, value));
    } catch (error) {
      return { kind: "text", text: [...lines, messageOf(error)].join("\n"), isError: true };
    }
  }
  return { kind: "text", text: lines.join("\n") };
};

export const config: Command = defineCommand({
  name: "config",
  aliases: ["settings"],
  description: "Show and change the settings",
  argumentHint: "[name=value]",
  isHeadless: true,
  isImmediate: true,
  run: async (args, context) => {
    if (args.trim() !== "") return change(args, context);
    if (context.isInteractive) return settingsPicker(context, "config");
    const rows = await context.settingRows();
    return { kind: "text", text: rows.map(({ key, value, from }) => `${key}: ${value} (${from})`).join("\n") };
  },
});
