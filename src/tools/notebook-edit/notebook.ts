// A Jupyter notebook as text: finds cells and changes one of them; every other byte of the file stays.
import { randomBytes } from "node:crypto";
import type { JSONPath } from "jsonc-parser";
import { z } from "zod";

const cell = z.looseObject({
  id: z.string().optional(),
  cell_type: z.enum(["code", "markdown", "raw"]),
  source: z.union([z.string(), z.array(z.string())]),
});
const notebook = z.looseObject({
  cells: z.array(cell),
  metadata: z.looseObject({ language_info: z.looseObject({ name: z.string() }).optional() }).default({}),
  nbformat: z.number(),
  nbformat_minor: z.number().default(0),
});
export type Notebook = z.infer<typeof notebook>;
export type Cell = z.infer<typeof cell>;

/** The notebook in a text; a string says what is wrong with it. */
export const parseNotebook = (text: string): Notebook | string => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `it is not valid JSON (${(error as Error).message})`;
  }
  const parsed = notebook.safeParse(value);
  return parsed.success ? parsed.data : "it does not have the shape of a notebook (version 4, with cells)";
};

/** Source of a cell as one text. */
export const sourceOf = ({ source }: Cell): string => (typeof source === "string" ? source : source.join(""));

/** What a cell is called: its id, or its position where the notebook has no ids. */
export const nameOfCell = ({ cells }: Notebook, index: number): string => cells[index]?.id ?? `cell-${index}`;

/** Index of the cell with this id, or of "cell-N" (counted from 0); -1 when there is none. */
export const indexOfCell = ({ cells }: Notebook, id: string): number => {
  const byId = cells.findIndex((candidate) => candidate.id === id);
  if (byId >= 0) return byId;
  const number = /^cell-(\d+)$/.exec(id)?.[1];
  return number !== undefined && Number(number) < cells.length ? Number(number) : -1;
};

/** Notebooks keep a source as a list of lines, each with its line end. */
const linesOf = (source: string): string[] => source.match(/[^\n]*\n|[^\n]+$/g) ?? [];

export type CellChange =
  | { mode: "replace"; index: number; source: string; type?: "code" | "markdown" }
  | { mode: "insert"; index: number; source: string; type: "code" | "markdown" }
  | { mode: "delete"; index: number };

/** The text with the change made and the id of the new cell, if one was given. */
export const changeNotebook = async (
  text: string,
  book: Notebook,
  change: CellChange,
): Promise<{ text: string; newId?: string }> => {
  const { applyEdits, modify } = await import("jsonc-parser");
  const formattingOptions = { insertSpaces: true, tabSize: indentOf(text), eol: text.includes("\r\n") ? "\r\n" : "\n" };
  const set = (now: string, path: JSONPath, value: unknown, isArrayInsertion = false): string =>
    applyEdits(now, modify(now, path, value, { formattingOptions, isArrayInsertion }));
  const at = (...rest: JSONPath): JSONPath => ["cells", change.index, ...rest];
  if (change.mode === "delete") return { text: set(text, at(), undefined) };
  if (change.mode === "insert") {
    const fresh = newCell(book, change.type, change.source);
    return { text: set(text, at(), fresh, true), newId: fresh.id };
  }
  const old = book.cells[change.index]!;
  const type = change.type ?? old.cell_type;
  let now = set(text, at("source"), typeof old.source === "string" ? change.source : linesOf(change.source));
  if (type !== old.cell_type) now = set(now, at("cell_type"), type);
  if (type === "code") {
    now = set(now, at("outputs"), []); // what the old source printed
    now = set(now, at("execution_count"), null);
  } else if (old.cell_type === "code") {
    now = set(now, at("outputs"), undefined);
    now = set(now, at("execution_count"), undefined);
  }
  return { text: now };
};

const newCell = (book: Notebook, type: "code" | "markdown", source: string) => {
  const hasIds = book.nbformat > 4 || (book.nbformat === 4 && book.nbformat_minor >= 5);
  return {
    cell_type: type,
    ...(type === "code" ? { execution_count: null } : {}),
    ...(hasIds ? { id: randomBytes(4).toString("hex") } : { id: undefined }),
    metadata: {},
    ...(type === "code" ? { outputs: [] } : {}),
    source: linesOf(source),
  };
};

const indentOf = (text: string): number => /\n( +)"/.exec(text)?.[1]?.length ?? 1; // one blank is what Jupyter writes
