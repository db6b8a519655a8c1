// Runs a slash command and shows what it gives back.
import type { CommandResult } from "../commands/command.js";
import type { ParsedCommand } from "../commands/parse.js";
import type { Emit } from "../execution/context.js";
import type { RunOutcome } from "../protocol/events.js";
import { commandContext } from "./command-context.js";
import { expansionHooks } from "./hook-events.js";
import { runPrompt } from "./run-prompt.js";
import type { Session } from "./session.js";

const localOutcome = (session: Session, text: string, isError: boolean, startedAt: number): RunOutcome => ({
  cause: "completed",
  isError,
  text,
  turns: 0,
  durationMs: session.options.clock.now() - startedAt,
  apiDurationMs: 0,
  usage: { input_tokens: 0, output_tokens: 0 },
  costUsd: session.costs.totalUsd(),
  stopReason: null,
  apiErrorStatus: null,
  permissionDenials: [],
  errors: isError ? [text] : [],
  isLocal: true,
});

/** How a command and its output stand in a transcript (spec/memory-and-context.md section 9). */
const record = (session: Session, name: string, args: string, output: string): void => {
  const call = `<command-name>/${name}</command-name>\n<command-message>${name}</command-message>\n<command-args>${args}</command-args>`;
  session.transcript?.appendSystem({ subtype: "local_command", content: call, level: "info" });
  if (output !== "")
    session.transcript?.appendSystem({
      subtype: "local_command",
      content: `<local-command-stdout>${output}</local-command-stdout>`,
      level: "info",
    });
};

const execute = async (
  session: Session,
  parsed: Extract<ParsedCommand, { kind: "command" }>,
  emit: Emit,
): Promise<CommandResult> => {
  const { command, args } = parsed;
  if (!session.options.isInteractive && !command.isHeadless)
    return { kind: "text", text: `/${command.name} works only on the screen.`, isError: false };
  const controller = new AbortController();
  const ownsRun = session.running === undefined;
  if (ownsRun) session.running = controller;
  try {
    return await command.run(args, commandContext(session, emit, controller.signal));
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { kind: "text", text: `/${command.name} failed: ${text}`, isError: true };
  } finally {
    if (ownsRun && session.running === controller) session.running = undefined;
  }
};

/** Runs the command to its end; a command that gives a prompt goes on as a run. */
export const runCommand = async (
  session: Session,
  parsed: ParsedCommand,
  typed: string,
  emit: Emit,
): Promise<RunOutcome> => {
  const startedAt = session.options.clock.now();
  const isAside = session.running !== undefined; // beside a run that goes on: its end is not ours to tell
  const end = async (outcome: RunOutcome): Promise<RunOutcome> => {
    if (!isAside) await emit({ type: "run_end", outcome });
    return outcome;
  };
  const show = async (text: string, isError: boolean): Promise<RunOutcome> => {
    record(session, parsed.name, parsed.args, text);
    await emit({ type: "command_output", command: typed, text, isError });
    return end(localOutcome(session, text, isError, startedAt));
  };
  if (parsed.kind === "unknown") return show(parsed.text, false);
  const result = await execute(session, parsed, emit);
  switch (result.kind) {
    case "text":
      return show(result.text, result.isError === true);
    case "prompt": {
      const { content, shown } = result;
      const refused = await expansionHooks(session, { ...parsed, text: typed }, emit);
      if (refused !== undefined) return show(`A hook refused this command: ${refused}`, true);
      return runPrompt(session, { content, shown, typed }, emit);
    }
    case "picker":
      await emit({ type: "picker", picker: result.picker });
      break;
    case "screen":
      await emit({ type: "screen", change: result.change });
      break;
    case "exit":
      await emit({ type: "exit", code: result.code });
      break;
    case "none":
      break;
  }
  return end(localOutcome(session, "", false, startedAt));
};
