// Shows a notebook to the model: its cells with their ids, what they printed, their errors and pictures.
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import type { ResultContent } from "../../protocol/messages.js";
import { type Cell, type Notebook, nameOfCell, sourceOf } from "../notebook-edit/notebook.js";
import { fitImage, imageBlock } from "./read-image.js";

const outputChars = 10_000; // one output; a log of a training run has millions
const maxImages = 10; // per call; each one is sent again with every request

const lines = z.union([z.string(), z.array(z.string())]);
const data = z.record(z.string(), z.unknown());
const output = z.union([
  z.looseObject({ output_type: z.literal("stream"), text: lines }),
  z.looseObject({
    output_type: z.literal("error"),
    ename: z.string(),
    evalue: z.string(),
    traceback: z.array(z.string()).default([]),
  }),
  z.looseObject({ output_type: z.enum(["execute_result", "display_data"]), data }),
]);

export interface NotebookPart {
  content: ResultContent[];
  text: string;
  /** The cells shown, for the structured output. */
  cells: Record<string, unknown>[];
  /** 1-based numbers of the first cell and the last one shown; `last` is `first - 1` when there is none. */
  first: number;
  last: number;
  total: number;
  /** Outputs that were shortened or left out. */
  cuts: number;
}

/** Shows cells from `first` (1-based) on, until `maxCells` or `maxChars` are reached; always at least one. */
export const showNotebook = async (
  book: Notebook,
  { first, maxCells, maxChars }: { first: number; maxCells: number; maxChars: number },
): Promise<NotebookPart> => {
  const part: NotebookPart = {
    content: [],
    text: "",
    cells: [],
    first,
    last: first - 1,
    total: book.cells.length,
    cuts: 0,
  };
  const budget = { images: maxImages };
  for (const [at, cell] of book.cells.slice(first - 1, first - 1 + maxCells).entries()) {
    const shown = await showCell(cell, first - 1 + at, book, budget);
    const text = textIn(shown.blocks);
    if (part.text.length + text.length > maxChars && part.last >= first) break;
    part.content.push(...shown.blocks);
    part.text += `${part.text === "" ? "" : "\n"}${text}`;
    part.cells.push(shown.cell);
    part.cuts += shown.cuts;
    part.last++;
  }
  part.content = joined(part.content);
  return part;
};

const textIn = (blocks: readonly ResultContent[]): string =>
  blocks.map((block) => (block.type === "text" ? block.text : "[image]")).join("\n");

interface ShownCell {
  blocks: ResultContent[];
  cell: Record<string, unknown>;
  cuts: number;
}

const showCell = async (cell: Cell, index: number, book: Notebook, budget: { images: number }): Promise<ShownCell> => {
  const id = nameOfCell(book, index);
  const source = sourceOf(cell);
  const run = typeof cell.execution_count === "number" ? ` run="${cell.execution_count}"` : "";
  const blocks: ResultContent[] = [
    { type: "text", text: `<cell id="${id}" type="${cell.cell_type}"${run}>\n${source}\n</cell>` },
  ];
  let cuts = 0;
  for (const raw of Array.isArray(cell.outputs) ? cell.outputs : []) {
    const shown = await showOutput(raw, budget);
    blocks.push(...shown.blocks);
    cuts += shown.cuts;
  }
  const language = cell.cell_type === "code" ? (book.metadata.language_info?.name ?? "python") : undefined;
  return {
    blocks,
    cuts,
    cell: {
      cell_id: id,
      cellType: cell.cell_type,
      source,
      ...(language === undefined ? {} : { language, execution_count: cell.execution_count ?? null }),
      ...(blocks.length > 1 ? { outputs: blocks.slice(1).map(structuredOutput) } : {}),
    },
  };
};

/** Pictures are named, not repeated: the result for the model has them already. */
const structuredOutput = (block: ResultContent): Record<string, unknown> =>
  block.type === "text" ? { output_type: "text", text: block.text } : { output_type: "image" };

const whole = (text: z.infer<typeof lines>): string => (typeof text === "string" ? text : text.join(""));

const showOutput = async (
  raw: unknown,
  budget: { images: number },
): Promise<{ blocks: ResultContent[]; cuts: number }> => {
  const parsed = output.safeParse(raw);
  if (!parsed.success) return outputText("(an output of a kind that is not known)");
  const found = parsed.data;
  if (found.output_type === "stream") return outputText(whole(found.text));
  if (found.output_type === "error")
    return outputText([`${found.ename}: ${found.evalue}`, ...found.traceback].join("\n"), "error");
  return showData(found.data, budget);
};

const showData = async (
  found: Record<string, unknown>,
  budget: { images: number },
): Promise<{ blocks: ResultContent[]; cuts: number }> => {
  const get = (type: string): string | undefined => {
    const { data: text } = lines.safeParse(found[type]);
    return text === undefined || text.length === 0 ? undefined : whole(text);
  };
  const picture = get("image/png") ?? get("image/jpeg") ?? get("image/gif") ?? get("image/webp");
  const text = get("text/plain") ?? get("text/markdown") ?? get("text/html");
  const said = text === undefined ? { blocks: [], cuts: 0 } : outputText(text);
  if (picture === undefined) {
    if (text !== undefined) return said;
    return outputText(`(an output in ${Object.keys(found).join(", ") || "no form"}, which cannot be shown)`);
  }
  if (budget.images <= 0)
    return {
      blocks: [...said.blocks, { type: "text", text: "<output>(a picture, left out)</output>" }],
      cuts: said.cuts + 1,
    };
  budget.images--;
  const fitted = await fitImage(Buffer.from(picture, "base64"));
  const block: ResultContent =
    typeof fitted === "string"
      ? { type: "text", text: `<output>(a picture that cannot be shown: ${fitted})</output>` }
      : imageBlock(fitted);
  return { blocks: [...said.blocks, block], cuts: said.cuts };
};

const outputText = (raw: string, kind = "output"): { blocks: ResultContent[]; cuts: number } => {
  const text = stripVTControlCharacters(raw).trimEnd();
  if (text === "") return { blocks: [], cuts: 0 };
  const isLong = text.length > outputChars;
  const shown = isLong
    ? `${text.slice(0, outputChars * 0.7)}\n[… ${text.length - outputChars} characters left out …]\n${text.slice(-outputChars * 0.3)}`
    : text;
  return { blocks: [{ type: "text", text: `<${kind}>\n${shown}\n</${kind}>`.toWellFormed() }], cuts: isLong ? 1 : 0 };
};

const joined = (blocks: readonly ResultContent[]): ResultContent[] => {
  const out: ResultContent[] = [];
  for (const block of blocks) {
    const last = out.at(-1);
    if (block.type === "text" && last?.type === "text") last.text += `\n${block.text}`;
    else out.push(block.type === "text" ? { ...block } : block);
  }
  return out;
};
