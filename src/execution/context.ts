// What the gates need: tools, the decision, the person, and where events go.
import type { HookPermission } from "../hooks/outcome.js";
import type { ClassifierVerdict } from "../permissions/classifier.js";
import type { Decision } from "../permissions/types.js";
import type { Confine } from "../platform/shell.js";
import type { EngineEvent, EventOf } from "../protocol/events.js";
import type { ToolUseBlock } from "../protocol/messages.js";
import type { PermissionUpdate } from "../protocol/permission.js";
import type { AnswerOf, QuestionOf } from "../protocol/questions.js";
import type { WhyEntry } from "../protocol/why.js";
import type { AnyTool, ToolContext, ToolFacts, ToolResult } from "../tools/tool.js";
import type { CallHooks } from "./hook-gates.js";

export type Emit = (event: EngineEvent) => Promise<void>;

/** A call that passes the gates. */
export interface PendingCall {
  block: ToolUseBlock;
  /** Why the input is unusable although the block is there (broken or cut JSON). */
  inputError?: string;
  tool: AnyTool | undefined;
  /** After the schema gate: the parsed input. */
  input: Record<string, unknown>;
  context: ToolContext;
  /** After the permission gate: what it would touch. */
  facts?: ToolFacts;
  /** Set by the checkpoint gate: notes how the call left the files. */
  settleFiles?(): Promise<void>;
  /** When the tool itself began, after every wait for earlier calls and for a person. Absent: it never ran. */
  startedAt?: number;
  result?: ToolResult;
  /** Refused without asking anybody: why, for SDK hosts. */
  denial?: EventOf<"tool_result">["denial"];
  /** What the person added when allowing it: goes to the model after the results. */
  comment?: string;
  /** What PreToolUse hooks think of it. */
  hookPermission?: HookPermission;
  /** What hooks want the model to know: hidden messages behind the results. */
  reminders: string[];
  /** A hook stops everything after this call; empty when it does not say why. */
  stop?: string;
  /** The person refused without a word: the run ends after this answer's calls. */
  endsRun?: boolean;
}

/** A decision as it ended. */
export interface DecidedCall {
  tool: string;
  toolUseId: string;
  title: string;
  decision: Decision;
  outcome: "allow" | "deny";
  /** Kind of the reason that decided, or person, classifier, nobody. */
  by: string;
  /** What the decider said beyond the decision's reasons. */
  reason?: string;
  agent?: string;
  isSandboxed?: boolean;
}

export interface ExecutionContext {
  findTool(name: string): AnyTool | undefined;
  /** Loads what it takes to tell whether a call of this tool only reads (the shell's parser, with the first command). */
  warmUp?(tool: AnyTool): Promise<void>;
  /** Names of the tools offered, for the "no such tool" message. */
  toolNames: readonly string[];
  /** The input's schema where the model has not seen the tool's definition (it is known by name only). */
  unseenSchema?(tool: AnyTool): Record<string, unknown> | undefined;
  toolContext(block: ToolUseBlock, signal: AbortSignal): ToolContext;
  decide(tool: AnyTool, input: Record<string, unknown>, facts: ToolFacts | undefined): Promise<Decision>;
  /** Asks a person; undefined when nobody can be asked. Settles with undefined when the signal aborts. */
  askPermission:
    | ((
        question: Omit<QuestionOf<"permission">, "id">,
        signal: AbortSignal,
        /** A hook's answer, when it has one: the first answer wins. */
        byHook?: Promise<AnswerOf<"permission"> | undefined>,
      ) => Promise<AnswerOf<"permission"> | undefined>)
    | undefined;
  applyUpdates(updates: PermissionUpdate[]): Promise<void>;
  /** A call was refused: for the result's permission_denials and /permissions. */
  onDenied(call: {
    tool: string;
    toolUseId: string;
    input: Record<string, unknown>;
    title: string;
    reason: string;
  }): void;
  /** In auto mode: what the classifier says to a call that would ask. Absent or undefined: a person is asked. */
  classify?(call: PendingCall, decision: Decision): Promise<ClassifierVerdict | undefined>;
  /** Puts a command into the sandbox; absent: there is none. */
  confine?: Confine;
  /** Keeps what an allowed call will change, for a rewind; the result is called when the call is over. Never throws. */
  keepFiles?(call: PendingCall): Promise<(() => Promise<void>) | undefined>;
  /** Every decision, once, with who had the last word: for the audit. */
  onDecided?(decided: DecidedCall): void;
  /** Notes a decision for /why. */
  explain?(entry: WhyEntry): void;
  /** The person's hooks around a call; absent: there are none. */
  hooks?: CallHooks;
  now(): number;
  /** Set inside a subagent: the id of its Agent call. */
  parentToolUseId?: string;
}
