// The session as a subagent has it: its own conversation, tools, model and record; everything else is the session's, live.
import type { Emit } from "../execution/context.js";
import { agentPlanReminder } from "../prompt/agent.js";
import type { Message } from "../protocol/messages.js";
import type { SystemBlock } from "../providers/provider.js";
import type { TranscriptWriter } from "../sessions/transcript.js";
import { agentMode } from "./agent-thread.js";
import type { AgentThread } from "./agent-types.js";
import { autoCompact, compactNow } from "./auto-compact.js";
import { backgroundReminder } from "./background.js";
import { createContextHolder } from "./context-holder.js";
import { drainCollapses, prepareMessages } from "./context-work.js";
import { batchHooks, stopHooks } from "./hook-events.js";
import type { HookState } from "./hook-state.js";
import type { LoopOptions } from "./loop-options.js";
import { createRecordIndex } from "./record-index.js";
import { createModeReminders } from "./reminders.js";
import type { Session } from "./session.js";
import { sessionRecorder } from "./session-record.js";

export interface AgentConversation {
  system: SystemBlock[];
  transcript: TranscriptWriter | undefined;
  /** Its task: kept word for word through compactions. */
  prompt: string;
}

/**
 * The session for the context pipeline of one agent. What is a thread's own is its own here; the rest (settings, costs, hooks) is read
 * from the session when it is asked for. Only the pipeline and the compaction may write to it.
 */
export const agentSession = (
  session: Session,
  thread: AgentThread,
  { system, transcript, prompt }: AgentConversation,
): Session => {
  const own: Partial<Session> = {
    messages: [],
    context: createContextHolder("agent"),
    records: createRecordIndex(),
    reminders: createModeReminders(),
    transcript,
    system,
    tools: thread.tools,
    shelf: thread.shelf,
    model: thread.model,
    provider: thread.provider,
    fileState: thread.fileState,
    cwd: thread.cwd,
    contextTokens: 0,
    compactedUntil: 0,
    notes: undefined,
    lastRequest: prompt,
    hasBackground: true,
    thread,
    hooks: Object.assign(Object.create(session.hooks) as HookState, { contexts: [] }),
    agents: {
      ...session.agents,
      list: () => session.agents.list().filter(({ parentId }) => parentId === thread.id),
    },
    background: async () => (thread.definition.isLean ? undefined : backgroundReminder(session, thread.tools, thread)),
  };
  return Object.create(session, Object.getOwnPropertyDescriptors(own)) as Session;
};

/** Plan mode, told once until a compaction or a change of the mode makes it news again. */
const planReminders = (session: Session, thread: AgentThread): (() => string[]) => {
  let told = { isPlan: agentMode(session, thread) === "plan", compactedUntil: session.compactedUntil };
  return () => {
    const now = { isPlan: agentMode(session, thread) === "plan", compactedUntil: session.compactedUntil };
    const isNews = now.isPlan && (!told.isPlan || now.compactedUntil !== told.compactedUntil);
    told = now;
    return isNews ? [agentPlanReminder()] : [];
  };
};

export interface AgentPlace {
  /** The session that it belongs to. */
  session: Session;
  emit: Emit;
  /** Where its compactions are told. */
  compactEmit: Emit;
  signal: AbortSignal;
  /** Options of its loop. */
  parent(): LoopOptions;
}

/** What an agent's loop shares with that of the main thread: the context pipeline, compaction, its record. */
export const agentContext = (
  agent: Session & { messages: Message[] },
  thread: AgentThread,
  { session, emit, compactEmit, signal, parent }: AgentPlace,
): Partial<LoopOptions> => {
  const plan = planReminders(agent, thread);
  return {
    recorder: sessionRecorder(agent),
    prepareMessages: (messages) => prepareMessages(agent, messages),
    drainCollapses: () => drainCollapses(agent),
    beforeTurn: () => autoCompact(agent, compactEmit, signal),
    compactNow: () => compactNow(agent, compactEmit, signal),
    takeReminders: () => [...plan(), ...agent.hooks.contexts.splice(0), ...thread.notifications.take()],
    stopHooks: (lastText, isActive) => stopHooks(session, { lastText, isActive, emit, options: parent(), thread }),
    afterBatch: (finished) => batchHooks(session, finished, { emit, options: parent(), thread }),
  };
};
