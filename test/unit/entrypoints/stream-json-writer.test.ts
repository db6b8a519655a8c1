import { expect, test } from "vitest";
import { createStreamJsonWriter, type StreamJsonOptions } from "../../../src/entrypoints/stream-json-writer.js";
import type { EngineEvent, EventOf, RunOutcome } from "../../../src/protocol/events.js";
import { fakeSession } from "../../helpers/fake-command-context.js";
import { outcomeOf } from "../../helpers/fake-engine.js";
import { answer, call, text } from "../../helpers/transcript-kit.js";

const timestamp = "2026-01-01T00:00:00.000Z";
const totals = { costUsd: 0.5, modelUsage: {} };

/** All lines of one run, without the fields every line has (checked here) and uuids that are made up. */
const linesOf = (
  events: EngineEvent[],
  options: Partial<StreamJsonOptions> = {},
  outcome: RunOutcome = outcomeOf(),
) => {
  const writer = createStreamJsonWriter({
    session: () => fakeSession,
    totals: () => totals,
    includePartial: false,
    ...options,
  });
  const lines = [...events.flatMap((event) => writer.lines(event)), ...writer.end(outcome)];
  return lines.map(({ session_id, uuid, ...line }) => {
    expect(session_id).toBe("s1");
    expect(uuid).toEqual(expect.any(String));
    return line;
  });
};

/** Type and subtype of each line. */
const kinds = (events: EngineEvent[], options: Partial<StreamJsonOptions> = {}) =>
  linesOf(events, options).map(({ type, subtype }) => (subtype === undefined ? type : `${type}/${subtype}`));

const assistant = (change: Partial<EventOf<"assistant_message">> = {}): EngineEvent => ({
  type: "assistant_message",
  uuid: "u1",
  message: answer("m1", text("hi")),
  index: 0,
  requestId: "req",
  timestamp,
  ...change,
});
const toolResult = (change: Partial<EventOf<"tool_result">> = {}): EngineEvent => ({
  type: "tool_result",
  uuid: "u2",
  id: "t1",
  name: "Read",
  isError: false,
  content: "1\tx",
  structured: { type: "text" },
  durationMs: 1,
  timestamp,
  ...change,
});
const user = (content: string, isMeta: boolean): EngineEvent => ({
  type: "user_message",
  uuid: "u3",
  content,
  shown: content,
  isMeta,
  timestamp,
});

test("a run: init, one assistant line a block, tool results with their structure, the result", () => {
  const lines = linesOf([
    { type: "run_start", runId: "r" },
    user("do it", false),
    assistant(),
    assistant({ uuid: "u4", message: answer("m1", call("t1")), index: 1 }),
    toolResult(),
    assistant({ uuid: "u5", message: answer("m2", text("done")) }),
  ]);
  expect(lines).toEqual([
    {
      type: "system",
      subtype: "init",
      cwd: "/project",
      tools: ["Read", "Task"],
      mcp_servers: [],
      model: "model-a",
      permissionMode: "default",
      slash_commands: ["help"],
      apiKeySource: "none",
      claude_code_version: "3.0.0",
      output_style: "default",
      agents: [],
      skills: [],
      plugins: [],
    },
    { type: "assistant", message: answer("m1", text("hi")), parent_tool_use_id: null, request_id: "req", timestamp },
    { type: "assistant", message: answer("m1", call("t1")), parent_tool_use_id: null, request_id: "req", timestamp },
    {
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "1\tx" }] },
      parent_tool_use_id: null,
      tool_use_result: { type: "text" },
      timestamp,
    },
    { type: "assistant", message: answer("m2", text("done")), parent_tool_use_id: null, request_id: "req", timestamp },
    {
      type: "result",
      subtype: "success",
      is_error: false,
      api_error_status: null,
      duration_ms: 12,
      duration_api_ms: 8,
      num_turns: 2,
      result: "done",
      stop_reason: "end_turn",
      total_cost_usd: 0.5,
      usage: {
        input_tokens: 3,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 4,
        server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
        service_tier: "standard",
        cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
      },
      modelUsage: {},
      permission_denials: [],
      terminal_reason: "completed",
    },
  ]);
});

test("uuids of messages are those of the engine", () => {
  const writer = createStreamJsonWriter({ session: () => fakeSession, totals: () => totals, includePartial: false });
  expect(writer.lines(assistant()).map(({ uuid }) => uuid)[1]).toBe("u1");
  expect(writer.lines(toolResult()).map(({ uuid }) => uuid)).toEqual(["u2"]);
});

test("each run of a session begins with init and ends with its own count", () => {
  const writer = createStreamJsonWriter({ session: () => fakeSession, totals: () => totals, includePartial: false });
  const run = () => [
    ...writer.lines({ type: "run_start", runId: "r" }),
    ...writer.lines(toolResult()),
    ...writer.end(outcomeOf()),
  ];
  for (const lines of [run(), run()]) {
    expect(lines.map(({ type }) => type)).toEqual(["system", "user", "result"]);
    expect(lines[2]).toMatchObject({ num_turns: 2 });
  }
});

test("partial messages pass the provider's events on, with the time to the first one", () => {
  const events: EngineEvent[] = [
    { type: "run_start", runId: "r" },
    { type: "status", status: "requesting" },
    { type: "stream", event: { type: "message_start", message: {} }, ttftMs: 41.6 },
    { type: "stream", event: { type: "message_stop" } },
  ];
  expect(kinds(events)).toEqual(["system/init", "result/success"]);
  const lines = linesOf(events, { includePartial: true });
  expect(lines.slice(1, 4)).toEqual([
    { type: "system", subtype: "status", status: "requesting" },
    { type: "stream_event", event: { type: "message_start", message: {} }, parent_tool_use_id: null, ttft_ms: 42 },
    { type: "stream_event", event: { type: "message_stop" }, parent_tool_use_id: null },
  ]);
  expect(lines[4]).toMatchObject({ ttft_ms: 42 });
});

test("retries, progress, notices, modes and refusals have lines of their own", () => {
  const lines = linesOf([
    {
      type: "retry",
      attempt: 1,
      maxAttempts: 10,
      delayMs: 1500.4,
      retryAt: 0,
      status: 529,
      reason: "r",
      error: "overloaded",
    },
    { type: "retry_settled" },
    { type: "tool_progress", id: "t1", name: "Bash", elapsedMs: 2049 },
    { type: "notice", level: "error", text: "careful" },
    { type: "mode", mode: "plan" },
    toolResult({
      isError: true,
      structured: undefined,
      content: "no",
      denial: { message: "no", reasonType: "rule", reason: "Bash(rm *)" },
    }),
  ]);
  expect(lines.slice(1, -1)).toEqual([
    {
      type: "system",
      subtype: "api_retry",
      attempt: 1,
      max_retries: 10,
      retry_delay_ms: 1500,
      error_status: 529,
      error: "overloaded",
    },
    { type: "tool_progress", tool_use_id: "t1", tool_name: "Bash", parent_tool_use_id: null, elapsed_time_seconds: 2 },
    { type: "system", subtype: "informational", content: "careful", level: "warning" },
    { type: "system", subtype: "status", status: null, permissionMode: "plan" },
    {
      type: "system",
      subtype: "permission_denied",
      tool_name: "Read",
      tool_use_id: "t1",
      decision_reason_type: "rule",
      decision_reason: "Bash(rm *)",
      message: "no",
    },
    {
      type: "user",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t1", content: "no", is_error: true }],
      },
      parent_tool_use_id: null,
      tool_use_result: "Error: no",
      timestamp,
    },
  ]);
});

test("reminders stay inside, other synthetic messages and interrupt marks are told", () => {
  const events = [
    user("<system-reminder>x</system-reminder>", true),
    user("go on", true),
    user("[Request interrupted by user for tool use]", false),
  ];
  const lines = linesOf(events, {}, outcomeOf({ cause: "interrupted", isError: true, text: "" }));
  expect(lines.slice(1)).toMatchObject([
    { type: "user", message: { content: "go on" }, isSynthetic: true },
    { type: "user", message: { content: "[Request interrupted by user for tool use]" } },
    {
      subtype: "error_during_execution",
      is_error: true,
      num_turns: 2,
      errors: ["Request interrupted by user"],
      terminal_reason: "aborted_tools",
    },
  ]);
  expect(lines[3]).not.toHaveProperty("result");
});

test("the host's own prompts come back only when it asks for them", () => {
  expect(kinds([user("do it", false)])).toEqual(["system/init", "result/success"]);
  expect(linesOf([user("do it", false)], { replayUserMessages: true })[1]).toMatchObject({
    type: "user",
    isReplay: true,
  });
});

test("messages of a subagent name the call that started it and do not count as ours", () => {
  const lines = linesOf([
    { ...(user("find it", false) as EventOf<"user_message">), parentToolUseId: "a1" },
    assistant({ parentToolUseId: "a1" }), // its words are its own
    assistant({
      parentToolUseId: "a1",
      message: answer("m1", { type: "tool_use", id: "c1", name: "Grep", input: {} }),
    }),
    toolResult({ parentToolUseId: "a1" }),
  ]);
  expect(lines.slice(1, 4).map(({ type, parent_tool_use_id }) => [type, parent_tool_use_id])).toEqual([
    ["user", "a1"],
    ["assistant", "a1"],
    ["user", "a1"],
  ]);
  expect(lines[4]).toMatchObject({ num_turns: 1 });
});

const boundary: EngineEvent = {
  type: "compact_boundary",
  trigger: "manual",
  preTokens: 9,
  postTokens: 3,
  durationMs: 1,
  summary: "in short",
};

test("/compact: status, its end, init, boundary, summary, result, whichever way round the engine tells it", () => {
  const expected = [
    { type: "system", subtype: "status", status: "compacting" },
    { type: "system", subtype: "status", status: null, compact_result: "success" },
    { type: "system", subtype: "init" },
    {
      type: "system",
      subtype: "compact_boundary",
      compact_metadata: { trigger: "manual", pre_tokens: 9, post_tokens: 3, duration_ms: 1 },
    },
    { type: "user", message: { role: "user", content: "in short" }, isSynthetic: true },
    { type: "result", num_turns: 0 },
  ];
  const compacting: EngineEvent = { type: "status", status: "compacting" };
  const ended: EngineEvent = { type: "status", status: null };
  const local = outcomeOf({ isLocal: true });
  expect(linesOf([compacting, boundary, ended], {}, local)).toMatchObject(expected);
  expect(linesOf([compacting, ended, boundary], {}, local)).toMatchObject(expected);
  expect(linesOf([compacting, ended], {}, local)).toMatchObject([
    expected[0],
    { compact_result: "failed" },
    { subtype: "init" },
    { type: "result" },
  ]);
});

test("a compaction inside a run comes after init", () => {
  const events: EngineEvent[] = [{ type: "run_start", runId: "r" }, { type: "status", status: "compacting" }, boundary];
  expect(kinds(events)).toEqual([
    "system/init",
    "system/status",
    "system/status",
    "system/compact_boundary",
    "user",
    "result/success",
  ]);
});

test("a local command's output is a message nobody generated", () => {
  const lines = linesOf(
    [{ type: "command_output", command: "status", text: "Version: 3.0.0", isError: false }],
    {},
    outcomeOf({ isLocal: true, text: "Version: 3.0.0" }),
  );
  expect(lines[1]).toMatchObject({
    type: "assistant",
    message: { model: "<synthetic>", content: [{ type: "text", text: "Version: 3.0.0" }] },
  });
  expect(lines[2]).toMatchObject({ num_turns: 0, result: "Version: 3.0.0" });
  expect(lines[2]).not.toHaveProperty("terminal_reason");
});

test("an API failure is a success with is_error, the turn limit an error with its text", () => {
  const failure = outcomeOf({ cause: "api_error", isError: true, text: "API Error: 401", apiErrorStatus: 401 });
  expect(linesOf([], {}, failure)[1]).toMatchObject({
    subtype: "success",
    is_error: true,
    api_error_status: 401,
    result: "API Error: 401",
    terminal_reason: "api_error",
  });
  expect(linesOf([], {}, outcomeOf({ cause: "max_turns", isError: true, turns: 1 }))[1]).toMatchObject({
    subtype: "error_max_turns",
    is_error: true,
    errors: ["Reached maximum number of turns (1)"],
    terminal_reason: "max_turns",
  });
});

test("feedback of a Stop hook counts as a turn; hooks are told before init only at the start, others on request", () => {
  const hook = (event: string) => ({ type: "hook", phase: "start", id: "h1", name: event, event }) as const;
  const make = (includeHookEvents: boolean) =>
    createStreamJsonWriter({
      session: () => fakeSession,
      totals: () => ({ costUsd: null, modelUsage: {} }),
      includePartial: false,
      includeHookEvents,
    });
  const writer = make(false);
  expect(writer.lines(hook("SessionStart")).map(({ subtype }) => subtype)).toEqual(["hook_started"]);
  expect(writer.lines(hook("Stop"))).toEqual([]);
  const feedback = "Stop hook feedback:\n[x]: more";
  const message = {
    type: "user_message",
    uuid: "u",
    content: feedback,
    shown: "",
    isMeta: true,
    timestamp: "t",
  } as const;
  expect(writer.lines(message).map(({ type }) => type)).toEqual(["system", "user"]);
  expect(writer.end(outcomeOf()).at(-1)).toMatchObject({ num_turns: 2 });
  expect(
    make(true)
      .lines(hook("Stop"))
      .map(({ subtype }) => subtype),
  ).toEqual(["init", "hook_started"]);
});
