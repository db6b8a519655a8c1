// Glob: finds files by name pattern, newest first.
import { z } from "zod";
import { findFiles, splitPattern } from "../platform/find-files.js";
import { fileKind } from "../platform/fs.js";
import { absolutePath, bothNames, shortPath } from "./shared/paths.js";
import { defineTool, type ToolContext } from "./tool.js";

const maxPaths = 100; // beyond this the model should narrow the pattern

const input = z.object({
  pattern: z.string().min(1).describe("Glob pattern, e.g. src/**/*.{ts,tsx}"),
  path: z.string().optional().describe("Folder to search; the working folder if left out"),
});

const prompt = `Finds files by name. Returns paths, the most recently changed first, at most ${maxPaths}.

- Patterns: * and ? within a name, ** across folders, {a,b} alternatives, [a-z] classes. A bare *.ts looks in one folder only; use **/*.ts for all.
- Files that git ignores and dotfiles are found too; the insides of .git are not.
- To search file contents use Grep.`;

export const glob = defineTool({
  name: "Glob",
  aliases: ["list_files", "LS"],
  searchHint: "find list files by name pattern",
  prompt,
  input,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  title: ({ pattern = "", path }) => (path ? `${pattern} in ${path}` : pattern),
  checkPermissions: async ({ pattern, path }, context) => {
    const { folder } = await splitPattern(pattern, absolutePath(path ?? ".", context));
    return { reads: await bothNames(folder), writes: [] };
  },
  call: async ({ pattern, path }, context) => {
    const startedAt = context.now();
    const cwd = absolutePath(path ?? ".", context);
    const { folder } = await splitPattern(pattern, cwd);
    if ((await fileKind(folder)) !== "directory")
      return { content: `${folder} is not a folder that can be searched.`, isError: true };
    const found = await findFiles({
      pattern,
      cwd,
      limit: maxPaths,
      signal: context.signal,
      env: context.env,
      ...settingsOf(context),
    });
    const names = found.paths.map((file) => shortPath(file, context.cwd));
    return {
      content: [names.join("\n") || "No files found", ...notes(found)].join("\n"),
      display: { kind: "paths", paths: names, total: found.total, truncated: found.truncated },
      structured: {
        durationMs: context.now() - startedAt,
        numFiles: found.paths.length,
        filenames: found.paths,
        truncated: found.truncated,
      },
    };
  },
});

const isOff = (value: string | undefined) => /^(0|false|no|off)$/i.test(value ?? "");

const settingsOf = ({ env, mayRead }: ToolContext) => ({
  respectIgnore: isOff(env.CLAUDE_CODE_GLOB_NO_IGNORE),
  includeHidden: !isOff(env.CLAUDE_CODE_GLOB_HIDDEN),
  timeoutMs: (Number(env.CLAUDE_CODE_GLOB_TIMEOUT_SECONDS) || 20) * 1000,
  accept: mayRead,
});

const notes = (found: { total: number; truncated: boolean; timedOut: boolean }): string[] => [
  ...(found.truncated
    ? [`(The newest ${maxPaths} of ${found.total}. Use a narrower pattern or path to see others.)`]
    : []),
  ...(found.timedOut ? ["(The search took too long and was stopped: there may be more. Use a narrower path.)"] : []),
];
