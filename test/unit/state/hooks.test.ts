import { expect, test } from "vitest";
import { reduceHooks } from "../../../state/slices/hooks.js";

const start = (id: string, event: string, status?: string) =>
  ({ type: "hook", phase: "start", id, name: event, event, status }) as const;
const end = (id: string) => ({ type: "hook", phase: "end", id, name: "", event: "" }) as const;

test("the spinner names the event of a hook that runs, or says its own words; nothing when none is left", () => {
  const one = reduceHooks(undefined, start("a", "PreToolUse"));
  const two = reduceHooks(one, start("b", "Stop", "Running the tests"));
  expect(two?.map(({ text }) => text)).toEqual(["Running pre tool use hook", "Running the tests"]);
  const left = reduceHooks(two, end("a"));
  expect(left?.map(({ id }) => id)).toEqual(["b"]);
  expect(reduceHooks(left, end("b"))).toBeUndefined();
});
