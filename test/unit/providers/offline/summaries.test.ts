import { expect, test } from "vitest";
import { readSummary } from "../../../../src/providers/offline/summaries.js";

test("a file of which only the beginning was read is not called whole", () => {
  const text = "1\ta\n2\tb\n(PARTIAL: lines 1-2 of 2500, the whole file has 5000 bytes. Go on with offset 3.)";
  const outcome = { isError: false, isDenied: false, text } as Parameters<typeof readSummary>[0];
  expect(readSummary(outcome, "big.txt")).toBe("big.txt, first 2 of 2500 lines:\n```\na\nb\n```");
});
