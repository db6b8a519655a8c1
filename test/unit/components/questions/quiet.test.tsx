// F033: nothing typed before a dialog was seen can answer it.
import { afterEach, describe, expect, test } from "vitest";
import { fullText } from "../../../../components/prompt/cells.js";
import { createQuietGate } from "../../../../components/questions/quiet-gate.js";
import { bashQuestion, questions } from "../support/samples.js";
import { keys, renderScreen, type TestScreen } from "../support/screen.js";

let screen: TestScreen;
afterEach(() => screen?.unmount());

const draft = (): string => fullText(screen.services.promptStore.getState().editor.cells);

test("F033 keys typed while a dialog pops up stay in the draft and answer nothing", async () => {
  screen = await renderScreen({ quietMs: 400 });
  const typed = "fix it, y 1 2 then run";
  for (const [at, character] of [...typed].entries()) {
    if (at === 5) screen.engine.emit({ type: "question", question: bashQuestion() });
    screen.time.now += 15;
    await screen.press(character);
  }
  screen.time.now += 15;
  await screen.press(keys.enter, keys.esc);
  expect(screen.engine.answers).toEqual([]);
  expect(screen.services.store.getState().questions).toHaveLength(1);
  expect(draft()).toBe(typed);
  expect(screen.text()).toContain("one moment");
  screen.time.now += 401;
  await screen.press("1");
  expect(screen.engine.answers).toEqual([{ id: "q1", answer: { kind: "permission", outcome: "allow" } }]);
  expect(draft()).toBe(typed);
});

test("F033 a paste into a dialog that is not awake yet goes to the draft", async () => {
  screen = await renderScreen({ quietMs: 400, state: { questions: [bashQuestion()] } });
  await screen.paste("1\n2");
  expect(screen.engine.answers).toEqual([]);
  expect(draft()).toBe("1\n2");
});

test("ctrl+c works while the dialog is deaf", async () => {
  screen = await renderScreen({ quietMs: 400, state: { questions: [bashQuestion()] } });
  screen.services.store.setState(({ run }) => ({ run: { ...run, isRunning: true } }));
  await screen.press(keys.ctrl("c"));
  expect(screen.engine.interrupts).toEqual(["run"]);
});

test("F033 text typed into an open dialog goes to the draft and makes it deaf: the Enter behind it approves nothing", async () => {
  screen = await renderScreen({ quietMs: 400, state: { questions: [bashQuestion()] } });
  screen.time.now += 401;
  for (const character of "run it") {
    screen.time.now += 90;
    await screen.press(character);
  }
  screen.time.now += 90;
  await screen.press(keys.enter);
  await screen.press("1");
  expect(screen.engine.answers).toEqual([]);
  expect(screen.text()).toContain("one moment");
  expect(draft()).toBe("run it1");
  screen.time.now += 401;
  await screen.press(keys.enter);
  expect(screen.engine.answers).toEqual([{ id: "q1", answer: { kind: "permission", outcome: "allow" } }]);
});

test.each(questions.map((question) => ({ kind: question.kind, question })))(
  "F033 in a dialog of kind $kind a stray letter or paste before Enter answers nothing",
  async ({ question }) => {
    for (const stray of ["z", "pasted words"]) {
      screen = await renderScreen({ quietMs: 400, state: { questions: [question] } });
      screen.time.now += 401;
      if (stray === "z") await screen.press(stray);
      else await screen.paste(stray);
      screen.time.now += 90;
      await screen.press(keys.enter);
      // A paste into the plan dialog is feedback: that keeps planning.
      const answers = screen.engine.answers.map(({ answer }) => answer);
      const isFeedback = question.kind === "plan" && stray !== "z";
      expect(answers).toEqual(isFeedback ? [{ kind: "plan", choice: 4, feedback: stray }] : []);
      screen.unmount();
    }
  },
);

describe("the gate", () => {
  const setUp = (quietMs = 400) => {
    const time = { now: 1_000, lastKeyAt: 900 };
    const gate = createQuietGate({
      visibleAt: 1_000,
      quietMs,
      now: () => time.now,
      lastKeyAt: () => time.lastKeyAt,
    });
    return { time, gate };
  };

  test("opens after quiet time since it was seen", () => {
    const { time, gate } = setUp();
    expect(gate.remainingMs()).toBe(400);
    time.now = 1_399;
    expect(gate.isOpen()).toBe(false);
    time.now = 1_400;
    expect(gate.isOpen()).toBe(true);
  });

  test("each key begins the wait anew; once open it stays open", () => {
    const { time, gate } = setUp();
    time.now = 1_300;
    time.lastKeyAt = 1_300;
    time.now = 1_600;
    expect(gate.remainingMs()).toBe(100);
    time.now = 1_700;
    expect(gate.isOpen()).toBe(true);
    time.lastKeyAt = 1_699;
    expect(gate.isOpen()).toBe(true);
  });

  test("without quiet time it is open at once", () => {
    expect(setUp(0).gate.isOpen()).toBe(true);
  });
});
