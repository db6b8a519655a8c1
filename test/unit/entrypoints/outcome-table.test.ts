import { expect, test } from "vitest";
import { exitCodeOf, outcomeRow, outcomeTable } from "../../../src/entrypoints/outcome-table.js";
import { stopCause } from "../../../src/protocol/events.js";
import { outcomeOf } from "../../helpers/fake-engine.js";

test("every cause has a row", () => {
  expect(Object.keys(outcomeTable).sort()).toEqual([...stopCause.options].sort());
});

test("the place of an interrupt, the kind of a budget and local commands change the row", () => {
  const row = (change: Parameters<typeof outcomeOf>[0], wasInTools = false) =>
    outcomeRow(outcomeOf(change), wasInTools);
  expect(row({ cause: "interrupted" })).toEqual({
    subtype: "error_during_execution",
    terminalReason: "aborted_streaming",
  });
  expect(row({ cause: "interrupted" }, true)).toEqual({
    subtype: "error_during_execution",
    terminalReason: "aborted_tools",
  });
  expect(row({ cause: "budget_exhausted" }).subtype).toBe("error_max_budget_usd");
  expect(row({ cause: "budget_exhausted", budget: "tokens" })).toEqual({
    subtype: "error_during_execution",
    terminalReason: "budget_exhausted",
  });
  expect(row({ isLocal: true })).toEqual({ subtype: "success" });
});

test("the exit code is 0 only after a good end", () => {
  expect(exitCodeOf(outcomeOf())).toBe(0);
  expect(exitCodeOf(outcomeOf({ isError: true, cause: "api_error" }))).toBe(1);
  expect(exitCodeOf(outcomeOf({ cause: "max_turns" }))).toBe(1);
});
