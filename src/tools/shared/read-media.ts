// Reads what is not plain text (images, PDF documents, notebooks) and says in words what cannot be shown.
import { basename, extname } from "node:path";
import { formatBytes, openFile, readBytes } from "../../platform/fs.js";
import type { ResultContent } from "../../protocol/messages.js";
import { parseNotebook } from "../notebook-edit/notebook.js";
import type { ToolContext, ToolResult } from "../tool.js";
import type { ReadRecord } from "./file-state.js";
import { shortPath } from "./paths.js";
import { fitImage, imageBlock, imageTypeOf, scaleNote } from "./read-image.js";
import { showNotebook } from "./read-notebook.js";
import { maxPagesPerCall, readPdf } from "./read-pdf.js";
import { hashOf, noteRead, recordOf } from "./read-state.js";
import { readableText } from "./text-encoding.js";

export interface MediaRequest {
  pages?: string;
  /** Cells, 1-based. */
  offset?: number;
  limit?: number;
  maxChars: number;
}

const maxFileBytes = 100 * 1024 * 1024; // spec/tools section 4, for notebooks; the same for the others
const headBytes = 1024; // a PDF's mark may stand behind some junk

/**
 * The result for an image, a PDF or a notebook; undefined when the file is to be read as text.
 * Throws FileProblem as `openFile` does, also for files over 100 MB.
 */
export const readMedia = async (
  path: string,
  request: MediaRequest,
  context: ToolContext,
): Promise<ToolResult | undefined> => {
  const kind = await kindOf(path);
  if (kind === undefined) return undefined;
  const { bytes, path: real, mtimeMs } = await readBytes(path, maxFileBytes);
  const known = await recordOf(context.fileState, real);
  const note: MediaFile["note"] = (extent, cells) => {
    const movedCells = known && cells ? stillMoved(known, hashOf(bytes), cells) : undefined;
    noteRead(context.fileState, real, { bytes, mtimeMs, extent, movedCells });
  };
  const file: MediaFile = { path, shown: shortPath(path, context.cwd), bytes, note };
  if (kind === "image") return imageResult(file);
  return kind === "pdf" ? pdfResult(file, request, context) : notebookResult(file, request);
};

interface MediaFile {
  path: string;
  shown: string;
  bytes: Buffer;
  /** `cells`: which of a notebook's cells were shown. */
  note(extent: "whole" | "part" | "partial", cells?: ShownCells): void;
}

interface ShownCells {
  /** 1-based. */
  first: number;
  last: number;
  total: number;
}

/** Positions of cells about which the model still has an older picture after it saw some of them. */
const stillMoved = (known: ReadRecord, hash: string, { first, last, total }: ShownCells): number[] => {
  const before = known.hash === hash ? (known.movedCells ?? []) : Array.from({ length: total }, (_, at) => at);
  return before.filter((at) => at < first - 1 || at > last - 1);
};

/** What the content is; the name only matters for notebooks, which are text. */
const kindOf = async (path: string): Promise<"image" | "pdf" | "notebook" | undefined> => {
  const { handle } = await openFile(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const head = buffer.subarray(0, bytesRead);
    if (imageTypeOf(head)) return "image";
    const mark = head.indexOf("%PDF-");
    if (mark === 0 || (mark > 0 && extname(path).toLowerCase() === ".pdf")) return "pdf";
    return extname(path).toLowerCase() === ".ipynb" && bytesRead > 0 ? "notebook" : undefined;
  } finally {
    await handle.close();
  }
};

const failed = (text: string): ToolResult => ({ content: text, isError: true });

const imageResult = async ({ path, shown, bytes, note }: MediaFile): Promise<ToolResult> => {
  const fitted = await fitImage(bytes);
  if (typeof fitted === "string")
    return failed(
      `${path} is an image, but ${fitted}. It was not shown. Convert or scale it with a program in Bash, then read the result.`,
    );
  note("whole");
  const scaled = scaleNote(fitted);
  return {
    content: [imageBlock(fitted), ...(scaled ? [{ type: "text" as const, text: scaled }] : [])],
    display: { kind: "image", label: shown, mediaType: fitted.type, bytes: bytes.length },
    structured: {
      type: "image",
      file: {
        base64: fitted.base64,
        type: fitted.type,
        originalSize: bytes.length,
        dimensions: {
          originalWidth: fitted.originalWidth,
          originalHeight: fitted.originalHeight,
          displayWidth: fitted.width,
          displayHeight: fitted.height,
        },
      },
    },
  };
};

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

const pdfResult = async (
  file: MediaFile,
  { pages, maxChars }: MediaRequest,
  context: ToolContext,
): Promise<ToolResult> => {
  const { path, bytes } = file;
  const takesDocuments = context.takesDocuments === true;
  const reading = await readPdf(bytes, { pages, maxChars, takesDocuments, signal: context.signal });
  if (reading.kind === "problem") return failed(`${path} cannot be read: ${reading.text}`);
  if (reading.kind === "document") {
    file.note("whole");
    return {
      content: [
        {
          type: "document",
          source: { type: "base64", media_type: "application/pdf", data: reading.base64 },
          title: basename(path),
        },
      ],
      display: {
        kind: "text",
        text: file.shown,
        summary: `PDF, ${counted(reading.total, "page")}, ${formatBytes(bytes.length)}`,
      },
      structured: { type: "pdf", file: { filePath: path, base64: reading.base64, originalSize: bytes.length } },
    };
  }
  return pdfText(file, reading, pages !== undefined);
};

type PdfPages = Extract<Awaited<ReturnType<typeof readPdf>>, { kind: "pages" }>;

const pdfText = (file: MediaFile, reading: PdfPages, isPart: boolean): ToolResult => {
  const { first, last, total, text } = reading;
  const isWhole = first === 1 && last === total;
  file.note(isWhole ? "whole" : isPart ? "part" : "partial");
  const next = last + 1;
  const range = next === total ? `${next}` : `${next}-${Math.min(total, last + maxPagesPerCall)}`;
  const more = last < total ? ` Go on with pages "${range}".` : "";
  const note = isWhole ? [] : [`(${isPart ? "Part" : "PARTIAL"}: pages ${first}-${last} of ${total}, as text.${more})`];
  const numLines = text.split("\n").length;
  return {
    content: withNotes(reading.content, note),
    display: {
      kind: "text",
      text,
      summary: `PDF, pages ${first}-${last} of ${total}${reading.pictures > 0 ? `, ${counted(reading.pictures, "picture")}` : ""}`,
    },
    structured: {
      type: "text",
      file: { filePath: file.path, content: text, numLines, startLine: 1, totalLines: numLines },
    },
  };
};

/** The blocks and, behind them, the notes; plain text where there is nothing but text. */
const withNotes = (blocks: readonly ResultContent[], notes: readonly string[]): string | ResultContent[] => {
  const all = [...blocks, ...notes.map((text) => ({ type: "text" as const, text }))];
  const texts = all.flatMap((block) => (block.type === "text" ? block.text : []));
  return texts.length === all.length ? texts.join("\n\n") : all;
};

const notebookResult = async (
  file: MediaFile,
  { offset, limit, maxChars }: MediaRequest,
): Promise<ToolResult | undefined> => {
  const { path, bytes } = file;
  const book = parseNotebook(readableText(bytes));
  if (typeof book === "string") return undefined; // shown as the text it is; NotebookEdit says what is wrong with it
  const first = offset || 1;
  const part = await showNotebook(book, { first, maxCells: limit || Number.POSITIVE_INFINITY, maxChars });
  const isPart = Boolean(offset || limit);
  const isWhole = part.cells.length === part.total && part.cuts === 0;
  file.note(isWhole ? "whole" : isPart ? "part" : "partial", part);
  const notes: string[] = [];
  if (part.total === 0) notes.push("(The notebook has no cells.)");
  else if (part.cells.length === 0)
    notes.push(`(There is no cell number ${first}: the notebook has ${counted(part.total, "cell")}.)`);
  else if (part.cells.length < part.total) {
    const more = part.last < part.total ? ` Go on with offset ${part.last + 1}.` : "";
    notes.push(
      `(${isPart ? "Part" : "PARTIAL"}: cells ${first}-${part.last} of ${part.total}, counted from 1.${more})`,
    );
  }
  if (part.cuts > 0)
    notes.push(`(${counted(part.cuts, "output")} shortened or left out. Use jq in Bash to see more of them.)`);
  return {
    content: withNotes(part.content, notes),
    display: { kind: "text", text: part.text, summary: `Notebook, ${counted(part.total, "cell")}` },
    structured: { type: "notebook", file: { filePath: path, cells: part.cells } },
  };
};

/** Names of image files, for files that are none. */
const imageName = /\.(png|jpe?g|gif|webp)$/i;

/** A note for text files that are named like an image or a notebook; undefined for all others. */
export const misnamedNote = (path: string, isEmpty: boolean): string | undefined => {
  if (/\.ipynb$/i.test(path) && !isEmpty)
    return "(It is named like a notebook but is none that can be read: broken JSON, or not version 4 with cells. So it is shown as text; NotebookEdit refuses it, Edit can repair it.)";
  if (!imageName.test(path) && !/\.pdf$/i.test(path)) return undefined;
  const what = /\.pdf$/i.test(path) ? "a PDF document" : "an image";
  return isEmpty
    ? `(It is named like ${what}, but there is nothing in it to show.)`
    : `(It is named like ${what}, but its content is text.)`;
};
