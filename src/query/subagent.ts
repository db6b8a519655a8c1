// Subagents: started in the foreground or the background, told to the screen, and what their end means for the model.

import { isUsable, reportText } from "../agents/report.js";
import type { RunSubagent, SubagentReport, SubagentRequest } from "../agents/run.js";
import type { Emit } from "../execution/context.js";
import { loadShellAnalyser } from "../permissions/bash/index.js";
import type { EventOf } from "../protocol/events.js";
import { openAgentLog } from "./agent-log.js";
import { type AgentWork, runThread } from "./agent-run.js";
import { createThread } from "./agent-thread.js";
import type { AgentThread, Starter } from "./agent-types.js";
import { publishTasks } from "./background-tasks.js";
import { notifyHooks } from "./hook-notices.js";
import { loopOptions } from "./loop-setup.js";
import { publish, type Session, tmpDirOf } from "./session.js";
import { settleWorktree } from "./worktrees.js";

const statusOf = (report: SubagentReport): EventOf<"agent_end">["status"] => {
  const { cause } = report;
  if (isUsable(report)) return "completed";
  return cause === "interrupted" || cause === "stopped" ? "stopped" : "failed";
};

const firstLine = (text: string): string => text.trim().split("\n", 1)[0]?.slice(0, 200) ?? "";

interface Started {
  startedAt: number;
  outputFile?: string;
  emit: Emit;
  parentToolUseId?: string;
  parentId?: string;
}

const begin = async (
  session: Session,
  thread: AgentThread,
  request: SubagentRequest,
  started: Started,
  stop: () => void,
) => {
  const { id, toolUseId, definition, name, color, isBackground } = thread;
  const { description, prompt } = request;
  session.agents.add(
    {
      ...{ id, toolUseId, agentType: definition.name, name, color, description, isBackground },
      status: "running",
      startedAt: started.startedAt,
      toolUses: 0,
      tokens: 0,
      parentId: started.parentId,
      outputFile: started.outputFile,
    },
    stop,
  );
  if (isBackground) publishTasks(session);
  await started.emit({
    type: "agent_start",
    agentId: id,
    ...{ toolUseId, agentType: definition.name, name, color, description, prompt, isBackground },
    worktree: thread.worktree?.name,
    at: started.startedAt,
    parentToolUseId: started.parentToolUseId,
  });
};

const finish = async (
  session: Session,
  thread: AgentThread,
  report: SubagentReport,
  started: Started,
): Promise<void> => {
  const at = session.options.clock.now();
  const status = statusOf(report);
  const summary = firstLine((isUsable(report) ? report.text : report.problem) || reportText(report));
  await started.emit({
    type: "agent_end",
    agentId: thread.id,
    toolUseId: thread.toolUseId,
    status,
    isBackground: thread.isBackground,
    summary,
    outputFile: started.outputFile,
    toolUses: report.toolUses,
    tokens: report.tokens,
    durationMs: report.durationMs,
    at,
    parentToolUseId: started.parentToolUseId,
  });
};

const end = (session: Session, thread: AgentThread, report: SubagentReport): void => {
  session.agents.end(thread.id, statusOf(report), reportText(report), session.options.clock.now());
  if (thread.isBackground) publishTasks(session);
};

/** A run that broke (a bug, a full disk): its agent still ends, with the reason as its report. */
const broken = (session: Session, thread: AgentThread, started: Started, error: unknown): SubagentReport => ({
  agentId: thread.id,
  agentType: thread.definition.name,
  model: thread.model.id,
  text: "",
  problem: error instanceof Error ? error.message : String(error),
  cause: "internal_error",
  toolUses: 0,
  tokens: 0,
  durationMs: session.options.clock.now() - started.startedAt,
  usage: { input_tokens: 0, output_tokens: 0 },
});

const runToReport = async (
  session: Session,
  thread: AgentThread,
  work: AgentWork & { stopped: AbortSignal },
  started: Started,
): Promise<SubagentReport> => {
  const report = await runThread(session, thread, work).catch((error: unknown) =>
    broken(session, thread, started, error),
  );
  // Stopped by itself, not by an interrupt of everything.
  if (report.cause === "interrupted" && work.stopped.aborted) report.cause = "stopped";
  await session.shells.stopAll(thread.id); // what it left running has no owner any more
  if (thread.worktree && (thread.ownsWorktree || thread.enteredWorktree))
    report.worktree = await settleWorktree(session, thread.worktree);
  await finish(session, thread, report, started);
  return report;
};

const endings = { completed: "is done", failed: "could not finish", stopped: "was stopped" };

/** Puts in line, for the model, what became of an agent in the background. */
const tellModel = (
  session: Session,
  thread: AgentThread,
  description: string,
  report: SubagentReport,
  file: string,
): void => {
  const status = statusOf(report);
  // Headless by a signal or by the model itself: nothing follows.
  if (status === "stopped" && !session.options.isInteractive) return;
  notifyHooks(session, "agent_completed", `Agent "${description}" ${endings[status]}`);
  session.notifications.add({
    taskId: thread.id,
    toolUseId: thread.toolUseId,
    outputFile: file,
    status: status === "stopped" ? "killed" : status,
    summary: `Agent "${description}" ${endings[status]} (${report.toolUses} calls, ${report.tokens} tokens)`,
    result: reportText(report),
  });
};

/** Events of an agent in the background outlive the run that started it: on a screen they go to the subscribers. */
const lastingEmit = (session: Session, emit: Emit): Emit =>
  session.options.isInteractive ? async (event) => publish(session, event) : emit;

const launch = async (session: Session, thread: AgentThread, request: SubagentRequest, starter: Starter) => {
  const emit = lastingEmit(session, starter.emit);
  const outputFile = `${tmpDirOf(session)}/tasks/${thread.id}.output`;
  const started = {
    startedAt: session.options.clock.now(),
    outputFile,
    emit,
    parentToolUseId: starter.parent?.toolUseId,
    parentId: starter.parent?.id,
  };
  const stop = new AbortController();
  const signal = AbortSignal.any([session.closing.signal, stop.signal]);
  const log = await openAgentLog(outputFile);
  const sessionId = session.id;
  await begin(session, thread, request, started, () => stop.abort());
  const run = async (): Promise<void> => {
    const report = await runToReport(session, thread, { request, emit, signal, log, stopped: stop.signal }, started);
    await log.end(reportText(report));
    // After /clear or /resume the conversation that started it is gone.
    if (session.id === sessionId && !session.closing.signal.aborted)
      tellModel(session, thread, request.description, report, outputFile);
    end(session, thread, report); // last: whoever waits for it finds its notice
  };
  void run();
  return {
    status: "async_launched" as const,
    agentId: thread.id,
    agentType: thread.definition.name,
    model: thread.model.id,
    outputFile,
  };
};

const longestWaitMs = 600_000; // spec/cli.md: 10 minutes
const forever = 2 ** 31 - 1; // the longest a timer can be

/** Headless: waits for an agent in the background to end, or for news of a command that is watched. True: something waits to be told. */
export const agentsToTell = async (session: Session): Promise<boolean> => {
  const { options, agents, shells, closing, notifications } = session;
  const isWaiting = () => notifications.ids().some((id) => agents.get(id) !== undefined || shells.get(id)?.monitor);
  const open = agents.running().filter(({ isBackground }) => isBackground);
  const ceiling = Number(options.env.CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS ?? longestWaitMs) || forever;
  // One without a time limit would keep the program for ever.
  const watched = shells.list().filter((one) => one.status === "running" && one.monitor?.isPersistent === false);
  if (!isWaiting() && open.length + watched.length > 0)
    await Promise.race([
      ...open.map(({ id }) => agents.wait(id, ceiling, closing.signal)),
      ...watched.flatMap(({ id }) => [shells.wait(id, ceiling, closing.signal), notifications.next()]),
    ]);
  return isWaiting() && !closing.signal.aborted;
};

/** The function behind the Agent tool, for one call. */
export const subagentRunner =
  (session: Session, starter: Starter): RunSubagent =>
  async (request) => {
    const { emit, signal, parent, toolUseId } = starter;
    const spent = loopOptions(session, emit, signal).checkLimits(0);
    if (spent) return { status: "refused", text: `No agent was started: ${spent.text}.` };
    const thread = await createThread(session, request, { toolUseId, parent });
    if (typeof thread === "string") return { status: "refused", text: thread };
    if (thread.definition.isReadOnly) await loadShellAnalyser(); // knows which commands only read
    if (thread.isBackground) return launch(session, thread, request, starter);
    const stop = new AbortController();
    const startedAt = session.options.clock.now();
    const started = { startedAt, emit, parentToolUseId: parent?.toolUseId, parentId: parent?.id };
    await begin(session, thread, request, started, () => stop.abort());
    const report = await runToReport(
      session,
      thread,
      { request, emit, signal: AbortSignal.any([signal, stop.signal]), stopped: stop.signal },
      started,
    );
    end(session, thread, report);
    return { status: "completed", ...report };
  };
