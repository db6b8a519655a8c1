// Search in the transcript: which items hold a text, and where it stands in their rows.
import { markCells } from "../../src/lib/mark-cells.js";
import { stripStyles, textWidth } from "../../src/lib/text-width.js";
import type { TranscriptItem } from "../../state/app-state.js";

/** All texts inside a value, one behind the other. */
const stringsOf = (value: unknown): string => {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map(stringsOf).join("\n");
  if (typeof value === "object" && value !== null) return Object.values(value).map(stringsOf).join("\n");
  return "";
};

/** What an item says, as one text. */
export const itemText = (item: TranscriptItem): string => {
  if (item.kind === "tool")
    return [item.name, item.title, item.resultText ?? "", stringsOf(item.display), stringsOf(item.lastLines)].join(
      "\n",
    );
  if (item.kind === "banner") return stringsOf([item.version, item.cwd, item.branch, item.model]);
  return item.kind === "command" ? `${item.command}\n${item.text}` : item.text;
};

/** Small letters match capitals too; a capital in the query asks for itself. */
const folded = (text: string, query: string): string => (query === query.toLowerCase() ? text.toLowerCase() : text);

/** Indexes of the items that hold `query`; none for an empty query. */
export const matchingItems = (items: readonly TranscriptItem[], query: string): number[] => {
  if (query === "") return [];
  const found: number[] = [];
  for (const [index, item] of items.entries()) if (folded(itemText(item), query).includes(query)) found.push(index);
  return found;
};

/** Whether a row shows `query`. */
export const rowMatches = (row: string, query: string): boolean =>
  query !== "" && folded(stripStyles(row), query).includes(query);

/** The row with every occurrence of `query` marked. */
export const markMatches = (row: string, query: string, open: string, close: string): string => {
  if (!rowMatches(row, query)) return row;
  const plain = stripStyles(row);
  const text = folded(plain, query);
  let marked = row;
  const places: number[] = [];
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) places.push(at);
  for (const at of places.reverse()) {
    const from = textWidth(plain.slice(0, at));
    marked = markCells(marked, from, from + textWidth(plain.slice(at, at + query.length)), open, close);
  }
  return marked;
};
