// Bash: runs a command in the project's folder and reports what it printed.
import { unlink } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { ShellOutcome } from "../../platform/shell.js";
import { defineTool, type Tool, type ToolContext } from "../tool.js";
import { backgroundResult } from "./background-result.js";
import { meaningOfExit } from "./exit-meaning.js";
import { needsTerminal } from "./needs-terminal.js";
import { noPersonHint } from "./no-person-hint.js";
import { resultText, trimOutput } from "./result-text.js";
import { runCommand } from "./run-command.js";
import { noteShellReads } from "./shell-reads.js";
import { enterFolder, moveTo, noFolderText, startFolder } from "./working-folder.js";

const foregroundInput = z.object({
  command: z.string().min(1).describe("The bash command"),
  timeout: z
    .number()
    .positive()
    .optional()
    .describe("Milliseconds after which it is stopped (default 120000, at most 600000)"),
  description: z.string().optional().describe("What the command does, in five to ten words"),
});
const input = foregroundInput.extend({
  run_in_background: z
    .boolean()
    .optional()
    .describe("Return at once and let the command go on; you are told when it ends"),
});
type Input = z.infer<typeof input>;

const withSandbox = (hasBackground: boolean): z.ZodType<Input> =>
  (hasBackground ? input : foregroundInput).extend({
    dangerouslyDisableSandbox: z
      .boolean()
      .optional()
      .describe("Run outside the sandbox; the person is asked. Only after the sandbox made the command fail"),
  }) as z.ZodType<Input>;

const sandboxText = `- Commands run in a sandbox: they write only in the working folders and $TMPDIR, and reach only hosts that are allowed. "Read-only file system", "Operation not permitted" and failed connections can come from it. When a command needs more, run it again with dangerouslyDisableSandbox: true and say why in the description.`;

const defaultTimeoutMs = 120_000;
const longestTimeoutMs = 600_000;
const displayChars = 30_000;

const movesText = `After two minutes (or the timeout you set, up to 600000 ms) a command goes on in the background and you get its task id. Use run_in_background for servers, watchers and long builds instead of ending a command with &; you are told when it ends, so do not wait with sleep.`;

const promptText = (
  hasBackground: boolean,
): string => `Runs a command with bash and returns its output, stdout and stderr together.

- Each call is its own process: variables, functions and aliases do not carry over, but the working folder does, as long as it stays inside the project. Prefer absolute paths to cd.
- Use the dedicated tools where there is one: Read instead of cat, head or tail; Edit instead of sed; Write instead of echo with a redirection; Glob instead of find; Grep instead of grep or rg. They are safer and show better.
- No one can type into a command: give answers as arguments, use -y, -m, --no-edit and the like. Editors, pagers and password prompts end at once.
- ${hasBackground ? movesText : "A command is stopped after two minutes; set timeout (milliseconds, up to 600000) for longer ones."}
- Join commands that depend on each other with &&. Independent ones go into separate calls of the same answer.
- Quote paths with blanks. Do not use sleep to wait for something that you can check.
- Never change git configuration, skip hooks, force-push or throw away uncommitted work unless the person asked for exactly that. Commit only when asked.`;

export interface BashOptions {
  /** Decides which commands may run beside others; without it none may. Must say no when in doubt. */
  isReadOnlyCommand?: (command: string) => boolean;
  /** Commands run in a sandbox, and the model may ask to leave it. */
  hasSandbox?: boolean;
  /** The session has a place for background commands (`ToolContext.shells`). */
  hasBackground?: boolean;
}

/** The Bash tool. */
export const createBash = (options: BashOptions = {}): Tool<Input> => {
  const hasBackground = options.hasBackground ?? false;
  const base = hasBackground ? input : (foregroundInput as z.ZodType<Input>);
  const isReadOnly = ({ command }: Input) => options.isReadOnlyCommand?.(command) ?? false;
  return defineTool<Input>({
    name: "Bash",
    aliases: ["run_shell"],
    searchHint: "run shell command terminal execute",
    prompt: options.hasSandbox ? `${promptText(hasBackground)}\n${sandboxText}` : promptText(hasBackground),
    input: options.hasSandbox ? withSandbox(hasBackground) : base,
    isReadOnly,
    isConcurrencySafe: isReadOnly,
    movesToBackground: hasBackground,
    title: ({ command = "" }) => command,
    validate: async ({ command }, context) => {
      if (command.includes("\0")) return "The command contains a NUL character, which no shell takes.";
      if ((await startFolder(context)) === undefined) return noFolderText(context);
      return needsTerminal(command, context);
    },
    checkPermissions: async ({ command }, context) => ({
      reads: [],
      writes: [],
      command,
      cwd: await startFolder(context),
    }),
    preview: async ({ command }) => ({ kind: "shell", command, output: "", exitCode: null, interrupted: false }),
    call: async (call, context, onProgress) => {
      const cwd = await startFolder(context);
      if (cwd === undefined) return { content: noFolderText(context), isError: true };
      if (context.judgedCwd !== undefined && context.judgedCwd !== cwd)
        return { content: movedText(context.judgedCwd), isError: true };
      const hint = await needsTerminal(call.command, context); // a command typed by the person comes without `validate`
      if (hint !== undefined) return { content: hint, isError: true };
      const startNotes = enterFolder(cwd, context);
      const outputPath = join(context.resultsDir, `bash-${context.toolUseId.replace(/[^\w-]/g, "_")}.txt`);
      const end = await runCommand(
        {
          command: call.command,
          description: call.description,
          isBackground: call.run_in_background ?? false,
          cwd,
          env: context.env,
          confine: context.confine,
          timeoutMs: timeoutOf(call, context),
          outputPath,
          onProgress,
        },
        context,
      );
      if (end.kind === "background")
        return backgroundResult(end, { notes: startNotes, timeoutMs: timeoutOf(call, context) });
      const { outcome } = end;
      const notes = [...startNotes, ...(await moveTo(outcome.cwd, context))];
      await noteShellReads(call.command, outcome, { ...context, cwd });
      return report(call, outcome, { notes, outputPath, context });
    },
  });
};

const movedText = (judged: string): string =>
  `Nothing ran: the working folder is no longer ${judged}, for which the call was allowed. Send the call again.`;

/** The wanted time, lowered to the limit; both are settings. */
const timeoutOf = ({ timeout }: Input, { env }: ToolContext): number => {
  const numberOf = (value: string | undefined, fallback: number) => (Number(value) > 0 ? Number(value) : fallback);
  const longest = numberOf(env.BASH_MAX_TIMEOUT_MS, longestTimeoutMs);
  return Math.min(timeout ?? numberOf(env.BASH_DEFAULT_TIMEOUT_MS, defaultTimeoutMs), Math.max(longest, 1));
};

interface ReportOptions {
  notes: string[];
  outputPath: string;
  context: ToolContext;
}

const report = async (call: Input, outcome: ShellOutcome, { notes, outputPath, context }: ReportOptions) => {
  const meaning = outcome.exitCode === 1 ? meaningOfExit(call.command) : undefined;
  const isError = outcome.interrupted || outcome.timedOut || (outcome.exitCode !== 0 && meaning === undefined);
  const hint = isError && !outcome.interrupted ? noPersonHint(outcome.output) : undefined;
  const allNotes = hint === undefined ? notes : [...notes, `(${hint})`];
  const text = resultText(outcome, { notes: allNotes, outputPath, meaning, isError, env: context.env });
  if (!text.isStored) await unlink(outputPath).catch(() => undefined); // no output: no file
  const stored = text.isStored ? { persistedOutputPath: outputPath, persistedOutputSize: outcome.storedBytes } : {};
  return {
    content: text.content,
    isError,
    display: {
      kind: "shell" as const,
      command: call.command,
      output: headAndTail(trimOutput(outcome.output)),
      exitCode: outcome.exitCode,
      interrupted: outcome.interrupted,
      timedOut: outcome.timedOut,
      totalBytes: outcome.totalBytes,
      ...(text.isStored ? { outputPath } : {}),
    },
    structured: {
      stdout: text.stdout,
      stderr: "", // merged into stdout: order matters more than origin
      interrupted: outcome.interrupted,
      isImage: false,
      ...(outcome.timedOut ? { timedOutAfterMs: timeoutOf(call, context) } : {}),
      ...(meaning ? { returnCodeInterpretation: meaning } : {}),
      ...stored,
    },
  };
};

const headAndTail = (text: string): string => {
  if (text.length <= displayChars) return text;
  const half = displayChars / 2;
  return `${text.slice(0, half)}\n…\n${text.slice(-half)}`;
};
