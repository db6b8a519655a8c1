// Marking and taking out cells of styled rows.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cellsText, markCells } from "../../../src/lib/mark-cells.js";
import { stripStyles, textWidth } from "../../../src/lib/text-width.js";

describe("marking cells", () => {
  test("marks exactly the range of a plain row", () => {
    expect(markCells("abcdef", 2, 4, "<", ">")).toBe("ab<cd>ef");
  });

  test("a style inside the range is kept and the mark is opened again behind it", () => {
    expect(markCells("a\u001b[1mbc\u001b[22md", 0, 3, "\u001b[7m", "\u001b[27m")).toBe(
      "\u001b[7ma\u001b[1m\u001b[7mbc\u001b[22m\u001b[7m\u001b[27md",
    );
  });

  test("a wide character half inside is inside", () => {
    expect(markCells("a日b", 2, 3, "<", ">")).toBe("a<日>b");
    expect(cellsText("a日b", 2, 3)).toBe("日");
  });

  test("neither text nor width of a row changes, and the parts make up the whole", () => {
    const row = fc.array(
      fc.constantFrom("a", "日", " ", "\u001b[1m", "\u001b[22m", "\u001b[31m", "\u001b[39m", "é", "👍"),
    );
    fc.assert(
      fc.property(row, fc.nat(20), fc.nat(20), (parts, from, length) => {
        const text = parts.join("");
        const marked = markCells(text, from, from + length, "\u001b[7m", "\u001b[27m");
        expect(stripStyles(marked)).toBe(stripStyles(text));
        expect(textWidth(marked)).toBe(textWidth(text));
        expect(cellsText(text, 0, 1000)).toBe(stripStyles(text));
      }),
      { seed: 7 },
    );
  });
});
