import { expect, test } from "vitest";
import { addStep, stepOf } from "../../../scripts/record.js";
import type { Step } from "../../helpers/scenario-schema.js";

test("keyboard bytes become named keys, typed text and pastes; reports are left out", () => {
  expect(["\r", "\x1b[Z", "\x03", "ab", "\x1b[200~x\ny\x1b[201~", "\x1b[<64;1;1M", "\x1b[I"].map(stepOf)).toEqual([
    { press: "enter" },
    { press: "shift-tab" },
    { press: "ctrl-c" },
    { type: "ab" },
    { paste: "x\ny" },
    undefined,
    undefined,
  ]);
});

test("single characters join to one step with the key that follows; a dialog that comes or goes begins a new one", () => {
  const steps: Step[] = [];
  for (const step of [{ type: "h" }, { type: "i" }, { press: "enter" }]) addStep(steps, step);
  addStep(steps, { type: "1" }, undefined, "Run this command?");
  for (const [i, letter] of [..."ok"].entries()) addStep(steps, { type: letter }, i ? undefined : "Run this command?");
  expect(steps).toEqual([
    { type: "hi", press: "enter" },
    { see: "Run this command?", press: "1" },
    { notSee: "Run this command?", type: "ok" },
  ]);
});
