// Modes: names, and that an agent never rises above its parent.
import { expect, test } from "vitest";
import { bypassRefusal, lowerMode, parseMode } from "../../../src/permissions/modes.js";

test("manual is the old word for default; unknown and inner names are no modes", () => {
  expect(["manual", "plan", "dontAsk", "x", "constructor"].map(parseMode)).toEqual([
    "default",
    "plan",
    "dontAsk",
    undefined,
    undefined,
  ]);
});

test("an agent may ask for a lower mode, never for a higher one", () => {
  expect(lowerMode("default", "bypassPermissions")).toBe("default");
  expect(lowerMode("acceptEdits", "plan")).toBe("plan");
  expect(lowerMode("plan", "acceptEdits")).toBe("plan");
  expect(lowerMode("bypassPermissions", "dontAsk")).toBe("dontAsk");
  expect(lowerMode("default", undefined)).toBe("default");
});

test("the bypass mode is refused for root outside a sandbox", () => {
  expect(bypassRefusal(0, {})).toContain("IS_SANDBOX=1");
  expect(bypassRefusal(1000, { SUDO_UID: "1000" })).toContain("refused");
  expect([bypassRefusal(0, { IS_SANDBOX: "1" }), bypassRefusal(1000, {})]).toEqual([undefined, undefined]);
});
