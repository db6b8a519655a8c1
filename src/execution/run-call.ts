// Runs one call through its gates, in one list, in one order. A gate passes the call on or ends it with a result.
import { z } from "zod";
import { nearest } from "../lib/nearest.js";
import type { ToolProgress, ToolResult } from "../tools/tool.js";
import type { Emit, ExecutionContext, PendingCall } from "./context.js";
import { afterHooksGate, beforeHooksGate } from "./hook-gates.js";
import { permissionGate } from "./permission-gate.js";
import { sizeResult } from "./result-size.js";

/** A result that refuses the call; the model reads why. */
export const refusal = (text: string): ToolResult => ({
  content: `<tool_use_error>${text}</tool_use_error>`,
  structured: `Error: ${text}`,
  isError: true,
});

export type Gate = (call: PendingCall, execution: ExecutionContext, emit: Emit) => Promise<ToolResult | undefined>;

const schemaGate: Gate = async (call, execution) => {
  if (!call.tool) {
    const near = nearest(call.block.name, execution.toolNames);
    const hint = near ? `Did you mean ${near}?` : `Tools: ${execution.toolNames.join(", ")}.`;
    return refusal(`There is no tool named ${call.block.name} here. ${hint}`);
  }
  if (call.inputError !== undefined) return refusal(call.inputError);
  const parsed = call.tool.input.safeParse(call.block.input);
  if (!parsed.success) {
    const problem = `The input does not fit ${call.tool.name}'s schema:\n${z.prettifyError(parsed.error)}`;
    const unseen = execution.unseenSchema?.(call.tool);
    if (unseen === undefined) return refusal(problem);
    return refusal(
      `${problem}\nThe tool was not loaded yet (ToolSearch loads it). Its input: ${JSON.stringify(unseen)}`,
    );
  }
  call.input = parsed.data as Record<string, unknown>;
  return undefined;
};

const validateGate: Gate = async (call) => {
  const problem = await call.tool?.validate(call.input, call.context);
  return problem === undefined ? undefined : refusal(problem);
};

/** Keeps the state of the files before the call changes them. What cannot be kept is told, and no reason to refuse. */
const checkpointGate: Gate = async (call, execution) => {
  call.settleFiles = await execution.keepFiles?.(call);
  return undefined;
};

const progressGapMs = 200; // a person cannot read faster; keeps events few

const callGate: Gate = async (call, execution, emit) => {
  const { block, tool, context } = call;
  if (!tool) return undefined;
  const parent = execution.parentToolUseId;
  const startedAt = execution.now();
  call.startedAt = startedAt;
  const canMove = tool.movesToBackground && context.moveToBackground !== undefined;
  await emit({ type: "tool_state", id: block.id, state: "running", at: startedAt, canMove, parentToolUseId: parent });
  let lastProgressAt = startedAt;
  const onProgress = (progress: ToolProgress): void => {
    const now = execution.now();
    if (now - lastProgressAt < progressGapMs) return;
    lastProgressAt = now;
    void emit({
      type: "tool_progress",
      id: block.id,
      name: tool.name,
      elapsedMs: now - startedAt,
      ...progress,
      parentToolUseId: parent,
    });
  };
  call.result = await tool.call(call.input, context, onProgress).catch((error: unknown) => {
    if (context.signal.aborted) return stopped(context.signal);
    return broken(call, error);
  });
  return undefined;
};

const sizingGate: Gate = async (call, execution) => {
  const { result, tool } = call;
  if (!result || !tool) return undefined;
  const sized = await sizeResult(result.content, {
    maxChars: tool.maxResultChars,
    resultsDir: call.context.resultsDir,
    toolUseId: call.block.id,
  });
  if (sized.content !== result.content && typeof sized.content === "string") {
    const stored = sized.storedPath ? `the whole is in ${sized.storedPath}` : "the whole could not be stored";
    const what = `Shortened the result of ${tool.name} to ${sized.content.length} characters`;
    execution.explain?.({ kind: "truncation", what, why: `more than ${tool.maxResultChars} characters; ${stored}` });
  }
  return { ...result, content: sized.content };
};

/** The order is the contract (design.md section 4). */
export const gates: readonly Gate[] = [
  schemaGate,
  validateGate,
  beforeHooksGate,
  permissionGate,
  checkpointGate,
  callGate,
  afterHooksGate,
  sizingGate,
];

export interface CallOutcome {
  result: ToolResult;
  comment?: string;
  endsRun: boolean;
  /** What hooks want the model to know. */
  reminders?: readonly string[];
  /** A hook stops everything; empty when it does not say why. */
  stop?: string;
}

const interruptedText = "The person interrupted this call. It may have done part of its work.";

/** The result of a call that was stopped: the abort's reason when it is a text for the model. */
const stopped = (signal: AbortSignal): ToolResult => {
  const text = typeof signal.reason === "string" ? signal.reason : interruptedText;
  return { content: text, structured: `Error: ${text}`, isError: true };
};

/** The result of a call that threw. */
const broken = ({ block }: PendingCall, error: unknown): ToolResult => {
  const text = error instanceof Error ? error.message : String(error);
  return { content: `${block.name} failed: ${text}`, structured: `Error: ${text}`, isError: true };
};

const isEmpty = (content: ToolResult["content"]): boolean =>
  typeof content === "string" ? content.trim() === "" : content.length === 0;

/** Runs the call to its end and emits its events. Never rejects: a failure is a result for the model. */
export const runCall = async (call: PendingCall, execution: ExecutionContext, emit: Emit): Promise<CallOutcome> => {
  let result: ToolResult | undefined;
  try {
    for (const gate of gates) {
      if (call.context.signal.aborted) break;
      result = await gate(call, execution, emit);
      if (result) break;
    }
    result ??= call.result ?? stopped(call.context.signal);
  } catch (error) {
    result = call.context.signal.aborted ? stopped(call.context.signal) : broken(call, error);
  }
  await call.settleFiles?.();
  // Told, not waited for: whoever stopped the call does not wait for hooks either.
  if (call.context.signal.aborted && call.startedAt !== undefined) void execution.hooks?.after(call, result, true);
  if (isEmpty(result.content)) result = { ...result, content: `(${call.block.name} finished without output)` };
  const { comment, reminders, stop } = call;
  return { result, comment, endsRun: call.endsRun === true || result.endsRun === true, reminders, stop };
};

/** Milliseconds the tool itself took; 0 when it never ran. */
export const durationOf = ({ startedAt }: PendingCall, now: number): number =>
  startedAt === undefined ? 0 : now - startedAt;

/** The event that ends a call on the screen and in the stream. */
export const resultEvent = (call: PendingCall, result: ToolResult, uuid: string, execution: ExecutionContext) =>
  ({
    type: "tool_result",
    uuid,
    id: call.block.id,
    name: call.block.name,
    isError: result.isError === true,
    content: result.content,
    display: result.display,
    structured: result.structured,
    denial: call.denial,
    durationMs: durationOf(call, execution.now()),
    timestamp: new Date(execution.now()).toISOString(),
    parentToolUseId: execution.parentToolUseId,
  }) as const;
