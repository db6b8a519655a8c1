// One prompt from the person to the run's end: background, recording, the loop, and what its outcome means.
import { stat } from "node:fs/promises";
import type { Emit } from "../execution/context.js";
import { readLoginEnv } from "../platform/login-env.js";
import type { EngineEvent, RunOutcome } from "../protocol/events.js";
import { newId } from "../protocol/ids.js";
import { type ContentBlock, textOf } from "../protocol/messages.js";
import { readAgentTypes } from "./agent-thread.js";
import { backgroundReminder } from "./background.js";
import { forgetShrinks } from "./context-holder.js";
import { awaitStartHooks, promptHooks, refusedPrompt, stopFailureHooks } from "./hook-events.js";
import { settleTools } from "./later-tools.js";
import type { LoopOptions, LoopOutcome } from "./loop-options.js";
import { mainOptions } from "./main-options.js";
import { readyServers } from "./mcp.js";
import { nameSoon } from "./name-session.js";
import { settleStyle } from "./output-style.js";
import { queryLoop } from "./query-loop.js";
import type { Session } from "./session.js";
import { openRecord, sessionRecorder, tellRecordWarnings } from "./session-record.js";
import { addUserMessage } from "./turn.js";

export interface PromptInput {
  content: string | ContentBlock[];
  shown: string;
  uuid?: string;
  /** What was typed, word for word: for hooks; absent: what is shown. */
  typed?: string;
  /** Nobody typed it: notices of background work. */
  isMeta?: boolean;
  /** Shown behind it: what was attached. */
  notes?: { level: "info" | "warning"; text: string }[];
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Instructions, date and git come before the first prompt, as a hidden message of their own. */
const ensureBackground = async (session: Session, options: LoopOptions, emit: Emit): Promise<void> => {
  if (session.hasBackground) return;
  session.hasBackground = true;
  await addUserMessage({ options, emit }, await backgroundReminder(session), { isMeta: true });
};

const withoutCredentials = (text: string): LoopOutcome => ({
  cause: "api_error",
  text,
  turns: 0,
  toolResults: 0,
  apiMs: 0,
  usage: { input_tokens: 0, output_tokens: 0 },
  stopReason: null,
  apiErrorStatus: null,
  errorKind: "authentication_failed",
  errors: [text],
});

const errorKind = (outcome: LoopOutcome): string =>
  outcome.cause === "prompt_too_long" ? "invalid_request" : (outcome.errorKind ?? "unknown");

/** What to do about a key that was refused: it depends on where the key came from. */
const keyAdvice = ({ apiKeySource, options }: Session): string => {
  if (apiKeySource === "none") return "";
  if (apiKeySource !== "/login managed key") return `\nIt came from ${apiKeySource}: mend it there.`;
  return options.isInteractive ? "\n/login replaces it." : "\nIt is the stored one: start claude and use /login.";
};

/** An error that ended the run stands in the conversation as a synthetic answer that the model never sees. */
const showFailure = async (session: Session, outcome: LoopOutcome, emit: Emit): Promise<string> => {
  const isFromApi = outcome.turns > 0 && (outcome.cause === "api_error" || outcome.cause === "prompt_too_long");
  const advice = outcome.errorKind === "authentication_failed" ? keyAdvice(session) : "";
  const text = isFromApi ? `API Error: ${outcome.text}${advice}` : outcome.text;
  const message = {
    id: newId(),
    type: "message" as const,
    role: "assistant" as const,
    model: "<synthetic>",
    content: [{ type: "text" as const, text }],
    stop_reason: "stop_sequence" as const,
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0 },
  };
  const uuid = newId();
  sessionRecorder(session).assistant(message, { uuid, index: 0, error: errorKind(outcome) });
  await emit({
    type: "assistant_message",
    uuid,
    message,
    index: 0,
    error: errorKind(outcome),
    timestamp: new Date(session.options.clock.now()).toISOString(),
  });
  return text;
};

const showsAnswer = (cause: LoopOutcome["cause"]): boolean =>
  cause === "completed" || cause === "hook_stopped" || cause === "interrupted" || cause === "declined";

const toRunOutcome = (
  session: Session,
  outcome: LoopOutcome,
  { text, startedAt, isLocal }: { text: string; startedAt: number; isLocal: boolean },
): RunOutcome => ({
  cause: outcome.cause,
  isError: !["completed", "refusal", "hook_stopped"].includes(outcome.cause),
  text,
  turns: outcome.turns,
  durationMs: session.options.clock.now() - startedAt,
  apiDurationMs: outcome.apiMs,
  usage: outcome.usage,
  costUsd: session.costs.totalUsd(),
  stopReason: outcome.stopReason,
  apiErrorStatus: outcome.apiErrorStatus,
  permissionDenials: session.denied.map(({ tool, toolUseId, input }) => ({
    tool_name: tool,
    tool_use_id: toolUseId,
    tool_input: input,
  })),
  errors: outcome.errors,
  isLocal,
  budget: outcome.budget,
});

/** What the session remembers of an event: context size, lines changed. The first answer is the moment for a title. */
const note = (session: Session, event: EngineEvent): void => {
  if (event.type === "assistant_message" && event.error === undefined && !event.parentToolUseId) nameSoon(session);
  if (event.type === "usage") session.contextTokens = event.contextTokens;
  if (event.type === "usage" && !event.parentToolUseId) session.lastUsage = event.usage;
  if (event.type === "tool_result" && !event.isError && event.display?.kind === "diff") {
    session.linesAdded += event.display.added;
    session.linesRemoved += event.display.removed;
  }
};

/** Runs the loop; a plan approved with a cleared context starts it over with the plan as the first prompt. */
const runLoop = async (session: Session, options: LoopOptions, emit: Emit): Promise<LoopOutcome> => {
  const events = queryLoop(options);
  for (;;) {
    const { done, value } = await events.next();
    if (!done) {
      note(session, value);
      await emit(value);
      continue;
    }
    if (value.freshContext === undefined) return value;
    return startFresh(session, value.freshContext, emit, options.signal);
  }
};

const startFresh = async (session: Session, plan: string, emit: Emit, signal: AbortSignal): Promise<LoopOutcome> => {
  const preTokens = session.contextTokens;
  session.transcript?.appendCompactBoundary({ trigger: "manual", preTokens, postTokens: 0, durationMs: 0 });
  await emit({ type: "compact_boundary", trigger: "manual", preTokens, postTokens: 0, durationMs: 0, summary: "" });
  session.messages = [];
  session.hasBackground = false;
  session.contextTokens = 0;
  session.compactedUntil = 0;
  session.shelf.forget(session.shelf.hasRefusedReferences);
  forgetShrinks(session.context, "the plan was started in a fresh context");
  session.reminders.reset();
  const options = mainOptions(session, emit, signal);
  await ensureBackground(session, options, emit);
  await addUserMessage({ options, emit }, plan, { isMeta: false, shown: plan });
  return runLoop(session, options, emit);
};

const loginDelayMs = 100; // after the request is on its way; long before a model's first command

/** Reads what the login shell adds, once, beside the first request. */
const readLoginEnvSoon = (session: Session): void => {
  if (session.loginEnvRead) return;
  setTimeout(() => {
    const { options, closing } = session;
    if (closing.signal.aborted) return;
    session.loginEnvRead ??= readLoginEnv(options.env, options.cwd, closing.signal).then((added) => {
      session.loginEnv = added;
    });
  }, loginDelayMs).unref();
};

/** Why nothing is sent to the model: a hook refused the prompt, or stopped everything. */
export interface Unsent {
  cause: "completed" | "hook_stopped";
  text: string;
}

/** A run that needed no model. */
const withoutModel = (signal: AbortSignal, unsent: Unsent = { cause: "completed", text: "" }): LoopOutcome => ({
  cause: signal.aborted ? "interrupted" : unsent.cause,
  text: unsent.text,
  turns: 0,
  toolResults: 0,
  apiMs: 0,
  usage: { input_tokens: 0, output_tokens: 0 },
  stopReason: null,
  apiErrorStatus: null,
  errors: [],
});

/** What SessionStart hooks said stands before the prompt. */
const tellContexts = async (session: Session, options: LoopOptions, emit: Emit): Promise<void> => {
  for (const text of session.hooks.contexts.splice(0)) await addUserMessage({ options, emit }, text, { isMeta: true });
};

/** Ends that StopFailure hooks are told of. */
const failures: ReadonlySet<LoopOutcome["cause"]> = new Set(["api_error", "prompt_too_long", "max_output_tokens"]);

/**
 * One run from `run_start` to `run_end`. `prepare` adds to the conversation what the model is to answer; when it
 * gives anything but true there is nothing to answer. Throws only for bugs.
 */
export const performRun = async (
  session: Session,
  emit: Emit,
  prepare: (options: LoopOptions) => Promise<boolean | Unsent>,
): Promise<RunOutcome> => {
  const startedAt = session.options.clock.now();
  const controller = new AbortController();
  session.running = controller;
  session.spentBefore = { usd: session.costs.totalUsd() ?? 0, tokens: session.costs.tokens() };
  void readAgentTypes(session);
  const signal = AbortSignal.any([controller.signal, session.closing.signal]);
  try {
    if (!session.options.isInteractive) await readyServers(session, emit, signal); // the init line names them
    await emit({ type: "run_start", runId: newId() });
    openRecord(session);
    await tellRecordWarnings(session, emit);
    readLoginEnvSoon(session);
    await readyServers(session, emit, signal);
    settleTools(session);
    await settleStyle(session, emit);
    const options = mainOptions(session, emit, signal);
    session.planExists = await exists(session.planPath);
    session.reminders.newPrompt();
    await awaitStartHooks(session, signal);
    await ensureBackground(session, options, emit);
    await tellContexts(session, options, emit);
    const ready = await prepare(options);
    const isLocal = ready !== true;
    const outcome = isLocal
      ? withoutModel(signal, ready || undefined)
      : session.credentialProblem
        ? withoutCredentials(session.credentialProblem)
        : await runLoop(session, options, emit);
    const text = showsAnswer(outcome.cause) ? outcome.text : await showFailure(session, outcome, emit);
    if (failures.has(outcome.cause))
      await stopFailureHooks(session, { error: errorKind(outcome), details: outcome.text, lastText: "" }, emit);
    session.transcript?.sync();
    await tellRecordWarnings(session, emit);
    const result = toRunOutcome(session, outcome, { text, startedAt, isLocal });
    await emit({ type: "run_end", outcome: result });
    return result;
  } finally {
    void session.toolUses.flush();
    session.running = undefined;
  }
};

/** Headless: what a SessionStart hook wants in front of the first prompt. */
const withFirst = (session: Session, content: string | ContentBlock[]): string | ContentBlock[] => {
  const first = session.hooks.initialUserMessage;
  session.hooks.initialUserMessage = undefined;
  if (!first) return content;
  return typeof content === "string" ? `${first}\n\n${content}` : [{ type: "text", text: first }, ...content];
};

/** Runs one prompt. Emits everything from `run_start` to `run_end`; throws only for bugs. */
export const runPrompt = (session: Session, input: PromptInput, emit: Emit): Promise<RunOutcome> => {
  if (!input.isMeta) session.denied = [];
  return performRun(session, emit, async (options) => {
    const { uuid, shown, isMeta = false } = input;
    const said = isMeta ? undefined : await promptHooks(session, input.typed ?? shown, emit, options);
    const refused = said?.block ?? said?.stop;
    if (refused !== undefined) {
      await emit({ type: "notice", level: "warning", text: refusedPrompt(refused) });
      if (said?.mayReturn && session.options.isInteractive) await emit({ type: "restore_prompt", text: shown });
      return { cause: said?.stop === undefined ? "completed" : "hook_stopped", text: refused };
    }
    const content = isMeta ? input.content : withFirst(session, input.content);
    await addUserMessage({ options, emit }, content, { uuid, isMeta, shown });
    for (const note of input.notes ?? []) await emit({ type: "notice", ...note });
    if (!isMeta) {
      session.transcript?.appendLastPrompt(shown);
      session.lastRequest = textOf(content) || shown;
    }
    for (const text of said?.reminders ?? []) await addUserMessage({ options, emit }, text, { isMeta: true });
    return true;
  });
};
