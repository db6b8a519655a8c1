// The hooks of a session's life: start and end, prompts, the end of a run, compaction, subagents, tasks, folders.
import type { Emit } from "../execution/context.js";
import { shownInput } from "../execution/hook-gates.js";
import type { FinishedCall } from "../execution/schedule.js";
import { sanitise } from "../lib/sanitise.js";
import { newId } from "../protocol/ids.js";
import type { ListedTask } from "../tools/tool.js";
import type { AgentThread } from "./agent-types.js";
import { taskRows } from "./background-tasks.js";
import { askHookModel } from "./hook-model.js";
import { callHooks, contextReminder, hasHook } from "./hooks.js";
import type { LoopOptions, QueuedPrompt } from "./loop-options.js";
import { agentTranscriptFile, publish, type Session } from "./session.js";

export type StartSource = "startup" | "resume" | "clear" | "compact" | "fork";
export type EndReason = "clear" | "resume" | "logout" | "prompt_input_exit" | "other";

/** Text of a hook for a place that takes one line. */
const oneLine = (text: string): string => sanitise(text).replace(/\s+/g, " ").trim();

const rename = (session: Session, wanted: string | undefined): void => {
  const title = wanted === undefined ? "" : oneLine(wanted).slice(0, 200);
  if (title === "" || session.title !== undefined) return; // a name the person gave stays
  session.title = title;
  session.titleBy = "model";
  session.transcript?.appendTitle(title, "model");
};

/** SessionStart: what the hooks say waits as reminders for the next request. */
export const startHooks = async (
  session: Session,
  source: StartSource,
  emit: Emit,
  signal: AbortSignal,
): Promise<void> => {
  session.hooks.hasStarted = true;
  const { title, model, options } = session;
  const said = await callHooks(session, {
    event: "SessionStart",
    input: { source, model: model.id, ...(title ? { session_title: title } : {}) },
    emit,
    signal,
  });
  session.hooks.contexts.push(...said.contexts.map(contextReminder));
  rename(session, said.sessionTitle);
  if (!options.isInteractive) session.hooks.initialUserMessage = said.initialUserMessage;
};

/** SessionStart beside what the person does meanwhile: the next run waits for it. */
export const beginStartHooks = (session: Session, source: StartSource): void => {
  session.hooks.hasStarted = true;
  if (!hasHook(session, "SessionStart")) return;
  const stop = new AbortController();
  const emit: Emit = async (event) => publish(session, event);
  const signal = AbortSignal.any([stop.signal, session.closing.signal]);
  const starting = startHooks(session, source, emit, signal).finally(() => {
    if (session.hooks.starting === starting) session.hooks.starting = undefined;
  });
  Object.assign(session.hooks, { starting, stopStarting: stop });
};

/** Waits for SessionStart hooks that still run; stopping the run stops them. */
export const awaitStartHooks = async (session: Session, signal: AbortSignal): Promise<void> => {
  const { starting, stopStarting } = session.hooks;
  if (!starting) return;
  const stop = () => stopStarting?.abort();
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  await starting;
  signal.removeEventListener("abort", stop);
};

/** SessionEnd. Bounded by the hooks' own short timeouts. */
export const endHooks = async (session: Session, reason: EndReason, emit: Emit): Promise<void> => {
  if (!session.hooks.hasStarted) return;
  await callHooks(session, { event: "SessionEnd", input: { reason }, emit, signal: new AbortController().signal });
};

export interface PromptVerdict {
  /** The prompt is erased: why, for the person. */
  block?: string;
  /** Everything stops: why, for the person. */
  stop?: string;
  /** It may stand in the prompt again, to be changed. */
  mayReturn: boolean;
  reminders: string[];
}

/** UserPromptSubmit. */
export const promptHooks = async (
  session: Session,
  prompt: string,
  emit: Emit,
  options: LoopOptions,
): Promise<PromptVerdict> => {
  session.hooks.promptId = newId();
  const said = await callHooks(session, {
    event: "UserPromptSubmit",
    input: { prompt },
    emit,
    signal: options.signal,
    askModel: askHookModel(session, () => options),
  });
  rename(session, said.sessionTitle);
  return {
    block: said.block?.text,
    stop: said.stop === undefined ? undefined : said.stop.text || "a hook stopped it",
    mayReturn: said.suppressOriginalPrompt !== true,
    reminders: said.contexts.map(contextReminder),
  };
};

/** UserPromptSubmit for prompts that waited: those that hooks let pass, with what they add. */
export const hookedPrompts = async (
  session: Session,
  queued: readonly QueuedPrompt[],
  emit: Emit,
  options: LoopOptions,
): Promise<QueuedPrompt[]> => {
  const passed: QueuedPrompt[] = [];
  for (const prompt of queued) {
    const { block, stop, reminders } = await promptHooks(session, prompt.typed ?? prompt.shown, emit, options);
    const refused = block ?? stop;
    if (refused === undefined) passed.push({ ...prompt, reminders });
    else {
      await emit({ type: "notice", level: "warning", text: refusedPrompt(refused) });
      await emit({ type: "unqueued", uuid: prompt.uuid });
    }
  }
  return passed;
};

/** What the person reads about a prompt that a hook erased. */
export const refusedPrompt = (why: string): string => `A hook refused the prompt: ${why}`;

/** UserPromptExpansion: a typed command becomes a prompt. Undefined: it may. */
export const expansionHooks = async (
  session: Session,
  typed: { name: string; args: string; source?: string; text: string },
  emit: Emit,
): Promise<string | undefined> => {
  const said = await callHooks(session, {
    event: "UserPromptExpansion",
    input: {
      expansion_type: "slash_command",
      command_name: typed.name,
      command_args: typed.args,
      command_source: typed.source ?? "builtin",
      prompt: typed.text,
    },
    emit,
    signal: session.closing.signal,
  });
  session.hooks.contexts.push(...said.contexts.map(contextReminder));
  return said.block?.text ?? said.stop?.text;
};

const backgroundTasks = (session: Session) =>
  taskRows(session)
    .filter(({ status }) => status === "running")
    .map(({ id, kind, title, status }) => ({
      id,
      type: kind === "agent" ? "subagent" : "shell",
      status,
      description: title.slice(0, 1000),
      ...(kind === "shell" ? { command: title } : {}),
    }));

/** Stop of the main thread, SubagentStop of a subagent: whether it goes on, and what it is told. */
export const stopHooks = async (
  session: Session,
  run: { lastText: string; isActive: boolean; emit: Emit; options: LoopOptions; thread?: AgentThread },
): Promise<{ block: string } | undefined> => {
  const { lastText, isActive, emit, options, thread } = run;
  const said = await callHooks(session, {
    event: thread ? "SubagentStop" : "Stop",
    input: {
      stop_hook_active: isActive,
      ...(thread ? { agent_transcript_path: agentTranscriptFile(session, thread.id) } : {}),
      ...(lastText ? { last_assistant_message: lastText } : {}),
      background_tasks: backgroundTasks(session),
      session_crons: [],
    },
    emit,
    signal: options.signal,
    thread,
    askModel: askHookModel(session, () => options),
  });
  if (said.stop) {
    if (said.stop.text) await emit({ type: "notice", level: "info", text: `A hook ended the run: ${said.stop.text}` });
    return undefined;
  }
  const feedback = [...said.feedback, ...said.contexts.map(({ text }) => text)];
  if (feedback.length === 0) return undefined;
  if (!thread)
    await emit({ type: "notice", level: "info", text: `A Stop hook asked to go on: ${oneLine(feedback[0] ?? "")}` });
  return { block: feedback.join("\n") };
};

/** PostToolBatch: all calls of an answer have their results. */
export const batchHooks = async (
  session: Session,
  finished: readonly FinishedCall[],
  { emit, options, thread }: { emit: Emit; options: LoopOptions; thread?: AgentThread },
): Promise<{ reminders: string[]; stop?: string } | undefined> => {
  if (!hasHook(session, "PostToolBatch", thread)) return undefined;
  const said = await callHooks(session, {
    event: "PostToolBatch",
    input: {
      tool_calls: finished.map(({ call, outcome }) => ({
        tool_name: call.block.name,
        tool_input: shownInput(call),
        tool_use_id: call.block.id,
        tool_response: outcome.result.content,
      })),
    },
    emit,
    signal: options.signal,
    thread,
    askModel: askHookModel(session, () => options),
  });
  return { reminders: said.contexts.map(contextReminder), stop: said.stop?.text ?? said.block?.text };
};

/** StopFailure: a run ended with an error. */
export const stopFailureHooks = async (
  session: Session,
  failure: { error: string; details: string; lastText: string },
  emit: Emit,
): Promise<void> => {
  await callHooks(session, {
    event: "StopFailure",
    input: {
      error: failure.error,
      error_details: failure.details,
      ...(failure.lastText ? { last_assistant_message: failure.lastText } : {}),
    },
    emit,
    signal: session.closing.signal,
  });
};

/** PreCompact. A text: the compaction is refused, and why. */
export const beforeCompactHooks = async (
  session: Session,
  facts: { trigger: "manual" | "auto"; focus?: string },
  emit: Emit,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const input = { trigger: facts.trigger, custom_instructions: facts.focus ?? "" };
  const said = await callHooks(session, { event: "PreCompact", input, emit, signal });
  return said.block?.text;
};

/** PostCompact, and SessionStart once more: the new context needs what those hooks tell. */
export const afterCompactHooks = async (
  session: Session,
  facts: { trigger: "manual" | "auto"; summary: string },
  emit: Emit,
  signal: AbortSignal,
): Promise<void> => {
  const input = { trigger: facts.trigger, compact_summary: facts.summary };
  await callHooks(session, { event: "PostCompact", input, emit, signal });
  if (session.thread === undefined) await startHooks(session, "compact", emit, signal);
};

/** SubagentStart: reminders for the agent. */
export const agentStartHooks = async (
  session: Session,
  thread: AgentThread,
  emit: Emit,
  signal: AbortSignal,
): Promise<string[]> => {
  const said = await callHooks(session, { event: "SubagentStart", input: {}, emit, signal, thread });
  return said.contexts.map(contextReminder);
};

/** CwdChanged: later commands wait for what it writes to its CLAUDE_ENV_FILE. */
export const folderHooks = (session: Session, from: string, to: string, emit: Emit): void => {
  if (from === to || !hasHook(session, "CwdChanged")) return;
  const before = session.hooks.envRead;
  session.hooks.envRead = (async () => {
    await before;
    const input = { old_cwd: from, new_cwd: to };
    await callHooks(session, { event: "CwdChanged", input, emit, signal: session.closing.signal });
  })();
};

/** TaskCreated and TaskCompleted. A text: the change is undone, and why, for the model. */
export const taskHooks = async (
  session: Session,
  event: "TaskCreated" | "TaskCompleted",
  { id, subject, description }: ListedTask,
  place: { emit: Emit; signal: AbortSignal; loop?: () => LoopOptions; thread?: AgentThread },
): Promise<string | undefined> => {
  const { emit, signal, loop, thread } = place;
  const said = await callHooks(session, {
    event,
    input: { task_id: id, task_subject: subject, ...(description ? { task_description: description } : {}) },
    emit,
    signal,
    thread,
    askModel: loop && askHookModel(session, loop),
  });
  return said.block?.text ?? (said.stop && (said.stop.text || "a hook stopped it"));
};
