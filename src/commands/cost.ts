// /cost: what the session has used so far.
import { defineCommand } from "./command.js";
import { settingsPicker } from "./config.js";
import { rowsText } from "./texts.js";
import { usageRows } from "./usage-rows.js";

export const cost = defineCommand({
  name: "cost",
  aliases: ["usage", "stats"],
  description: "Show tokens, money and time of this session",
  isHeadless: true,
  isImmediate: true,
  run: async (_args, context) =>
    context.isInteractive ? settingsPicker(context, "usage") : { kind: "text", text: rowsText(usageRows(context)) },
});
