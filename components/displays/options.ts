// What every display renderer gets, and the row that says what is hidden.

import { cutToWidth } from "../../src/lib/text-width.js";
import { keyFor } from "../keys/keymap.js";
import type { Theme } from "../theme/themes.js";

export interface DisplayOptions {
  /** Cells a row may take. */
  width: number;
  theme: Theme;
  /** Rows the display may take, the one about hidden rows included. Default 10, expanded 2,000. */
  maxRows?: number;
  /** All that is there instead of the short form. */
  expanded?: boolean;
  /** Key named where something is hidden. */
  moreKey?: string;
}

/** Rows with no key bound to show the rest end at this number even when expanded: a card must stay cheap. */
const maxExpandedRows = 2000;

export const rowBudget = ({ maxRows, expanded }: DisplayOptions): number =>
  Math.max(1, maxRows ?? (expanded ? maxExpandedRows : 10));

/** "… 12 more rows · ctrl+o": says how much is hidden and which key shows it. */
export const hiddenRow = (count: number, options: DisplayOptions, where = ""): string => {
  const rows = `… ${count.toLocaleString("en-US")} more ${count === 1 ? "row" : "rows"}${where}`;
  const key = options.expanded ? "" : ` · ${options.moreKey ?? keyFor("app:toggleTranscript")}`;
  return options.theme.style("dim", cutToWidth(rows + key, options.width));
};

/** The first rows that fit the budget; the last of them counts the rest. */
export const limitRows = (rows: string[], options: DisplayOptions, total = rows.length): string[] => {
  const budget = rowBudget(options);
  if (total <= budget) return rows;
  const shown = rows.slice(0, budget - 1);
  return [...shown, hiddenRow(total - shown.length, options)];
};
