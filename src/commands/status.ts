// /status: version, session, folder, credentials, model, limits.
import { defineCommand } from "./command.js";
import { rowsText } from "./texts.js";

export const status = defineCommand({
  name: "status",
  description: "Show version, session, model, credentials and limits",
  isHeadless: true,
  isImmediate: true,
  run: async (_args, context) => {
    const rows = await context.statusRows();
    if (context.isInteractive) return { kind: "picker", picker: { kind: "page", title: "Status", rows } };
    return { kind: "text", text: rowsText(rows) };
  },
});
