import fc from "fast-check";
import { expect, test } from "vitest";
import { cellsOf, shortTokens } from "../../../../components/pickers/context-grid.js";
import type { ContextCategory } from "../../../../src/protocol/pickers.js";

const ids = [
  "system",
  "tools",
  "mcp",
  "instructions",
  "conversation",
  "files",
  "results",
  "images",
  "free",
  "reserve",
] as const;

test("the cells are exactly as many as asked for, and whatever is there has at least one", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 10 }),
      fc.integer({ min: 10, max: 200 }),
      (sizes, count) => {
        const categories = sizes.map((tokens, at): ContextCategory => ({ id: ids[at]!, label: "", tokens }));
        const cells = cellsOf(categories, count);
        expect(cells).toHaveLength(count);
        for (const { id } of categories) expect(cells).toContain(id);
      },
    ),
    { seed: 9 },
  );
});

test("an empty window is all free", () => {
  expect(cellsOf([], 3)).toEqual(["free", "free", "free"]);
});

test("tokens are short", () => {
  expect([950, 8_800, 9_999, 122_400].map(shortTokens)).toEqual(["950", "8.8k", "10k", "122k"]);
});
