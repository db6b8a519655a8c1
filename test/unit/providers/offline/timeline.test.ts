import { describe, expect, it } from "vitest";
import type { ContentBlock, Message } from "../../../../src/protocol/messages.js";
import { viewOf } from "../../../../src/providers/offline/conversation.js";
import { currentWork, timelineOf } from "../../../../src/providers/offline/timeline.js";
import { requestFor } from "./session.js";

const call = (id: string, name = "Read"): ContentBlock => ({ type: "tool_use", id, name, input: {} });
const result = (id: string, content = "ok", is_error = false): ContentBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  is_error,
});
const text = (words: string): ContentBlock => ({ type: "text", text: words });
const user = (...content: ContentBlock[]): Message => ({ role: "user", content });
const assistant = (...content: ContentBlock[]): Message => ({ role: "assistant", content });

const work = (...messages: Message[]) => {
  const { rounds, ...rest } = currentWork(timelineOf(messages));
  return { ...rest, rounds: rounds.map(({ calls }) => calls.map(({ id }) => id).join("+")) };
};

describe("the work at hand", () => {
  it("begins with the last prompt after an answer without calls", () => {
    expect(
      work(
        user(text("a")),
        assistant(call("1")),
        user(result("1")),
        assistant(text("done")),
        user(text("<system-reminder>x</system-reminder>"), text("b"), text("c")),
      ),
    ).toEqual({
      prompt: "b\nc",
      promptIndex: 4,
      additions: [],
      rounds: [],
    });
  });

  it("keeps what was added behind results apart from the prompt", () => {
    expect(
      work(user(text("a")), assistant(call("1"), call("2")), user(result("1"), result("2"), text("also b"))),
    ).toEqual({
      prompt: "a",
      promptIndex: 0,
      additions: ["also b"],
      rounds: ["1+2"],
    });
  });

  it("begins anew behind an interruption, also inside one message", () => {
    const refused = user(
      result("1", "The person did not allow this call", true),
      text("[Request interrupted by user for tool use]"),
      text("b"),
    );
    expect(work(user(text("a")), assistant(call("1")), refused)).toMatchObject({
      prompt: "b",
      promptIndex: 2,
      rounds: [],
    });
    expect(work(user(text("a"), text("[Request interrupted by user]"), text("b")))).toMatchObject({ prompt: "b" });
    const killed = user(
      result("1", "This call was interrupted: whether it did part of its work is not known.", true),
      text("b"),
    );
    expect(work(user(text("a")), assistant(call("1")), killed)).toMatchObject({ prompt: "b", rounds: [] });
  });

  it("goes on with what came before when told so", () => {
    const refused = user(
      result("1", "no", true),
      text("[Request interrupted by user for tool use]"),
      text("Please continue."),
    );
    expect(work(user(text("a")), assistant(call("1")), refused, assistant(call("2")), user(result("2")))).toEqual({
      prompt: "a",
      promptIndex: 0,
      additions: [],
      rounds: ["1", "2"],
    });
    expect(work(user(text("continue")))).toMatchObject({ prompt: "continue" });
  });

  it("takes an answer that is kept block by block for one round", () => {
    expect(
      work(
        user(text("a")),
        assistant(text("hm")),
        assistant(call("1")),
        assistant(call("2")),
        user(result("1")),
        user(result("2")),
      ).rounds,
    ).toEqual(["1+2"]);
  });
});

describe("plan mode", () => {
  const entered = (words: string) =>
    viewOf(
      requestFor(
        "/w",
        [
          user(text("a")),
          assistant(call("1", "EnterPlanMode")),
          user(result("1", words)),
          assistant(text("x")),
          user(text("b")),
        ],
        [],
      ),
    );

  it("is seen from the result of EnterPlanMode, with the path of the plan", () => {
    expect(entered("Plan mode is on.\n3. Write the plan to /h/my plans/a.md: what changes where")).toMatchObject({
      isPlanning: true,
      planPath: "/h/my plans/a.md",
    });
    expect(entered("Plan mode is already on. The plan file is /h/a.md.")).toMatchObject({
      isPlanning: true,
      planPath: "/h/a.md",
    });
  });

  it("is over after an approved ExitPlanMode, and words in files do not count", () => {
    const messages = [
      user(text("a")),
      assistant(call("1", "EnterPlanMode")),
      user(result("1", "on")),
      assistant(call("2", "ExitPlanMode")),
      user(result("2", "approved")),
    ];
    expect(viewOf(requestFor("/w", [...messages, assistant(text("x")), user(text("b"))], []))).toMatchObject({
      isPlanning: false,
    });
    const read = [
      user(text("a")),
      assistant(call("1")),
      user(result("1", "Plan mode is on. Plan file: `/x.md`")),
      assistant(text("x")),
      user(text("b")),
    ];
    expect(viewOf(requestFor("/w", read, []))).toMatchObject({ isPlanning: false, planPath: undefined });
  });
});
