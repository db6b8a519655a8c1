import { expect, test } from "vitest";
import { continueReasons } from "../../../src/query/continue-reasons.js";
import type { LoopOptions } from "../../../src/query/loop-options.js";
import { apiError, loopKit } from "../../helpers/loop-kit.js";

const tooLong = () => apiError(400, "prompt is too long: 9 tokens > 8 maximum");

test("the table has the seven reasons of the design, in its order", () => {
  expect(continueReasons.map(({ reason }) => reason)).toEqual([
    "next_turn",
    "collapse_drain_retry",
    "reactive_compact_retry",
    "max_output_tokens_escalate",
    "max_output_tokens_recovery",
    "stop_hook_blocking",
    "token_budget_continuation",
  ]);
});

test("next_turn: calls are answered and the model goes on until it calls no more", async () => {
  const kit = loopKit([{ calls: [{ Look: {} }] }, { calls: [{ Touch: { a: 1 } }], stop: "end_turn" }, { say: "done" }]);
  expect(await kit.run()).toMatchObject({ cause: "completed", text: "done", turns: 3, toolResults: 2 });
  expect(kit.ran).toEqual([
    ["Look", {}],
    ["Touch", { a: 1 }],
  ]);
});

test("collapse_drain_retry: staged collapses are committed and the same request goes out again, nothing is shown", async () => {
  let staged = 2;
  const drainCollapses = () => staged-- > 0;
  const kit = loopKit([tooLong(), tooLong(), { say: "done" }], { drainCollapses });
  expect(await kit.run()).toMatchObject({ cause: "completed", text: "done", turns: 1, errors: [] });
  expect(kit.events.map(({ type }) => type)).not.toContain("retry");
});

test("reactive_compact_retry: when nothing can be folded, the conversation is compacted once", async () => {
  const reasons: string[] = [];
  const kit = loopKit([tooLong(), { say: "done" }], {
    drainCollapses: () => false,
    compactNow: async (reason) => {
      reasons.push(reason);
      return true;
    },
  });
  expect(await kit.run()).toMatchObject({ cause: "completed", text: "done" });
  expect(reasons).toEqual(["prompt_too_long"]);
});

test("a prompt that stays too long after a compaction is one error that says what to do", async () => {
  const kit = loopKit([tooLong(), tooLong()], { compactNow: async () => true });
  const outcome = await kit.run();
  expect(outcome).toMatchObject({ cause: "prompt_too_long", turns: 1, apiErrorStatus: 400 });
  expect(outcome.text).toMatch(/\/compact/);
  expect(outcome.errors).toHaveLength(1);
});

test("Q28 an answer that reaches the window's end leads to a compaction, not to a larger limit", async () => {
  let compacted = 0;
  const kit = loopKit([{ say: "half", stop: "model_context_window_exceeded" }, { say: "whole" }], {
    compactNow: async () => ++compacted > 0,
  });
  expect(await kit.run()).toMatchObject({ cause: "completed", text: "whole" });
  expect(compacted).toBe(1);
  expect(kit.sent.map(({ max_tokens }) => max_tokens)).toEqual([1000, 1000]);
  expect(kit.events.filter(({ type }) => type === "dropped")).toHaveLength(1);
});

test("an answer at the window's end that nothing can help is kept, and the error is told once", async () => {
  const kit = loopKit([{ say: "half", stop: "model_context_window_exceeded" }]);
  expect(await kit.run()).toMatchObject({ cause: "prompt_too_long" });
  expect(kit.messages).toHaveLength(2);
});

test("max_output_tokens_escalate: the same request with the higher limit, which stays for the run; it is no turn of its own", async () => {
  const kit = loopKit([
    { say: "cut", calls: [{ Touch: { a: 1 } }], stop: "max_tokens" },
    { calls: [{ Touch: { a: 2 } }] },
    { say: "done" },
  ]);
  expect(await kit.run()).toMatchObject({ cause: "completed", text: "done", turns: 2 });
  expect(kit.sent.map(({ max_tokens }) => max_tokens)).toEqual([1000, 4000, 4000]);
  expect(kit.ran).toEqual([["Touch", { a: 2 }]]);
});

test("a read that ran in a dropped answer is not run a second time", async () => {
  const kit = loopKit([
    { calls: [{ Look: { at: "a" } }], sayAfter: "cut", stop: "max_tokens" },
    { calls: [{ Look: { at: "a" } }] },
    { say: "done" },
  ]);
  expect(await kit.run()).toMatchObject({ cause: "completed", toolResults: 1 });
  expect(kit.ran).toEqual([["Look", { at: "a" }]]);
});

test("max_output_tokens_recovery: three continuations, then one error; what came is kept", async () => {
  const cut = (say: string) => ({ say, stop: "max_tokens" });
  const kit = loopKit([cut("a"), cut("b"), cut("c"), cut("d")], { raisedOutputTokens: undefined });
  expect(await kit.run()).toMatchObject({ cause: "max_output_tokens", turns: 4 });
  const said = kit.messages.filter(({ role }) => role === "assistant").map(({ content }) => content);
  expect(said).toEqual(["a", "b", "c", "d"].map((text) => [{ type: "text", text }]));
  expect(kit.events.filter((event) => event.type === "user_message" && !event.isMeta)).toEqual([]);
});

test("continuations are counted anew after a whole answer, and the text is told in one piece", async () => {
  const cut = (say: string) => ({ say, stop: "max_tokens" });
  const kit = loopKit(
    [cut("a"), cut("b"), { say: "c", calls: [{ Look: {} }] }, cut("d"), cut("e"), cut("f"), { say: "g" }],
    { raisedOutputTokens: undefined },
  );
  expect(await kit.run()).toMatchObject({ cause: "completed", text: "defg" });
});

const blocking = (times: number) => {
  const asked: [string, boolean][] = [];
  const stopHooks: LoopOptions["stopHooks"] = async (text, isActive) => {
    asked.push([text, isActive]);
    return asked.length <= times ? { block: `go on ${asked.length}` } : undefined;
  };
  return { asked, stopHooks };
};

test("F127 stop_hook_blocking: what the hook says reaches the model, and it learns that it is asked again", async () => {
  const { asked, stopHooks } = blocking(1);
  const kit = loopKit([{ say: "one" }, { say: "two" }], { stopHooks });
  expect(await kit.run()).toMatchObject({ cause: "completed", text: "two", turns: 2 });
  expect(asked).toEqual([
    ["one", false],
    ["two", true],
  ]);
  expect(JSON.stringify(kit.sent[1]?.messages.at(-1))).toContain("go on 1");
});

test("F127 a Stop hook that always blocks ends the run after eight times, or as often as it is allowed to", async () => {
  const answers = Array.from({ length: 9 }, (_, n) => ({ say: `answer ${n}` }));
  const kit = loopKit(answers, { stopHooks: blocking(99).stopHooks });
  expect(await kit.run()).toMatchObject({ cause: "stop_hook_prevented", turns: 9 });
  const capped = loopKit(answers, { stopHooks: blocking(99).stopHooks, stopHookBlockCap: 2 });
  const outcome = await capped.run();
  expect(outcome).toMatchObject({ cause: "stop_hook_prevented", turns: 3 });
  expect(outcome.text).toContain("go on 3");
});

test("Q16 token_budget_continuation: the paused answer goes back as the last message, at most ten times in a row", async () => {
  const paused = { thinking: "t", say: "w", stop: "pause_turn" };
  const kit = loopKit([paused, { say: "done" }]);
  expect(await kit.run()).toMatchObject({ cause: "completed", text: "wdone" });
  expect(kit.sent[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  const forEver = loopKit(Array.from({ length: 11 }, () => paused));
  expect(await forEver.run()).toMatchObject({ cause: "api_error", turns: 11 });
  expect([...kit.refused, ...forEver.refused]).toEqual([]);
});

test("a limit of turns or money is asked before a retry too, and a retry is no turn", async () => {
  const asked: number[] = [];
  const checkLimits: LoopOptions["checkLimits"] = (turns) => {
    asked.push(turns);
    return asked.length > 2 ? { cause: "budget_exhausted", text: "Reached" } : undefined;
  };
  const kit = loopKit(
    [
      { say: "cut", stop: "max_tokens" },
      { say: "cut", stop: "max_tokens" },
    ],
    { checkLimits },
  );
  expect(await kit.run()).toMatchObject({ cause: "budget_exhausted" });
  expect(asked).toEqual([0, 0, 1]);
});
