// What a run of the loop is given, and what comes out of it.
import type { ExecutionContext } from "../execution/context.js";
import type { FinishedCall } from "../execution/schedule.js";
import type { Clock } from "../platform/clock.js";
import type { StopCause } from "../protocol/events.js";
import type { ContentBlock, Message, Usage } from "../protocol/messages.js";
import type { WhyEntry } from "../protocol/why.js";
import type {
  Effort,
  ModelRequest,
  Provider,
  ProviderError,
  Purpose,
  SystemBlock,
  Thinking,
  ToolSpec,
} from "../providers/provider.js";
import type { BackOff } from "./back-off.js";
import type { Recorder } from "./recorder.js";

export interface QueuedPrompt {
  uuid: string;
  content: string | ContentBlock[];
  shown: string;
  /** Word for word, for hooks. */
  typed?: string;
  /** What hooks add to it. */
  reminders?: string[];
  notes?: { level: "info" | "warning"; text: string }[];
}

export interface LimitHit {
  cause: Extract<StopCause, "max_turns" | "budget_exhausted">;
  budget?: "usd" | "tokens";
  text: string;
}

export interface UsageTotals {
  costUsd: number | null;
  inputTokens: number;
  outputTokens: number;
}

/** A model and what its requests ask for. */
export interface ModelChoice {
  model: string;
  /** For the person. */
  label: string;
  contextWindow: number;
  maxOutputTokens: number;
  raisedOutputTokens?: number;
  thinking?: Thinking;
  effort?: Effort;
}

export interface LoopOptions {
  provider: Provider;
  model: string;
  contextWindow: number;
  maxOutputTokens: number;
  /** The limit of later requests once an answer was cut; absent: the limit is fixed (reason 4). */
  raisedOutputTokens?: number;
  thinking?: Thinking;
  effort?: Effort;
  purpose: Purpose;
  sessionId: string;
  system: SystemBlock[];
  /** Same array, same bytes, for the whole session: the cache prefix. Tools that are loaded later are appended. */
  tools: ToolSpec[];
  /** Whether the endpoint takes tool references; false from its first refusal on. Shared by all requests of the session. */
  references?: { isTaken: boolean };
  /** Names of the tools that the model knows by name only. */
  deferredTools?(): readonly string[];
  /** Tools the server runs itself. */
  serverTools?: ModelRequest["serverTools"];
  /** The conversation; the loop appends to it and reads it anew before each request (a compaction replaces it). */
  messages: Message[];
  execution: ExecutionContext;
  recorder: Recorder;
  clock: Clock;
  signal: AbortSignal;
  /** Calls that may run at the same time. */
  concurrency: number;
  /** Tries of one request after its first failure; null: until the person stops it. */
  maxRetries: number | null;
  /** How long to wait before try `attempt` (from 1); undefined: do not try again. */
  retryDelayMs(error: ProviderError, attempt: number): number | undefined;
  /** Also yield the provider's raw stream events. */
  includeStream: boolean;
  cacheTtl: "5m" | "1h" | "off";
  /** Asked before each request. */
  checkLimits(turnsDone: number): LimitHit | undefined;
  /** Counts one call's usage; gives the session's totals. */
  onUsage(model: string, usage: Usage, apiMs: number): UsageTotals;
  /** Reminders due before the next request, each becomes a hidden user message. */
  takeReminders(): string[];
  /** Prompts typed while the run goes on: delivered after the current calls. */
  takeQueued(): QueuedPrompt[] | Promise<QueuedPrompt[]>;
  /** The same call failed again and again: go on? Absent: nobody to ask, stop. */
  askGoOn?(detail: string): Promise<boolean>;
  parentToolUseId?: string;
  /** The context pipeline: what a request makes of the conversation. Pure between its steps; right before the history is checked. */
  prepareMessages?(messages: Message[]): Message[];
  /** Awaited before each turn, when every call has its result: the place where the conversation may be compacted. */
  beforeTurn?(): Promise<void>;
  /** Commits collapses that are staged; false: there were none (reason 2). */
  drainCollapses?(): boolean;
  /** Compacts the conversation now; false: it did not get smaller, and nothing was changed (reason 3). Never throws. */
  compactNow?(reason: string): Promise<boolean>;
  /** Asked when an answer is final; `block`: go on, and tell the model this (reason 6). `isActive`: it said so just before. */
  stopHooks?(lastText: string, isActive: boolean): Promise<{ block: string } | undefined>;
  /** Told of the calls of an answer together, when all have their results: what the model is to know, or why to stop. */
  afterBatch?(finished: readonly FinishedCall[]): Promise<{ reminders: string[]; stop?: string } | undefined>;
  /** How often in a row a Stop hook may say go on; absent: 8. */
  stopHookBlockCap?: number;
  /** The next model to try when the present one stays overloaded; undefined: none is left. */
  nextFallback?(tried: readonly string[]): ModelChoice | undefined;
  /** Shared by all requests of the session. */
  backOff?: BackOff;
  /** Tools the API refused: left out of later requests. Shared by all requests of the session. */
  refusedTools?: Set<string>;
  /** Notes a decision for /why. */
  explain?(entry: WhyEntry): void;
}

export interface LoopOutcome {
  cause: StopCause;
  /** Text of the last answer, or the error. */
  text: string;
  turns: number;
  toolResults: number;
  apiMs: number;
  usage: Usage;
  stopReason: string | null;
  apiErrorStatus: number | null;
  /** Kind of the provider's error that ended the run. */
  errorKind?: string;
  errors: string[];
  budget?: "usd" | "tokens";
  /** ExitPlanMode, choice 1: go on in a fresh context that begins with this text. */
  freshContext?: string;
}
