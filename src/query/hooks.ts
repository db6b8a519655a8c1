// Calls the hooks of an event: which are in force, what they are told, what of their answers the person and the model hear.

import type { Emit } from "../execution/context.js";
import { sizeResult } from "../execution/result-size.js";
import type { HookSource, MatchedHook } from "../hooks/match.js";
import type { HookResult, HookVerdict } from "../hooks/outcome.js";
import type { AskHookModel } from "../hooks/run.js";
import { newId } from "../protocol/ids.js";
import type { HookEvent, HooksByEvent } from "../settings/schema/hooks.js";
import { agentMode } from "./agent-thread.js";
import type { AgentThread } from "./agent-types.js";
import { envFileFor, readHookEnv } from "./hook-env.js";
import { childEnv, publish, resultsDir, type Session, transcriptFile } from "./session.js";

const maxTextChars = 10_000; // spec/hooks section 8: longer texts are stored

const shownChars = 30_000; // of each output in an event

export interface HookCall {
  event: HookEvent;
  /** The event's own fields. */
  input: Readonly<Record<string, unknown>>;
  emit: Emit;
  signal: AbortSignal;
  /** The subagent it happens in. */
  thread?: AgentThread;
  matchesIf?(rule: string): Promise<boolean>;
  askModel?: AskHookModel;
}

/** Events whose hooks are told how hard the model is made to think. */
const effortEvents: ReadonlySet<HookEvent> = new Set([
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "Stop",
  "SubagentStop",
]);

/** Hooks of one layer that are in force: those that appeared later wait until somebody has confirmed them. */
const inForce = (hooks: HooksByEvent, merged: HooksByEvent): HooksByEvent =>
  Object.fromEntries(
    Object.entries(hooks).map(([event, groups]) => {
      const known = new Set((merged[event] ?? []).map((group) => JSON.stringify(group)));
      return [event, groups.filter((group) => known.has(JSON.stringify(group)))];
    }),
  );

const settingsSources = ({ settings }: Session): HookSource[] => {
  const merged = settings.get("hooks") ?? {};
  return settings.layers.flatMap(({ source, file, settings: own }) =>
    own.hooks ? [{ kind: source, file, hooks: inForce(own.hooks, merged) }] : [],
  );
};

/** All hooks in force: none before the folder is trusted, only managed ones where a switch says so. */
export const hookSources = (session: Session, thread?: AgentThread): HookSource[] => {
  const { settings, options, trusted } = session;
  if (options.isInteractive && !trusted) return [];
  const managed = settings.layers.find(({ source }) => source === "managed")?.settings;
  if (managed?.disableAllHooks) return [];
  const agentHooks = thread?.definition.hooks;
  const all = [
    ...settingsSources(session),
    ...session.hooks.sources,
    ...(agentHooks ? [{ kind: "agent" as const, hooks: agentHooks, file: thread.definition.file }] : []),
  ];
  const isManagedOnly = managed?.allowManagedHooksOnly === true || settings.get("disableAllHooks") === true;
  return isManagedOnly ? all.filter(({ kind }) => kind === "managed") : all;
};

/** Whether the event has any hook at all: nothing is loaded or built where it has none. */
export const hasHook = (session: Session, event: HookEvent, thread?: AgentThread): boolean =>
  hookSources(session, thread).some(({ hooks }) => (hooks[event]?.length ?? 0) > 0);

const effortOf = ({ options, settings, model }: Session) =>
  options.flags.effort ?? settings.get("effortLevel") ?? model.defaultEffort ?? undefined;

const inputOf = (session: Session, { event, input, thread }: HookCall): Record<string, unknown> => {
  const effort = effortOf(session);
  return {
    session_id: session.id,
    transcript_path: transcriptFile(session),
    cwd: thread?.cwd ?? session.cwd,
    ...(session.hooks.promptId ? { prompt_id: session.hooks.promptId } : {}),
    permission_mode: thread ? agentMode(session, thread) : session.mode,
    ...(effort && effortEvents.has(event) ? { effort: { level: effort } } : {}),
    ...(thread ? { agent_id: thread.id, agent_type: thread.definition.name } : {}),
    hook_event_name: event,
    ...input,
  };
};

const envOf = (session: Session, event: HookEvent, envFile: string | undefined) => {
  const effort = effortOf(session);
  return {
    ...childEnv(session),
    CLAUDE_PROJECT_DIR: session.options.cwd,
    CLAUDE_CODE_CHILD_SESSION: "1",
    CLAUDE_PID: String(process.pid),
    ...(effort && effortEvents.has(event) ? { CLAUDE_EFFORT: effort } : {}),
    ...(envFile ? { CLAUDE_ENV_FILE: envFile } : {}),
  };
};

const noVerdict: HookVerdict = { results: [], feedback: [], contexts: [] };

/** A text as the model gets it: one that is too long is stored, with a preview in its place. */
const sized = async (session: Session, text: string): Promise<string> => {
  const kept = { maxChars: maxTextChars, resultsDir: resultsDir(session), toolUseId: `hook-${newId()}` };
  const { content } = await sizeResult(text, kept);
  return typeof content === "string" ? content : text;
};

const withSizes = async (session: Session, verdict: HookVerdict): Promise<HookVerdict> => {
  const { block, permission, contexts, feedback } = verdict;
  return {
    ...verdict,
    ...(block ? { block: { ...block, text: await sized(session, block.text) } } : {}),
    ...(permission ? { permission: { ...permission, reason: await sized(session, permission.reason) } } : {}),
    feedback: await Promise.all(feedback.map((text) => sized(session, text))),
    contexts: await Promise.all(contexts.map(async ({ name, text }) => ({ name, text: await sized(session, text) }))),
  };
};

/** What a hook's context is for the model. */
export const contextReminder = ({ name, text }: { name: string; text: string }): string =>
  `<system-reminder>\n${name} hook additional context: ${text}\n</system-reminder>`;

const outcomes = { success: "fine", blocked: "blocked", failed: "failed", cancelled: "stopped" } as const;

const note = (session: Session, { hook, outcome, answer, durationMs, block }: HookResult, label: string): void => {
  const exit = hook.handler.type === "command" && answer.exitCode !== null ? `exit code ${answer.exitCode}, ` : "";
  session.why.add({
    kind: "hook",
    what: `${hook.name} ${label}: ${outcomes[outcome]}`,
    why: `${exit}${durationMs} ms, from ${hook.source.file ?? hook.source.kind}${block ? `: ${block.slice(0, 300)}` : ""}`,
  });
};

/** Context and messages of a hook that ended in the background: the model gets them with its next turn. */
const hearLate = async (session: Session, result: HookResult): Promise<void> => {
  const { hook, context, notices, answer, outcome, block } = result;
  if (context) session.hooks.contexts.push(contextReminder({ name: hook.name, text: await sized(session, context) }));
  for (const notice of notices) publish(session, { type: "notice", ...notice });
  if (hook.handler.asyncRewake && outcome === "blocked" && answer.exitCode === 2)
    session.notifications.addText(
      `<system-reminder>\n${hook.name} hook, in the background: ${await sized(session, block ?? "")}\n</system-reminder>`,
    );
};

/** Calls the hooks of one event and tells the person what they should know of it. Never rejects. */
export const callHooks = async (session: Session, given: HookCall): Promise<HookVerdict> => {
  const call = { ...given, thread: given.thread ?? session.thread };
  const { event, emit, thread } = call;
  if (!hasHook(session, event, thread)) return noVerdict;
  const [{ runHooks }, { hookLabel }, { eventTraits }] = await Promise.all([
    import("../hooks/run.js"),
    import("../hooks/outcome.js"),
    import("../hooks/events.js"),
  ]);
  const { settings, options, hooks } = session;
  const traits = eventTraits[event];
  const envFile = traits?.hasEnvFile ? await envFileFor(session, event) : undefined;
  await session.loginEnvRead;
  const started = (hook: MatchedHook): string => {
    const id = newId();
    const { statusMessage } = hook.handler;
    void emit({
      type: "hook",
      phase: "start",
      id,
      name: hook.name,
      event,
      status: statusMessage,
      parentToolUseId: thread?.toolUseId,
    });
    return id;
  };
  const ended = (id: string | undefined, result: HookResult): void => {
    const { hook, answer, outcome } = result;
    note(session, result, hookLabel(hook));
    if (id === undefined) return;
    void emit({
      type: "hook",
      phase: "end",
      id,
      name: hook.name,
      event,
      stdout: answer.stdout.slice(0, shownChars),
      stderr: answer.stderr.slice(0, shownChars),
      exitCode: answer.exitCode ?? undefined,
      outcome: outcome === "success" ? "success" : outcome === "cancelled" ? "cancelled" : "error",
      parentToolUseId: thread?.toolUseId,
    });
  };
  const verdict = await runHooks({
    event,
    input: inputOf(session, call),
    sources: hookSources(session, thread),
    cwd: thread?.cwd ?? session.cwd,
    env: envOf(session, event, envFile),
    signal: call.signal,
    lateSignal: session.closing.signal,
    http: { urls: settings.get("allowedHttpHookUrls"), envVars: settings.get("httpHookAllowedEnvVars") },
    now: () => options.clock.now(),
    matchesIf: call.matchesIf,
    askModel: call.askModel,
    onStart: started,
    onEnd: ended,
    onLate: (result) => {
      const heard = hearLate(session, result).finally(() => hooks.late.delete(heard));
      hooks.late.add(heard);
    },
  });
  if (envFile) await readHookEnv(session);
  for (const { notices, block, hook } of verdict.results) {
    for (const notice of notices) await emit({ type: "notice", ...notice });
    if (block !== undefined && traits?.blocking === "tells person")
      await emit({ type: "notice", level: "warning", text: `${hook.name} hook ${hookLabel(hook)}: ${block}` });
  }
  return withSizes(session, verdict);
};
