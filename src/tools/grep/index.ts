// Grep: searches file contents with ripgrep.
import { fileKind } from "../../platform/fs.js";
import { runRipgrep } from "../../platform/ripgrep.js";
import { absolutePath, bothNames } from "../shared/paths.js";
import { defineTool, type ToolContext, type ToolResult } from "../tool.js";
import { explainFailure, grepArguments } from "./arguments.js";
import { type GrepInput, grepInput } from "./input.js";
import { resultOf } from "./result.js";

const prompt = `Searches file contents with ripgrep. Use it instead of grep or rg in Bash.

- pattern is a regular expression; escape characters that are special, e.g. foo\\(\\) or interface\\{\\}.
- Start with the default output_mode (paths only) or count, then look at lines with output_mode "content", with -A, -B or -C for context.
- Narrow with path, glob or type. Files that git ignores are left out unless path names them.
- A pattern matches within one line unless multiline is set.
- Long results are cut: the result then says how many there are and which offset goes on.`;

const timeoutMs = 20_000; // a search that takes longer should be narrowed
const maxOutputBytes = 20 * 1024 * 1024;

export const grep = defineTool<GrepInput>({
  name: "Grep",
  aliases: ["grep_search"],
  searchHint: "search grep file contents regex",
  prompt,
  input: grepInput,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  title: ({ pattern = "", path, glob }) =>
    `${JSON.stringify(pattern)}${path ? ` in ${path}` : ""}${glob ? ` (${glob})` : ""}`,
  checkPermissions: async ({ path }, context) => ({
    reads: await bothNames(absolutePath(path ?? ".", context)),
    writes: [],
  }),
  call: async (input, context) => search(input, context),
});

const search = async (input: GrepInput, context: ToolContext): Promise<ToolResult> => {
  const target = absolutePath(input.path ?? ".", context);
  const kind = await fileKind(target);
  if (kind !== "file" && kind !== "directory") {
    return {
      content: kind === "missing" ? `${target} does not exist.` : `${target} cannot be searched (${kind}).`,
      isError: true,
    };
  }
  const outcome = await runRipgrep(grepArguments(input, target), {
    cwd: kind === "directory" ? target : "/",
    env: context.env,
    signal: context.signal,
    timeoutMs,
    maxBytes: maxOutputBytes,
  });
  const failure = explainFailure(outcome, input);
  if (failure !== undefined) return { content: failure, isError: true };
  const isCut = outcome.truncated || outcome.timedOut;
  return resultOf(input, outcome.stdout, { cwd: context.cwd, target, isCut, mayRead: context.mayRead });
};
