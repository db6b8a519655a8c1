import fc from "fast-check";
import { expect, test } from "vitest";
import { partition } from "../../../src/execution/partition.js";

const safe: Record<string, boolean> = { Read: true, Glob: true, Write: false };
const batches = (...names: string[]) => partition(names.map((name) => safe[name] === true));

test("read, read, write, read makes three batches", () => {
  expect(batches("Read", "Read", "Write", "Read")).toEqual([[0, 1], [2], [3]]);
});

test("three safe neighbours make one batch", () => {
  expect(batches("Read", "Glob", "Read")).toEqual([[0, 1, 2]]);
});

test("unsafe calls never share a batch", () => {
  expect(batches("Write", "Write")).toEqual([[0], [1]]);
});

test("every call is in exactly one batch, in order", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean()), (flags) => {
      const result = partition(flags);
      expect(result.flat()).toEqual(flags.map((_, index) => index));
      for (const batch of result) if (batch.length > 1) expect(batch.every((index) => flags[index])).toBe(true);
    }),
    { seed: 7 },
  );
});
