// EngineEvent: everything the engine tells its user interface. Each serialises to one JSON line.
import { z } from "zod";
import { display, todo } from "./display.js";
import { contentBlock, imageBlock, role, usage } from "./message-schemas.js";
import { permissionMode } from "./permission.js";
import {
  commandRow,
  picker,
  rewindReport,
  screenChange,
  sessionRow,
  sessionScope,
  settingRow,
  taskRow,
} from "./pickers.js";
import { answer, question } from "./questions.js";
import { earlierPrompt, pastedText } from "./requests.js";

/** Set on events of a subagent: the id of the Agent call that started it. */
const parent = { parentToolUseId: z.string().optional() };

/** The session as it is now: sent when it opens and after /clear, /resume, a model or folder change. */
export const sessionInfo = z.object({
  sessionId: z.string(),
  cwd: z.string(),
  model: z.string(),
  modelLabel: z.string(),
  provider: z.string(),
  effort: z.string().optional(),
  permissionMode,
  /** Modes Shift+Tab walks through, in order. */
  modeCycle: z.array(permissionMode),
  tools: z.array(z.string()),
  /** Names of the agents that can be started; absent until they have been read. */
  agents: z.array(z.string()).optional(),
  commands: z.array(commandRow),
  /** The MCP servers and how they stand; absent: there are none. */
  mcpServers: z.array(z.object({ name: z.string(), status: z.string(), error: z.string().optional() })).optional(),
  /** What is wrong with entries or files of MCP servers. */
  mcpProblems: z.array(z.string()).optional(),
  gitBranch: z.string().optional(),
  trusted: z.boolean(),
  version: z.string(),
  title: z.string().optional(),
  /** The title was given by a person. */
  isNamed: z.boolean().optional(),
  apiKeySource: z.string(),
  contextWindow: z.number(),
  /** Tokens at which the conversation is compacted by itself; absent: never. */
  compactAt: z.number().optional(),
  /** Settings of what the person sees, as they are in force; absent: unset. */
  interface: z.record(z.string(), z.unknown()).optional(),
});
export type SessionInfo = z.infer<typeof sessionInfo>;

export const stopCause = z.enum([
  "completed",
  "interrupted",
  "max_turns",
  "budget_exhausted",
  "api_error",
  "prompt_too_long",
  "max_output_tokens",
  "refusal",
  "stop_hook_prevented",
  "hook_stopped",
  "declined",
  "internal_error",
]);
export type StopCause = z.infer<typeof stopCause>;

export const runOutcome = z.object({
  cause: stopCause,
  isError: z.boolean(),
  /** The last answer's text, or the error's. */
  text: z.string(),
  turns: z.number(),
  durationMs: z.number(),
  apiDurationMs: z.number(),
  usage,
  costUsd: z.number().nullable(),
  stopReason: z.string().nullable(),
  apiErrorStatus: z.number().nullable(),
  permissionDenials: z.array(
    z.object({ tool_name: z.string(), tool_use_id: z.string(), tool_input: z.record(z.string(), z.unknown()) }),
  ),
  errors: z.array(z.string()),
  /** True for a slash command that needed no model. */
  isLocal: z.boolean(),
  /** Which budget ended the run, with cause "budget_exhausted"; absent: dollars. */
  budget: z.enum(["usd", "tokens"]).optional(),
});
export type RunOutcome = z.infer<typeof runOutcome>;

export const engineEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("session"), session: sessionInfo, reason: z.enum(["open", "clear", "resume", "change"]) }),
  /** Start of a run that will talk to the model. */
  z.object({ type: z.literal("run_start"), runId: z.string() }),
  z.object({
    type: z.literal("user_message"),
    uuid: z.string(),
    content: z.union([z.string(), z.array(contentBlock)]),
    /** What the person sees of it (without reminders and expansions). */
    shown: z.string(),
    /** Not typed by a person: reminders, continuation prompts. Hidden in the transcript. */
    isMeta: z.boolean(),
    timestamp: z.string(),
    ...parent,
  }),
  /** A model request is about to be sent. */
  z.object({ type: z.literal("turn_start"), turn: z.number(), attempt: z.number(), ...parent }),
  /** The provider's stream event, verbatim in the Messages API shape. */
  z.object({
    type: z.literal("stream"),
    event: z.looseObject({ type: z.string() }),
    ttftMs: z.number().optional(),
    ...parent,
  }),
  z.object({ type: z.literal("text"), messageId: z.string(), index: z.number(), delta: z.string(), ...parent }),
  z.object({ type: z.literal("thinking"), messageId: z.string(), index: z.number(), delta: z.string(), ...parent }),
  /** What streamed of this message is void: a retry follows. */
  z.object({ type: z.literal("dropped"), messageId: z.string(), ...parent }),
  /** One finished block of an answer; `message` has the API envelope. */
  z.object({
    type: z.literal("assistant_message"),
    uuid: z.string(),
    message: z.looseObject({
      id: z.string(),
      role,
      model: z.string(),
      content: z.array(contentBlock),
      stop_reason: z.string().nullable(),
      usage,
    }),
    index: z.number(),
    /** Kind of a synthetic error message, as spec'd for SDK hosts. */
    error: z.string().optional(),
    requestId: z.string().optional(),
    timestamp: z.string(),
    ...parent,
  }),
  /** A call is known: shown before its first gate. */
  z.object({
    type: z.literal("tool_call"),
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
    title: z.string(),
    isReadOnly: z.boolean(),
    ...parent,
  }),
  z.object({
    type: z.literal("tool_state"),
    id: z.string(),
    state: z.enum(["queued", "waiting", "running"]),
    at: z.number(),
    /** The running call can be moved to the background. */
    canMove: z.boolean().optional(),
    ...parent,
  }),
  z.object({
    type: z.literal("tool_progress"),
    id: z.string(),
    name: z.string(),
    elapsedMs: z.number(),
    /** Newest lines of output, oldest first; at most 5. */
    lastLines: z.array(z.string()).optional(),
    totalBytes: z.number().optional(),
    ...parent,
  }),
  z.object({
    type: z.literal("tool_result"),
    uuid: z.string(),
    id: z.string(),
    name: z.string(),
    isError: z.boolean(),
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
    display: display.optional(),
    /** The tool's structured output (tool_use_result of SDK hosts), or an "Error: …" text. */
    structured: z.unknown().optional(),
    /** Set when the call was refused without asking anybody: why, for SDK hosts. */
    denial: z
      .object({ message: z.string(), reasonType: z.string().optional(), reason: z.string().optional() })
      .optional(),
    durationMs: z.number(),
    timestamp: z.string(),
    ...parent,
  }),
  /** A subagent begins. `toolUseId` is its Agent call: its events carry it as `parentToolUseId`. */
  z.object({
    type: z.literal("agent_start"),
    agentId: z.string(),
    toolUseId: z.string(),
    agentType: z.string(),
    /** What people call it. */
    name: z.string(),
    color: z.string(),
    description: z.string(),
    prompt: z.string(),
    isBackground: z.boolean(),
    /** Name of the git worktree it works in. */
    worktree: z.string().optional(),
    at: z.number(),
    /** Set when another subagent started it. */
    ...parent,
  }),
  /** Its figures so far, after each turn. */
  z.object({
    type: z.literal("agent_progress"),
    agentId: z.string(),
    toolUseId: z.string(),
    description: z.string(),
    toolUses: z.number(),
    tokens: z.number(),
    durationMs: z.number(),
    lastTool: z.string().optional(),
    /** What it does now, in a few words: of agents in the background, from time to time. */
    summary: z.string().optional(),
    ...parent,
  }),
  z.object({
    type: z.literal("agent_end"),
    agentId: z.string(),
    toolUseId: z.string(),
    status: z.enum(["completed", "failed", "stopped"]),
    isBackground: z.boolean(),
    /** First line of its report, or why it ended. */
    summary: z.string(),
    outputFile: z.string().optional(),
    toolUses: z.number(),
    tokens: z.number(),
    durationMs: z.number(),
    at: z.number(),
    ...parent,
  }),
  z.object({ type: z.literal("question"), question, ...parent }),
  z.object({
    type: z.literal("question_settled"),
    id: z.string(),
    by: z.enum(["person", "hook", "host", "abort"]),
    answer: answer.optional(),
  }),
  /** A transport error was withheld; the same request goes out again at `retryAt` (ms since epoch). */
  z.object({
    type: z.literal("retry"),
    attempt: z.number(),
    maxAttempts: z.number().nullable(),
    delayMs: z.number(),
    retryAt: z.number(),
    status: z.number().nullable(),
    reason: z.string(),
    error: z.string(),
    ...parent,
  }),
  z.object({ type: z.literal("retry_settled"), ...parent }),
  /** After each model call: totals of the session and the size of the context. */
  z.object({
    type: z.literal("usage"),
    usage,
    costUsd: z.number().nullable(),
    contextTokens: z.number(),
    contextWindow: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    ...parent,
  }),
  z.object({ type: z.literal("mode"), mode: permissionMode }),
  /** All tasks in the background, running and ended ones, whenever one begins or ends. */
  z.object({ type: z.literal("background"), tasks: z.array(taskRow) }),
  /** Paths for a `complete_path` request, best first. Folders end in "/". */
  z.object({
    type: z.literal("completions"),
    id: z.string(),
    query: z.string(),
    paths: z.array(z.string()),
    /** False while files are still being listed. */
    isComplete: z.boolean(),
  }),
  /** Answers `read_image`: the image, or half a sentence that says why there is none. */
  z.object({ type: z.literal("image"), id: z.string(), image: imageBlock.optional(), problem: z.string().optional() }),
  /** Answers `read_prompts`: some of the earlier prompts, newest first. */
  z.object({ type: z.literal("prompts"), id: z.string(), prompts: z.array(earlierPrompt) }),
  z.object({ type: z.literal("todos"), todos: z.array(todo) }),
  z.object({
    type: z.literal("notice"),
    level: z.enum(["info", "warning", "error"]),
    text: z.string(),
    key: z.string().optional(),
  }),
  /** A hook begins or has ended. `status`: what the person is shown meanwhile. */
  z.object({
    type: z.literal("hook"),
    phase: z.enum(["start", "end"]),
    id: z.string(),
    /** `PreToolUse:Bash`. */
    name: z.string(),
    event: z.string(),
    status: z.string().optional(),
    stdout: z.string().optional(),
    stderr: z.string().optional(),
    exitCode: z.number().optional(),
    outcome: z.enum(["success", "error", "cancelled"]).optional(),
    ...parent,
  }),
  /** Output of a slash command, as markdown or plain text. */
  z.object({ type: z.literal("command_output"), command: z.string(), text: z.string(), isError: z.boolean() }),
  z.object({ type: z.literal("picker"), picker }),
  /** More rows for the open list of sessions, all that are known now. */
  z.object({
    type: z.literal("session_rows"),
    scope: sessionScope,
    sessions: z.array(sessionRow),
    isComplete: z.boolean(),
  }),
  /** What a rewind did to files, or would do. */
  z.object({ type: z.literal("rewind"), report: rewindReport }),
  /** The settings after a change, for the open dialog; `text` says what changed, or why nothing did. */
  z.object({
    type: z.literal("setting_rows"),
    key: z.string(),
    settings: z.array(settingRow),
    text: z.string(),
    isError: z.boolean(),
  }),
  /** What the person's status line printed; `problem`: why it printed nothing. */
  z.object({ type: z.literal("status_line"), lines: z.array(z.string()), problem: z.string().optional() }),
  z.object({ type: z.literal("screen"), change: screenChange }),
  z.object({
    type: z.literal("compact_boundary"),
    trigger: z.enum(["manual", "auto"]),
    preTokens: z.number(),
    postTokens: z.number(),
    durationMs: z.number(),
    summary: z.string(),
  }),
  z.object({ type: z.literal("status"), status: z.enum(["requesting", "compacting"]).nullable() }),
  /** Text the prompt should hold now (interrupted prompts, rewound prompts). */
  z.object({ type: z.literal("restore_prompt"), text: z.string(), pastes: z.array(pastedText).optional() }),
  /** A prompt that waited was taken back: it reaches no conversation. */
  z.object({ type: z.literal("unqueued"), uuid: z.string() }),
  /** Earlier prompts of this project, newest last, and the pastes of those that have some: opens the prompt history. */
  z.object({
    type: z.literal("history"),
    prompts: z.array(z.string()),
    pastes: z.record(z.string(), z.array(pastedText)).optional(),
  }),
  z.object({ type: z.literal("run_end"), outcome: runOutcome }),
  z.object({ type: z.literal("exit"), code: z.number(), message: z.string().optional() }),
]);
export type EngineEvent = z.infer<typeof engineEvent>;
export type EventOf<T extends EngineEvent["type"]> = Extract<EngineEvent, { type: T }>;
