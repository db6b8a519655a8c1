// The accessible mode: lines only, numbers and Enter, nothing redrawn (F170).
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, test, vi } from "vitest";
import { asking } from "../../../../components/linear/asking.js";
import { mountLinear } from "../../../../components/linear/linear.js";
import { createReader } from "../../../../components/linear/reader.js";
import { durationWords } from "../../../../components/linear/wording.js";
import type { TranscriptItem } from "../../../../state/app-state.js";
import { createFakeEngine, sessionFor } from "../support/fake-engine.js";
import { bashQuestion, pickers, questions } from "../support/samples.js";

const hostile = "\u001b[2J\u001b]0;x\u0007\u009b31m";

const start = async (quietMs = 0) => {
  const engine = createFakeEngine();
  const input = new PassThrough();
  const signals = new EventEmitter();
  const time = { now: 1_000_000 };
  let output = "";
  const app = mountLinear({
    engine: Promise.resolve(engine),
    version: "3.0.0",
    cwd: "/home/ada/shop",
    settings: { quietMs },
    input,
    write: (text) => {
      output += text;
    },
    now: () => time.now,
    signals,
  });
  const settle = async (): Promise<void> => {
    for (let at = 0; at < 12; at++) await new Promise((resolve) => setImmediate(resolve));
  };
  await settle();
  return {
    app,
    engine,
    signals,
    time,
    settle,
    output: () => output,
    type: async (line: string) => {
      input.write(`${line}\n`);
      await settle();
    },
  };
};

let running: Awaited<ReturnType<typeof start>> | undefined;
afterEach(async () => {
  vi.useRealTimers();
  running?.app.store.setState({ exit: { code: 0 } });
  await running?.app.waitUntilExit();
  running = undefined;
});

test("F170 a permission question is lines with numbers; only a number and Enter answers it", async () => {
  running = await start();
  running.engine.emit({ type: "question", question: bashQuestion() });
  await running.settle();
  const output = running.output();
  expect(output).toContain(
    [
      "Question: Run this command?",
      "git push --force-with-lease origin fix/date-filter",
      "Asked because: writes to a remote (no rule allows git push)",
      "1. Yes, once",
      "2. Yes, and don't ask again for git push * in this project",
      "3. No, and say what to do instead",
      "Type a number from 1 to 3 and press Enter. Words behind the number are passed on.",
    ].join("\n"),
  );
  await running.type("yes please");
  await running.type("");
  await running.type("9");
  expect(running.engine.answers).toEqual([]);
  await running.type("3 use the other branch");
  expect(running.engine.answers).toEqual([
    { id: "q1", answer: { kind: "permission", outcome: "deny", comment: "use the other branch" } },
  ]);
});

test("F033 a line typed before the question could be heard is a prompt, not an answer", async () => {
  running = await start(400);
  running.engine.emit({ type: "question", question: bashQuestion() });
  await running.settle();
  running.time.now += 100;
  await running.type("1");
  expect(running.engine.answers).toEqual([]);
  running.time.now += 400;
  await running.type("1");
  expect(running.engine.answers).toHaveLength(1);
});

test("F170 work is one line and a heartbeat every 30 seconds at most; nothing moves the cursor", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  running = await start();
  running.engine.emit({ type: "run_start", runId: "r" });
  await running.settle();
  running.time.now += 30_000;
  vi.advanceTimersByTime(29_999);
  expect(running.output().match(/Still working/g)).toBeNull();
  vi.advanceTimersByTime(1);
  expect(running.output()).toContain("Still working, 30 seconds.");
  vi.advanceTimersByTime(60_000);
  expect(running.output().match(/Still working/g)).toHaveLength(3);
  running.app.store.setState(({ run }) => ({ run: { ...run, isRunning: false } }));
  vi.advanceTimersByTime(600_000);
  expect(running.output().match(/Still working/g)).toHaveLength(3);
  expect(running.output()).toContain("Done after 30 seconds.");
  expect(running.output()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

test("control c stops a run; at rest the second one leaves", async () => {
  running = await start();
  running.app.store.setState(({ run }) => ({ run: { ...run, isRunning: true } }));
  running.signals.emit("SIGINT");
  await running.settle();
  expect(running.engine.interrupts).toEqual(["run"]);
  running.app.store.setState(({ run }) => ({ run: { ...run, isRunning: false } }));
  running.signals.emit("SIGINT");
  expect(running.output()).toContain("Press Control C again to leave.");
  running.signals.emit("SIGINT");
  await running.settle();
  expect(running.app.store.getState().exit?.code).toBe(0);
});

test("the model picker is a numbered list; a number chooses", async () => {
  running = await start();
  running.app.store.setState({ session: sessionFor() });
  running.engine.emit({ type: "picker", picker: pickers.find(({ kind }) => kind === "model")! });
  await running.settle();
  expect(running.output()).toMatch(/\n1\. /);
  await running.type("2");
  expect(running.engine.requests.map(({ type }) => type)).toContain("set_model");
});

test("F170 every picker is told in plain lines: nothing of its data's form, nothing that moves the cursor", async () => {
  for (const picker of pickers) {
    running = await start();
    running.app.store.setState({ session: sessionFor() });
    const before = running.output().length;
    running.engine.emit({ type: "picker", picker });
    await running.settle();
    const told = running.output().slice(before);
    expect(told).not.toMatch(/^\s*[{}[\]]|": |[\u0000-\u0009\u000b-\u001f]/m);
    expect(told.trim().length).toBeGreaterThan(10);
    running.app.store.setState({ exit: { code: 0 } });
  }
});

test("background tasks and what fills the context are numbered lists", async () => {
  running = await start();
  const task = { id: "b1", kind: "shell", title: "npm test", status: "running", startedAt: 0 } as const;
  running.app.store.setState({ session: sessionFor(), background: [task] });
  running.engine.emit({ type: "picker", picker: { kind: "tasks" } });
  await running.settle();
  expect(running.output()).toContain("1. npm test, running\n");
  await running.type("1");
  running.engine.emit({ type: "picker", picker: pickers.find(({ kind }) => kind === "context")! });
  await running.settle();
  await running.type("1");
  expect(running.engine.requests.map(({ type }) => type)).toEqual(["open", "show_task", "drop_context"]);
});

describe("what is told", () => {
  test("an answer is told line by line as it grows, each line once", () => {
    const reader = createReader(() => false);
    const answer = { id: "a", v: 0, kind: "assistant", messageId: "m", index: 0, text: "First", done: false } as const;
    const items: TranscriptItem[] = [{ ...answer }];
    const item = items[0] as { text: string; done: boolean };
    expect(reader.news(items)).toEqual([]);
    item.text = "First line\nsec";
    expect(reader.news(items)).toEqual(["Answer: First line"]);
    item.text = "First line\nsecond\n";
    expect(reader.news(items)).toEqual(["second"]);
    item.text = "First line\nsecond\nlast";
    item.done = true;
    expect(reader.news(items)).toEqual(["last"]);
    expect(reader.news(items)).toEqual([]);
  });

  test("a call is told when it begins and when it ends; a change is told in words", () => {
    const reader = createReader(() => false);
    const items: TranscriptItem[] = [
      {
        id: "t",
        v: 0,
        kind: "tool",
        callId: "c",
        name: "Edit",
        title: "a.ts",
        input: {},
        isReadOnly: false,
        state: "running",
      },
    ];
    expect(reader.news(items)).toEqual(["Tool Edit: a.ts"]);
    Object.assign(items[0]!, {
      state: "done",
      display: {
        kind: "diff",
        path: "a.ts",
        change: "update",
        added: 1,
        removed: 1,
        hunks: [{ oldStart: 3, oldLines: 1, newStart: 3, newLines: 1, lines: ["-old", "+new"] }],
      },
    });
    expect(reader.news(items)).toEqual([
      "Edit done.",
      "a.ts, changed: 1 line added, 1 removed.",
      "line 3 removed: old",
      "line 3 added: new",
    ]);
  });

  test("the person's own line is not told again, an older one is", () => {
    const reader = createReader((text) => text === "mine");
    const user = (id: string, text: string): TranscriptItem => ({ id, v: 0, kind: "user", text });
    expect(reader.news([user("1", "mine"), user("2", "replayed")])).toEqual(["You: replayed"]);
  });

  test.each(questions.map((question) => ({ kind: question.kind, question })))(
    "a question of kind $kind has numbered choices and ignores what is no answer",
    ({ question }) => {
      const { lines, take } = asking(question);
      expect(lines.some((line) => line.startsWith("1. "))).toBe(true);
      expect(take("")).toBeNull();
      expect(take("1")).not.toBeNull();
    },
  );

  test("several questions are asked one after the other", () => {
    const choice = questions.find((question) => question.kind === "choice" && question.questions.length > 1);
    if (choice?.kind !== "choice") throw new Error("no sample");
    const { take } = asking(choice);
    let taken = take("1");
    for (let at = 1; at < choice.questions.length; at++) {
      expect(taken).toHaveProperty("lines");
      taken = take("my own words");
    }
    expect(taken).toMatchObject({ answer: { kind: "choice" } });
  });

  test("foreign text brings no control character along", () => {
    const reader = createReader(() => false);
    const lines = [
      ...reader.news([{ id: "n", v: 0, kind: "notice", level: "info", text: `a${hostile}b` }]),
      ...asking(bashQuestion({ input: { command: `ls${hostile}` }, title: hostile })).lines,
    ];
    expect(lines.join("\n")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  test("durations are words", () => {
    expect([1_000, 59_400, 125_000, 120_000].map(durationWords)).toEqual([
      "1 second",
      "59 seconds",
      "2 minutes 5 seconds",
      "2 minutes",
    ]);
  });
});
