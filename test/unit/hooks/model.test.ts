import { expect, test } from "vitest";
import { modelAnswer, questionText } from "../../../src/hooks/model.js";

test("the input stands in place of $ARGUMENTS, or behind the prompt", () => {
  expect(questionText("Is $ARGUMENTS fine?", '{"a":"$&"}')).toBe('Is {"a":"$&"} fine?');
  expect(questionText("Is it fine?", "{}")).toBe("Is it fine?\n\n{}");
});

const said = (text: string, event: Parameters<typeof modelAnswer>[1], goesOn = false) => {
  const { exitCode, stdout, stderr } = modelAnswer(text, event, goesOn);
  return exitCode === 0 ? JSON.parse(stdout) : stderr;
};

test("a yes says nothing, a no sends the model back at Stop and ends the run at a call", () => {
  expect(said('{"ok":true}', "Stop")).toEqual({});
  expect(said('Well: {"ok":false,"reason":"no tests"}', "Stop")).toEqual({ decision: "block", reason: "no tests" });
  const no = '{"ok":false,"reason":"no"}';
  expect(said(no, "PreToolUse")).toEqual({ decision: "block", reason: "no", continue: false, stopReason: "no" });
  expect(said(no, "PreToolUse", true)).toEqual({ decision: "block", reason: "no" });
});

test("what cannot be met does not send the model back for ever", () => {
  expect(said('{"ok":false,"impossible":true,"reason":"no network"}', "Stop")).toEqual({
    systemMessage: "the condition cannot be met: no network",
  });
});

test.each(["sure!", "{}", '{"ok":"yes"}', "{broken"])("%s is no verdict, and a failure", (text) => {
  expect(said(text, "Stop")).toBe("the model gave no verdict");
});
