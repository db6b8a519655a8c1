// Turns engine events into stream-json lines. Serves `-p` now and SDK hosts later: it knows no stream, only lines.

import { unreachable } from "../lib/unreachable.js";
import type { EngineEvent, EventOf, RunOutcome, SessionInfo } from "../protocol/events.js";
import { newId } from "../protocol/ids.js";
import { textOf } from "../protocol/messages.js";
import { agentLines } from "./agent-lines.js";
import { resultMessage, type SessionTotals } from "./result-message.js";
import { taskEndLines, taskStartedLines } from "./task-lines.js";

export type Line = Record<string, unknown>;

export interface StreamJsonOptions {
  session(): SessionInfo;
  totals(): SessionTotals;
  includePartial: boolean;
  /** Of subagents also the words, not only calls and results. */
  forwardSubagentText?: boolean;
  /** Tell of every hook, not only of those of the start. */
  includeHookEvents?: boolean;
  /** Echo prompts that came from the host (`isReplay`). */
  replayUserMessages?: boolean;
  /** Further fields of the init line: agents, skills, plugins, output_style … */
  init?(): Line;
}

export interface StreamJsonWriter {
  /** The lines of one event, in order; often none. */
  lines(event: EngineEvent): Line[];
  /** The lines that end a run: what is still held back, then the result. Readies the writer for the next run. */
  end(outcome: RunOutcome): Line[];
}

/** Marks in user messages that an interrupt leaves (kept verbatim: hosts look for them). */
const interruptMarks = ["[Request interrupted by user]", "[Request interrupted by user for tool use]"];

/** One writer serves a whole session; each run begins with its own init line. */
export const createStreamJsonWriter = (options: StreamJsonOptions): StreamJsonWriter => new Writer(options);

class Writer implements StreamJsonWriter {
  #isInitSent = false;
  #userLines = 0;
  #wasInTools = false;
  /** Titles of open calls, by id. */
  readonly #titles = new Map<string, string>();
  readonly #agents = new Set<string>();
  #ttftMs: number | undefined;
  /** "open": compaction runs, "ending": its end was told and waits for the boundary that shows that it worked. */
  #compaction: "none" | "open" | "ending" = "none";

  constructor(private readonly options: StreamJsonOptions) {}

  lines(event: EngineEvent): Line[] {
    const held = this.#settleCompaction(event);
    const own = this.#linesOf(event).map((line) => this.#finish(line));
    // Compaction by command tells its status before init, and so do the hooks of the start; everything else comes after it.
    const isEarly = (event.type === "status" && event.status === "compacting") || isStartHook(event);
    const needsInit = !this.#isInitSent && (event.type === "run_start" || (own.length > 0 && !isEarly));
    const init = needsInit ? [this.#init()] : [];
    return [...held, ...init, ...own];
  }

  end(outcome: RunOutcome): Line[] {
    const held = this.#compaction === "none" ? [] : [this.#compactionEnd(false)];
    const init = this.#isInitSent ? [] : [this.#init()];
    const result = resultMessage(outcome, {
      sessionId: this.options.session().sessionId,
      userLines: this.#userLines,
      wasInTools: this.#wasInTools,
      totals: this.options.totals(),
      ttftMs: this.#ttftMs,
    });
    this.#isInitSent = false;
    this.#userLines = 0;
    this.#wasInTools = false;
    this.#ttftMs = undefined;
    return [...held, ...init, result];
  }

  #finish(line: Line): Line {
    return { ...line, session_id: this.options.session().sessionId, uuid: line.uuid ?? newId() };
  }

  #init(): Line {
    this.#isInitSent = true;
    const session = this.options.session();
    return this.#finish({
      type: "system",
      subtype: "init",
      cwd: session.cwd,
      tools: session.tools.map((name) => (name === "Agent" ? "Task" : name)), // hosts know the tool by its older name
      mcp_servers: (session.mcpServers ?? []).map(({ name, status }) => ({ name, status })),
      ...(session.mcpProblems?.length ? { mcp_server_errors: session.mcpProblems } : {}),
      model: session.model,
      permissionMode: session.permissionMode,
      slash_commands: session.commands.map(({ name }) => name),
      apiKeySource: session.apiKeySource,
      claude_code_version: session.version,
      output_style: "default",
      agents: session.agents ?? [],
      skills: [],
      plugins: [],
      ...(session.effort === undefined ? {} : { effort: session.effort }),
      ...this.options.init?.(),
    });
  }

  #linesOf(event: EngineEvent): Line[] {
    switch (event.type) {
      case "user_message":
        return this.#userMessage(event);
      case "stream":
        return this.#stream(event);
      case "assistant_message":
        return this.#isForwarded(event) ? [assistantLine(event)] : [];
      case "tool_call":
        this.#titles.set(event.id, event.title);
        return [];
      case "tool_result":
        return this.#toolResult(event);
      case "tool_progress":
        return [toolProgressLine(event)];
      case "retry":
        return [retryLine(event)];
      case "mode":
        return [{ type: "system", subtype: "status", status: null, permissionMode: event.mode }];
      case "notice":
        return [noticeLine(event)];
      case "command_output":
        return [commandLine(event)];
      case "compact_boundary":
        return compactLines(event);
      case "status":
        return this.#status(event);
      case "hook":
        return this.#hook(event);
      case "agent_start":
      case "agent_progress":
      case "agent_end":
        if (event.type === "agent_start") this.#agents.add(event.agentId);
        return agentLines(event);
      case "session":
      case "run_start":
      case "turn_start":
      case "text":
      case "thinking":
      case "dropped":
      case "tool_state":
      case "question":
      case "question_settled":
      case "retry_settled":
      case "usage":
      case "todos":
      case "background":
      case "screen":
      case "completions":
      case "image":
      case "prompts":
      case "picker":
      case "session_rows":
      case "rewind":
      case "setting_rows":
      case "status_line":
      case "restore_prompt":
      case "history":
      case "unqueued":
      case "run_end":
      case "exit":
        return []; // for screens, or told by another line
      default:
        return unreachable(event);
    }
  }

  /** Hooks of the start are always told, others only to readers who asked for them. */
  #hook(event: EventOf<"hook">): Line[] {
    return isStartHook(event) || this.options.includeHookEvents === true ? [hookLine(event)] : [];
  }

  /** Of a subagent hosts see calls and results, its words only when they want them. */
  #isForwarded({ parentToolUseId, message }: EventOf<"assistant_message">): boolean {
    if (parentToolUseId === undefined || this.options.forwardSubagentText === true) return true;
    return message.content.some(({ type }) => type === "tool_use");
  }

  #userMessage(event: EventOf<"user_message">): Line[] {
    const text = textOf(event.content);
    const isMark = interruptMarks.includes(text);
    if (isMark && event.parentToolUseId === undefined) {
      this.#userLines += 1;
      this.#wasInTools = text === interruptMarks[1];
    }
    if (event.isMeta && text.startsWith("Stop hook feedback") && event.parentToolUseId === undefined)
      this.#userLines += 1;
    const ends = taskEndLines(event);
    if (ends.length > 0) return ends.filter(({ task_id }) => !this.#agents.has(String(task_id))); // they had their end line
    const isReminder = event.isMeta && text.trimStart().startsWith("<system-reminder>");
    const isPrompt = !event.isMeta && !isMark && event.parentToolUseId === undefined;
    if (isReminder || (isPrompt && this.options.replayUserMessages !== true)) return [];
    return [
      {
        type: "user",
        message: { role: "user", content: event.content },
        parent_tool_use_id: event.parentToolUseId ?? null,
        uuid: event.uuid,
        timestamp: event.timestamp,
        ...(event.isMeta ? { isSynthetic: true } : {}),
        ...(isPrompt ? { isReplay: true } : {}),
      },
    ];
  }

  #stream(event: EventOf<"stream">): Line[] {
    if (event.ttftMs !== undefined && event.parentToolUseId === undefined) this.#ttftMs ??= event.ttftMs;
    if (!this.options.includePartial) return [];
    return [
      {
        type: "stream_event",
        event: event.event,
        parent_tool_use_id: event.parentToolUseId ?? null,
        ...(event.ttftMs === undefined ? {} : { ttft_ms: Math.round(event.ttftMs) }),
      },
    ];
  }

  #toolResult(event: EventOf<"tool_result">): Line[] {
    if (event.parentToolUseId === undefined) this.#userLines += 1;
    const title = this.#titles.get(event.id) ?? "";
    this.#titles.delete(event.id);
    const denied = event.denial === undefined ? [] : [denialLine(event, event.denial)];
    return [...denied, ...taskStartedLines(event, title), toolResultLine(event)];
  }

  #status({ status }: EventOf<"status">): Line[] {
    if (status === "compacting") {
      this.#compaction = "open";
      return [{ type: "system", subtype: "status", status }];
    }
    if (status === null) {
      if (this.#compaction === "open") this.#compaction = "ending";
      return [];
    }
    return this.options.includePartial ? [{ type: "system", subtype: "status", status }] : [];
  }

  /** A compaction's end is told once it is clear how it ended: by its boundary, or by anything else that follows. */
  #settleCompaction(event: EngineEvent): Line[] {
    const isBoundary = event.type === "compact_boundary";
    if (this.#compaction === "ending" || (this.#compaction === "open" && isBoundary))
      return [this.#compactionEnd(isBoundary)];
    return [];
  }

  #compactionEnd(hasWorked: boolean): Line {
    this.#compaction = "none";
    const compact_result = hasWorked ? "success" : "failed";
    return this.#finish({ type: "system", subtype: "status", status: null, compact_result });
  }
}

const isStartHook = (event: EngineEvent): boolean => event.type === "hook" && event.event === "SessionStart";

const hookLine = (event: EventOf<"hook">): Line => {
  const known = { type: "system", hook_id: event.id, hook_name: event.name, hook_event: event.event };
  if (event.phase === "start") return { ...known, subtype: "hook_started" };
  const { stdout = "", stderr = "", exitCode, outcome } = event;
  return {
    ...known,
    subtype: "hook_response",
    output: [stdout, stderr].filter((text) => text !== "").join("\n"),
    stdout,
    stderr,
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
    outcome,
  };
};

const assistantLine = (event: EventOf<"assistant_message">): Line => ({
  type: "assistant",
  message: { type: "message", stop_sequence: null, ...event.message },
  parent_tool_use_id: event.parentToolUseId ?? null,
  ...(event.error === undefined ? {} : { error: event.error }),
  ...(event.requestId === undefined ? {} : { request_id: event.requestId }),
  uuid: event.uuid,
  timestamp: event.timestamp,
});

const toolResultLine = (event: EventOf<"tool_result">): Line => ({
  type: "user",
  message: {
    role: "user",
    content: [
      {
        type: "tool_result",
        tool_use_id: event.id,
        content: event.content,
        ...(event.isError ? { is_error: true } : {}),
      },
    ],
  },
  parent_tool_use_id: event.parentToolUseId ?? null,
  tool_use_result: event.structured ?? (event.isError ? `Error: ${textOf(event.content)}` : textOf(event.content)),
  uuid: event.uuid,
  timestamp: event.timestamp,
});

const denialLine = (event: EventOf<"tool_result">, denial: NonNullable<EventOf<"tool_result">["denial"]>): Line => ({
  type: "system",
  subtype: "permission_denied",
  tool_name: event.name,
  tool_use_id: event.id,
  ...(denial.reasonType === undefined ? {} : { decision_reason_type: denial.reasonType }),
  ...(denial.reason === undefined ? {} : { decision_reason: denial.reason }),
  message: denial.message,
});

const toolProgressLine = (event: EventOf<"tool_progress">): Line => ({
  type: "tool_progress",
  tool_use_id: event.id,
  tool_name: event.name,
  parent_tool_use_id: event.parentToolUseId ?? null,
  elapsed_time_seconds: Math.round(event.elapsedMs / 100) / 10,
});

const retryLine = (event: EventOf<"retry">): Line => ({
  type: "system",
  subtype: "api_retry",
  attempt: event.attempt,
  max_retries: event.maxAttempts,
  retry_delay_ms: Math.round(event.delayMs),
  error_status: event.status,
  error: event.error,
});

const noticeLine = (event: EventOf<"notice">): Line => ({
  type: "system",
  subtype: "informational",
  content: event.text,
  level: event.level === "error" ? "warning" : event.level, // the protocol knows no error level
});

/** A local command's output comes as a message nobody generated. */
const commandLine = (event: EventOf<"command_output">): Line => ({
  type: "assistant",
  message: {
    id: newId(),
    type: "message",
    role: "assistant",
    model: "<synthetic>",
    content: [{ type: "text", text: event.text }],
    stop_reason: "stop_sequence",
    stop_sequence: "",
    usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  },
  parent_tool_use_id: null,
});

const compactLines = (event: EventOf<"compact_boundary">): Line[] => [
  {
    type: "system",
    subtype: "compact_boundary",
    compact_metadata: {
      trigger: event.trigger,
      pre_tokens: event.preTokens,
      post_tokens: event.postTokens,
      duration_ms: Math.round(event.durationMs),
    },
  },
  {
    type: "user",
    message: { role: "user", content: event.summary },
    parent_tool_use_id: null,
    isSynthetic: true,
  },
];
