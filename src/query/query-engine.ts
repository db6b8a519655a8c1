// The engine: a session's life from open to close, one request at a time, events out.
import { parseCommand } from "../commands/parse.js";
import type { Emit } from "../execution/context.js";
import { createChannel } from "../lib/channel.js";
import { unreachable } from "../lib/unreachable.js";
import { writeFileWhole } from "../platform/write-file.js";
import type { Engine } from "../protocol/engine.js";
import type { EngineEvent, RunOutcome } from "../protocol/events.js";
import { newId } from "../protocol/ids.js";
import type { PastedText, Request, RequestOf } from "../protocol/requests.js";
import { tourPrompt } from "../providers/offline/offline.js";
import { appendPrompt } from "../sessions/prompt-history.js";
import { updateUserSettings } from "../settings/write.js";
import type { AnyTool } from "../tools/tool.js";
import { announce, commandRows } from "./announce.js";
import { noteTyped } from "./auto-mode.js";
import { moveToBackground, settleTasks, showTask, stopTask } from "./background-tasks.js";
import { commandContext } from "./command-context.js";
import { completePath } from "./complete-path.js";
import { changeContext, contextPicker } from "./context-parts.js";
import { queueChanged, saveDraft } from "./drafts.js";
import type { EngineOptions } from "./engine-options.js";
import { type EndReason, endHooks } from "./hook-events.js";
import { waitIdle } from "./hook-notices.js";
import { addTools, removeTools } from "./later-tools.js";
import { updateLive } from "./live-session.js";
import { mcpAct } from "./mcp-actions.js";
import { expandInput } from "./mentions.js";
import { changeMode } from "./mode.js";
import { setModel } from "./models.js";
import { createSession, isKnownProblem, Leave, openSession } from "./open-session.js";
import { applyUpdates } from "./permission-state.js";
import { promptImage } from "./prompt-image.js";
import { runCommand } from "./run-command.js";
import { runPrompt } from "./run-prompt.js";
import { runShell } from "./run-shell.js";
import { modeCycle, publish, type QueuedInput, type Session, sessionInfo } from "./session.js";
import { renameListed, showSessions } from "./session-list.js";
import { agentsToTell, subagentRunner } from "./subagent.js";
import { closeWorktree } from "./worktrees.js";

const open = async (session: Session, emit: Emit): Promise<undefined> => {
  try {
    await openSession(session, emit);
    if (session.startsTour) await prompt(session, { type: "prompt", text: tourPrompt }, emit);
  } catch (error) {
    if (error instanceof Leave) await emit({ type: "exit", code: 0 });
    else if (isKnownProblem(error)) await emit({ type: "exit", code: 1, message: error.message });
    else throw error;
  }
  return undefined;
};

const remember = (session: Session, text: string, pastes: readonly PastedText[] = []): void => {
  const { options, places } = session;
  if (options.env.CLAUDE_CODE_SKIP_PROMPT_HISTORY || !options.isInteractive) return;
  appendPrompt(places.historyFile, {
    display: text,
    pastes,
    timestamp: options.clock.now(),
    project: options.cwd,
    sessionId: session.id,
  });
};

/** What a person sends from the prompt box. */
type Typed = RequestOf<"prompt"> | RequestOf<"shell">;

/** A server's prompt; a failure to get it is told like that of a command. */
const promptOrError = async (
  session: Session,
  text: string,
  emit: Emit,
  run: (session: Session, text: string, emit: Emit) => Promise<RunOutcome | undefined>,
): Promise<RunOutcome | undefined> => {
  try {
    return await run(session, text, emit);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return runCommand(session, { kind: "unknown", name: text.slice(1), args: "", text: why }, text, emit);
  }
};

/** One prompt or command, to its end. */
const runInput = async (session: Session, request: Typed, emit: Emit): Promise<RunOutcome | undefined> => {
  if (request.type === "shell") return runShell(session, request, emit);
  const parsed = parseCommand(request.text);
  if (parsed?.kind === "unknown" && parsed.name.startsWith("mcp__") && session.mcp) {
    const { findPrompt, runMcpPrompt } = await import("./mcp-prompt.js");
    if (findPrompt(session.mcp.servers.prompts(), request.text))
      return promptOrError(session, request.text, emit, runMcpPrompt);
  }
  if (parsed) return runCommand(session, parsed, request.text, emit);
  const typed = { text: request.text, images: request.images as never };
  const { content, notes } = await expandInput(session, typed, session.closing.signal);
  return runPrompt(
    session,
    { content, notes, typed: request.text, shown: request.display ?? request.text, uuid: request.uuid },
    emit,
  );
};

/** A prompt: queued while a run goes on, else run, and after it whatever was queued and not delivered meanwhile. */
const prompt = async (session: Session, request: RequestOf<"prompt">, emit: Emit): Promise<RunOutcome | undefined> => {
  noteTyped(session, request.text);
  remember(session, request.display ?? request.text, request.pastes);
  const parsed = parseCommand(request.text);
  const isImmediate = parsed?.kind === "command" && parsed.command.isImmediate;
  if (session.busy && !isImmediate) {
    session.queue.push({
      uuid: request.uuid ?? newId(),
      text: request.text,
      shown: request.display ?? request.text,
      images: request.images as never,
    });
    queueChanged(session);
    return undefined;
  }
  if (session.busy) return runInput(session, request, emit);
  return work(session, () => runInput(session, request, emit), emit);
};

/** A shell command: at once, or after the run that goes on. */
const shell = async (session: Session, request: RequestOf<"shell">, emit: Emit): Promise<RunOutcome | undefined> => {
  const { command, uuid = newId() } = request;
  remember(session, `!${command}`);
  if (!session.busy) return work(session, () => runInput(session, request, emit), emit);
  session.queue.push({ uuid, text: command, shown: `!${command}`, isShell: true });
  queueChanged(session);
  return undefined;
};

const typedOf = ({ uuid, text, shown, images, isShell }: QueuedInput): Typed =>
  isShell ? { type: "shell", command: text, uuid } : { type: "prompt", uuid, text, display: shown, images };

/** Does one thing, then whatever was queued and not delivered meanwhile; then notices that came too late for it. */
const work = async (
  session: Session,
  first: () => Promise<RunOutcome | undefined>,
  emit: Emit,
): Promise<RunOutcome | undefined> => {
  session.busy = true;
  session.isHalted = false;
  updateLive(session);
  session.hooks.stopWaiting?.();
  try {
    let outcome = await first();
    for (let more = await nextWork(session, emit); more; more = await nextWork(session, emit))
      outcome = (await more()) ?? outcome;
    return outcome;
  } finally {
    session.busy = false;
    updateLive(session);
    waitIdle(session);
    setImmediate(() => tellIdle(session)); // after the reader has seen this work's end
  }
};

type Work = () => Promise<RunOutcome | undefined>;

/** What is left to do: queued prompts; headless, where no subscriber takes a later run, reports from the background. */
const nextWork = async (session: Session, emit: Emit): Promise<Work | undefined> => {
  const next = session.queue.shift();
  if (next) {
    queueChanged(session);
    return () => runInput(session, typedOf(next), emit);
  }
  if (session.options.isInteractive || session.isHalted) return undefined;
  if (!(await agentsToTell(session)) || session.isHalted) return undefined;
  return () => runNotices(session, emit);
};

/** A run that tells the model what ended in the background. */
const runNotices = (session: Session, emit: Emit): Promise<RunOutcome | undefined> =>
  runPrompt(session, { content: session.notifications.take().join("\n\n"), shown: "", isMeta: true }, emit);

/** Tells the model what ended in the background, by a run of its own, when a person is there and nothing else goes on. */
const tellIdle = (session: Session): void => {
  const { busy, notifications, options, closing } = session;
  if (busy || !options.isInteractive || notifications.isEmpty() || closing.signal.aborted) return;
  const emit: Emit = async (event) => publish(session, event);
  work(session, () => runNotices(session, emit), emit).catch((error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    void emit({ type: "notice", level: "error", text });
  });
};

/** A rewind waits for nothing: while a run goes on it is refused, since that run would write on. */
const goBack = async (session: Session, request: RequestOf<"rewind">, emit: Emit): Promise<undefined> => {
  if (session.busy) throw new Error("Something still runs. Stop it first (esc), then go back.");
  const { rewind } = await import("./rewind.js");
  const announceIt = () => announce(session, "resume", emit);
  const controller = new AbortController();
  await work(
    session,
    async () => {
      session.running = controller;
      const signal = AbortSignal.any([controller.signal, session.closing.signal]);
      try {
        await rewind(session, request, { emit, announce: announceIt, signal });
      } finally {
        session.running = undefined;
      }
      return undefined;
    },
    emit,
  );
  return undefined;
};

const handle = async (session: Session, request: Request, emit: Emit): Promise<RunOutcome | undefined> => {
  switch (request.type) {
    case "open":
      return open(session, emit);
    case "prompt":
      return prompt(session, request, emit);
    case "shell":
      return shell(session, request, emit);
    case "set_mode":
      if (request.mode === session.mode || modeCycle(session).includes(request.mode))
        await changeMode(session, request.mode, emit);
      else await emit({ type: "notice", level: "warning", text: `The mode ${request.mode} is not available here.` });
      return undefined;
    case "set_model":
      await setModel(session, request.model, request.save, emit);
      await announce(session, "change", emit);
      return undefined;
    case "update_permissions":
      await applyUpdates(session, request.updates, emit);
      return undefined;
    case "resume":
      await commandContext(session, emit, session.closing.signal).resume(request.sessionId);
      return undefined;
    case "list_sessions":
      await showSessions(session, request.scope, emit);
      return undefined;
    case "save_draft":
      saveDraft(session, request.text, request.pastes);
      return undefined;
    case "rename_session":
      await renameListed(session, request, emit);
      return undefined;
    case "save_settings":
      await updateUserSettings(
        session.places.configDir,
        Object.fromEntries(Object.entries(request.members).map(([key, value]) => [key, value ?? undefined])),
      );
      return undefined;
    case "change_setting":
      await (await import("./change-setting.js")).answerChange(session, request, emit);
      return undefined;
    case "status_line":
      await (await import("./status-line.js")).showStatusLine(session, request, emit);
      return undefined;
    case "stop_agent":
      await session.agents.stop(request.agentId);
      return undefined;
    case "mcp": {
      const { signal } = session.closing;
      const text = await mcpAct(session, request.action, request.server, emit, signal);
      await emit({ type: "notice", level: "info", text });
      return undefined;
    }
    case "edit_file":
      await writeFileWhole(request.path, Buffer.from(request.content));
      await emit({ type: "notice", level: "info", text: `Saved ${request.path}` });
      return undefined;
    case "move_to_background":
      moveToBackground(session);
      return undefined;
    case "show_task":
      await showTask(session, request.id, emit);
      return undefined;
    case "complete_path":
      await completePath(session, request, emit);
      return undefined;
    case "read_image":
      await promptImage(session, request, emit);
      return undefined;
    case "read_prompts":
      await (await import("./prompt-search.js")).readPrompts(session, request, emit);
      return undefined;
    case "stop_task":
      await stopTask(session, request.id);
      return undefined;
    case "drop_context":
      changeContext(session, request.ids);
      await emit({ type: "picker", picker: await contextPicker(session) });
      return undefined;
    case "rewind_points": {
      const { rewindPicker } = await import("./rewind.js");
      await emit({ type: "picker", picker: await rewindPicker(session) });
      return undefined;
    }
    case "rewind":
      return goBack(session, request, emit);
    case "unqueue": {
      const left = session.queue.filter(({ uuid }) => uuid !== request.uuid);
      if (left.length < session.queue.length) await emit({ type: "unqueued", uuid: request.uuid });
      session.queue = left;
      queueChanged(session);
      return undefined;
    }
    case "close":
      await close(session, closeReason(session));
      return undefined;
    default:
      return unreachable(request);
  }
};

const closeReason = ({ options }: Session): EndReason => (options.isInteractive ? "prompt_input_exit" : "other");

const close = async (session: Session, reason: EndReason): Promise<void> => {
  session.running?.abort();
  const emit: Emit = async (event) => publish(session, event);
  await endHooks(session, reason, emit);
  session.closing.abort();
  session.running?.abort();
  session.questions.abortAll();
  await Promise.all([session.checkpoints.pending, session.noting]);
  await session.transcript?.sync();
  session.lock?.release();
  session.live?.remove();
  session.live = undefined;
  await session.toolUses.flush();
  await Promise.all([session.shell.killAll(), session.mcp?.servers.close()]);
  await closeWorktree(session);
  await session.sandbox?.close();
};

const guarded = async (session: Session, request: Request, emit: Emit): Promise<RunOutcome | undefined> => {
  if (request.type === "open" || request.type === "prompt" || request.type === "shell")
    return handle(session, request, emit);
  try {
    return await handle(session, request, emit);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    await emit({ type: "notice", level: "error", text });
    return undefined;
  }
};

export interface QueryEngine extends Engine {
  costs: Session["costs"];
  /** Waits until no command runs in the background any more, at most `ms`. Gives a line on each that still does then. */
  settle(ms: number): Promise<string[]>;
  /** Tools that join the running session (MCP servers): the cached prefix stays as it is. */
  addTools(tools: readonly AnyTool[]): void;
  removeTools(names: readonly string[]): void;
  /** Something of this session is on disk and can be resumed. */
  hasTranscript(): boolean;
}

/** Builds the engine. Reads settings and state; asks nothing and starts nothing before `open`. Throws StartProblem. */
export const createQueryEngine = async (options: EngineOptions): Promise<QueryEngine> => {
  const session = await createSession(options);
  session.notifications.onAdd = () => tellIdle(session);
  session.subagents = (starter) => subagentRunner(session, starter);

  async function* submit(request: Request): AsyncGenerator<EngineEvent, RunOutcome | undefined> {
    const channel = createChannel<EngineEvent>();
    const work = guarded(session, request, channel.push).finally(channel.close);
    work.catch(() => undefined); // awaited below; a reader that leaves early must not make it unhandled
    let isRead = false;
    try {
      yield* channel;
      isRead = true;
      return await work;
    } finally {
      if (!isRead && (request.type === "prompt" || request.type === "shell")) session.running?.abort();
    }
  }

  return {
    costs: session.costs,
    addTools: (tools) => addTools(session, tools),
    removeTools: (names) => removeTools(session, names),
    settle: (ms) => settleTasks(session, ms),
    hasTranscript: () => session.transcript !== undefined,
    submit,
    answer: session.questions.answer,
    interrupt: (scope) => {
      session.running?.abort();
      if (scope === "run") return;
      session.isHalted = true;
      session.queue = [];
      queueChanged(session);
      void session.shells.stopAll();
      void session.agents.stopBackground();
    },
    subscribe: (listener) => {
      session.listeners.add(listener);
      return () => session.listeners.delete(listener);
    },
    session: () => sessionInfo(session, commandRows(session)),
    close: (reason) => close(session, reason ?? closeReason(session)),
  };
};
