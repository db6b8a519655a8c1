// What the session has used so far, in rows.
import type { CommandContext, CostRow } from "./command.js";
import { dollarsText, durationText, tokensText } from "./texts.js";

const modelRow = (row: CostRow) => ({
  label: row.model,
  value:
    `${tokensText(row.inputTokens)} input, ${tokensText(row.outputTokens)} output, ` +
    `${tokensText(row.cacheReadTokens)} cache read, ${tokensText(row.cacheWriteTokens)} cache write ` +
    `(${dollarsText(row.costUsd)})`,
});

/** What the session used, as names and values. */
export const usageRows = (context: CommandContext): { label: string; value: string }[] => {
  const costs = context.costs();
  return [
    { label: "Total cost", value: dollarsText(costs.totalUsd) },
    { label: "API time", value: durationText(costs.apiMs) },
    { label: "Wall time", value: durationText(costs.wallMs) },
    { label: "Code changes", value: `${costs.linesAdded} lines added, ${costs.linesRemoved} removed` },
    ...costs.rows.map(modelRow),
  ];
};
