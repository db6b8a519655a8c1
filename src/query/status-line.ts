// The status line: a command of the person's is told about the session and prints what the screen shows below the prompt.
import type { Emit } from "../execution/context.js";
import { runHelper } from "../platform/helper-command.js";
import type { RequestOf } from "../protocol/requests.js";
import { childEnv, type Session, sessionInfo, transcriptFile, workingDirs } from "./session.js";

const timeoutMs = 10_000; // a line that takes longer is not worth waiting for
const maxLines = 10; // the screen shows fewer
const maxLineChars = 2_000;

const running = new WeakMap<Session, AbortController>();

/** The command in force: none before the folder is trusted; only a managed one where hooks are off. */
export const statusCommand = ({ settings, options, trusted }: Session): string | undefined => {
  if (options.isInteractive && !trusted) return undefined;
  const managed = settings.layers.find(({ source }) => source === "managed")?.settings;
  if (managed?.disableAllHooks) return undefined;
  if (settings.get("disableAllHooks")) return managed?.statusLine?.command;
  return settings.get("statusLine")?.command;
};

const contextFacts = ({ costs, contextTokens, model, lastUsage }: Session) => {
  const rows = costs.rows();
  const used = Math.min(100, Math.round((contextTokens / Math.max(1, model.contextWindow)) * 100));
  return {
    total_input_tokens: rows.reduce(
      (sum, row) => sum + row.inputTokens + row.cacheReadTokens + row.cacheWriteTokens,
      0,
    ),
    total_output_tokens: rows.reduce((sum, row) => sum + row.outputTokens, 0),
    context_window_size: model.contextWindow,
    used_percentage: used,
    remaining_percentage: 100 - used,
    current_usage: lastUsage
      ? {
          input_tokens: lastUsage.input_tokens,
          output_tokens: lastUsage.output_tokens,
          cache_creation_input_tokens: lastUsage.cache_creation_input_tokens ?? 0,
          cache_read_input_tokens: lastUsage.cache_read_input_tokens ?? 0,
        }
      : null,
  };
};

/** What the command reads. Keys that do not apply are absent. */
export const statusFacts = (session: Session, vim: string | undefined): Record<string, unknown> => {
  const { options, model, costs, worktree, settings } = session;
  const { effort } = sessionInfo(session, []);
  return {
    session_id: session.id,
    ...(session.title === undefined ? {} : { session_name: session.title }),
    ...(session.hooks.promptId === undefined ? {} : { prompt_id: session.hooks.promptId }),
    transcript_path: transcriptFile(session),
    cwd: session.cwd,
    version: options.version,
    model: { id: model.id, display_name: model.label },
    workspace: {
      current_dir: session.cwd,
      project_dir: options.cwd,
      added_dirs: workingDirs(session).slice(1),
      ...(worktree ? { git_worktree: worktree.name } : {}),
    },
    output_style: { name: session.style?.name ?? settings.get("outputStyle") ?? "default" },
    cost: {
      total_cost_usd: costs.totalUsd() ?? 0,
      total_duration_ms: options.clock.now() - session.startedAt,
      total_api_duration_ms: costs.apiMs(),
      total_lines_added: session.linesAdded,
      total_lines_removed: session.linesRemoved,
    },
    context_window: contextFacts(session),
    exceeds_200k_tokens: session.contextTokens > 200_000,
    fast_mode: false,
    ...(effort === undefined ? {} : { effort: { level: effort } }),
    thinking: { enabled: settings.get("alwaysThinkingEnabled") !== false },
    ...(vim === undefined ? {} : { vim: { mode: vim } }),
  };
};

/** Runs the command anew; a run that is still going on is given up. An answer comes as a `status_line` event. */
export const showStatusLine = async (
  session: Session,
  { columns, rows, vim }: RequestOf<"status_line">,
  emit: Emit,
): Promise<void> => {
  running.get(session)?.abort();
  const command = statusCommand(session);
  if (command === undefined) {
    await emit({ type: "status_line", lines: [] });
    return;
  }
  const own = new AbortController();
  running.set(session, own);
  const signal = AbortSignal.any([own.signal, session.closing.signal]);
  const env = { ...childEnv(session), COLUMNS: String(columns), LINES: String(rows) };
  const stdin = JSON.stringify(statusFacts(session, vim));
  try {
    const output = await runHelper({ command, cwd: session.cwd, env, timeoutMs, signal, stdin });
    const lines = output.trimEnd().split(/\r?\n/).slice(0, maxLines);
    if (!signal.aborted) await emit({ type: "status_line", lines: lines.map((line) => line.slice(0, maxLineChars)) });
  } catch (error) {
    if (signal.aborted) return; // a newer run tells, or nobody needs it any more
    const why = error instanceof Error ? error.message : String(error);
    await emit({ type: "status_line", lines: [], problem: `The status line's command failed: ${why}` });
  }
};
