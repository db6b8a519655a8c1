// Plan, choice, trust, start and go-on dialogs by keyboard.
import { afterEach, describe, expect, test, vi } from "vitest";
import { planOptions } from "../../../../components/questions/plan-options.js";
import { startOptions } from "../../../../components/questions/start-options.js";
import type { Answer, Question, QuestionOf } from "../../../../src/protocol/questions.js";
import { sessionFor } from "../support/fake-engine.js";
import {
  choiceQuestion,
  goOnQuestion,
  planQuestion,
  singleChoice,
  startQuestion,
  trustQuestion,
} from "../support/samples.js";
import { keys, renderScreen, type ScreenOptions, type TestScreen } from "../support/screen.js";

let screen: TestScreen;
afterEach(() => screen?.unmount());

const ask = async (question: Question, pressed: string[], options: ScreenOptions = {}): Promise<Answer[]> => {
  screen = await renderScreen({ ...options, state: { questions: [question] } });
  await screen.press(...pressed);
  return screen.engine.answers.map(({ answer }) => answer);
};

describe("plan approval", () => {
  test("there are exactly four options in their order", () => {
    expect(planOptions(planQuestion(), 76).map(({ label }) => label)).toEqual([
      "Start fresh with this plan, accept edits",
      "Start, accept edits",
      "Start, approve each edit",
      "Keep planning, with this feedback: ",
    ]);
  });

  test("option 3 names the mode it returns to unless it is the default", () => {
    const label = (modeBefore: "default" | "acceptEdits" | "bypassPermissions") =>
      planOptions(planQuestion({ modeBefore }), 76)[2]!.label;
    expect(label("default")).toBe("Start, approve each edit");
    expect(label("acceptEdits")).toBe("Start in accept edits");
    expect(label("bypassPermissions")).toBe("Start in bypass permissions");
  });

  test.each(["1", "2", "3"] as const)("the key %s chooses at once", async (key) => {
    expect(await ask(planQuestion(), [key])).toEqual([{ kind: "plan", choice: Number(key) }]);
  });

  test("F188 esc keeps planning without text", async () => {
    expect(await ask(planQuestion(), [keys.esc])).toEqual([{ kind: "plan", choice: 4 }]);
  });

  test("F188 4 opens the feedback field; what is typed goes to the model, digits too", async () => {
    const answers = await ask(planQuestion(), ["4", ..."use 2 files", keys.enter]);
    expect(answers).toEqual([{ kind: "plan", choice: 4, feedback: "use 2 files" }]);
  });

  test("esc with text typed still means: without feedback", async () => {
    expect(await ask(planQuestion(), ["4", ..."no", keys.esc])).toEqual([{ kind: "plan", choice: 4 }]);
  });

  test("the field has the cursor only while it is in focus", async () => {
    await ask(planQuestion(), []);
    expect(screen.caret()).toBeNull();
    await screen.press("4", "a", "b");
    expect(screen.caret()).toEqual({ rowFromBottom: 1, column: 2 + 5 + 35 + 2 });
  });

  test("ctrl+g edits the plan, and the edited plan is what is approved", async () => {
    const services = { editOutside: async (text: string) => `${text.split("\n")[0]} (edited)` };
    const answers = await ask(planQuestion(), [keys.ctrl("g"), "2"], { services });
    expect(answers).toEqual([{ kind: "plan", choice: 2, editedPlan: "# Make the date filter inclusive (edited)" }]);
  });

  test("a long plan scrolls", async () => {
    await ask(planQuestion(), [keys.pageDown, keys.pageDown]);
    expect(screen.text()).toContain("detail 20");
  });
});

describe("questions of the model", () => {
  test("a single question is answered by one key", async () => {
    expect(await ask(singleChoice(), ["2"])).toEqual([
      { kind: "choice", answers: { "How should people sign in?": "Magic link" } },
    ]);
  });

  test("free text is an answer, digits in it too", async () => {
    expect(await ask(singleChoice(), ["3", ..."by SMS 2", keys.enter])).toEqual([
      { kind: "choice", answers: { "How should people sign in?": "by SMS 2" } },
    ]);
  });

  test("esc leaves without an answer, the last row says that the person would rather talk", async () => {
    expect(await ask(singleChoice(), [keys.esc])).toEqual([{ kind: "choice" }]);
    screen.unmount();
    expect(await ask(singleChoice(), ["4"])).toEqual([{ kind: "choice", comment: "" }]);
  });

  test("several questions: tabs, ticks, review, submit", async () => {
    await ask(choiceQuestion(), ["1"]);
    expect(screen.text()).toContain("Which platforms?");
    await screen.press("1", "2", "2", keys.down, ..."TV", keys.down, keys.enter);
    expect(screen.text()).toContain("Which platforms? → Web, TV");
    expect(screen.engine.answers).toEqual([]);
    await screen.press(keys.enter);
    expect(screen.engine.answers.map(({ answer }) => answer)).toEqual([
      {
        kind: "choice",
        answers: { "How should people sign in?": "Passkeys", "Which platforms?": "Web, TV" },
      },
    ]);
  });

  test("left and right walk through the tabs; open questions are not answered", async () => {
    await ask(choiceQuestion(), [keys.right, keys.right]);
    expect(screen.text()).toContain("(no answer)");
    await screen.press(keys.left, keys.left, keys.left);
    expect(screen.text()).toContain("How should people sign in?");
    await screen.press(keys.tab, keys.tab, "1");
    expect(screen.engine.answers[0]?.answer).toEqual({ kind: "choice", answers: {} });
  });
});

describe("trust", () => {
  test.each([
    ["1", true],
    ["2", false],
    [keys.esc, false],
  ])("%j answers %s", async (key, trusted) => {
    expect(await ask(trustQuestion(), [key])).toEqual([{ kind: "trust", trusted }]);
  });
});

describe("start", () => {
  test("three options without a local model, four with one", () => {
    expect(startOptions({ ...startQuestion(), localModels: [] }).map(({ id }) => id)).toEqual([
      "offline",
      "apiKey",
      "leave",
    ]);
    expect(startOptions(startQuestion())).toHaveLength(4);
    expect(startOptions({ ...startQuestion(), foundKey: "x9z1" }).map(({ id }) => id)[1]).toBe("useFoundKey");
  });

  test.each([
    ["1", { kind: "start", choice: "offline" }],
    ["3", { kind: "start", choice: "local", endpoint: "http://127.0.0.1:11434" }],
    ["4", { kind: "start", choice: "leave" }],
    [keys.esc, { kind: "start", choice: "leave" }],
  ])("%j answers %j", async (key, answer) => {
    expect(await ask(startQuestion(), [key])).toEqual([answer]);
  });

  test("a typed key is masked, never in the state, and goes straight into the answer", async () => {
    await ask(startQuestion(), ["2", ..."sk-ant-secret"]);
    expect(screen.text()).toContain("•".repeat(13));
    expect(screen.text()).not.toContain("secret");
    await screen.press(keys.enter);
    expect(screen.engine.answers.map(({ answer }) => answer)).toEqual([
      { kind: "start", choice: "apiKey", apiKey: "sk-ant-secret" },
    ]);
    expect(JSON.stringify(screen.services.store.getState())).not.toContain("secret");
    expect(JSON.stringify(screen.services.promptStore.getState())).not.toContain("secret");
  });

  test("a key with a blank or a letter that is not ASCII is refused at once and can be mended", async () => {
    await ask(startQuestion(), ["2"]);
    await screen.paste("sk-ant key-two");
    await screen.press(keys.enter);
    expect(screen.text()).toContain("A key has no blanks or line breaks in it.");
    expect(screen.engine.answers).toEqual([]);
    await screen.press(keys.esc, "2");
    await screen.paste("sk-ant-é-123");
    await screen.press(keys.enter);
    expect(screen.text()).toContain("A key has only plain ASCII characters.");
    expect(screen.engine.answers).toEqual([]);
  });

  test("it says where a key will go, and in a session that goes on nothing needs to change", () => {
    const details = (change: object) => startOptions({ ...startQuestion(), ...change }).map(({ detail }) => detail);
    expect(details({ keyPlace: "file" })).toContain("kept in a file that only you can read");
    expect(details({ keyPlace: "keychain" })).toContain("kept in the system keychain");
    expect(startOptions({ ...startQuestion(), isLogin: true }).at(-1)?.label).toBe("Keep everything as it is");
  });

  test("a pasted key too; esc goes back", async () => {
    await ask(startQuestion(), ["2"]);
    await screen.paste("sk-ant-pasted\n");
    expect(screen.text()).not.toContain("pasted");
    await screen.press(keys.esc);
    expect(screen.text()).toContain("Take the offline tour");
  });
});

test("going on is never the accidental answer", async () => {
  expect(await ask(goOnQuestion(), [keys.enter])).toEqual([{ kind: "go_on", goOn: false }]);
  screen.unmount();
  expect(await ask(goOnQuestion(), ["2"])).toEqual([{ kind: "go_on", goOn: true }]);
});

test("the first ctrl+c in the start dialog says what the second does, also where rows are scarce", async () => {
  const question = startQuestion();
  screen = await renderScreen({ state: { questions: [question] } });
  await screen.press("\u0003");
  expect(screen.text()).toContain("ctrl+c again leaves");
  expect(screen.engine.answers).toEqual([]);
});

describe("a question with something to look at", () => {
  const question = (): QuestionOf<"choice"> => {
    const base = singleChoice();
    const [passkeys, link] = base.questions[0]!.options;
    const sketch = Array.from({ length: 30 }, (_, row) => `  key ${row}\u001b]0;owned\u0007`).join("\n");
    return {
      ...base,
      questions: [
        {
          ...base.questions[0]!,
          options: [
            { ...passkeys!, preview: sketch },
            { ...link!, preview: "+------+\n| mail |\n+------+" },
          ],
        },
      ],
    };
  };

  test("shows it beside the options, as it was written, for the option in focus", async () => {
    screen = await renderScreen({ columns: 100, rows: 24, state: { questions: [question()] } });
    const at = (text: string): string => screen.rows().find((row) => row.includes(text)) ?? "";
    expect(at("Passkeys")).toMatch(/❯ 1 {2}Passkeys.* │ {3}key 0 +│$/);
    expect(screen.text()).toMatch(/… \d+ more rows/);
    expect(screen.rows().length).toBeLessThanOrEqual(21);
    expect(screen.raw()).not.toContain("owned");
    await screen.press(keys.down);
    expect(at("mail |")).toMatch(/│ \| mail \| +│$/);
    expect(at("Passkeys")).toContain("+------+");
    await screen.press(keys.down);
    expect(screen.text()).toContain("nothing to show for this one");
  });

  test("shows it above the options where there is no room beside them", async () => {
    screen = await renderScreen({ columns: 60, rows: 20, state: { questions: [question()] } });
    await screen.press(keys.down);
    const frame = screen.rows();
    const row = (text: string): number => frame.findIndex((one) => one.includes(text));
    expect(row("| mail |")).toBeGreaterThan(row("How should people"));
    expect(row("| mail |")).toBeLessThan(row("Passkeys"));
    expect(frame.length).toBeLessThanOrEqual(17);
  });
});

describe("a question with a time limit", () => {
  const waitFor = async (ms: number): Promise<void> => {
    screen.time.now += ms;
    vi.advanceTimersByTime(ms);
    await screen.settle();
  };
  const limited = async (askUserQuestionTimeout: string): Promise<void> => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    screen = await renderScreen({ columns: 120 });
    const session = sessionFor({ interface: { askUserQuestionTimeout } });
    screen.engine.emit({ type: "session", session, reason: "change" });
    screen.engine.emit({ type: "question", question: singleChoice() });
    await screen.settle();
  };
  afterEach(() => vi.useRealTimers());

  test("counts down its last twenty seconds and then goes on without an answer", async () => {
    await limited("60s");
    await waitFor(39_999);
    expect(screen.text()).not.toContain("without you");
    await waitFor(1);
    expect(screen.rows().at(-1)).toContain("goes on without you in 20 s");
    await waitFor(17_000);
    expect(screen.rows().at(-1)).toContain("goes on without you in 3 s, a key stops that");
    await waitFor(2_999);
    expect(screen.engine.answers).toEqual([]);
    await waitFor(1);
    expect(screen.engine.answers.map(({ answer }) => answer)).toEqual([{ kind: "choice", isTimeout: true }]);
  });

  test("a key begins the time anew", async () => {
    await limited("60s");
    await waitFor(55_000);
    await screen.press(keys.down);
    await waitFor(1_000);
    expect(screen.text()).not.toContain("without you");
    await waitFor(58_999);
    expect(screen.engine.answers).toEqual([]);
    await waitFor(1);
    expect(screen.engine.answers).toHaveLength(1);
  });

  test("waits for ever where none is set", async () => {
    await limited("never");
    await waitFor(3_600_000);
    expect(screen.engine.answers).toEqual([]);
    expect(screen.text()).toContain("How should people sign in?");
  });
});
