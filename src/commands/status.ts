// /status: version, session, folder, credentials, model, limits.
import { defineCommand } from "./command.js";
import { settingsPicker } from "./config.js";
import { rowsText } from "./texts.js";

export const status = defineCommand({
  name: "status",
  description: "Show version, session, model, credentials and limits",
  isHeadless: true,
  isImmediate: true,
  run: async (_args, context) =>
    context.isInteractive
      ? settingsPicker(context, "status")
      : { kind: "text", text: rowsText(await context.statusRows()) },
});
