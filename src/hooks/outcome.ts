// What an event's hooks said, one by one and together. Pure.
import { sanitise } from "../lib/sanitise.js";
import type { PermissionUpdate } from "../protocol/permission.js";
import { eventTraits, timeoutMs } from "./events.js";
import { handlerText, type MatchedHook } from "./match.js";
import { type HookOutput, parseOutput } from "./output.js";

/** What running a handler gave, whatever its type. */
export interface RawAnswer {
  /** As of a process: 0 fine, 2 blocks, anything else failed. Null: a signal ended it. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
  ended?: "timeout" | "aborted" | "flood";
  /** More was printed than was kept. */
  isCut?: boolean;
}

export interface HookResult {
  hook: MatchedHook;
  outcome: "success" | "blocked" | "failed" | "cancelled";
  answer: RawAnswer;
  durationMs: number;
  /** Why it blocks: for the model or the person, by the event. */
  block?: string;
  context?: string;
  /** `continue: false`: why everything stops; empty when it does not say. */
  stop?: string;
  /** For the person. */
  notices: { level: "info" | "warning"; text: string }[];
  output?: HookOutput;
}

const clean = (text: string): string => sanitise(text, { tabSize: 0 }).trim();

const firstLine = (text: string): string => {
  const [line = ""] = clean(text).split("\n", 1);
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
};

/** "[command]" of a hook as messages name it. */
export const hookLabel = ({ handler }: MatchedHook): string => {
  const text = firstLine(handlerText(handler));
  return `[${text.length > 80 ? `${text.slice(0, 79)}…` : text}]`;
};

const failed = (base: Pick<HookResult, "hook" | "answer" | "durationMs">, why: string): HookResult => {
  const { hook } = base;
  const canBlock = eventTraits[hook.event]?.blocking === "stops";
  if (hook.handler.onFailure === "block" && canBlock) {
    const block = `The hook ${hookLabel(hook)} failed (${why}), and its onFailure says that this blocks.`;
    return { ...base, outcome: "blocked", block, notices: [] };
  }
  const hint = canBlock && base.answer.exitCode === 1 ? " Only exit code 2 blocks." : "";
  const text = `${hook.name} hook ${hookLabel(hook)} failed and blocked nothing: ${why}.${hint}`;
  return { ...base, outcome: "failed", notices: [{ level: "warning", text }] };
};

const exitText = ({ exitCode, stderr }: RawAnswer): string => {
  const how = exitCode === null ? "ended by a signal" : `exit code ${exitCode}`;
  const line = firstLine(stderr);
  return line === "" ? how : `${how}, ${line}`;
};

const blockOf = (output: HookOutput): string | undefined => {
  const { permissionDecision, permissionDecisionReason } = output.hookSpecificOutput ?? {};
  if (permissionDecision === "deny") return clean(permissionDecisionReason ?? output.reason ?? "no reason given");
  return output.decision === "block" ? clean(output.reason ?? "no reason given") : undefined;
};

const byJson = (base: Pick<HookResult, "hook" | "answer" | "durationMs">, output: HookOutput): HookResult => {
  const block = blockOf(output);
  const { additionalContext } = output.hookSpecificOutput ?? {};
  const { systemMessage } = output;
  return {
    ...base,
    output,
    outcome: block === undefined ? "success" : "blocked",
    ...(block === undefined ? {} : { block }),
    ...(additionalContext ? { context: clean(additionalContext) } : {}),
    ...(output.continue === false ? { stop: clean(output.stopReason ?? "") } : {}),
    notices: systemMessage ? [{ level: "warning", text: `${base.hook.name} hook says: ${clean(systemMessage)}` }] : [],
  };
};

/** What one handler's answer means for its event. */
export const interpret = (hook: MatchedHook, answer: RawAnswer, durationMs: number): HookResult => {
  const base = { hook, answer, durationMs };
  if (answer.ended === "aborted") return { ...base, outcome: "cancelled", notices: [] };
  if (answer.ended === "timeout") {
    const result = failed(base, `no end within ${timeoutMs(hook.event, hook.handler) / 1000} s, so it was stopped`);
    return result.outcome === "failed" ? { ...result, outcome: "cancelled" } : result;
  }
  if (answer.ended === "flood") return failed(base, "it printed without end, so it was stopped");
  const parsed = parseOutput(answer.stdout, hook.event);
  if (answer.exitCode === 2) {
    const json = parsed.kind === "json" ? byJson(base, parsed.output) : undefined;
    const block = json?.block ?? (clean(answer.stderr) || clean(answer.stdout) || "no reason given");
    return { ...base, notices: [], ...json, outcome: "blocked", block };
  }
  if (parsed.kind === "json") return byJson(base, parsed.output);
  if (answer.exitCode !== 0) return failed(base, exitText(answer));
  if (parsed.kind === "bad") return failed(base, answer.isCut ? "its output is too long to be read" : parsed.why);
  const plain = eventTraits[hook.event]?.plainIsContext ? clean(answer.stdout) : "";
  return { ...base, outcome: "success", notices: [], ...(plain ? { context: plain } : {}) };
};

/** The decision of PreToolUse hooks, strongest first: deny, defer, ask, allow. */
export interface HookPermission {
  behavior: "deny" | "defer" | "ask" | "allow";
  reason: string;
  hook: MatchedHook;
}

/** What a PermissionRequest hook answers in a person's place. */
export type HookAnswer =
  | {
      behavior: "allow";
      updatedInput?: Record<string, unknown>;
      updatedPermissions?: PermissionUpdate[];
      hook: MatchedHook;
    }
  | { behavior: "deny"; message?: string; interrupt?: boolean; hook: MatchedHook };

/** All results of one event together. */
export interface HookVerdict {
  results: HookResult[];
  /** The first that blocks. */
  block?: { text: string; hook: MatchedHook };
  /** All that block, for feedback: "[command]: text". */
  feedback: string[];
  stop?: { text: string; hook: MatchedHook };
  /** What the model is told beside it, each with its hook's name. */
  contexts: { name: string; text: string }[];
  permission?: HookPermission;
  updatedInput?: Record<string, unknown>;
  answer?: HookAnswer;
  updatedToolOutput?: unknown;
  sessionTitle?: string;
  initialUserMessage?: string;
  /** A prompt that is erased is not given back to the person. */
  suppressOriginalPrompt?: boolean;
}

const behaviors = ["deny", "defer", "ask", "allow"] as const;

const permissionOf = ({ hook, block, output }: HookResult): HookPermission | undefined => {
  if (block !== undefined) return { behavior: "deny", reason: block, hook };
  const { permissionDecision, permissionDecisionReason } = output?.hookSpecificOutput ?? {};
  const behavior = permissionDecision ?? (output?.decision === "approve" ? "allow" : undefined);
  if (behavior === undefined) return undefined;
  return { behavior, reason: clean(permissionDecisionReason ?? output?.reason ?? ""), hook };
};

const answerOf = ({ hook, output }: HookResult): HookAnswer | undefined => {
  const decision = output?.hookSpecificOutput?.decision;
  if (!decision) return undefined;
  if (decision.behavior === "allow") {
    const { updatedInput, updatedPermissions } = decision;
    return { behavior: "allow", updatedInput, updatedPermissions, hook };
  }
  const { message, interrupt } = decision;
  return { behavior: "deny", ...(message ? { message: clean(message) } : {}), interrupt, hook };
};

const firstOf = <T>(results: readonly HookResult[], pick: (result: HookResult) => T | undefined): T | undefined => {
  for (const result of results) {
    const found = pick(result);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Joins the results of an event. */
export const combine = (results: HookResult[]): HookVerdict => {
  const blocks = results.filter(({ block }) => block !== undefined);
  const [first] = blocks;
  const permissions = results.flatMap((result) => permissionOf(result) ?? []);
  const permission = behaviors.flatMap((wanted) => permissions.filter(({ behavior }) => behavior === wanted))[0];
  const answers = results.flatMap((result) => answerOf(result) ?? []);
  const specific = (result: HookResult) => result.output?.hookSpecificOutput;
  return {
    results,
    ...(first ? { block: { text: first.block ?? "", hook: first.hook } } : {}),
    feedback: blocks.map(({ hook, block }) => `${hookLabel(hook)}: ${block}`),
    stop: firstOf(results, ({ stop, hook }) => (stop === undefined ? undefined : { text: stop, hook })),
    contexts: results.flatMap(({ context, hook }) => (context ? [{ name: hook.name, text: context }] : [])),
    permission,
    updatedInput: firstOf(results, (result) => specific(result)?.updatedInput),
    answer: answers.find(({ behavior }) => behavior === "deny") ?? answers[0],
    updatedToolOutput: firstOf(results, (result) => specific(result)?.updatedToolOutput),
    sessionTitle: firstOf(results, (result) => specific(result)?.sessionTitle),
    initialUserMessage: firstOf(results, (result) => specific(result)?.initialUserMessage),
    suppressOriginalPrompt: results.some((result) => specific(result)?.suppressOriginalPrompt === true),
  };
};

/** No hook had anything to say. */
export const noVerdict: HookVerdict = { results: [], feedback: [], contexts: [] };
