// The permission gate: facts from the tool, a decision, and where it says "ask" a person.
import type { HookAnswer } from "../hooks/outcome.js";
import type { ClassifierVerdict } from "../permissions/classifier.js";
import type { Decision } from "../permissions/types.js";
import type { DecisionReason } from "../protocol/permission.js";
import type { AnswerOf } from "../protocol/questions.js";
import type { ToolResult } from "../tools/tool.js";
import { callTitle } from "./call-title.js";
import type { Emit, ExecutionContext, PendingCall } from "./context.js";
import { isBeyondHooks, withHook } from "./hook-gates.js";

/** What the model reads when the person said no without a word. */
export const rejectedText =
  "The person did not allow this call, and nothing was done. Stop here and wait: they will say how to go on.";

/** The same for a subagent, which has nobody to wait for. */
const agentRejectedText =
  "The person did not allow this call, and nothing was done. Do not try it another way: finish what is possible without it and say in your report what was refused.";

const reasonText = (reasons: readonly DecisionReason[]): string => reasons.map(({ text }) => text).join("; ");

const denied = (call: PendingCall, execution: ExecutionContext, reason: string, text: string): ToolResult => {
  execution.onDenied({
    tool: call.block.name,
    toolUseId: call.block.id,
    input: call.block.input,
    title: callTitle(call.tool, call.input, call.context.cwd),
    reason,
  });
  return { content: text, structured: `Error: ${text}`, isError: true };
};

const byPerson = async (
  call: PendingCall,
  execution: ExecutionContext,
  answer: AnswerOf<"permission"> | undefined,
  decision: Decision,
): Promise<ToolResult | undefined> => {
  if (!answer) {
    const text = "The question was withdrawn before anybody answered it. Nothing was done.";
    return denied(call, execution, reasonText(decision.reasons), text);
  }
  if (answer.outcome === "deny") {
    const comment = answer.comment?.trim();
    const isAgents = execution.parentToolUseId !== undefined;
    call.endsRun = isAgents ? false : (answer.interrupt ?? !comment);
    const text = comment
      ? `The person did not allow this call, and nothing was done. They said: ${comment}`
      : isAgents
        ? agentRejectedText
        : rejectedText;
    return { ...denied(call, execution, "refused by the person", text), structured: "User rejected tool use" };
  }
  if (answer.updates && answer.updates.length > 0) await execution.applyUpdates(answer.updates);
  if (answer.updatedInput) {
    const parsed = call.tool?.input.safeParse(answer.updatedInput);
    if (!parsed?.success)
      return denied(
        call,
        execution,
        "changed input",
        "The changed input does not fit the tool's schema; nothing was done.",
      );
    call.input = parsed.data as Record<string, unknown>;
  }
  const comment = answer.comment?.trim();
  if (comment) call.comment = comment;
  return undefined;
};

/** A hook's answer as a person would give it. Its yes counts only where a hook may say yes. */
const asAnswer = (answer: HookAnswer | undefined, decision: Decision): AnswerOf<"permission"> | undefined => {
  if (!answer) return undefined;
  if (answer.behavior === "deny")
    return { kind: "permission", outcome: "deny", comment: answer.message, interrupt: answer.interrupt === true };
  if (isBeyondHooks(decision)) return undefined;
  const { updatedInput, updatedPermissions } = answer;
  return { kind: "permission", outcome: "allow", updatedInput, updates: updatedPermissions };
};

/** Asks the PermissionRequest hooks; `answered` tells afterwards whether one of them had the last word. */
const askHooks = (call: PendingCall, execution: ExecutionContext, decision: Decision, signal: AbortSignal) =>
  execution.hooks?.request(call, decision, signal).then((answer) => asAnswer(answer, decision));

/** What a hook's answer means for the call. An input that it changed is decided again: deny rules hold. */
const byHook = async (
  call: PendingCall,
  execution: ExecutionContext,
  answer: AnswerOf<"permission">,
  decision: Decision,
): Promise<ToolResult | undefined> => {
  if (answer.outcome === "deny") {
    call.endsRun = answer.interrupt === true;
    const why = answer.comment?.trim();
    const text = `A hook did not allow this call, and nothing was done${why ? `: ${why}` : "."}`;
    call.denial = { message: text, reasonType: "hook", reason: why };
    return denied(call, execution, why || "refused by a hook", text);
  }
  const refused = await byPerson(call, execution, answer, decision);
  if (refused || !answer.updatedInput || !call.tool) return refused;
  const facts = await call.tool.checkPermissions(call.input, call.context);
  const again = await execution.decide(call.tool, call.input, facts);
  call.context.judgedCwd = facts?.cwd;
  const problem = await call.tool.validate(call.input, call.context);
  if (problem !== undefined) return denied(call, execution, "changed input", problem);
  if (again.outcome !== "deny" && !isBeyondHooks(again)) return undefined;
  const why = reasonText(again.reasons);
  return denied(
    call,
    execution,
    why,
    `A hook changed this call to one that is not allowed (${why}). Nothing was done.`,
  );
};

const askPerson = async (
  call: PendingCall,
  execution: ExecutionContext,
  decision: Decision,
  { emit, hooks }: { emit: Emit; hooks?: Promise<AnswerOf<"permission"> | undefined> },
): Promise<AnswerOf<"permission"> | undefined> => {
  const { tool, block, context } = call;
  if (!tool || !execution.askPermission) return undefined;
  await emit({
    type: "tool_state",
    id: block.id,
    state: "waiting",
    at: execution.now(),
    parentToolUseId: execution.parentToolUseId,
  });
  const display = await tool.preview?.(call.input, context).catch(() => undefined); // a preview is a courtesy
  return execution.askPermission(
    {
      kind: "permission",
      toolUseId: block.id,
      tool: tool.name,
      title: callTitle(tool, call.input, context.cwd),
      description: typeof call.input.description === "string" ? call.input.description : undefined,
      input: call.input,
      display,
      reasons: decision.reasons,
      suggestions: decision.suggestions,
    },
    context.signal,
    hooks,
  );
};

/** What the model reads when the classifier blocked a call: always the same, so that it teaches no way around. */
export const blockedText =
  "The safety check of the auto mode did not allow this call, and nothing was done. Do not try to reach the same end another way: go on with what else there is to do, or say what you need and why.";
const said: Record<Decision["outcome"], string> = {
  allow: "Allowed",
  deny: "Denied",
  ask: "Asked about",
  sandbox: "Sandboxed",
};

/** For /why: which rule, mode or check spoke. */
const explain = (call: PendingCall, execution: ExecutionContext, decision: Decision): void =>
  execution.explain?.({
    kind: "permission",
    what: `${said[decision.outcome]} ${call.block.name} ${callTitle(call.tool, call.input, call.context.cwd)}`.trim(),
    why: reasonText(decision.reasons) || "no rule spoke",
  });

/** Lets the call pass, refuses it, or asks. Without anybody to ask, ask means no. */
export const permissionGate = async (
  call: PendingCall,
  execution: ExecutionContext,
  emit: Emit,
): Promise<ToolResult | undefined> => {
  const { tool, context } = call;
  if (!tool) return undefined;
  const facts = await tool.checkPermissions(call.input, context);
  const decided = await execution.decide(tool, call.input, facts);
  const decision = withHook(decided, call.hookPermission, context.permissionMode);
  call.facts = facts;
  context.judgedCwd = facts?.cwd;
  explain(call, execution, decision);
  const verdict = decision.outcome === "ask" ? await execution.classify?.(call, decision) : undefined;
  const { refused, by, reason } = await settle(call, execution, { decision, verdict, emit });
  if (context.signal.aborted) return undefined; // the caller turns this into "interrupted"
  if (!refused && decision.isConfined) context.confine = execution.confine;
  execution.onDecided?.({
    tool: tool.name,
    toolUseId: call.block.id,
    title: callTitle(tool, call.input, context.cwd),
    decision,
    outcome: refused ? "deny" : "allow",
    by,
    reason,
    agent: execution.parentToolUseId,
    isSandboxed: decision.isConfined,
  });
  return refused;
};

interface Settled {
  refused: ToolResult | undefined;
  by: string;
  reason?: string;
}

const settle = async (
  call: PendingCall,
  execution: ExecutionContext,
  { decision, verdict, emit }: { decision: Decision; verdict: ClassifierVerdict | undefined; emit: Emit },
): Promise<Settled> => {
  const why = reasonText(decision.reasons);
  const [first] = decision.reasons;
  const refuse = (text: string, told = why, reasonType: string | undefined = first?.kind): ToolResult => {
    call.denial = { message: text, reasonType, reason: reasonType === first?.kind ? first?.text : told };
    return denied(call, execution, told, text);
  };
  const isInside = decision.outcome === "sandbox" && decision.isConfined && execution.confine !== undefined;
  if (decision.outcome === "allow" || isInside) return { refused: undefined, by: first?.kind ?? "rule" };
  if (decision.outcome === "deny")
    return {
      refused: refuse(`This call is not allowed: ${why}. Nothing was done; find another way or say what you need.`),
      by: first?.kind ?? "rule",
    };
  if (verdict?.outcome === "allow") return { refused: undefined, by: "classifier", reason: verdict.reason };
  if (verdict?.outcome === "block")
    return { refused: refuse(blockedText, verdict.reason, "classifier"), by: "classifier", reason: verdict.reason };
  if (!execution.askPermission) {
    const said = await askHooks(call, execution, decision, call.context.signal);
    if (said) return { refused: await byHook(call, execution, said, decision), by: "hook", reason: said.comment };
    return {
      refused: refuse(
        `This call needs a person's permission (${why}), and nobody can be asked in this session. Nothing was done.`,
      ),
      by: "nobody",
      reason: verdict?.reason,
    };
  }
  const asked: Decision = verdict
    ? { ...decision, reasons: [{ kind: "classifier", text: `auto mode: ${verdict.reason}` }, ...decision.reasons] }
    : decision;
  // Both are asked; who answers first decides, and the other is not waited for.
  const race = new AbortController();
  let hookSaid: AnswerOf<"permission"> | undefined;
  const hooks = askHooks(call, execution, decision, AbortSignal.any([call.context.signal, race.signal]))?.then(
    (said) => {
      if (!race.signal.aborted) hookSaid = said;
      return said;
    },
  );
  const answer = await askPerson(call, execution, asked, { emit, hooks });
  race.abort();
  if (call.context.signal.aborted) return { refused: undefined, by: "nobody" };
  if (answer && answer === hookSaid)
    return { refused: await byHook(call, execution, answer, decision), by: "hook", reason: answer.comment };
  return {
    refused: await byPerson(call, execution, answer, decision),
    by: answer ? "person" : "nobody",
    reason: answer?.comment,
  };
};
