// Markdown as rows: each construct once, tables measured by a terminal.
import { describe, expect, test } from "vitest";
import { markdownRows } from "../../../../components/transcript/tail.js";
import { createEmulator } from "../terminal/emulator.js";
import { plain, theme } from "./fixtures.js";

const draw = (text: string, width = 30) => plain(markdownRows(text, { width, theme })).map((row) => row.trimEnd());

test.each<[string, string, string[]]>([
  ["headings and paragraphs", "# One\ntext\n\nmore", ["One", "text", "", "more"]],
  ["nested lists", "- a\n- b\n  1. c\n  2. d", ["• a", "• b", "  1. c", "  2. d"]],
  ["lists starting elsewhere", "3. a\n4. b", ["3. a", "4. b"]],
  ["task lists", "- [x] a\n- [ ] b", ["✓ a", "☐ b"]],
  ["quotes", "> a\n> b\n\nc", ["│ a", "│ b", "", "c"]],
  ["rules", "a\n\n***\n\nb", ["a", "", "─".repeat(30), "", "b"]],
  ["indented code", "    a  b\n    c", ["  a  b", "  c"]],
  ["fenced code keeps spaces and empty lines", "```js\nif (a) {\n\n\tb\n}\n```", ["  if (a) {", "", "      b", "  }"]],
  ["a fence inside a list", "- a\n  ```\n  x\n  ```\n- b", ["• a", "    x", "• b"]],
  ["a fence longer than the one inside", "````\n```\nx\n```\n````\nend", ["  ```", "  x", "  ```", "", "end"]],
  ["inline code and entities", "`a && b` &lt;c&gt; &amp;", ["a && b <c> &"]],
  ["hard breaks", "a  \nb<br>c", ["a", "b", "c"]],
  ["images", "![a cat](cat.png)", ["[image: a cat]"]],
  ["html stays text", "<div>x</div>", ["<div>x</div>"]],
  ["hanging indent", "- one two three four five six seven", ["• one two three four five six", "  seven"]],
])("%s", (_name, text, expected) => expect(draw(text)).toEqual(expected));

describe("links", () => {
  test("web addresses are hyperlinks, closed in each row and free of control characters", () => {
    const [row] = markdownRows("[here](https://example.org/ä)", { width: 30, theme });
    expect(row).toBe("\u001b]8;;https://example.org/%C3%A4\u001b\\\u001b[4;34mhere\u001b[24;39m\u001b]8;;\u001b\\");
    const rows = markdownRows("[a long label that wraps](https://example.org)", { width: 12, theme });
    expect(rows.length).toBeGreaterThan(1);
    for (const part of rows) expect(part.match(/\u001b\]8;;/g)?.length).toBe(2);
  });

  test("other targets are shown, not linked", () => {
    expect(draw("[run](javascript:alert)")).toEqual(["run (javascript:alert)"]);
  });
});

describe("tables", () => {
  const hard = `| Zeichen | Text |
|---|---:|
| ① ± … € 1️⃣ 👨‍👩‍👧 🇯🇵 é ไทย | x |
| ${"中".repeat(40)} | ${"y".repeat(20)} |`;

  test("a table is a box; cells align and wrap", () => {
    expect(draw("| a | bb |\n|---|--:|\n| 1 | 2 |")).toEqual([
      "┌───┬────┐",
      "│ a │ bb │",
      "├───┼────┤",
      "│ 1 │  2 │",
      "└───┴────┘",
    ]);
  });

  test("F011 the right border stands in one column, as a terminal measures it, also while the table grows", async () => {
    for (const end of [hard.length, hard.length - 25, hard.indexOf("ไทย")]) {
      const rows = markdownRows(hard.slice(0, end), { width: 60, theme });
      const emulator = createEmulator(80, rows.length);
      await emulator.write(rows.map((row, y) => `\u001b[${y + 1}H${row}`).join(""));
      const buffer = emulator.terminal.buffer.active;
      const ends = rows.map((_, y) => {
        let column = 79;
        while (column > 0 && [" ", ""].includes(buffer.getLine(y)?.getCell(column)?.getChars() ?? "")) column--;
        return column;
      });
      expect(new Set(ends).size).toBe(1);
    }
  });

  test("without room for a box, rows become lists", () => {
    expect(draw("| a | b | c |\n|---|---|---|\n| longer | text | here |", 12)).toEqual([
      "a: longer",
      "b: text",
      "c: here",
    ]);
  });
});
