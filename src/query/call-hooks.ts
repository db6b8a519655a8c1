// The hooks around one call: PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure.
import type { Emit, PendingCall } from "../execution/context.js";
import { type AfterCall, type BeforeCall, type CallHooks, shownInput } from "../execution/hook-gates.js";
import type { HookVerdict } from "../hooks/outcome.js";
import { loadShellAnalyser } from "../permissions/bash/index.js";
import { decide } from "../permissions/decide.js";
import type { DecisionContext } from "../permissions/types.js";
import { textOf } from "../protocol/messages.js";
import type { HookEvent } from "../settings/schema/hooks.js";
import { noteHookChange } from "../tools/shared/hook-change.js";
import type { AnyTool, ToolResult } from "../tools/tool.js";
import type { AgentThread } from "./agent-types.js";
import { askHookModel } from "./hook-model.js";
import { callHooks, contextReminder, hasHook } from "./hooks.js";
import type { LoopOptions } from "./loop-options.js";
import { childEnv, type Session } from "./session.js";
import { ruleFrom } from "./session-rules.js";

/** Whether a permission rule covers the call: asked as if it denied and nothing else was written. What cannot be told counts as covered. */
const coversCall = async (
  session: Session,
  context: DecisionContext,
  { tool, input }: { tool: AnyTool; input: Record<string, unknown> },
  rule: { text: string; call: PendingCall },
): Promise<boolean> => {
  const rules = ruleFrom(rule.text, "deny", "session", session.options.cwd);
  const facts = await tool.checkPermissions(input, rule.call.context);
  const request = { tool: tool.name, input, facts, isReadOnly: tool.isReadOnly(input) };
  const only: DecisionContext = { ...context, mode: "bypassPermissions", rules, sandbox: undefined };
  if (facts?.command === undefined) return decide(request, only).outcome === "deny";
  const analyse = await loadShellAnalyser();
  const shell = analyse(facts.command, { ...only, env: childEnv(session) });
  const { outcome, reasons } = decide(request, only, shell);
  return outcome === "deny" || reasons.some(({ check }) => check === "P1");
};

const feedbackReminders = (name: string, { feedback }: HookVerdict): string[] =>
  feedback.map((text) => `<system-reminder>\n${name} hook feedback: ${text}\n</system-reminder>`);

/** A replaced output as text: a text, or a shell's two streams; other shapes cannot be shown to the model. */
const outputText = (output: unknown): string | undefined => {
  if (typeof output === "string") return output;
  if (typeof output !== "object" || output === null) return undefined;
  const { stdout, stderr } = output as { stdout?: unknown; stderr?: unknown };
  if (typeof stdout !== "string") return undefined;
  return [stdout, typeof stderr === "string" ? stderr : ""].filter((text) => text !== "").join("\n");
};

interface Place {
  emit: Emit;
  loop: () => LoopOptions;
  thread?: AgentThread;
  context: () => DecisionContext;
}

/** The hooks around the calls of one thread. */
export const threadCallHooks = (session: Session, place: Place): CallHooks => {
  const { thread, emit } = place;
  const call = (event: HookEvent, pending: PendingCall, input: object, signal: AbortSignal) =>
    callHooks(session, {
      event,
      input: { tool_name: pending.tool?.name ?? pending.block.name, tool_input: shownInput(pending), ...input },
      emit,
      signal,
      thread,
      matchesIf: async (text) =>
        pending.tool !== undefined &&
        coversCall(session, place.context(), { tool: pending.tool, input: pending.input }, { text, call: pending }),
      askModel: askHookModel(session, place.loop),
    });
  return {
    before: async (pending): Promise<BeforeCall | undefined> => {
      if (!hasHook(session, "PreToolUse", thread)) return undefined;
      const said = await call("PreToolUse", pending, { tool_use_id: pending.block.id }, pending.context.signal);
      const { permission, updatedInput, contexts, stop } = said;
      return { permission, updatedInput, reminders: contexts.map(contextReminder), stop: stop?.text };
    },
    request: async (pending, { suggestions }, signal) => {
      if (!hasHook(session, "PermissionRequest", thread)) return undefined;
      const updates = suggestions.flatMap((suggestion) => suggestion.updates);
      const input = updates.length > 0 ? { permission_suggestions: updates } : {};
      return (await call("PermissionRequest", pending, input, signal)).answer;
    },
    after: async (pending, result, isInterrupt): Promise<AfterCall | undefined> => {
      const event = result.isError ? "PostToolUseFailure" : "PostToolUse";
      if (!hasHook(session, event, thread)) return undefined;
      const signal = isInterrupt ? session.closing.signal : pending.context.signal;
      const said = await call(event, pending, resultInput(session, pending, result, isInterrupt), signal);
      const changed = result.isError ? undefined : await noteHookChange(pending.input, pending.context);
      return {
        reminders: [
          ...feedbackReminders(`${event}:${pending.tool?.name ?? ""}`, said),
          ...said.contexts.map(contextReminder),
          ...(changed === undefined ? [] : [`<system-reminder>\n${changed}\n</system-reminder>`]),
        ],
        stop: said.stop?.text,
        content: outputText(said.updatedToolOutput),
      };
    },
  };
};

const resultInput = (session: Session, call: PendingCall, result: ToolResult, isInterrupt: boolean): object => {
  const known = {
    tool_use_id: call.block.id,
    duration_ms: call.startedAt === undefined ? 0 : session.options.clock.now() - call.startedAt,
  };
  if (result.isError) return { ...known, error: textOf(result.content), is_interrupt: isInterrupt };
  return { ...known, tool_response: result.structured ?? textOf(result.content) };
};
