// Read: shows a text file with line numbers, in parts when it is long; images, PDF documents and notebooks as what they are.
import { z } from "zod";
import { codeOf, FileProblem, isDirectory, problemOf, similarNames } from "../platform/fs.js";
import { numberLines } from "./shared/numbering.js";
import { absolutePath, bothNames, shortPath } from "./shared/paths.js";
import { misnamedNote, readMedia } from "./shared/read-media.js";
import { maxPagesPerCall, wholePages } from "./shared/read-pdf.js";
import { readTextPage, type TextPage } from "./shared/read-text.js";
import { defineTool, type ToolContext, type ToolResult } from "./tool.js";

const input = z.object({
  file_path: z.string().min(1).describe("Absolute path of the file"),
  offset: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe("Line to start from (1 is the first). Only for files too long to read at once"),
  limit: z.number().int().min(0).optional().describe("Number of lines. Only for files too long to read at once"),
  pages: z
    .string()
    .optional()
    .describe(`Pages of a PDF: "3" or "1-5", at most ${maxPagesPerCall} in one call. Only for PDF files`),
});

const defaultLines = 2000;
const defaultMaxTokens = 25_000; // spec/tools section 4: the figure upstream is unpublished
const charsPerToken = 4;

const prompt = `Reads a file from disk.

- file_path must be absolute. Any readable file may be read; a path that does not exist gives an error that names similar ones.
- Without offset and limit it reads from the start, up to ${defaultLines} lines. Prefer that: it is also what Edit and Write need before they change a file.
- Each line comes as its number, a tab, then the line. The number and that tab are not part of the file.
- When a file is too long for one call the first part is returned, marked PARTIAL, with the offset to go on from.
- Lines over 2000 characters are cut, with a mark.
- Images (PNG, JPEG, GIF, WebP) are shown to you as pictures, scaled down when they are large.
- A PDF of up to ${wholePages} pages comes whole. A longer one starts with its first ${wholePages} pages as text; choose others with pages.
- A notebook (.ipynb) comes as its cells with their ids and outputs; there offset and limit count cells.
- Folders cannot be read: list them with Glob or with ls in Bash.
- Read several files at once by calling this tool several times in one answer.`;

export const read = defineTool({
  name: "Read",
  aliases: ["read_file", "NotebookRead"],
  searchHint: "read view open file text lines image picture pdf notebook",
  prompt,
  input,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  maxResultChars: Number.POSITIVE_INFINITY, // it has its own limit
  title: ({ file_path = "", offset, limit, pages }) =>
    `${file_path}${pages ? ` (pages ${pages})` : offset || limit ? ` (from ${file_path.endsWith(".ipynb") ? "cell" : "line"} ${offset || 1})` : ""}`,
  checkPermissions: async ({ file_path }, context) => ({
    reads: await bothNames(absolutePath(file_path, context)),
    writes: [],
  }),
  call: async ({ file_path, offset, limit, pages }, context) => {
    const path = absolutePath(file_path, context);
    const isPart = Boolean(offset || limit);
    const maxChars = maxTokens(context) * charsPerToken;
    try {
      const media = await readMedia(path, { pages, offset, limit, maxChars }, context);
      if (media) return media;
      const page = await readTextPage(path, {
        startLine: offset || 1,
        maxLines: limit || defaultLines,
        maxChars,
        signal: context.signal,
      });
      const extent = page.isComplete ? "whole" : isPart || page.isWhole ? "part" : "partial";
      page.note(context.fileState, extent);
      return pageResult(path, page, { isPart, cwd: context.cwd });
    } catch (error) {
      if (!(error instanceof FileProblem) && codeOf(error) === undefined) throw error;
      return { content: await explain(problemOf(path, error), path, context), isError: true };
    }
  },
});

const maxTokens = ({ env }: ToolContext): number => {
  const wanted = Number(env.CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS);
  return Number.isInteger(wanted) && wanted > 0 ? wanted : defaultMaxTokens;
};

const pageResult = (path: string, page: TextPage, shown: { isPart: boolean; cwd: string }): ToolResult => {
  const { lines, startLine, totalLines } = page;
  const structured = {
    type: "text",
    file: { filePath: path, content: lines.join("\n"), numLines: lines.length, startLine, totalLines },
  };
  const misnamed = misnamedNote(path, page.size === 0);
  const notes = [...notesOf(page, shown.isPart), ...(misnamed ? [misnamed] : [])];
  const body = lines.length > 0 ? numberLines(lines, startLine) : "";
  return {
    content: [body, ...notes].filter(Boolean).join("\n\n"),
    display: {
      kind: "lines",
      path: shortPath(path, shown.cwd),
      startLine,
      lines: [...lines],
      totalLines,
      summary: `${lines.length} ${lines.length === 1 ? "line" : "lines"}${lines.length < totalLines ? ` of ${totalLines}` : ""}`,
    },
    structured,
  };
};

/** What the model must know beyond the lines. */
const notesOf = (page: TextPage, isPart: boolean): string[] => {
  const { lines, startLine, totalLines } = page;
  if (page.size === 0) return ["(The file exists but is empty.)"];
  if (lines.length === 0) return [`(There is no line ${startLine}: the file has ${totalLines} lines.)`];
  const notes: string[] = [];
  const last = startLine + lines.length - 1;
  if (last < totalLines) {
    const word = isPart ? "Part" : "PARTIAL";
    notes.push(
      `(${word}: lines ${startLine}-${last} of ${totalLines}, the whole file has ${page.size} bytes. Go on with offset ${last + 1}, or search it with Grep.)`,
    );
  }
  if (page.cutLines > 0) {
    notes.push(
      `(${page.cutLines} long ${page.cutLines === 1 ? "line was" : "lines were"} cut. Use Grep with -o, or cut or jq in Bash, to see the rest.)`,
    );
  }
  if (page.encoding !== "utf-8") notes.push(`(${encodingNote(page.encoding)})`);
  if (lines.filter((line) => line.startsWith("\t")).length > lines.filter((line) => line.startsWith("  ")).length) {
    notes.push("(This file is indented with tabs: old_string and new_string of an edit need real tab characters.)");
  }
  return notes;
};

const encodingNote = (encoding: TextPage["encoding"]): string =>
  encoding === "bytes"
    ? "Some bytes of this file are not valid UTF-8 and show as \uFFFD. Edits leave them as they are."
    : `This file is not UTF-8; it is shown as ${encoding}. Edits keep that encoding.`;

const explain = async (problem: FileProblem, path: string, context: ToolContext): Promise<string> => {
  if (problem.kind === "directory") {
    return `${path} is a directory, not a file. List it with Glob (pattern "*", path "${path}") or with ls in Bash.`;
  }
  if (problem.kind !== "missing") return `${problem.message} Nothing was read.`;
  const similar = await similarNames(path);
  const hints = similar.length > 0 ? ` Did you mean ${similar.join(" or ")}?` : "";
  const place = (await isDirectory(context.cwd)) ? ` The working folder is ${context.cwd}.` : "";
  return `${problem.message}${hints}${place}`;
};
