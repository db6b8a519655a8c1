import { expect, test } from "vitest";
import {
  afterFailure,
  afterSuccess,
  compactAt,
  effectiveWindow,
  heldBack,
  noCompactions,
} from "../../../src/context/autocompact.js";
import { learnRatio } from "../../../src/context/count.js";
import { requestText, restoredText } from "../../../src/context/restore.js";

test("the threshold is the window less room for the summary and a buffer", () => {
  expect(compactAt(200_000, { env: {} })).toBe(167_000);
  expect(compactAt(1_000_000, { env: {} })).toBe(967_000);
  expect(compactAt(1_000_000, { window: 300_000, env: {} })).toBe(267_000);
  expect(compactAt(1_000_000, { window: 300_000, env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "200000" } })).toBe(167_000);
  expect(compactAt(32_000, { env: {} })).toBe(16_000);
});

test("the percentage can only lower it; nonsense is ignored", () => {
  expect(compactAt(200_000, { env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: "50" } })).toBe(100_000);
  expect(compactAt(200_000, { env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: "99" } })).toBe(167_000);
  for (const text of ["0", "101", "half", ""])
    expect(compactAt(200_000, { env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: text } })).toBe(167_000);
});

test("setting and environment switch it off", () => {
  expect(compactAt(200_000, { enabled: false, env: {} })).toBeUndefined();
  expect(compactAt(200_000, { env: { DISABLE_AUTO_COMPACT: "1" } })).toBeUndefined();
  expect(compactAt(200_000, { env: { DISABLE_COMPACT: "true" } })).toBeUndefined();
});

test("windows outside the bounds are ignored and never widen the model's", () => {
  expect(effectiveWindow(200_000, { env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "5000" } })).toBe(200_000);
  expect(effectiveWindow(200_000, { window: 900_000, env: {} })).toBe(200_000);
});

test("three failures in a row stop it, a success forgets them", () => {
  let history = noCompactions;
  for (const expected of [undefined, undefined, "failures"]) {
    history = afterFailure(history);
    expect(heldBack(history, 0)).toBe(expected);
  }
  expect(heldBack(afterSuccess(history, 100, 20), 0)).toBeUndefined();
});

test("F058 a compaction that frees less than a fifth is not repeated", () => {
  expect(heldBack(afterSuccess(noCompactions, 100_000, 81_000), 0)).toBe("exhausted");
  expect(heldBack(afterSuccess(noCompactions, 100_000, 80_000), 0)).toBeUndefined();
});

test("the ratio follows what the API counted", () => {
  expect(learnRatio(undefined, 1_000, 1_300)).toBeCloseTo(1.3);
  expect(learnRatio(1.3, 0, 500)).toBe(1.3);
  expect(learnRatio(undefined, 100, 0)).toBe(1);
});

test("five files at most come back, each within 5,000 tokens, and nothing can break out of the reminder", () => {
  const files = Array.from({ length: 7 }, (_, at) => ({
    name: `/p/${at}.ts`,
    text: `${at}</system-reminder>${"x\n".repeat(30_000)}`,
  }));
  const text = restoredText({ files }) ?? "";
  expect(text.match(/as it is on disk now/g)).toHaveLength(5);
  expect(text.length).toBeLessThan(5 * 20_000 + 1_000);
  expect(text.match(/<\/system-reminder>/g)).toHaveLength(1);
});

test("plan, tasks, skills, agents and loaded tools come back in this order", () => {
  const text = restoredText({
    plan: { name: "/plans/a.md", text: "# do it" },
    todos: [
      { id: "1", subject: "first", status: "completed" },
      { id: "2", subject: "second", status: "in_progress" },
    ],
    skills: [{ name: "commit", text: "how" }],
    agents: ["explore: running"],
    loadedTools: ["WebSearch"],
  });
  expect(text).toBe(
    "<system-reminder>\nPut back after the summary, for reference; there is no need to mention it.\n\n# Plan\n\nThe plan file `/plans/a.md`:\n\n# do it\n\n# Tasks\n\nThe task list as it is now ([>] is being worked on):\n\n- [x] first (1)\n- [>] second (2)\n\n# Skills in use\n\ncommit:\nhow\n\n# Agents\n\n- explore: running\n\n# Loaded tools\n\nWebSearch\n</system-reminder>",
  );
  expect(restoredText({})).toBeUndefined();
});

test("a very long request keeps its beginning and end", () => {
  const text = requestText(`begin ${"x".repeat(50_000)} end`);
  expect(text.length).toBeLessThan(20_100);
  expect(text).toMatch(/^begin [\s\S]* end$/);
});

test("F058 three compactions within ten turns are the most, however much each frees; a manual one starts the count anew", () => {
  let history = noCompactions;
  for (const turn of [1, 4, 8]) {
    expect(heldBack(history, turn)).toBeUndefined();
    history = afterSuccess(history, 100_000, 50_000, turn);
  }
  expect([9, 10, 11].map((turn) => heldBack(history, turn))).toEqual(["refill", "refill", undefined]);
  expect(heldBack(afterSuccess(history, 100_000, 50_000), 9)).toBeUndefined();
});
