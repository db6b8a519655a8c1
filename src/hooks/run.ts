// Runs the hooks of one event, all at once, and joins what they say.
import { runHookProcess } from "../platform/hook-process.js";
import type { Env } from "../platform/paths.js";
import type { HookEvent, HookHandler } from "../settings/schema/hooks.js";
import { eventTraits, timeoutMs } from "./events.js";
import { type HttpLimits, runHttpHook } from "./http.js";
import { type HookSource, type MatchedHook, matchingHooks } from "./match.js";
import { modelAnswer, questionText } from "./model.js";
import { combine, type HookResult, type HookVerdict, interpret, noVerdict, type RawAnswer } from "./outcome.js";

/** Asks a model for a hook: one question, or an agent that may look around. Throws an Error with the reason. */
export type AskHookModel = (question: {
  kind: "prompt" | "agent";
  text: string;
  model?: string;
  signal: AbortSignal;
}) => Promise<string>;

export interface HookRun {
  event: HookEvent;
  /** What hooks get on stdin. */
  input: Readonly<Record<string, unknown>>;
  sources: readonly HookSource[];
  cwd: string;
  env: Env;
  signal: AbortSignal;
  /** For hooks in the background, which outlive the run. */
  lateSignal: AbortSignal;
  http: HttpLimits;
  now(): number;
  /** Whether a permission rule covers the call (the `if` field). */
  matchesIf?(rule: string): Promise<boolean>;
  askModel?: AskHookModel;
  /** A hook that is waited for begins; gives it an id. */
  onStart?(hook: MatchedHook): string | undefined;
  /** Any hook has ended; the id of one that was shown. */
  onEnd?(id: string | undefined, result: HookResult): void;
  /** A hook in the background has ended. */
  onLate?(result: HookResult): void;
}

const longestEndS = 60; // SessionEnd hooks may ask for no more

const limitOf = ({ event, handler }: MatchedHook): number =>
  Math.min(timeoutMs(event, handler), event === "SessionEnd" ? longestEndS * 1000 : Number.POSITIVE_INFINITY);

const placeholders = ["CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA"];

/** In the shell form the shell itself fills them in; without a shell we do. */
const filled = (text: string, env: Env): string =>
  placeholders.reduce((done, name) => done.replaceAll(`\${${name}}`, () => env[name] ?? ""), text);

const argvOf = ({ command = "", args }: HookHandler, env: Env): string[] =>
  args ? [command, ...args].map((word) => filled(word, env)) : ["/bin/sh", "-c", command];

const byModel = async (hook: MatchedHook, run: HookRun, signal: AbortSignal): Promise<RawAnswer> => {
  const { handler, event } = hook;
  const failure = (stderr: string): RawAnswer => ({ exitCode: 1, stdout: "", stderr });
  if (!eventTraits[event]?.takesModel) return failure(`${handler.type} hooks are not possible on ${event}`);
  if (!run.askModel) return failure("there is no model to ask here");
  const limit = AbortSignal.timeout(limitOf(hook));
  const kind = handler.type === "agent" ? "agent" : "prompt";
  try {
    const text = await run.askModel({
      kind,
      text: questionText(handler.prompt ?? "", JSON.stringify(run.input)),
      model: handler.model,
      signal: AbortSignal.any([signal, limit]),
    });
    return modelAnswer(text, event, handler.continueOnBlock === true || kind === "agent");
  } catch (error) {
    if (signal.aborted) return { ...failure(""), ended: "aborted" };
    return limit.aborted ? { ...failure(""), ended: "timeout" } : failure((error as Error).message);
  }
};

const answerOf = async (hook: MatchedHook, run: HookRun, signal: AbortSignal): Promise<RawAnswer> => {
  const { handler, source } = hook;
  const env = { ...run.env, ...source.env };
  const input = `${JSON.stringify(run.input)}\n`;
  if (handler.type === "command") {
    const argv = argvOf(handler, env);
    const done = await runHookProcess({ argv, cwd: run.cwd, env, input, timeoutMs: limitOf(hook), signal });
    const ended = done.timedOut ? "timeout" : done.aborted ? "aborted" : done.isFlood ? "flood" : undefined;
    const { exitCode, stdout, stderr, isCut } = done;
    return { exitCode, stdout, stderr, isCut, ended };
  }
  if (handler.type === "http")
    return runHttpHook(handler, { body: input, env, timeoutMs: limitOf(hook), signal, limits: run.http });
  if (handler.type === "prompt" || handler.type === "agent") return byModel(hook, run, signal);
  return { exitCode: 1, stdout: "", stderr: `hooks of the type "${handler.type}" are not known here` };
};

/** An answer, or where running it threw (a bug, an odd value in the settings), a failure that blocks nothing by itself. */
const resultOf = async (
  hook: MatchedHook,
  run: HookRun,
  { signal, isShown }: { signal: AbortSignal; isShown: boolean },
): Promise<HookResult> => {
  const startedAt = run.now();
  const id = isShown ? run.onStart?.(hook) : undefined;
  const answer = await answerOf(hook, run, signal).catch(
    (error: Error): RawAnswer => ({ exitCode: 1, stdout: "", stderr: error.message }),
  );
  const result = interpret(hook, answer, run.now() - startedAt);
  run.onEnd?.(id, result);
  return result;
};

const isWanted = async ({ event, handler }: MatchedHook, run: HookRun): Promise<boolean> => {
  if (handler.if === undefined) return true;
  if (!eventTraits[event]?.takesIf || !run.matchesIf) return false;
  return run.matchesIf(handler.if).catch(() => true); // what cannot be told must not slip past a guard
};

const isLate = ({ handler }: MatchedHook): boolean =>
  handler.type === "command" && (handler.async === true || handler.asyncRewake === true);

/** Runs all hooks that match. Never rejects. Those in the background are started and not waited for. */
export const runHooks = async (run: HookRun): Promise<HookVerdict> => {
  const matching = matchingHooks(run.sources, run.event, run.input);
  if (matching.length === 0) return noVerdict;
  const wanted = await Promise.all(matching.map((hook) => isWanted(hook, run)));
  const hooks = matching.filter((_, index) => wanted[index]);
  for (const hook of hooks.filter(isLate))
    void resultOf(hook, run, { signal: run.lateSignal, isShown: false }).then((result) => run.onLate?.(result));
  const results = await Promise.all(
    hooks.filter((hook) => !isLate(hook)).map((hook) => resultOf(hook, run, { signal: run.signal, isShown: true })),
  );
  return combine(results);
};
