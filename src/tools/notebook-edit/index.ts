// NotebookEdit: replaces, inserts or deletes one cell of a Jupyter notebook.
import { z } from "zod";
import { FileProblem, landingPath, readBytes } from "../../platform/fs.js";
import { writeFailure, writeFileWhole } from "../../platform/write-file.js";
import { diffDisplay, diffHunks } from "../shared/diff.js";
import type { ReadRecord } from "../shared/file-state.js";
import { absolutePath, bothNames, shortPath } from "../shared/paths.js";
import { hashOf, noteRead, recordOf } from "../shared/read-state.js";
import { detectEncoding } from "../shared/text-encoding.js";
import { defineTool, type ToolContext } from "../tool.js";
import {
  type CellChange,
  changeNotebook,
  indexOfCell,
  type Notebook,
  nameOfCell,
  parseNotebook,
  sourceOf,
} from "./notebook.js";

const input = z.object({
  notebook_path: z.string().min(1).describe("Absolute path of the .ipynb file"),
  cell_id: z
    .string()
    .optional()
    .describe(
      "Id of the cell, or cell-N counted from 0. With insert: the new cell comes after it; left out: at the start",
    ),
  new_source: z.string().describe("New source of the cell; ignored when deleting"),
  cell_type: z.enum(["code", "markdown"]).optional().describe("Type of the cell; needed to insert"),
  edit_mode: z.enum(["replace", "insert", "delete"]).default("replace").describe("What to do"),
});
type Input = z.infer<typeof input>;

const prompt = `Changes one cell of a Jupyter notebook: replaces its source (the default), inserts a new cell or deletes it.

- Read the notebook first in this conversation.
- Replacing a code cell clears its outputs and its execution count, since they belong to the old source.
- Everything else in the file stays as it is.`;

export const notebookEdit = defineTool<Input>({
  name: "NotebookEdit",
  searchHint: "jupyter notebook ipynb edit cell",
  prompt,
  input: input as z.ZodType<Input>,
  deferred: true,
  title: ({ notebook_path = "", cell_id }) => (cell_id ? `${notebook_path} (${cell_id})` : notebook_path),
  validate: async (call, context) => {
    const plan = await planEdit(call, context);
    return typeof plan === "string" ? plan : undefined;
  },
  checkPermissions: async ({ notebook_path }, context) => ({
    reads: [],
    writes: await bothNames(absolutePath(notebook_path, context)),
  }),
  preview: async (call, context) => {
    const plan = await planEdit(call, context);
    return typeof plan === "string" ? undefined : displayOf(plan, context);
  },
  call: async (call, context) => {
    const plan = await planEdit(call, context);
    if (typeof plan === "string") return { content: plan, isError: true };
    const bytes = Buffer.concat([plan.bom, Buffer.from(plan.after, "utf8")]);
    try {
      const written = await writeFileWhole(plan.path, bytes, { landing: plan.landing });
      const { movedCells } = plan;
      noteRead(context.fileState, written.path, { bytes, mtimeMs: written.mtimeMs, extent: plan.extent, movedCells });
    } catch (error) {
      return { content: writeFailure(plan.path, error), isError: true };
    }
    const cellId = plan.newId ?? call.cell_id;
    return {
      content: `${doneWord[call.edit_mode]} ${cellId ? `cell ${cellId}` : "a cell"} in ${plan.path}.${plan.movedNote}`,
      display: await displayOf(plan, context),
      structured: {
        new_source: call.edit_mode === "delete" ? "" : call.new_source,
        ...(plan.oldSource === undefined ? {} : { old_source: plan.oldSource }),
        ...(cellId ? { cell_id: cellId } : {}),
        cell_type: plan.cellType,
        language: plan.book.metadata.language_info?.name ?? "python",
        edit_mode: call.edit_mode,
        notebook_path: plan.path,
        original_file: plan.before,
        updated_file: plan.after,
      },
    };
  },
});

const doneWord = { replace: "Replaced", insert: "Inserted", delete: "Deleted" };

interface EditPlan {
  path: string;
  landing: string;
  book: Notebook;
  bom: Buffer;
  before: string;
  after: string;
  cellType: string;
  oldSource: string | undefined;
  newId: string | undefined;
  extent: ReadRecord["extent"];
  /** Positions that hold another cell afterwards than the model saw there. */
  movedCells: readonly number[];
  /** Tells of them; empty when every id that was shown is still right. */
  movedNote: string;
}

/** Everything that must hold, and the file's text afterwards; a string refuses. */
const planEdit = async (call: Input, context: ToolContext): Promise<EditPlan | string> => {
  const path = absolutePath(call.notebook_path, context);
  if (!path.endsWith(".ipynb")) return `${path} is not a notebook (.ipynb); use Edit for other files.`;
  try {
    const landing = await landingPath(path);
    const { bytes } = await readBytes(landing);
    const record = await recordOf(context.fileState, landing);
    if (!record) return `${path} has not been read yet. Read it first, then edit.`;
    if (record.hash !== hashOf(bytes))
      return `${path} has changed on disk since it was read. Read it again, then edit.`;
    const encoding = detectEncoding(bytes);
    if (encoding.name !== "utf-8") return `${path} is not valid UTF-8, so it is no notebook.`;
    const before = encoding.decode(bytes.subarray(encoding.bom.length));
    const book = parseNotebook(before);
    if (typeof book === "string") return `${path} cannot be edited: ${book}.`;
    const change = changeOf(call, book, record.movedCells ?? []);
    if (typeof change === "string") return change;
    const { text: after, newId } = await changeNotebook(before, book, change);
    if (after === before) return "The cell already has this source: there is nothing to change.";
    const moved = movedBy(change, book, record.movedCells ?? []);
    const old = change.mode === "insert" ? undefined : book.cells[change.index];
    const cellType = (call.edit_mode === "delete" ? undefined : call.cell_type) ?? old?.cell_type ?? "code";
    const inserted = change.mode === "insert" ? (newId ?? `cell-${change.index}`) : undefined;
    const texts = { bom: encoding.bom, before, after, oldSource: old && sourceOf(old) };
    return { path, landing, book, ...texts, ...moved, cellType, newId: inserted, extent: record.extent };
  } catch (error) {
    if (error instanceof FileProblem) return error.message;
    throw error;
  }
};

/** The positions that an insertion or a deletion makes wrong, with those that were wrong before. */
const movedBy = (
  change: CellChange,
  book: Notebook,
  before: readonly number[],
): Pick<EditPlan, "movedCells" | "movedNote"> => {
  if (change.mode === "replace") return { movedCells: before, movedNote: "" };
  const { length } = book.cells;
  const total = change.mode === "insert" ? length + 1 : length - 1;
  const movedCells = Array.from({ length: total }, (_, at) => at).filter(
    (at) => at >= change.index || before.includes(at),
  );
  const hadCellsBehind = change.index < (change.mode === "insert" ? length : total);
  const isByPosition = book.cells.some(({ id }) => id === undefined);
  const direction = change.mode === "insert" ? "up" : "down";
  const movedNote =
    hadCellsBehind && isByPosition
      ? ` The cells behind it have moved ${direction} by one (this notebook has no ids of its own, they are counted): read the notebook again before you change one of them.`
      : "";
  return { movedCells, movedNote };
};

const changeOf = (call: Input, book: Notebook, moved: readonly number[]): CellChange | string => {
  const index = call.cell_id === undefined ? -1 : indexOfCell(book, call.cell_id);
  if (call.cell_id !== undefined && index < 0) {
    return `There is no cell ${call.cell_id}; the notebook has ${book.cells.length} cells: ${cellNames(book)}.`;
  }
  if (call.cell_id !== undefined && book.cells[index]?.id !== call.cell_id && moved.includes(index)) {
    return `Cells have moved since ${call.cell_id} was shown, so it may mean another cell now. Nothing was changed. Now there are: ${cellStarts(book)}. Read the notebook again, then edit.`;
  }
  if (call.edit_mode === "insert") {
    if (!call.cell_type) return "cell_type is needed to insert a cell.";
    return { mode: "insert", index: index + 1, source: call.new_source, type: call.cell_type };
  }
  if (index < 0) return `cell_id is needed to ${call.edit_mode} a cell; there are: ${cellNames(book)}.`;
  if (call.edit_mode === "delete") return { mode: "delete", index };
  return { mode: "replace", index, source: call.new_source, type: call.cell_type };
};

const listed = 30;

const cellNames = (book: Notebook, tell = (_index: number): string => ""): string =>
  book.cells
    .slice(0, listed)
    .map((_, index) => `${nameOfCell(book, index)}${tell(index)}`)
    .join(", ") + (book.cells.length > listed ? ", …" : "");

/** The cells with the beginning of their first line. */
const cellStarts = (book: Notebook): string =>
  cellNames(book, (index) => ` (${JSON.stringify(sourceOf(book.cells[index]!).split("\n")[0]!.slice(0, 40))})`);

const displayOf = async (plan: EditPlan, context: ToolContext) =>
  diffDisplay(shortPath(plan.path, context.cwd), "update", await diffHunks(plan.before, plan.after));
