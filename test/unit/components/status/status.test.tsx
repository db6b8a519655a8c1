// The prompt box and the lines around it.
import { afterEach, describe, expect, test } from "vitest";
import { scrollTop } from "../../../../components/prompt/PromptInput.js";
import { durationText, tokenText } from "../../../../components/status/format.js";
import { todoWindow } from "../../../../components/status/TodoPanel.js";
import { fitting, fittingEnd } from "../../../../components/ui/fitting.js";
import { optionWindow } from "../../../../components/ui/OptionList.js";
import { visiblePart } from "../../../../components/ui/TextInput.js";
import type { Todo } from "../../../../src/protocol/display.js";
import { initialState } from "../../../../state/store.js";
import { outcomeOf } from "../../../helpers/fake-engine.js";
import { sessionFor } from "../support/fake-engine.js";
import { keys, renderScreen, type TestScreen } from "../support/screen.js";

let screen: TestScreen;
afterEach(() => screen?.unmount());
const run = { ...initialState().run, isRunning: true, startedAt: 1_000_000 - 38_000 };

describe("the idle screen", () => {
  test.each([
    [80, 24],
    [40, 12],
    [120, 40],
  ])("at %d x %d the prompt stands between two rules above the footer", async (columns, rows) => {
    screen = await renderScreen({ columns, rows });
    await expect(`${screen.text()}\n`).toMatchFileSnapshot(`../../../screens/ui/idle-${columns}x${rows}.txt`);
    expect(screen.caret()).toEqual({ rowFromBottom: 2, column: 2 });
  });

  test("typing draws the text and moves the real cursor, wide characters by two", async () => {
    screen = await renderScreen();
    await screen.press(..."한글 あ");
    expect(screen.rows()[1]).toBe("❯ 한글 あ");
    expect(screen.caret()).toEqual({ rowFromBottom: 2, column: 9 });
    await screen.press(keys.left, keys.left);
    expect(screen.caret()).toEqual({ rowFromBottom: 2, column: 6 });
  });

  test("a click places the caret, on rows of a long prompt and on wide characters too", async () => {
    screen = await renderScreen({ columns: 40, rows: 24 });
    await screen.press(..."日本語 text\u001b\rsecond".match(/\u001b\r|[\s\S]/gu)!);
    const caret = () => screen.services.promptStore.getState().editor.caret;
    expect(screen.services.clicks.click(3, 7)).toBe(true);
    expect(caret()).toBe(2);
    expect(screen.services.clicks.click(2, 4)).toBe(true);
    expect(caret()).toBe("日本語 text\n".length + 2);
    expect(screen.services.clicks.click(2, 39)).toBe(true);
    expect(caret()).toBe("日本語 text\nsecond".length);
  });

  test("a long prompt grows to a third of the screen and then scrolls with the caret", async () => {
    screen = await renderScreen();
    const lines = Array.from({ length: 12 }, (_, at) => `row ${at}`);
    for (const line of lines) await screen.press(line, keys.ctrl("j"));
    expect(screen.rows()).toHaveLength(8 + 3);
    expect(screen.rows()[0]).toContain("↑ 5 rows");
    expect(screen.caret()?.rowFromBottom).toBe(2);
    await screen.press(...Array.from({ length: 12 }, () => keys.up));
    expect(screen.rows()[1]).toBe("❯ row 0");
    expect(screen.rows().at(-2)).toContain("↓ 5 rows");
  });

  test("the command menu stands above the prompt and does not move it", async () => {
    screen = await renderScreen();
    await screen.press("/", "c");
    expect(screen.rows().slice(-3)[0]).toBe("❯ /c");
    expect(screen.rows()[0]).toMatch(/^❯ \/clear/);
    expect(screen.text()).toContain("Summarise the conversation [focus]");
    await screen.press(keys.esc);
    expect(screen.rows()).toHaveLength(4);
  });

  test("? lists the keys and goes away with the next key", async () => {
    screen = await renderScreen({ columns: 120, rows: 40 });
    await screen.press("?");
    expect(screen.text()).toContain("put back what was cut");
    await screen.press("a");
    expect(screen.text()).not.toContain("put back what was cut");
  });
});

describe("F035 the footer names what the next press does", () => {
  test("idle and empty: ctrl+c asks, the second one leaves", async () => {
    screen = await renderScreen();
    await screen.press(keys.ctrl("c"));
    expect(screen.rows().at(-1)).toContain("ctrl+c again leaves");
    expect(screen.services.store.getState().exit).toBeNull();
    await screen.press(keys.ctrl("c"));
    expect(screen.services.store.getState().exit).toEqual({ code: 0 });
  });

  test("a run with text: ctrl+c clears the text only, then stops the run", async () => {
    screen = await renderScreen({ state: { run } });
    await screen.press("h", "i");
    expect(screen.rows().at(-1)).toContain("esc stops · ctrl+c clears the text");
    await screen.press(keys.ctrl("c"));
    expect(screen.engine.interrupts).toEqual([]);
    expect(screen.rows().at(-1)).toContain("esc stops");
    await screen.press(keys.ctrl("c"));
    expect(screen.engine.interrupts).toEqual(["run"]);
    await screen.press(keys.up);
    expect(screen.text()).toContain("❯ hi");
  });

  test("esc with text says that it must be pressed again", async () => {
    screen = await renderScreen();
    await screen.press("x", keys.esc);
    expect(screen.rows().at(-1)).toContain("esc again clears the text");
  });

  test("ctrl+d deletes forwards in text and leaves when pressed twice without", async () => {
    screen = await renderScreen();
    await screen.press("a", "b", keys.left, keys.ctrl("d"));
    expect(screen.rows()[1]).toBe("❯ a");
    await screen.press(keys.backspace, keys.ctrl("d"));
    expect(screen.rows().at(-1)).toContain("ctrl+d again leaves");
    await screen.press(keys.ctrl("d"));
    expect(screen.services.store.getState().exit).toEqual({ code: 0 });
  });

  test("next to a placeholder it says how to see the text", async () => {
    screen = await renderScreen();
    await screen.paste("a\nb\nc\nd");
    expect(screen.rows()[1]).toBe("❯ [Pasted text #1 +4 lines]");
    expect(screen.rows().at(-1)).toContain("tab shows the pasted text");
  });
});

describe("the footer", () => {
  test("shift+tab walks through the modes", async () => {
    screen = await renderScreen();
    await screen.press(keys.shiftTab);
    expect(screen.rows().at(-1)).toContain("accept edits on (shift+tab)");
    await screen.press(keys.shiftTab);
    expect(screen.rows().at(-1)).toContain("plan mode on");
    expect(screen.engine.requests.at(-1)).toEqual({ type: "set_mode", mode: "plan" });
  });

  test("leaves the effort out where the model's name has no room", async () => {
    screen = await renderScreen({ columns: 42, rows: 12 });
    expect(screen.rows().at(-1)).toContain("asks before changes");
    expect(screen.rows().at(-1)).not.toContain("high");
  });

  test("shows context and cost, and drops what does not fit", async () => {
    const usage = { contextTokens: 28_000, contextWindow: 200_000, costUsd: 0.07 };
    screen = await renderScreen({ state: { usage } });
    // Opening sets the window of the model; the rest stays.
    expect(screen.rows().at(-1)).toContain("sonnet · high · ctx 14 % · $0.07 · ? keys");
    screen.unmount();
    screen = await renderScreen({ columns: 40, rows: 12, state: { usage } });
    expect(screen.rows().at(-1)!.length).toBeLessThanOrEqual(40);
  });

  test("near the limit the context comes first and says when it is compacted, or what to do", async () => {
    const usage = { contextTokens: 178_000, contextWindow: 200_000, costUsd: 0.07 };
    screen = await renderScreen({ state: { usage } });
    expect(screen.rows().at(-1)).toContain("ctx 89 %, nearly full: /compact · sonnet");
    screen.engine.emit({
      type: "session",
      session: { ...screen.services.store.getState().session!, compactAt: 180_400 },
      reason: "change",
    });
    await screen.settle();
    expect(screen.rows().at(-1)).toContain("ctx 89 %, compacts in 2k · sonnet");
  });

  test("parts that do not fit are left out whole", () => {
    expect(fitting(["sonnet", "high", "ctx 14 %"], 14)).toBe("sonnet · high");
    expect(fittingEnd(["type to search", "enter resumes", "esc closes"], 27)).toBe("enter resumes · esc closes");
  });
});

describe("a run", () => {
  test("the spinner shows what is done, for how long, and how to stop it", async () => {
    screen = await renderScreen({
      state: { run: { ...run, verb: "Testing", inputTokens: 12_400, outputTokens: 860 } },
      services: { reducedMotion: true },
    });
    expect(screen.rows()[0]).toBe("✳ Testing… 38 s · ↑ 12.4k ↓ 860 tokens · esc to stop");
  });

  test("a long reason of a retry gives way to the time and the key", async () => {
    const reason = "The service answered with a page that is no answer and says a lot about why that is so today.";
    const retry = { attempt: 2, maxAttempts: 10, retryAt: 1_004_000, reason };
    screen = await renderScreen({ state: { run: { ...run, retry } } });
    expect(screen.rows()[0]).toMatch(/^○ The service answered .*…\. Trying again in 4 s \(2 of 10\) · esc stops$/);
  });

  test("a retry counts down in its place", async () => {
    const retry = { attempt: 2, maxAttempts: 10, retryAt: 1_004_000, reason: "Connection lost while answering." };
    screen = await renderScreen({ state: { run: { ...run, retry } } });
    expect(screen.rows()[0]).toBe("○ Connection lost while answering. Trying again in 4 s (2 of 10) · esc stops");
  });

  test("waiting prompts are listed above the input and up takes them back", async () => {
    screen = await renderScreen();
    await screen.press("a", keys.enter);
    for (const text of ["one", "two"]) await screen.press(text, keys.enter);
    expect(screen.text()).toContain("○ one");
    expect(screen.text()).toContain("waits for its turn · ↑ takes it back");
    await screen.press(keys.up);
    expect(screen.text()).not.toContain("○ one");
    expect(screen.text()).toContain("❯ one");
  });

  test("text the engine hands back is in the prompt, above the draft", async () => {
    screen = await renderScreen();
    await screen.press("d");
    screen.engine.emit({ type: "restore_prompt", text: "again" });
    await screen.settle();
    expect(screen.rows().slice(1, 3)).toEqual(["❯ again", "  d"]);
  });

  test("page keys scroll the transcript, also while a dialog is open", async () => {
    screen = await renderScreen();
    await screen.press(keys.pageUp, keys.pageUp);
    expect(screen.scrolled()).toBe(-2);
  });
});

describe("tasks", () => {
  const todo = (id: number, status: Todo["status"], subject = `task number ${id} with a long name`): Todo => ({
    id: String(id),
    subject,
    status,
  });

  test("few stand on one line, each with its glyph", async () => {
    const todos = [todo(1, "completed", "Find it"), todo(2, "in_progress", "Test it"), todo(3, "pending", "Run all")];
    screen = await renderScreen({ state: { todos } });
    expect(screen.rows()[0]).toBe("  ✓ Find it   ● Test it   ○ Run all");
    await screen.press(keys.ctrl("t"));
    expect(screen.text()).not.toContain("Find it");
  });

  test("many are five around the active one, the rest is counted", async () => {
    const todos = Array.from({ length: 9 }, (_, at) =>
      todo(at, at < 4 ? "completed" : at === 4 ? "in_progress" : "pending"),
    );
    screen = await renderScreen({ state: { todos } });
    expect(screen.rows()[1]).toContain("● task number 4");
    expect(screen.text()).toContain("4 more · ctrl+t hides");
    expect(todoWindow(todos.map((one) => ({ ...one, status: "completed" as const }))).shown).toHaveLength(5);
  });

  test("ctrl+t hides the tasks and shows them again", async () => {
    const todos = [{ id: "1", subject: "Find it", status: "in_progress" as const }];
    screen = await renderScreen({ state: { todos, showTodos: true } });
    expect(screen.text()).toContain("Find it");
    await screen.press(keys.ctrl("t"));
    expect(screen.text()).not.toContain("Find it");
    await screen.press(keys.ctrl("t"));
    expect(screen.text()).toContain("Find it");
  });

  test("a finished list is gone", async () => {
    screen = await renderScreen({ state: { todos: [todo(1, "completed")] } });
    expect(screen.text()).not.toContain("task number");
  });

  test("on a tiny screen the tasks give way, never the prompt", async () => {
    const todos = Array.from({ length: 9 }, (_, at) => todo(at, "pending"));
    screen = await renderScreen({ columns: 40, rows: 12, state: { todos, run } });
    expect(screen.rows().length).toBeLessThanOrEqual(9);
    expect(screen.rows().slice(-3)[0]).toMatch(/^❯ /);
    expect(screen.text()).toContain("Working");
  });
});

describe("small helpers", () => {
  test.each([
    [0, "0 s"],
    [59_999, "59 s"],
    [67_000, "1:07"],
  ])("%d ms are %s", (ms, text) => expect(durationText(ms)).toBe(text));

  test.each([
    [860, "860"],
    [12_400, "12.4k"],
    [122_000, "122k"],
    [1_250_000, "1.3M"],
  ])("%d tokens are %s", (count, text) => expect(tokenText(count)).toBe(text));

  test("the prompt's window moves only as far as the caret makes it", () => {
    expect(scrollTop(0, 3, 10, 5)).toBe(0);
    expect(scrollTop(0, 5, 10, 5)).toBe(1);
    expect(scrollTop(3, 2, 10, 5)).toBe(2);
    expect(scrollTop(9, 0, 1, 5)).toBe(0);
  });

  test("options that do not fit scroll with the focus", () => {
    expect(optionWindow([1, 2, 1, 1], 0, 4)).toEqual([0, 3]);
    expect(optionWindow([1, 2, 1, 1], 3, 2)).toEqual([2, 4]);
    expect(optionWindow([9], 0, 2)).toEqual([0, 1]);
  });

  test("a field shows the part of its text around the caret", () => {
    expect(visiblePart([..."abcdef"], 6, 4)).toEqual({ text: "def", column: 3 });
    expect(visiblePart([..."abcdef"], 0, 4)).toEqual({ text: "abc", column: 0 });
    expect(visiblePart(["한", "글"], 2, 4)).toEqual({ text: "글", column: 2 });
  });
});

test("a keystroke draws one frame and an idle screen draws none", async () => {
  screen = await renderScreen();
  const before = screen.frames();
  await screen.settle();
  expect(screen.frames()).toBe(before);
  await screen.press("a");
  expect(screen.frames() - before).toBeLessThanOrEqual(2);
});

describe("after a run", () => {
  const task = (id: string, kind: "shell" | "agent", status: "running" | "completed") => ({
    id,
    kind,
    status,
    title: id,
    startedAt: 1,
  });
  const endRun = async (seconds: number, cause: "completed" | "interrupted") => {
    screen.engine.emit({ type: "run_start", runId: "r" });
    screen.time.now += seconds * 1_000;
    screen.engine.emit({ type: "run_end", outcome: outcomeOf({ cause }) });
    await screen.settle();
  };

  test("a line says how long it took and what still runs, until the next one begins", async () => {
    screen = await renderScreen();
    await endRun(8, "completed");
    expect(screen.rows()[0]).toBe("✻ Worked for 8 s");
    const tasks = [task("a", "shell", "running"), task("b", "shell", "running"), task("c", "agent", "running")];
    screen.engine.emit({ type: "background", tasks });
    await screen.settle();
    expect(screen.rows()[0]).toBe("✻ Worked for 8 s · 2 shells, 1 agent still running");
    screen.engine.emit({ type: "background", tasks: tasks.map((one) => ({ ...one, status: "completed" as const })) });
    await screen.settle();
    expect(screen.rows()[0]).toBe("✻ Worked for 8 s");
    screen.engine.emit({ type: "run_start", runId: "r2" });
    await screen.settle();
    expect(screen.text()).not.toContain("Worked for");
  });

  test("without showTurnDuration only what still runs is told", async () => {
    screen = await renderScreen();
    const session = sessionFor({ interface: { showTurnDuration: false } });
    screen.engine.emit({ type: "session", session, reason: "change" });
    await endRun(8, "completed");
    expect(screen.text()).not.toContain("✻");
    screen.engine.emit({ type: "background", tasks: [task("a", "shell", "running")] });
    await screen.settle();
    expect(screen.rows()[0]).toBe("✻ 1 shell still running");
  });

  test("one that was stopped says so, a short one says nothing unless something still runs", async () => {
    screen = await renderScreen();
    await endRun(71, "interrupted");
    expect(screen.rows()[0]).toBe("✻ Stopped after 1:11");
    await endRun(1, "completed");
    expect(screen.text()).not.toContain("✻");
    screen.engine.emit({ type: "background", tasks: [task("a", "shell", "running")] });
    await screen.settle();
    expect(screen.rows()[0]).toBe("✻ Worked for 1 s · 1 shell still running");
  });
});
