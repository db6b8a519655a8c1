// The growing answer: at every prefix its rows equal those of a fresh parse, and finished blocks stay put.
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTheme } from "../../../../components/theme/themes.js";
import { MarkdownTail, markdownRows } from "../../../../components/transcript/tail.js";
import { textWidth } from "../../../../src/lib/text-width.js";

const theme = createTheme("dark-ansi", "16");
const options = { width: 24, theme };

const sample = `# Title

Some *text* with \`code\` and a [link](https://example.org/a).
Second line, still the paragraph.

- one
- two
  - nested item that is long enough to wrap

- three after a blank

1. first
2. second

Before code:
\`\`\`ts
const a = 1;
\tconst b = "2";

if (a) {}
\`\`\`
After code.

| Name | Zahl |
|------|-----:|
| 中文 | 1 |
| é | 22222222222222222222 |

> quoted **words**

- [x] done
- [ ] open

~~~diff
+added
-removed
~~~

---

The end`;

const pieces = [
  "a",
  "word ",
  "\n",
  "\n\n",
  "- ",
  "1. ",
  "```",
  "`",
  "~~~",
  "# ",
  "| a | b |\n|---|---|\n",
  "> ",
  "  ",
  "*",
  "中",
  "\r\n",
];

test("incremental rows equal whole-message rows at every prefix", () => {
  const tail = new MarkdownTail(options);
  for (let end = 0; end <= sample.length; end++) {
    const prefix = sample.slice(0, end);
    expect({ end, rows: tail.rows(prefix) }).toEqual({ end, rows: markdownRows(prefix, options) });
  }
});

test("incremental rows equal whole-message rows for random Markdown", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (parts) => {
      const tail = new MarkdownTail(options);
      let text = "";
      for (const part of parts) {
        text += part;
        const rows = tail.rows(text);
        expect({ text, rows }).toEqual({ text, rows: markdownRows(text, options) });
        for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(options.width);
      }
    }),
    { seed: 11, numRuns: 250 },
  );
});

test("an open fence is code already", () => {
  expect(markdownRows("Look:\n```js\nlet x = `1`;\n**not bold**", options)).toEqual([
    "Look:",
    "",
    "  let x = `1`;",
    "  **not bold**",
  ]);
});

test("a long answer costs no more per delta than a short one", () => {
  const paragraph = "Some words that make a paragraph of ordinary length, once more and once more.\n\n";
  const cost = (blocks: number) => {
    const tail = new MarkdownTail({ width: 80, theme });
    const text = paragraph.repeat(blocks);
    tail.rows(text);
    const before = process.cpuUsage();
    for (let index = 1; index <= 200; index++) tail.rows(`${text}${"word ".repeat(index % 20)}`);
    return process.cpuUsage(before).user / 1000;
  };
  cost(10);
  const short = cost(10);
  expect(cost(1000)).toBeLessThan(20 + 4 * short);
});
