// Mentions: the `@path` or, in the shell mode, the word that the caret stands behind, and what a choice makes of it. Pure.
import { isSubsequence } from "../../src/lib/path-search.js";
import { type Cells, isPaste } from "./cells.js";

export interface Mention {
  of: "mention" | "shell";
  /** Cells `[start, end)` hold it, its "@" and quote included. */
  start: number;
  end: number;
  /** What is looked for. */
  query: string;
}

/** Longest mention that is looked for: a long word is not searched at each key. */
const maxCells = 200;

const isBlank = (cell: Cells[number] | undefined): boolean =>
  cell === undefined || cell === " " || cell === "\n" || cell === "\t" || isPaste(cell);

const opens = (cell: Cells[number] | undefined): boolean => isBlank(cell) || "([{,;".includes(cell as string);

/** Start of an unfinished `@"…`, or -1. */
const quotedStart = (cells: Cells, caret: number): number => {
  for (let at = caret - 1; at >= Math.max(0, caret - maxCells); at--) {
    if (cells[at] === "\n" || isPaste(cells[at])) return -1;
    if (cells[at] !== '"') continue;
    return cells[at - 1] === "@" && opens(cells[at - 2]) ? at - 1 : -1;
  }
  return -1;
};

const textOf = (cells: Cells, from: number, to: number): string => cells.slice(from, to).join("");

/** The mention that is being typed; null when there is none. */
export const mentionAt = (cells: Cells, caret: number): Mention | null => {
  const quoted = quotedStart(cells, caret);
  if (quoted >= 0) return { of: "mention", start: quoted, end: caret, query: textOf(cells, quoted + 2, caret) };
  let start = caret;
  while (start > 0 && caret - start < maxCells && !isBlank(cells[start - 1])) {
    start--;
    if (cells[start] === "@" && opens(cells[start - 1]))
      return { of: "mention", start, end: caret, query: textOf(cells, start + 1, caret) };
  }
  return null;
};

/** The last word of a shell command: blanks behind a backslash belong to it. */
export const shellWordAt = (cells: Cells, caret: number): Mention | null => {
  let start = caret;
  while (start > 0 && (!isBlank(cells[start - 1]) || cells[start - 2] === "\\")) start--;
  if (cells.slice(start, caret).some(isPaste)) return null;
  return { of: "shell", start, end: caret, query: textOf(cells, start, caret).replace(/\\(.)/g, "$1") };
};

/** The text that stands for a chosen path. A folder stays open, so that one can go on into it. */
export const chosenText = (path: string, of: Mention["of"]): string => {
  const isFolder = path.endsWith("/");
  if (of === "shell") return `${path.replace(/[^\w@%+=:,./~-]/g, "\\$&")}${isFolder ? "" : " "}`;
  if (!/\s/.test(path)) return `@${path}${isFolder ? "" : " "}`;
  return `@"${path}${isFolder ? "" : '" '}`;
};

/** The paths to offer: the answer to this query, or what still fits of an earlier one. */
export const fittingPaths = (
  completions: { query: string; paths: readonly string[] } | null,
  query: string,
): readonly string[] => {
  if (!completions) return [];
  const fits =
    completions.query === query
      ? completions.paths
      : completions.paths.filter((path) => isSubsequence(path, query.toLowerCase()));
  // A folder that is written out is entered: what lies in it is offered, not the folder again.
  const inside = query.endsWith("/") ? fits.filter((path) => path !== query) : fits;
  return inside.length > 0 ? inside : fits;
};
