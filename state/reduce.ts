// EngineEvent -> AppState, exhaustive: a new event does not compile until it is reduced.
import { unreachable } from "../src/lib/unreachable.js";
import type { EngineEvent, EventOf, StopCause } from "../src/protocol/events.js";
import type { AppState, TranscriptState } from "./app-state.js";
import { childOf, reduceAgent, reduceChild, settleAgents } from "./slices/agents.js";
import { reduceCall } from "./slices/calls.js";
import { reduceHooks } from "./slices/hooks.js";
import { restorePrompt } from "./slices/input.js";
import { pushBoundary, pushCommandOutput, pushNotice, pushStop, pushUser, sessionBanner } from "./slices/notices.js";
import { askQuestion, settleQuestion } from "./slices/questions.js";
import { countDelta, countUsage, endRun, startRun, verbOf, waitForRetry } from "./slices/run.js";
import { changeScreen } from "./slices/screen.js";
import { appendDelta, dropMessage, finishBlock, settleAll } from "./slices/transcript.js";

/** Items looked at when a run ends; more than one run leaves unsettled. */
const settleWindow = 500;

const withTranscript = (state: AppState, transcript: TranscriptState): AppState =>
  transcript === state.transcript ? state : { ...state, transcript };

const withAgents = (state: AppState, agents: AppState["agents"]): AppState =>
  agents === state.agents ? state : { ...state, agents };

/** A subagent's event: its pane changes, the transcript does not; its cost is the session's. */
const reduceOfChild = (state: AppState, event: EngineEvent, parentId: string): AppState => {
  const next = withAgents(state, reduceChild(state.agents, event, parentId));
  return event.type === "usage" ? { ...next, usage: { ...next.usage, costUsd: event.costUsd } } : next;
};

/**
 * The state after an event. Transcript items are changed in place, everything else is replaced.
 * `now`: milliseconds since the epoch, for what is shown as elapsed time. Never throws on events that fit the schema.
 */
export const reduce = (state: AppState, event: EngineEvent, now: number): AppState => {
  const parentId = childOf(event);
  if (parentId !== undefined) return reduceOfChild(state, event, parentId);
  switch (event.type) {
    case "agent_start":
    case "agent_progress":
    case "agent_end":
      return withAgents(state, reduceAgent(state.agents, event));
    case "text":
    case "thinking":
      return {
        ...state,
        transcript: appendDelta(state.transcript, event),
        run: countDelta(state.run, event.delta),
      };
    case "dropped":
      return withTranscript(state, dropMessage(state.transcript, event.messageId));
    case "assistant_message":
      return finishMessage(state, event);
    case "tool_call":
    case "tool_state":
    case "tool_progress":
    case "tool_result":
      return withTranscript(state, reduceCall(state.transcript, event));
    case "question":
      return { ...state, questions: askQuestion(state.questions, event.question) };
    case "question_settled":
      return { ...state, questions: settleQuestion(state.questions, event.id) };
    case "stream":
      return state;
    default:
      return reduceSession(state, event, now);
  }
};

type SessionEvent = Exclude<
  EngineEvent,
  {
    type:
      | "text"
      | "thinking"
      | "dropped"
      | "assistant_message"
      | "tool_call"
      | "tool_state"
      | "tool_progress"
      | "tool_result"
      | "question"
      | "question_settled"
      | "stream"
      | "agent_start"
      | "agent_progress"
      | "agent_end";
  }
>;

const reduceSession = (state: AppState, event: SessionEvent, now: number): AppState => {
  switch (event.type) {
    case "session":
      return openSession(state, event);
    case "run_start":
      return { ...state, run: startRun(state.run, now, state.todos) };
    case "user_message":
      return withTranscript(state, pushUser(state.transcript, event));
    case "turn_start":
      return { ...state, run: { ...state.run, status: null } };
    case "retry":
      return { ...state, run: waitForRetry(state.run, event) };
    case "retry_settled":
      return { ...state, run: { ...state.run, retry: null } };
    case "status":
      return { ...state, run: { ...state.run, status: event.status } };
    case "run_end":
      return endOfRun(state, event, now);
    default:
      return reduceScreen(state, event);
  }
};

type ScreenEvent = Exclude<
  SessionEvent,
  { type: "session" | "run_start" | "user_message" | "turn_start" | "retry" | "retry_settled" | "status" | "run_end" }
>;

const reduceScreen = (state: AppState, event: ScreenEvent): AppState => {
  switch (event.type) {
    case "usage":
      return { ...state, run: countUsage(state.run, event), usage: usageOf(event) };
    case "mode":
      return event.mode === state.mode ? state : { ...state, mode: event.mode };
    case "todos":
      return { ...state, todos: event.todos, run: { ...state.run, verb: verbOf(event.todos) } };
    case "completions": {
      const { id, query, paths, isComplete } = event;
      return { ...state, completions: { id, query, paths, isComplete } };
    }
    case "image":
    case "prompts":
    case "unqueued":
      return state; // for whoever asked
    case "hook":
      return { ...state, run: { ...state.run, hooks: reduceHooks(state.run.hooks, event) } };
    case "background":
      return { ...state, background: event.tasks };
    case "notice":
      return withTranscript(state, pushNotice(state.transcript, event));
    case "command_output":
      return withTranscript(state, pushCommandOutput(state.transcript, event));
    case "compact_boundary":
      return {
        ...state,
        transcript: pushBoundary(state.transcript, event),
        usage: { ...state.usage, contextTokens: event.postTokens },
      };
    case "picker":
      return { ...state, picker: event.picker };
    case "session_rows":
      return { ...state, picker: moreSessions(state.picker, event) };
    case "rewind":
      return showReport(state, event);
    case "setting_rows":
      return settingRows(state, event);
    case "status_line":
      return statusLine(state, event);
    case "screen":
      return { ...state, screen: changeScreen(state.screen, event.change) };
    case "restore_prompt":
      return { ...state, input: restorePrompt(state.input, event) };
    case "history":
      return { ...state, input: { ...state.input, history: event.prompts, pastes: event.pastes ?? {} } };
    case "exit":
      return {
        ...state,
        exit: { code: event.code, ...(event.message === undefined ? {} : { message: event.message }) },
      };
    default:
      return unreachable(event);
  }
};

/** The status line; what is wrong with it is told once, not after each answer. */
const statusLine = (state: AppState, { lines, problem }: EventOf<"status_line">): AppState => {
  const next = { ...state, statusLine: { lines, ...(problem === undefined ? {} : { problem }) } };
  return problem === undefined || problem === state.statusLine?.problem
    ? next
    : withTranscript(next, pushNotice(state.transcript, { level: "warning", text: problem }));
};

/** The settings after a change. What went wrong is told at once; what changed, when the dialog closes. */
const settingRows = (state: AppState, { key, settings, text, isError }: EventOf<"setting_rows">): AppState => {
  const { picker } = state;
  if (picker?.kind === "settings" && !isError)
    return { ...state, picker: { ...picker, settings, changes: { ...picker.changes, [key]: text } } };
  const told = withTranscript(state, pushNotice(state.transcript, { level: isError ? "error" : "info", text }));
  return picker?.kind === "settings" ? { ...told, picker: { ...picker, settings } } : told;
};

/** Rows for the open list; those of another scope than the one it shows came too late. */
const moreSessions = (picker: AppState["picker"], { scope, sessions, isComplete }: EventOf<"session_rows">) =>
  picker?.kind === "sessions" && picker.scope === scope ? { ...picker, sessions, isComplete } : picker;

/** What a rewind would do, in the picker that asked for it; what it did is told in words. */
const showReport = (state: AppState, { report }: EventOf<"rewind">): AppState =>
  report.isDryRun && state.picker?.kind === "rewind" ? { ...state, picker: { ...state.picker, report } } : state;

const usageOf = ({ contextTokens, contextWindow, costUsd }: EventOf<"usage">) => ({
  contextTokens,
  contextWindow,
  costUsd,
});

const openSession = (state: AppState, event: EventOf<"session">): AppState => {
  const isNewList = event.reason === "clear" || event.reason === "resume";
  return {
    ...state,
    session: event.session,
    mode: event.session.permissionMode,
    transcript: sessionBanner(state.transcript, event),
    agents: isNewList ? [] : state.agents,
    run: isNewList ? { ...state.run, ended: undefined } : state.run,
    todos: isNewList ? [] : state.todos,
    usage: {
      ...state.usage,
      contextTokens: isNewList ? 0 : state.usage.contextTokens,
      contextWindow: event.session.contextWindow,
    },
  };
};

/** A finished block; a synthetic error message stands as an error, not as an answer. */
const finishMessage = (state: AppState, event: EventOf<"assistant_message">): AppState => {
  if (event.error === undefined) return withTranscript(state, finishBlock(state.transcript, event));
  const text = event.message.content.map((block) => ("text" in block ? String(block.text) : "")).join("\n");
  return withTranscript(state, pushNotice(state.transcript, { level: "error", text }));
};

/** What the transcript says when the person ended the run. */
const stopTexts: Partial<Record<StopCause, string>> = {
  interrupted: "Interrupted. Say what to do instead.",
  declined: "Stopped because you said no. Say what to do instead.",
};

const endOfRun = (state: AppState, { outcome }: EventOf<"run_end">, now: number): AppState => {
  const since = Math.max(0, state.transcript.items.length - settleWindow);
  const settled = settleAll(state.transcript, since);
  const text = stopTexts[outcome.cause];
  const transcript = text === undefined ? settled : pushStop(settled, text);
  const run = endRun(state.run, now, outcome.cause === "completed");
  return { ...state, run, transcript, agents: settleAgents(state.agents) };
};

/** The state after an engine that threw: the run is over, the error stands in the transcript, the prompt is usable. */
export const endRunWithError = (state: AppState, text: string, now: number): AppState => ({
  ...state,
  run: endRun(state.run, now, false),
  agents: settleAgents(state.agents),
  transcript: pushNotice(settleAll(state.transcript, Math.max(0, state.transcript.items.length - settleWindow)), {
    level: "error",
    text: `Something went wrong inside: ${text}. The session goes on; send the prompt again.`,
  }),
});
