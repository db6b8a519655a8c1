// Plan mode tools and AskUserQuestion: what each answer does.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Answer } from "../../../src/protocol/questions.js";
import { askUserQuestion } from "../../../src/tools/ask-user-question.js";
import { enterPlanMode } from "../../../src/tools/enter-plan-mode.js";
import { exitPlanMode } from "../../../src/tools/exit-plan-mode.js";
import type { ToolContext } from "../../../src/tools/tool.js";
import { openWorkspace, type Workspace } from "../../helpers/tool-workspace.js";

let space: Workspace;
let asked: unknown[];
beforeEach(() => {
  space = openWorkspace();
  asked = [];
});
afterEach(() => space.close());

const answerWith = (answer: Answer): void => {
  space.context.ask = (async (question: unknown) => {
    asked.push(question);
    return answer;
  }) as ToolContext["ask"];
};

const plan = "# Plan\n\n1. Do it\n";
const withPlan = (text = plan) => {
  space.context.permissionMode = "plan";
  mkdirSync(dirname(space.context.planPath), { recursive: true });
  writeFileSync(space.context.planPath, text);
};

describe("EnterPlanMode", () => {
  it("switches the mode and names the plan file", async () => {
    const result = await space.run(enterPlanMode, {});
    expect(space.context.permissionMode).toBe("plan");
    expect(result.content).toContain(space.context.planPath);
    expect((await space.run(enterPlanMode, {})).content).toContain("already on");
  });
});

describe("ExitPlanMode", () => {
  it("asks with the plan file's text", async () => {
    withPlan();
    answerWith({ kind: "plan", choice: 2 });
    await space.run(exitPlanMode, {});
    expect(asked).toEqual([
      { kind: "plan", plan, planPath: space.context.planPath, contextTokens: 1234, modeBefore: "default" },
    ]);
  });

  it("1: a fresh context that begins with the plan, edits accepted", async () => {
    withPlan();
    answerWith({ kind: "plan", choice: 1 });
    const result = await space.run(exitPlanMode, {});
    expect(result.freshContext?.startsWith("# Plan\n\n1. Do it")).toBe(true);
    expect([result.isError, space.context.permissionMode]).toEqual([undefined, "acceptEdits"]);
  });

  it("2: the context is kept, edits accepted", async () => {
    withPlan();
    answerWith({ kind: "plan", choice: 2 });
    const result = await space.run(exitPlanMode, {});
    expect(result).toMatchObject({
      content: `The person approved the plan. Plan mode is over; the permission mode is now acceptEdits. Carry it out now. The plan (${space.context.planPath}):\n\n${plan}`,
      structured: { plan, isAgent: false, filePath: space.context.planPath, planWasEdited: false },
    });
    expect([result.freshContext, space.context.permissionMode]).toEqual([undefined, "acceptEdits"]);
  });

  it("3: the mode from before plan mode, default when there was none", async () => {
    withPlan();
    space.context.modeBeforePlan = "dontAsk";
    answerWith({ kind: "plan", choice: 3 });
    await space.run(exitPlanMode, {});
    expect(space.context.permissionMode).toBe("dontAsk");
    withPlan();
    space.context.modeBeforePlan = "plan";
    await space.run(exitPlanMode, {});
    expect(space.context.permissionMode).toBe("default");
  });

  it("F188 4: stays in plan mode; feedback goes to the model, without it the run ends", async () => {
    withPlan();
    answerWith({ kind: "plan", choice: 4, feedback: "smaller steps" });
    expect(await space.run(exitPlanMode, {})).toMatchObject({
      content: "The person wants to keep planning. Plan mode stays on. They say: smaller steps",
      isError: true,
      endsRun: false,
    });
    answerWith({ kind: "plan", choice: 4 });
    expect(await space.run(exitPlanMode, {})).toMatchObject({ isError: true, endsRun: true });
    expect(space.context.permissionMode).toBe("plan");
  });

  it("saves a plan that the person edited and passes it on", async () => {
    withPlan();
    answerWith({ kind: "plan", choice: 1, editedPlan: "# Better\n" });
    const result = await space.run(exitPlanMode, {});
    expect(readFileSync(space.context.planPath, "utf8")).toBe("# Better\n");
    expect(result.freshContext).toContain("# Better");
    expect(result.structured).toMatchObject({ plan: "# Better\n", planWasEdited: true });
  });

  it("refuses without a plan, with a blank one, outside plan mode and without a person", async () => {
    answerWith({ kind: "plan", choice: 1 });
    expect((await space.run(exitPlanMode, {})).content).toContain("Plan mode is not on");
    space.context.permissionMode = "plan";
    expect((await space.run(exitPlanMode, {})).content).toContain(`write it to ${space.context.planPath}`);
    withPlan(" \n");
    expect((await space.run(exitPlanMode, {})).isError).toBe(true);
    withPlan();
    space.context.ask = undefined;
    expect((await space.run(exitPlanMode, { plan: "ignored" })).content).toContain("Nobody can approve");
    expect([asked, space.context.permissionMode]).toEqual([[], "plan"]);
  });
});

describe("AskUserQuestion", () => {
  const option = (label: string) => ({ label, description: `about ${label}` });
  const questions = [
    { question: "Which?", header: "Which", options: [option("A"), option("B")], multiSelect: false },
    { question: "What else?", header: "Else", options: [option("C"), option("D")], multiSelect: true },
  ];

  it("lists question = answer and returns the map", async () => {
    const answers = { "Which?": "A", "What else?": "C, D" };
    answerWith({ kind: "choice", answers });
    expect(await space.run(askUserQuestion, { questions })).toEqual({
      content: 'The person answered:\n"Which?" = "A"\n"What else?" = "C, D"',
      display: { kind: "text", text: "Which? → A\nWhat else? → C, D" },
      structured: { questions, answers },
    });
    expect(asked).toEqual([{ kind: "choice", questions }]);
  });

  it("talking instead is no error, closing the dialog ends the run", async () => {
    answerWith({ kind: "choice", comment: "why not both?" });
    expect(await space.run(askUserQuestion, { questions })).toMatchObject({
      content: expect.stringContaining("why not both?"),
    });
    answerWith({ kind: "choice" });
    expect(await space.run(askUserQuestion, { questions })).toMatchObject({ isError: true, endsRun: true });
  });

  it("goes on without an answer when nobody was there in time", async () => {
    answerWith({ kind: "choice", isTimeout: true });
    const result = await space.run(askUserQuestion, { questions });
    expect(result.content).toContain("Nobody answered within the time");
    expect(result.isError ?? result.endsRun).toBeUndefined();
  });

  it("uses answers that a host filled in, and says when nobody can be asked", async () => {
    expect((await space.run(askUserQuestion, { questions, answers: { "Which?": "B" } })).content).toContain(
      '"Which?" = "B"',
    );
    expect((await space.run(askUserQuestion, { questions })).content).toContain("Nobody can be asked");
  });

  it("refuses doubles and limits the numbers", async () => {
    expect((await space.run(askUserQuestion, { questions: [questions[0], questions[0]] })).isError).toBe(true);
    expect(askUserQuestion.input.safeParse({ questions: [] }).success).toBe(false);
    expect(
      askUserQuestion.input.safeParse({ questions: [{ ...questions[0], header: "far too long for it" }] }).success,
    ).toBe(false);
  });
});
