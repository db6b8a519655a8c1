// The gates at which the person's hooks are heard: before permission, in place of a person, and after the call.
import type { HookSource } from "../hooks/match.js";
import type { HookAnswer, HookPermission } from "../hooks/outcome.js";
import type { Decision } from "../permissions/types.js";
import { absolutePath } from "../tools/shared/paths.js";
import type { ToolResult } from "../tools/tool.js";
import { callTitle } from "./call-title.js";
import type { Emit, ExecutionContext, PendingCall } from "./context.js";

/** What PreToolUse hooks said. */
export interface BeforeCall {
  permission?: HookPermission;
  /** Replaces the whole input. */
  updatedInput?: Record<string, unknown>;
  reminders: string[];
  /** Everything stops after this call, which does not run. */
  stop?: string;
}

/** What PostToolUse or PostToolUseFailure hooks said. */
export interface AfterCall {
  reminders: string[];
  stop?: string;
  /** Replaces the result for the model. */
  content?: string;
}

/** The hooks around one call, as the session calls them. None rejects. */
export interface CallHooks {
  before(call: PendingCall): Promise<BeforeCall | undefined>;
  /** A person is about to be asked, or nobody can be: a hook may answer. */
  request(call: PendingCall, decision: Decision, signal: AbortSignal): Promise<HookAnswer | undefined>;
  after(call: PendingCall, result: ToolResult, isInterrupt: boolean): Promise<AfterCall | undefined>;
}

/** The input as hooks see it: file paths are absolute. */
export const shownInput = ({ input, context }: PendingCall): Record<string, unknown> => {
  const paths = ["file_path", "notebook_path"].flatMap((field) => {
    const value = input[field];
    return typeof value === "string" && value !== "" ? [[field, absolutePath(value, context)] as const] : [];
  });
  return { ...input, ...Object.fromEntries(paths) };
};

const failure = (text: string): ToolResult => ({ content: text, structured: `Error: ${text}`, isError: true });

const labels: Readonly<Record<HookSource["kind"], string>> = {
  managed: "Managed",
  flagSettings: "Flag",
  local: "Local",
  project: "Project",
  user: "User",
  plugin: "Plugin",
  skill: "Skill",
  agent: "Agent",
  session: "Session",
};

/** The source of a hook as people read it: "Project". */
export const sourceLabel = (kind: HookSource["kind"]): string => labels[kind];

/** "[User] reason" of a hook's decision. */
const spoken = ({ hook, reason }: HookPermission): string =>
  `hook ${hook.name} [${sourceLabel(hook.source.kind)}]${reason ? `: ${reason}` : ""}`;

const refuse = (call: PendingCall, execution: ExecutionContext, why: string): ToolResult => {
  const title = callTitle(call.tool, call.input, call.context.cwd);
  const { name, id, input } = call.block;
  execution.onDenied({ tool: name, toolUseId: id, input, title, reason: why });
  const text = `A hook did not allow this call, and nothing was done: ${why}`;
  call.denial = { message: text, reasonType: "hook", reason: why };
  execution.onDecided?.({
    tool: name,
    toolUseId: id,
    title,
    decision: { outcome: "deny", reasons: [{ kind: "hook", text: why }], suggestions: [], checks: [] },
    outcome: "deny",
    by: "hook",
    reason: why,
    agent: execution.parentToolUseId,
  });
  return failure(text);
};

/** Puts the hook's input in place of the model's; what does not fit the tool refuses the call. */
const takeInput = async (call: PendingCall, input: Record<string, unknown>): Promise<ToolResult | undefined> => {
  const parsed = call.tool?.input.safeParse(input);
  if (!parsed?.success)
    return failure("A hook changed the input of this call so that it does not fit the tool. Nothing was done.");
  call.input = parsed.data as Record<string, unknown>;
  const problem = await call.tool?.validate(call.input, call.context);
  return problem === undefined ? undefined : failure(`A hook changed the input of this call. ${problem}`);
};

/** PreToolUse: may refuse the call, change its input, and say what permission should think of it. */
export const beforeHooksGate = async (
  call: PendingCall,
  execution: ExecutionContext,
): Promise<ToolResult | undefined> => {
  const said = await execution.hooks?.before(call);
  if (!said || call.context.signal.aborted) return undefined;
  call.reminders.push(...said.reminders);
  const { permission, updatedInput, stop } = said;
  if (stop !== undefined) call.stop = stop;
  if (permission?.behavior === "deny") return refuse(call, execution, permission.reason);
  if (stop !== undefined) return refuse(call, execution, stop || "everything is to stop");
  call.hookPermission = permission;
  return updatedInput === undefined ? undefined : takeInput(call, updatedInput);
};

/** Whether only a person may say yes: ask rules, protected files, critical removals, the limits of plan mode. */
export const isBeyondHooks = ({ isForPerson, isLimit }: Decision): boolean => isForPerson === true || isLimit === true;

/** The decision with what PreToolUse hooks want: ask beats allow, and allow lifts only what a person's yes would, too. */
export const withHook = (decision: Decision, permission: HookPermission | undefined, mode: string): Decision => {
  if (!permission) return decision;
  const reason = { kind: "hook" as const, text: spoken(permission) };
  const reasons = [reason, ...decision.reasons];
  if (permission.behavior === "ask" || permission.behavior === "defer") {
    if (decision.outcome === "deny") return decision;
    return { ...decision, outcome: mode === "dontAsk" ? "deny" : "ask", reasons, isForPerson: true };
  }
  const isOpen = decision.outcome === "ask" || (decision.outcome === "deny" && decision.wasAsk === true);
  return isOpen && !isBeyondHooks(decision) ? { ...decision, outcome: "allow", reasons } : decision;
};

/** PostToolUse and PostToolUseFailure. */
export const afterHooksGate = async (
  call: PendingCall,
  execution: ExecutionContext,
  _emit: Emit,
): Promise<ToolResult | undefined> => {
  const { result } = call;
  const said = result && (await execution.hooks?.after(call, result, false));
  if (!said) return undefined;
  call.reminders.push(...said.reminders);
  if (said.stop !== undefined) call.stop = said.stop;
  if (said.content !== undefined) call.result = { ...result, content: said.content };
  return undefined;
};
