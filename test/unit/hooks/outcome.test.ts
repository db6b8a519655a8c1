import { expect, test } from "vitest";
import type { MatchedHook } from "../../../src/hooks/match.js";
import { combine, interpret, type RawAnswer } from "../../../src/hooks/outcome.js";
import type { HookEvent, HookHandler } from "../../../src/settings/schema/hooks.js";

const hook = (event: HookEvent = "PreToolUse", more: Partial<HookHandler> = {}): MatchedHook => ({
  event,
  name: `${event}:Bash`,
  source: { kind: "user", hooks: {} },
  handler: { type: "command", command: "check.sh", ...more },
});
const answer = (exitCode: number | null, stdout = "", stderr = "", more: Partial<RawAnswer> = {}): RawAnswer => ({
  exitCode,
  stdout,
  stderr,
  ...more,
});
const said = (raw: RawAnswer, of = hook()) => interpret(of, raw, 5);

test("exit code 0 without output is fine and says nothing", () => {
  expect(said(answer(0))).toMatchObject({ outcome: "success", notices: [] });
});

test("exit code 2 blocks with what stands on stderr", () => {
  expect(said(answer(2, "", "not on a Friday\n"))).toMatchObject({ outcome: "blocked", block: "not on a Friday" });
});

test("exit code 2 blocks even where the JSON allows; a blocking JSON gives the reason", () => {
  const allow = JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } });
  expect(combine([said(answer(2, allow, "no"))]).permission).toMatchObject({ behavior: "deny", reason: "no" });
  const block = JSON.stringify({ decision: "block", reason: "by JSON" });
  expect(said(answer(2, block, "by stderr"))).toMatchObject({ block: "by JSON" });
});

test("F129 another exit code blocks nothing, says so to the person, and says what would block", () => {
  expect(said(answer(1, "", "denied\nmore"))).toMatchObject({
    outcome: "failed",
    notices: [
      {
        level: "warning",
        text: "PreToolUse:Bash hook [check.sh] failed and blocked nothing: exit code 1, denied. Only exit code 2 blocks.",
      },
    ],
  });
});

test("F129 with onFailure block a failure, a timeout and broken JSON block", () => {
  const strict = hook("PreToolUse", { onFailure: "block" });
  for (const raw of [answer(1), answer(null, "", "", { ended: "timeout" }), answer(0, "{ broken")])
    expect(said(raw, strict)).toMatchObject({ outcome: "blocked", block: expect.stringContaining("onFailure") });
});

test("valid JSON decides alone whatever other exit code there is", () => {
  expect(said(answer(3, '{"decision":"block","reason":"because"}'))).toMatchObject({ block: "because", notices: [] });
});

test.each([
  ["{ broken", "is not JSON"],
  ['{"continue":"no"}', "does not fit: continue"],
  ['{"hookSpecificOutput":{"hookEventName":"Stop"}}', "is for Stop, not for PreToolUse"],
  ['{"hookSpecificOutput":{"permissionDecision":"maybe"}}', "does not fit: hookSpecificOutput.permissionDecision"],
])("JSON that cannot be used (%s) is told and decides nothing", (stdout, why) => {
  const result = said(answer(0, stdout));
  expect(result.outcome).toBe("failed");
  expect(result.notices[0]?.text).toContain(why);
});

test("plain output is context only where the event says so", () => {
  expect(said(answer(0, "today is Monday\n"), hook("UserPromptSubmit")).context).toBe("today is Monday");
  expect(said(answer(0, "today is Monday\n")).context).toBeUndefined();
});

test("escape codes of a hook reach nobody", () => {
  const result = said(answer(2, "", "\u001b[31mred\u001b[2J\u001b]0;title\u0007 end"));
  expect(result.block).toBe("red end");
});

test("several PreToolUse hooks: deny beats defer beats ask beats allow", () => {
  const say = (behavior: string) =>
    said(
      answer(
        0,
        JSON.stringify({ hookSpecificOutput: { permissionDecision: behavior, permissionDecisionReason: behavior } }),
      ),
    );
  const decided = (...behaviors: string[]) => combine(behaviors.map(say)).permission?.behavior;
  expect(decided("allow", "ask", "defer", "deny")).toBe("deny");
  expect(decided("allow", "ask", "defer")).toBe("defer");
  expect(decided("allow", "ask")).toBe("ask");
  expect(decided("allow")).toBe("allow");
  expect(decided()).toBeUndefined();
});

test("the older decision approve means allow", () => {
  expect(combine([said(answer(0, '{"decision":"approve","reason":"fine"}'))]).permission).toMatchObject({
    behavior: "allow",
    reason: "fine",
  });
});

test("continue false is told with its reason", () => {
  expect(combine([said(answer(0, '{"continue":false,"stopReason":"enough"}'))]).stop?.text).toBe("enough");
});
