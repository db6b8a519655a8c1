// Edit: replaces an exact piece of text in a file and leaves every other byte alone.
import { z } from "zod";
import { diffDisplay, diffHunks } from "../shared/diff.js";
import { lineAt, numberLines } from "../shared/numbering.js";
import { absolutePath, bothNames, shortPath } from "../shared/paths.js";
import { defineTool, type ToolContext } from "../tool.js";
import { prepareEdit, writeEdit } from "./apply.js";
import type { EditDraft } from "./draft.js";

const input = z.object({
  file_path: z.string().min(1).describe("Absolute path of the file to change"),
  old_string: z.string().describe("The text to replace, exactly as it is in the file"),
  new_string: z.string().describe("The text to put in its place; must differ from old_string"),
  replace_all: z.boolean().default(false).describe("Replace every occurrence instead of exactly one"),
});
type Input = z.infer<typeof input>;

const prompt = `Replaces an exact piece of text in a file.

- Read the file first in this conversation; an edit of a file that was not read, or that changed since, is refused.
- old_string must be the file's text character by character, with its indentation (tabs or spaces) and without the line number and tab that Read puts in front.
- old_string must occur exactly once. Give just enough lines around the change to make it unique, usually two to four, or set replace_all to change every occurrence, for example to rename something.
- Everything outside the replaced text stays byte for byte: encoding, line ends, final newline, file mode.
- Prefer this over Write for changes to existing files, and over sed or scripts in Bash.
- An empty old_string creates a new file with new_string as its content.`;

const shownAround = 4; // lines of context in the result for the model
const maxShownLines = 60;

export const edit = defineTool<Input>({
  name: "Edit",
  aliases: ["edit_file"],
  searchHint: "edit change replace modify file text",
  prompt,
  input: input as z.ZodType<Input>,
  title: ({ file_path = "" }) => file_path,
  validate: async (call, context) => {
    const draft = await prepare(call, context);
    return typeof draft === "string" ? draft : undefined;
  },
  checkPermissions: async ({ file_path }, context) => ({
    reads: [],
    writes: await bothNames(absolutePath(file_path, context)),
  }),
  preview: async (call, context) => {
    const draft = await prepare(call, context);
    return typeof draft === "string" ? undefined : displayOf(draft, context);
  },
  call: async (call, context) => {
    const draft = await prepare(call, context);
    if (typeof draft === "string") return { content: draft, isError: true };
    const failure = await writeEdit(draft);
    if (failure !== undefined) return { content: failure, isError: true };
    const hunks = await diffHunks(draft.text, draft.newText);
    return {
      content: resultText(draft),
      display: diffDisplay(shortPath(draft.path, context.cwd), draft.kind === "missing" ? "create" : "update", hunks),
      structured: {
        filePath: draft.path,
        oldString: call.old_string,
        newString: call.new_string,
        originalFile: draft.text,
        structuredPatch: hunks,
        userModified: false,
        replaceAll: call.replace_all,
      },
    };
  },
});

const prepare = (call: Input, context: ToolContext) =>
  prepareEdit({
    path: absolutePath(call.file_path, context),
    oldString: call.old_string,
    newString: call.new_string,
    replaceAll: call.replace_all,
    fileState: context.fileState,
  });

const displayOf = async (draft: EditDraft, context: ToolContext) =>
  diffDisplay(
    shortPath(draft.path, context.cwd),
    draft.kind === "missing" ? "create" : "update",
    await diffHunks(draft.text, draft.newText),
  );

const resultText = (draft: EditDraft): string => {
  const target = draft.landing === draft.path ? draft.path : `${draft.path} (a link to ${draft.landing})`;
  if (draft.kind === "missing") return `Created ${target}.`;
  if (draft.replacements.length > 1) return `Replaced ${draft.replacements.length} occurrences in ${target}.`;
  return `Changed ${target}. The lines now:\n${surroundings(draft)}`;
};

/** The changed lines with a few around them, numbered. */
const surroundings = ({ replacements, newText }: EditDraft): string => {
  const { start, insert } = replacements[0]!;
  const lines = newText.replace(/\r\n/g, "\n").split("\n");
  const first = lineAt(newText, start);
  const last = first + insert.split("\n").length - 1;
  const from = Math.max(1, first - shownAround);
  const shown = lines.slice(from - 1, Math.min(last + shownAround, from + maxShownLines));
  return numberLines(shown.at(-1) === "" ? shown.slice(0, -1) : shown, from);
};
