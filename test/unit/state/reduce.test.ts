import { describe, expect, test } from "vitest";
import type { EngineEvent } from "../../../src/protocol/events.js";
import type { AppState, ToolItem, TranscriptItem } from "../../../state/app-state.js";
import { endRunWithError, reduce } from "../../../state/reduce.js";
import { initialState } from "../../../state/store.js";
import { outcomeFor, sessionFor } from "../components/support/fake-engine.js";
import { bashQuestion } from "../components/support/samples.js";

const now = 5_000;
const reduced = (events: EngineEvent[], state: AppState = initialState()): AppState =>
  events.reduce((current, event) => reduce(current, event, now), state);

const text = (delta: string, index = 0): EngineEvent => ({ type: "text", messageId: "m1", index, delta });
const usage = { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 900 };

const answer = (content: { type: string; [key: string]: unknown }[], index = 0, error?: string): EngineEvent => ({
  type: "assistant_message",
  uuid: "u",
  message: { id: "m1", role: "assistant", model: "x", content, stop_reason: null, usage },
  index,
  timestamp: "2026-01-01T00:00:00Z",
  ...(error === undefined ? {} : { error }),
});
const call = (id: string, parentToolUseId?: string): EngineEvent => ({
  type: "tool_call",
  id,
  name: "Bash",
  input: { command: "ls" },
  title: "ls",
  isReadOnly: true,
  ...(parentToolUseId === undefined ? {} : { parentToolUseId }),
});
const result = (id: string, isError = false, content = "a.ts"): EngineEvent => ({
  type: "tool_result",
  uuid: "u",
  id,
  name: "Bash",
  isError,
  content,
  durationMs: 7,
  timestamp: "2026-01-01T00:00:00Z",
});
const user = (shown: string, isMeta = false): EngineEvent => ({
  type: "user_message",
  uuid: `u-${shown}`,
  content: shown,
  shown,
  isMeta,
  timestamp: "2026-01-01T00:00:00Z",
});
const facts = (items: TranscriptItem[]): unknown[] => items.map(({ id: _, ...rest }) => rest);

/** What a finished message adds to its items, for the viewer. */
const written = { model: "x", at: Date.parse("2026-01-01T00:00:00Z") };

describe("an answer that streams", () => {
  test("deltas grow one item in place and the finished block replaces the text", () => {
    const streaming = reduced([text("Hel"), text("lo")]);
    const { items } = streaming.transcript;
    expect(facts(items)).toEqual([{ v: 1, kind: "assistant", messageId: "m1", index: 0, text: "Hello", done: false }]);
    const done = reduced([answer([{ type: "text", text: "Hello!" }])], streaming);
    expect(done.transcript.items).toBe(items);
    expect(facts(items)).toEqual([
      { v: 2, kind: "assistant", messageId: "m1", index: 0, text: "Hello!", done: true, ...written },
    ]);
    expect(done.transcript.rev).toBe(3);
  });

  test("thinking has an item of its own", () => {
    const { items } = reduced([{ type: "thinking", messageId: "m1", index: 0, delta: "hm" }, text("ok", 1)]).transcript;
    expect(items.map(({ kind }) => kind)).toEqual(["thinking", "assistant"]);
  });

  test("a dropped message loses what was not finished, and only that", () => {
    const state = reduced([text("first"), answer([{ type: "text", text: "first" }]), text("half", 1)]);
    const dropped = reduced([{ type: "dropped", messageId: "m1" }], state);
    expect(dropped.transcript.items.map((item) => "text" in item && item.text)).toEqual(["first"]);
    const retried = reduced([text("again", 1)], dropped);
    expect(retried.transcript.items.map((item) => "text" in item && item.text)).toEqual(["first", "again"]);
  });

  test("an answer that never streamed is one finished item; an empty one is none", () => {
    const { items } = reduced([
      answer([{ type: "text", text: "hi" }]),
      answer([{ type: "text", text: "" }], 1),
    ]).transcript;
    expect(facts(items)).toEqual([
      { v: 0, kind: "assistant", messageId: "m1", index: 0, text: "hi", done: true, ...written },
    ]);
  });

  test("a synthetic error message is an error line", () => {
    const { items } = reduced([answer([{ type: "text", text: "Overloaded" }], 0, "overloaded")]).transcript;
    expect(facts(items)).toEqual([{ v: 0, kind: "notice", level: "error", text: "Overloaded" }]);
  });

  test("raw stream events change nothing", () => {
    const state = initialState();
    expect(reduced([{ type: "stream", event: { type: "ping" } }], state)).toBe(state);
  });
});

describe("calls", () => {
  test("a call runs through its states to a result", () => {
    const running = reduced([
      call("t1"),
      { type: "tool_state", id: "t1", state: "running", at: 10 },
      { type: "tool_progress", id: "t1", name: "Bash", elapsedMs: 3, lastLines: ["x"], totalBytes: 2 },
    ]);
    const item = running.transcript.items[0] as ToolItem;
    expect(item).toMatchObject({ state: "running", startedAt: 10, durationMs: 3, lastLines: ["x"], totalBytes: 2 });
    reduced([result("t1")], running);
    expect(item).toMatchObject({ state: "done", durationMs: 7, resultText: "a.ts", v: 3 });
    expect(item.lastLines).toBeUndefined();
  });

  test("a replayed call without its event takes the first text of its input as its title", () => {
    const { items } = reduced([
      answer([{ type: "tool_use", id: "t1", name: "Read", input: { limit: 3, file_path: "a.ts" } }]),
    ]).transcript;
    expect(items[0]).toMatchObject({ kind: "tool", callId: "t1", title: "a.ts", state: "queued" });
  });

  test("a call's event after its block fills the same line", () => {
    const { items } = reduced([
      answer([{ type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } }]),
      call("t1"),
    ]).transcript;
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ title: "ls", isReadOnly: true });
  });

  test("a result without a call still gets a line", () => {
    const { items } = reduced([result("t9", true, "boom")]).transcript;
    expect(items[0]).toMatchObject({ kind: "tool", callId: "t9", state: "error", resultText: "boom" });
  });

  test("however an agent ends, its result shows its report and not the figures for the model; a stopped command says so", () => {
    const report = {
      kind: "agent" as const,
      agentId: "a1",
      agentType: "Explore",
      text: "The person stopped this agent.",
      toolUses: 1,
      tokens: 120,
      durationMs: 5,
    };
    const content = `${report.text}\nagentId: a1\n<usage>subagent_tokens: 120`;
    for (const isError of [true, false]) {
      const ended = { ...result("t1", isError, content), display: report } as EngineEvent;
      expect(reduced([call("t1"), ended]).transcript.items[0]).toMatchObject({ resultText: report.text });
    }
    const start: EngineEvent = {
      type: "agent_start",
      agentId: "a1",
      toolUseId: "t1",
      agentType: "Explore",
      name: "Explore",
      color: "blue",
      description: "auth flow",
      prompt: "look",
      isBackground: false,
      at: now,
    };
    const shell = { kind: "shell" as const, command: "sleep 9", output: "", exitCode: null };
    const noteAfter = (display: object): string | undefined => {
      const stopped = { ...result("c1", true), parentToolUseId: "t1", display: { ...shell, ...display } };
      return reduced([start, call("c1", "t1"), stopped as EngineEvent]).agents[0]?.lines[0]?.note;
    };
    expect(noteAfter({ interrupted: true })).toBe("stopped");
    expect(noteAfter({ interrupted: false })).toBe("stopped");
    expect(noteAfter({ interrupted: false, timedOut: true })).toBe("timed out");
    expect(noteAfter({ interrupted: false, exitCode: 2 })).toBe("exit 2");
  });

  test("F186 a subagent's calls and prose stay out of the transcript: its pane keeps a few last lines", () => {
    const start: EngineEvent = {
      type: "agent_start",
      agentId: "a1",
      toolUseId: "t1",
      agentType: "Explore",
      name: "Explore",
      color: "blue",
      description: "auth flow",
      prompt: "find it",
      isBackground: false,
      at: now,
    };
    const calls = Array.from({ length: 200 }, (_, index) => call(`c${index}`, "t1"));
    const state = reduced([
      call("t1"),
      start,
      { ...start, agentId: "a2", toolUseId: "t2" },
      { type: "text", messageId: "m9", index: 0, delta: "x".repeat(1_000_000), parentToolUseId: "t1" },
      ...calls,
      { ...result("c199"), parentToolUseId: "t1" } as EngineEvent,
    ]);
    expect(state.transcript.items).toHaveLength(1);
    expect(state.agents.map(({ id, lines }) => [id, lines.length])).toEqual([
      ["a1", 100],
      ["a2", 0],
    ]);
    expect(state.agents[0]?.lines.at(-1)).toEqual({
      id: "c199",
      kind: "call",
      state: "done",
      text: "Bash ls",
      note: "",
    });
    const ended: EngineEvent = {
      type: "agent_end",
      agentId: "a1",
      toolUseId: "t1",
      status: "completed",
      isBackground: false,
      summary: "found",
      toolUses: 20,
      tokens: 900,
      durationMs: 10,
      at: now,
    };
    const half = reduce(state, ended, now);
    expect(half.agents.map(({ id }) => id)).toEqual(["a2"]);
    const failed = reduce(half, { ...ended, agentId: "a2", toolUseId: "t2", status: "failed", summary: "lost" }, now);
    expect(failed.agents).toMatchObject([{ id: "a2", status: "failed", summary: "lost", endedAt: now }]);
    const settled = reduce(failed, { type: "run_end", outcome: outcomeFor() }, now);
    expect(settled.agents.map(({ id }) => id)).toEqual(["a2"]);
  });
});

describe("a run", () => {
  test("starts, counts and ends", () => {
    const running = reduced([{ type: "run_start", runId: "r1" }, text("12345678")]);
    expect(running.run).toMatchObject({ isRunning: true, startedAt: now, outputTokens: 2, settledOutputTokens: 0 });
    const counted = reduced(
      [
        {
          type: "usage",
          usage,
          costUsd: 0.5,
          contextTokens: 1_000,
          contextWindow: 200_000,
          inputTokens: 1,
          outputTokens: 1,
        },
      ],
      running,
    );
    expect(counted.run).toMatchObject({ inputTokens: 1_000, outputTokens: 20, settledOutputTokens: 20 });
    expect(counted.usage).toEqual({ contextTokens: 1_000, contextWindow: 200_000, costUsd: 0.5 });
    const over = reduced([{ type: "run_end", outcome: outcomeFor() }], counted);
    expect(over.run).toMatchObject({ isRunning: false, retry: null, status: null });
  });

  test("an interrupted run settles what hung and says so", () => {
    const state = reduced([{ type: "run_start", runId: "r1" }, text("half"), call("t1")]);
    const over = reduced([{ type: "run_end", outcome: outcomeFor({ cause: "interrupted" }) }], state);
    expect(over.transcript.items[0]).toMatchObject({ done: true });
    expect(over.transcript.items[1]).toMatchObject({ state: "error", resultText: "Interrupted" });
    expect(over.transcript.items[2]).toMatchObject({ kind: "notice", text: "Interrupted. Say what to do instead." });
  });

  test("the mark of an interrupt and the end of its run are one line", () => {
    const over = reduced([
      user("[Request interrupted by user]"),
      { type: "run_end", outcome: outcomeFor({ cause: "interrupted" }) },
    ]);
    expect(facts(over.transcript.items)).toEqual([
      { v: 1, kind: "notice", level: "info", text: "Interrupted. Say what to do instead." },
    ]);
    expect(facts(reduced([user("[Request interrupted by user]")]).transcript.items)).toEqual([
      { v: 0, kind: "notice", level: "info", text: "Interrupted" },
    ]);
  });

  test("a run that ended with a refusal says why", () => {
    const over = reduced([{ type: "run_end", outcome: outcomeFor({ cause: "declined" }) }]);
    expect(over.transcript.items[0]).toMatchObject({ text: "Stopped because you said no. Say what to do instead." });
  });

  test("a retry is counted down until it is settled or text comes", () => {
    const retry: EngineEvent = {
      type: "retry",
      attempt: 2,
      maxAttempts: 10,
      delayMs: 4_000,
      retryAt: 9_000,
      status: 529,
      reason: "Overloaded",
      error: "overloaded",
    };
    const waiting = reduced([retry]);
    expect(waiting.run.retry).toEqual({ attempt: 2, maxAttempts: 10, retryAt: 9_000, reason: "Overloaded" });
    expect(reduced([{ type: "retry_settled" }], waiting).run.retry).toBeNull();
    expect(reduced([text("x")], waiting).run.retry).toBeNull();
  });

  test("status and the active task's words reach the spinner", () => {
    const state = reduced([
      { type: "status", status: "compacting" },
      { type: "todos", todos: [{ id: "1", subject: "Test it", activeForm: "Testing", status: "in_progress" }] },
    ]);
    expect(state.run).toMatchObject({ status: "compacting", verb: "Testing" });
    expect(reduced([{ type: "turn_start", turn: 2, attempt: 1 }], state).run.status).toBeNull();
    expect(reduced([{ type: "todos", todos: [] }], state).run.verb).toBe("Working");
  });

  test("an engine that throws ends the run and leaves the session usable", () => {
    const broken = endRunWithError(reduced([{ type: "run_start", runId: "r1" }]), "boom", now);
    expect(broken.run.isRunning).toBe(false);
    expect(broken.transcript.items[0]).toMatchObject({ kind: "notice", level: "error" });
  });
});

describe("the session", () => {
  const opened: EngineEvent = { type: "session", session: sessionFor(), reason: "open" };

  test("opening fills the banner and takes the mode", () => {
    const state = reduced([{ ...opened, session: sessionFor({ permissionMode: "plan" }) }]);
    expect(state.mode).toBe("plan");
    expect(facts(state.transcript.items)).toEqual([
      { v: 0, kind: "banner", version: "3.0.0", cwd: "/home/ada/shop", branch: "main", model: "sonnet", trusted: true },
    ]);
  });

  test("a change updates the banner, clear begins a new list", () => {
    const state = reduced([opened, user("hi")]);
    const { items } = state.transcript;
    const changed = reduced(
      [{ type: "session", session: sessionFor({ modelLabel: "opus" }), reason: "change" }],
      state,
    );
    expect(changed.transcript.items).toBe(items);
    expect(items[0]).toMatchObject({ kind: "banner", model: "opus" });
    const cleared = reduced([{ type: "session", session: sessionFor(), reason: "clear" }], changed);
    expect(cleared.transcript.items).not.toBe(items);
    expect(cleared.transcript.items.map(({ kind }) => kind)).toEqual(["banner"]);
    expect(cleared.todos).toEqual([]);
  });

  test("what people type is shown, reminders are not", () => {
    expect(reduced([user("hi"), user("reminder", true), user("")]).transcript.items).toMatchObject([{ text: "hi" }]);
  });

  test("a notice with a key is updated where it stands", () => {
    const { items } = reduced([
      { type: "notice", level: "info", text: "1 of 3", key: "sync" },
      user("hi"),
      { type: "notice", level: "warning", text: "2 of 3", key: "sync" },
    ]).transcript;
    expect(items).toMatchObject([{ kind: "notice", level: "warning", text: "2 of 3", v: 1 }, { kind: "user" }]);
  });

  test("commands, summaries, pickers, history, restored prompts, mode and exit", () => {
    const state = reduced([
      { type: "command_output", command: "cost", text: "$0", isError: false },
      {
        type: "compact_boundary",
        trigger: "manual",
        preTokens: 120_000,
        postTokens: 900,
        durationMs: 1,
        summary: "s",
      },
      { type: "picker", picker: { kind: "memory", files: [] } },
      { type: "history", prompts: ["a", "b"] },
      { type: "restore_prompt", text: "again" },
      { type: "mode", mode: "acceptEdits" },
      { type: "exit", code: 3, message: "bye" },
    ]);
    expect(facts(state.transcript.items)).toEqual([
      { v: 0, kind: "command", command: "cost", text: "$0", isError: false },
      { v: 0, kind: "boundary", text: "Conversation summarised: 120k → 900 tokens" },
    ]);
    expect(state).toMatchObject({
      picker: { kind: "memory", files: [] },
      input: { history: ["a", "b"], restore: "again", queued: [] },
      mode: "acceptEdits",
      exit: { code: 3, message: "bye" },
    });
  });

  test("questions queue in order and leave by id; a subagent's is asked like any other", () => {
    const second = bashQuestion({ id: "q9" });
    const state = reduced([
      { type: "question", question: bashQuestion() },
      { type: "question", question: second, parentToolUseId: "t1" },
    ]);
    expect(state.questions.map(({ id }) => id)).toEqual(["q1", "q9"]);
    expect(reduced([{ type: "question_settled", id: "q1", by: "hook" }], state).questions).toEqual([second]);
  });
});

test("a replayed session of 10,000 messages is reduced whole", () => {
  const events = Array.from({ length: 5_000 }, (_, at): EngineEvent[] => [
    user(`prompt ${at}`),
    { ...call(`t${at}`) },
    { ...result(`t${at}`) },
  ]).flat();
  expect(reduced(events).transcript.items).toHaveLength(10_000);
});

test("what a command wants of the screen becomes state; what it leaves out stays", () => {
  const screen = (change: object, state?: AppState) => reduced([{ type: "screen", change }], state);
  const first = screen({ layout: "inline" });
  expect(first.screen).toMatchObject({ layout: "inline", mouse: true, theme: null });
  const second = screen({ mouse: "toggle", theme: "light" }, screen({ layout: "toggle" }, first));
  expect(second.screen).toMatchObject({ layout: "fullscreen", mouse: false, theme: { name: "light" } });
});
