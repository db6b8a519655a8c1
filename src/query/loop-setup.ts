// Options of the main thread's loop, from the session's state.
import type { CostRow } from "../commands/command.js";
import type { Emit } from "../execution/context.js";
import { costOf } from "../providers/cost.js";
import { effortFor, type ModelInfo, offlineModel, thinkingFor } from "../providers/models.js";
import type { Effort, Provider } from "../providers/provider.js";
import { maxRetries, retryDelay, shouldRetry } from "../providers/retry.js";
import { systemPrompt } from "./background.js";
import { cacheTtl } from "./cache-ttl.js";
import { drainCollapses, prepareMessages, watchedProvider } from "./context-work.js";
import { executionContext } from "./execution-context.js";
import { hookedPrompts } from "./hook-events.js";
import { newsOf } from "./later-tools.js";
import { checkLimits } from "./limits.js";
import type { LoopOptions, ModelChoice } from "./loop-options.js";
import { mcpReminders } from "./mcp.js";
import { resolved } from "./models.js";
import { takeQueuedPrompts } from "./queue.js";
import type { Session } from "./session.js";
import { recordPlanPath, sessionRecorder } from "./session-record.js";
import { referencesOf } from "./tool-shelf.js";

// Output limits: design.md section 3, reason 4.
const firstMaxTokens = 16_384;
const raisedMaxTokens = 65_536;
const defaultConcurrency = 10; // spec/tools.md

const positive = (text: string | undefined): number | undefined => {
  const value = Number.parseInt(text ?? "", 10);
  return Number.isInteger(value) && value > 0 ? value : undefined;
};

/** Most tokens of one answer, and once one was cut. CLAUDE_CODE_MAX_OUTPUT_TOKENS fixes both. */
const outputLimits = ({ env }: Session["options"], model: ModelInfo) => {
  const fixed = positive(env.CLAUDE_CODE_MAX_OUTPUT_TOKENS);
  if (fixed !== undefined) return { maxOutputTokens: fixed };
  return {
    maxOutputTokens: Math.min(firstMaxTokens, model.maxOutput),
    raisedOutputTokens: Math.min(raisedMaxTokens, model.maxOutput),
  };
};

const thinkingOf = (session: Session, model: ModelInfo, maxTokens: number): LoopOptions["thinking"] => {
  const { flags, env } = session.options;
  const fromEnv = env.MAX_THINKING_TOKENS === undefined ? undefined : Number.parseInt(env.MAX_THINKING_TOKENS, 10);
  const isOff = session.settings.get("alwaysThinkingEnabled") === false || Boolean(env.CLAUDE_CODE_DISABLE_THINKING);
  const setting = flags.thinking ?? (isOff ? "disabled" : undefined);
  return thinkingFor(model, setting, flags.maxThinkingTokens ?? fromEnv, maxTokens);
};

/** The first fallback model that has not been tried. One whose price is unknown is none where dollars are limited. */
const nextFallback =
  (session: Session) =>
  (tried: readonly string[]): ModelChoice | undefined => {
    const { flags } = session.options;
    const setting = session.settings.get("fallbackModel") ?? [];
    const names = flags.fallbackModels ?? setting;
    const model = names
      .map((name) => resolved(session, name))
      .find(({ id, prices }) => {
        const isAffordable = flags.maxBudgetUsd === undefined || prices !== null;
        // Another provider would need credentials and a history of its own.
        return !tried.includes(id) && id !== offlineModel && session.provider.id !== offlineModel && isAffordable;
      });
    return model && { ...modelOptions(session, model, session.provider), label: model.label };
  };

/** What the next call costs at least: its context, read from the cache. */
const leastCostOfNextCall = ({ model, contextTokens }: Session): number | undefined =>
  costOf(model, { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: contextTokens }) ?? undefined;

const minus = (total: number | null, before: number): number | null => (total === null ? null : total - before);

const sumTokens = (rows: readonly CostRow[]) => ({
  inputTokens: rows.reduce((sum, row) => sum + row.inputTokens + row.cacheReadTokens + row.cacheWriteTokens, 0),
  outputTokens: rows.reduce((sum, row) => sum + row.outputTokens, 0),
});

/** Reminders of the mode; the plan file's path is recorded with them, so that a resumed session goes on with the same file. */
const modeReminders = (session: Session): string[] => {
  const { planPath, planExists, mode, options, shelf } = session;
  const isDeferred = shelf.unloaded().includes("ExitPlanMode");
  const due = session.reminders.take(mode, { planPath, planExists, canApprove: options.isInteractive, isDeferred });
  if (due.length > 0 && mode === "plan") recordPlanPath(session);
  return due;
};

/** The options that depend on which model answers. */
export const modelOptions = (
  session: Session,
  model: ModelInfo,
  provider: Provider,
  effort?: Effort,
): Pick<LoopOptions, "provider"> & Omit<ModelChoice, "label"> => {
  const limits = outputLimits(session.options, model);
  return {
    provider,
    model: model.id,
    contextWindow: model.contextWindow,
    ...limits,
    thinking: thinkingOf(session, model, limits.maxOutputTokens),
    effort: effortFor(model, effort ?? session.options.flags.effort ?? session.settings.get("effortLevel")),
  };
};

/** What the loop of the main thread is given for one run. */
export const loopOptions = (session: Session, emit: Emit, signal: AbortSignal): LoopOptions => {
  const { options, costs } = session;
  const { env, flags, isInteractive, clock } = options;
  const loop: LoopOptions = {
    ...modelOptions(session, session.model, watchedProvider(session)),
    purpose: "main",
    sessionId: session.id,
    system: systemPrompt(session),
    tools: session.shelf.specs,
    references: referencesOf(session.shelf, session.provider),
    deferredTools: session.shelf.unloaded,
    get messages() {
      return session.messages; // a compaction replaces the list
    },
    execution: executionContext(session, emit, () => loop),
    recorder: sessionRecorder(session),
    clock,
    signal,
    concurrency: positive(env.CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY) ?? defaultConcurrency,
    maxRetries: isInteractive && !env.CLAUDE_CODE_MAX_RETRIES ? null : maxRetries(env),
    retryDelayMs: (error, attempt) =>
      shouldRetry(attempt, error, { env, isInteractive }) ? retryDelay(attempt - 1, error, options.random) : undefined,
    includeStream: options.includeStream,
    cacheTtl: cacheTtl(session),
    checkLimits: (turns) =>
      checkLimits(
        { maxTurns: flags.maxTurns, maxUsd: flags.maxBudgetUsd, maxTokens: flags.taskBudget },
        {
          turns,
          usd: minus(costs.totalUsd(), isInteractive ? 0 : session.spentBefore.usd),
          tokens: costs.tokens() - session.spentBefore.tokens,
          nextCallUsd: leastCostOfNextCall(session),
        },
      ),
    onUsage: (model, usage, apiMs) => {
      costs.add(model, usage, apiMs);
      return { costUsd: costs.totalUsd(), ...sumTokens(costs.rows()) };
    },
    takeReminders: () => [
      ...newsOf(session),
      ...modeReminders(session),
      ...mcpReminders(session),
      ...session.hooks.contexts.splice(0),
      ...session.notifications.take(),
    ],
    takeQueued: async () => {
      const queued = await hookedPrompts(session, await takeQueuedPrompts(session, signal), emit, loop);
      session.lastRequest = queued.at(-1)?.shown ?? session.lastRequest;
      return queued;
    },
    prepareMessages: (messages) => prepareMessages(session, messages),
    drainCollapses: () => drainCollapses(session),
    stopHookBlockCap: positive(env.CLAUDE_CODE_STOP_HOOK_BLOCK_CAP),
    nextFallback: nextFallback(session),
    backOff: session.backOff,
    refusedTools: session.refusedTools,
    explain: session.why.add,
    askGoOn: isInteractive
      ? async (detail) => {
          const answer = await session.questions.ask(
            "go_on",
            { title: "This seems to go round in circles", detail },
            emit,
            signal,
          );
          return answer?.goOn === true;
        }
      : undefined,
  };
  return loop;
};
