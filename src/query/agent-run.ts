// The run of one subagent, start to report: what it is told, its loop, its record and its figures.
import { release, type } from "node:os";
import type { SubagentReport, SubagentRequest } from "../agents/run.js";
import type { Emit } from "../execution/context.js";
import { agentPlanReminder, agentSystemPrompt } from "../prompt/agent.js";
import type { EngineEvent, EventOf } from "../protocol/events.js";
import type { AgentLog } from "./agent-log.js";
import { agentContext, agentSession } from "./agent-session.js";
import { keepSummary } from "./agent-summary.js";
import { agentMode } from "./agent-thread.js";
import type { AgentThread } from "./agent-types.js";
import { backgroundReminder } from "./background.js";
import { callTokens } from "./cost-tracker.js";
import { executionContext } from "./execution-context.js";
import { agentStartHooks } from "./hook-events.js";
import type { LoopOptions, LoopOutcome } from "./loop-options.js";
import { loopOptions, modelOptions } from "./loop-setup.js";
import { runAgent } from "./run-agent.js";
import { type Session, workingDirs } from "./session.js";
import { openAgentRecord } from "./session-record.js";

const defaultMaxTurns = 50; // design.md section 3

const systemOf = (session: Session, thread: AgentThread) =>
  agentSystemPrompt(
    thread.definition.prompt,
    {
      cwd: thread.cwd,
      extraDirs: workingDirs(session).slice(1),
      isGitRepo: session.gitBranch !== undefined,
      platform: process.platform,
      osVersion: `${type()} ${release()}`,
      shell: "bash",
      model: { id: thread.model.id, label: thread.model.label },
      tools: thread.tools.map(({ name }) => name),
      isHeadless: !session.options.isInteractive,
      language: session.settings.get("language"),
    },
    thread.worktree,
  );

const wordsOf = ({ message }: EventOf<"assistant_message">): string =>
  message.content
    .map((block) => (block.type === "text" ? String(block.text) : ""))
    .join("")
    .trim();

/** Passes on what an agent does and keeps its figures. */
const watch = (session: Session, thread: AgentThread, task: { description: string; startedAt: number; emit: Emit }) => {
  const figures = { toolUses: 0, tokens: 0 };
  const said = { last: "" }; // a compaction may have taken it from the messages
  let lastTool: string | undefined;
  const progress = (summary?: string): EngineEvent => ({
    type: "agent_progress",
    agentId: thread.id,
    toolUseId: thread.toolUseId,
    description: task.description,
    ...figures,
    durationMs: session.options.clock.now() - task.startedAt,
    lastTool,
    summary,
  });
  const onEvent = async (event: EngineEvent): Promise<void> => {
    await task.emit(event);
    if (event.type === "tool_call") {
      figures.toolUses++;
      lastTool = event.name;
      session.agents.count(thread.id, { toolUses: 1 });
    }
    if (event.type === "usage") {
      const tokens = callTokens(event.usage);
      figures.tokens += tokens;
      session.agents.count(thread.id, { tokens });
      await task.emit(progress());
    }
    if (event.type === "assistant_message" && event.error === undefined) said.last = wordsOf(event) || said.last;
    if (event.type === "tool_result" && !event.isError && event.display?.kind === "diff") {
      session.linesAdded += event.display.added;
      session.linesRemoved += event.display.removed;
    }
  };
  return { figures, said, onEvent, progress };
};

export interface AgentWork {
  request: SubagentRequest;
  emit: Emit;
  signal: AbortSignal;
  log?: AgentLog;
}

/** A compaction of an agent is its own matter: its log says so, the screen and hosts are not told. */
const compactionEmit =
  (log: AgentLog | undefined): Emit =>
  async (event) =>
    log?.add(event);

/** Runs an agent to its report. Throws only for bugs and what its definition's files bring. */
export const runThread = async (session: Session, thread: AgentThread, work: AgentWork): Promise<SubagentReport> => {
  const { request, emit, signal, log } = work;
  const { clock } = session.options;
  const startedAt = clock.now();
  const transcript = openAgentRecord(session, thread.id, thread.cwd);
  const agent = agentSession(session, thread, {
    system: systemOf(session, thread),
    transcript,
    prompt: request.prompt,
  });
  const parent: LoopOptions = {
    ...loopOptions(agent, emit, signal),
    effort: modelOptions(session, thread.model, thread.provider, thread.definition.effort).effort,
  };
  const compactEmit = compactionEmit(log);
  const own = agentContext(agent, thread, { session, emit, compactEmit, signal, parent: () => parent });
  const recorder = own.recorder ?? parent.recorder;
  const { figures, said, onEvent, progress } = watch(session, thread, {
    description: request.description,
    startedAt,
    emit,
  });
  const reminders = thread.definition.isLean ? [] : [await backgroundReminder(session, thread.tools, thread)];
  if (agentMode(session, thread) === "plan") reminders.push(agentPlanReminder());
  reminders.push(...(await agentStartHooks(session, thread, emit, signal)));
  const { messages } = agent;
  for (const text of reminders) {
    recorder.user(text, { isMeta: true, shown: "" });
    messages.push({ role: "user", content: text });
  }
  const uuid = recorder.user(request.prompt, { isMeta: false, shown: request.prompt });
  messages.push({ role: "user", content: request.prompt });
  await onEvent({
    type: "user_message",
    uuid,
    content: request.prompt,
    shown: request.prompt,
    isMeta: false,
    timestamp: new Date(startedAt).toISOString(),
    parentToolUseId: thread.toolUseId,
  });
  const endSummary =
    thread.isBackground && session.options.isInteractive
      ? keepSummary(session, thread, { task: request.prompt, messages, loop: parent, emit, progress })
      : undefined;
  const outcome = await runAgent({
    parent,
    messages,
    purpose: "agent",
    maxTurns: thread.definition.maxTurns ?? defaultMaxTurns,
    signal,
    execution: executionContext(session, emit, () => parent, thread),
    own: { ...own, parentToolUseId: thread.toolUseId },
    onEvent: async (event) => {
      log?.add(event);
      if (event.type === "usage") agent.contextTokens = event.contextTokens;
      await onEvent(event);
    },
  }).finally(endSummary);
  await transcript?.close();
  return {
    agentId: thread.id,
    agentType: thread.definition.name,
    model: thread.model.id,
    ...textsOf(outcome, said.last),
    cause: outcome.cause,
    ...figures,
    durationMs: clock.now() - startedAt,
    usage: outcome.usage,
  };
};

const textsOf = (outcome: LoopOutcome, lastWords: string): Pick<SubagentReport, "text" | "problem"> => {
  if (outcome.cause === "completed") return { text: outcome.text.trim() || lastWords };
  // Compacting did not help: what it found so far is its report.
  if (outcome.cause === "prompt_too_long") return { text: lastWords, problem: "its window is full" };
  const [problem] = outcome.errors;
  return { text: lastWords, ...(problem === undefined ? {} : { problem }) };
};
