import { afterEach, describe, expect, test } from "vitest";
import {
  allowEditsOption,
  permissionOptions,
  permissionTitle,
  reasonLine,
} from "../../../../components/questions/permission-options.js";
import { agentToken } from "../../../../components/theme/tokens.js";
import type { QuestionOf } from "../../../../src/protocol/questions.js";
import { bashQuestion, editQuestion } from "../support/samples.js";
import { keys, renderScreen, type TestScreen } from "../support/screen.js";

let screen: TestScreen;
afterEach(() => screen?.unmount());

const ask = async (question: QuestionOf<"permission">, ...pressed: string[]) => {
  screen = await renderScreen({ state: { questions: [question] } });
  await screen.press(...pressed);
  return screen.engine.answers.map(({ answer }) => answer);
};
const rule = bashQuestion().suggestions[0]!.updates;

describe("a question about a command", () => {
  test.each([
    ["1", [{ kind: "permission", outcome: "allow" }]],
    [keys.enter, [{ kind: "permission", outcome: "allow" }]],
    ["2", [{ kind: "permission", outcome: "allow", updates: rule }]],
    ["3", [{ kind: "permission", outcome: "deny", interrupt: true }]],
    [keys.esc, [{ kind: "permission", outcome: "deny", interrupt: true }]],
    ["4", []],
    [" ", []],
    ["y", []],
    [keys.shiftTab, []],
  ])("the key %j answers %j", async (key, answers) => {
    expect(await ask(bashQuestion(), key)).toEqual(answers);
  });

  test("arrows walk round and enter takes the focused option", async () => {
    expect(await ask(bashQuestion(), keys.down, keys.enter)).toMatchObject([{ updates: rule }]);
    screen.unmount();
    expect(await ask(bashQuestion(), keys.up, keys.enter)).toMatchObject([{ outcome: "deny" }]);
  });

  test("tab adds a comment to yes", async () => {
    const answers = await ask(bashQuestion(), keys.tab, ..."only 1 time", keys.enter);
    expect(answers).toEqual([{ kind: "permission", outcome: "allow", comment: "only 1 time" }]);
  });

  test("no with a comment tells the model and lets the run go on", async () => {
    const answers = await ask(bashQuestion(), keys.up, keys.tab, ..."use a tag", keys.enter);
    expect(answers).toEqual([{ kind: "permission", outcome: "deny", comment: "use a tag" }]);
  });

  test("arrows away from the comment and back keep what was typed; it is sent only where it is seen", async () => {
    const answers = await ask(bashQuestion(), keys.tab, ..."only once", keys.down, keys.up, keys.enter);
    expect(answers).toEqual([{ kind: "permission", outcome: "allow", comment: "only once" }]);
  });

  test("esc closes the comment field first", async () => {
    expect(await ask(bashQuestion(), keys.tab, "Z", keys.esc)).toEqual([]);
    expect(screen.text()).not.toContain("Z");
    await screen.press("1");
    expect(screen.engine.answers[0]?.answer).toEqual({ kind: "permission", outcome: "allow" });
  });

  test("the field has the real cursor behind what was typed", async () => {
    await ask(bashQuestion(), keys.tab, ..."한글");
    const row = screen.rows().findIndex((line) => line.includes("Yes"));
    expect(screen.caret()).toEqual({
      rowFromBottom: screen.rows().length - 1 - row,
      column: screen.rows()[row]!.indexOf("한글") + 4,
    });
    await screen.press(keys.left);
    expect(screen.caret()?.column).toBe(screen.rows()[row]!.indexOf("한글") + 2);
  });

  test("an agent's no refuses one call and stops nothing", async () => {
    const question = bashQuestion({ agent: { id: "a", name: "reviewer", color: "purple" } });
    expect(await ask(question, keys.esc)).toEqual([{ kind: "permission", outcome: "deny" }]);
    expect(permissionTitle(question)).toBe("reviewer asks: run this command?");
    const told = bashQuestion({
      agent: { id: "a", name: "reviewer", color: "purple", description: `\u001b[2Jwrite\nout2 ${"x".repeat(90)}` },
    });
    expect(permissionTitle(told)).toMatch(/^reviewer \(write out2 x+…\) asks: run this command\?$/);
    expect(permissionTitle(told).length).toBeLessThan(80);
    expect(agentToken("purple")).toBe("agentPurple");
    expect(agentToken("agentCyan")).toBe("agentCyan");
    expect(agentToken("mauve")).toBeUndefined();
  });

  test("several questions are counted, the next one takes the place of the answered", async () => {
    const second = bashQuestion({ id: "q2", title: "ls", input: { command: "ls -la" } });
    screen = await renderScreen({ state: { questions: [bashQuestion(), second] } });
    expect(screen.text()).toContain("1 of 2");
    await screen.press("1");
    expect(screen.text()).toContain("ls -la");
    expect(screen.text()).not.toContain("1 of");
  });

  test("the command cannot move the cursor or hide itself", async () => {
    const command = "echo \u001b[2J\u001b[8mhidden\u001b[0m; rm x";
    screen = await renderScreen({ state: { questions: [bashQuestion({ input: { command } })] } });
    expect(screen.text()).toContain("echo hidden; rm x");
  });

  test("a command longer than the dialog says how much is hidden and scrolls", async () => {
    const command = Array.from({ length: 40 }, (_, at) => `echo ${at}`).join("\n");
    screen = await renderScreen({ state: { questions: [bashQuestion({ input: { command } })] } });
    expect(screen.text()).toMatch(/↓ \d+ more rows/);
    expect(screen.rows().length).toBeLessThanOrEqual(21);
    await screen.press(...Array.from({ length: 8 }, () => keys.pageDown));
    expect(screen.text()).toContain("echo 39");
  });
});

describe("a question about an edit", () => {
  test("shift+tab allows all edits of the session, as option 2 does", async () => {
    const updates = [{ type: "setMode", mode: "acceptEdits", destination: "session" }];
    expect(await ask(editQuestion(), keys.shiftTab)).toEqual([{ kind: "permission", outcome: "allow", updates }]);
    screen.unmount();
    expect(await ask(editQuestion(), "2")).toEqual([{ kind: "permission", outcome: "allow", updates }]);
  });

  test("the options stand in the order yes, offers, no", () => {
    expect(permissionOptions(editQuestion()).map(({ label }) => label)).toEqual([
      "Yes",
      "Yes, and allow all edits in the working folders during this session (shift+tab)",
      "No, and say what to do instead",
    ]);
    expect(allowEditsOption(permissionOptions(bashQuestion()))).toBeUndefined();
  });
});

test.each([
  [{ tool: "Read", title: "/etc/hosts", display: undefined }, "Read /etc/hosts?"],
  [{ tool: "WebFetch", title: "x", display: undefined }, "Fetch this page?"],
  [{ tool: "mcp__db__query", title: "x", display: undefined }, "Use mcp__db__query?"],
])("the title of %o is %s", (overrides, title) => {
  expect(permissionTitle(bashQuestion(overrides))).toBe(title);
});

test("the reason names rule and source", () => {
  const reasons = [{ kind: "rule" as const, text: "a rule asks", rule: "Bash(git *)", source: "project" as const }];
  expect(reasonLine(bashQuestion({ reasons }))).toBe("Asked because: a rule asks (Bash(git *), project settings)");
  expect(reasonLine(bashQuestion({ reasons: [] }))).toBe("");
});
