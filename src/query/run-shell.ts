// A command that the person typed for the shell: run as it is, shown like a call, told to the model.
import type { Emit } from "../execution/context.js";
import type { RunOutcome } from "../protocol/events.js";
import { newId } from "../protocol/ids.js";
import { createBash } from "../tools/bash/index.js";
import type { ToolResult } from "../tools/tool.js";
import { hasBackgroundTasks } from "./background-tasks.js";
import { toolContext } from "./execution-context.js";
import type { LoopOptions } from "./loop-options.js";
import { performRun } from "./run-prompt.js";
import type { Session } from "./session.js";

/** Name of such a call on the screen. */
export const shellCallName = "!";

const tag = (name: string, text: string): string => `<${name}>${text.replaceAll("</bash-", "<\\/bash-")}</${name}>`;

/** Output and failure apart, as the wrappers want them: how it ended stands in the first line of a failed result. */
const outputTags = ({ content, isError }: ToolResult): string => {
  const text = typeof content === "string" ? content : "";
  const end = text.indexOf("\n");
  const failure = isError ? text.slice(0, end < 0 ? text.length : end) : "";
  const output = isError ? (end < 0 ? "" : text.slice(end + 1)) : text;
  return tag("bash-stdout", output) + tag("bash-stderr", failure);
};

/** Runs the command and shows it. Never rejects for its failure. */
const runTyped = async (session: Session, command: string, options: LoopOptions, emit: Emit): Promise<ToolResult> => {
  const { clock } = session.options;
  const id = `shell_${newId()}`;
  const call = { id, name: shellCallName };
  const bash = createBash({ hasBackground: hasBackgroundTasks(session) });
  await session.loginEnvRead;
  const context = toolContext(session, { toolUseId: id, signal: options.signal, emit });
  await emit({ type: "tool_call", ...call, input: { command }, title: command, isReadOnly: false });
  const startedAt = clock.now();
  await emit({ type: "tool_state", id, state: "running", at: startedAt, canMove: bash.movesToBackground });
  const result = await bash
    .call({ command }, context, (progress) => {
      void emit({ type: "tool_progress", ...call, elapsedMs: clock.now() - startedAt, ...progress });
    })
    .catch((error: Error): ToolResult => ({ content: error.message, isError: true }));
  await emit({
    type: "tool_result",
    ...call,
    uuid: newId(),
    isError: result.isError === true,
    content: result.content,
    display: result.display,
    structured: result.structured,
    durationMs: clock.now() - startedAt,
    timestamp: new Date(clock.now()).toISOString(),
  });
  return result;
};

/** Runs it; then the model answers, unless the settings say otherwise or the person stopped it. */
export const runShell = (
  session: Session,
  { command, uuid }: { command: string; uuid?: string },
  emit: Emit,
): Promise<RunOutcome> =>
  performRun(session, emit, async (options) => {
    const keep = (content: string, id?: string): void => {
      options.recorder.user(content, { uuid: id, isMeta: false });
      options.messages.push({ role: "user", content });
    };
    keep(tag("bash-input", command), uuid);
    keep(outputTags(await runTyped(session, command, options, emit)));
    session.transcript?.appendLastPrompt(`!${command}`);
    return session.settings.get("respondToBashCommands") !== false && !options.signal.aborted;
  });
