import fc from "fast-check";
import { expect, test } from "vitest";
import { editDistance, nearest } from "../../../src/lib/nearest.js";

test("edits are inserted, deleted, replaced and swapped characters", () => {
  expect(editDistance("", "abc")).toBe(3);
  expect(editDistance("abc", "abc")).toBe(0);
  expect(editDistance("hepl", "help")).toBe(1);
  expect(editDistance("kitten", "sitting")).toBe(3);
});

test("the distance is the same both ways and never more than the longer word", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
    }),
    { seed: 7, numRuns: 200 },
  );
});

test("only typos are corrected", () => {
  const known = ["help", "clear", "model", "permissions"];
  expect(nearest("modle", known)).toBe("model");
  expect(nearest("Permisions", known)).toBe("permissions");
  expect(nearest("xyz", known)).toBeUndefined();
  expect(nearest("helpful", known)).toBeUndefined();
});
