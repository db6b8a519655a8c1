// /cost: what the session has used so far.
import { type CostRow, defineCommand } from "./command.js";
import { dollarsText, durationText, rowsText, tokensText } from "./texts.js";

const modelRow = (row: CostRow) => ({
  label: row.model,
  value:
    `${tokensText(row.inputTokens)} input, ${tokensText(row.outputTokens)} output, ` +
    `${tokensText(row.cacheReadTokens)} cache read, ${tokensText(row.cacheWriteTokens)} cache write ` +
    `(${dollarsText(row.costUsd)})`,
});

export const cost = defineCommand({
  name: "cost",
  aliases: ["usage", "stats"],
  description: "Show tokens, money and time of this session",
  isHeadless: true,
  isImmediate: true,
  run: async (_args, context) => {
    const costs = context.costs();
    const rows = [
      { label: "Total cost", value: dollarsText(costs.totalUsd) },
      { label: "API time", value: durationText(costs.apiMs) },
      { label: "Wall time", value: durationText(costs.wallMs) },
      { label: "Code changes", value: `${costs.linesAdded} lines added, ${costs.linesRemoved} removed` },
      ...costs.rows.map(modelRow),
    ];
    if (context.isInteractive) return { kind: "picker", picker: { kind: "page", title: "Cost", rows } };
    return { kind: "text", text: rowsText(rows) };
  },
});
