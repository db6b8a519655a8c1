// Our lexer skips marked's rules where they cannot match: what it finds must be what marked finds.
import fc from "fast-check";
import { lexer } from "marked";
import { expect, test } from "vitest";
import { lexMarkdown } from "../../../../components/transcript/lex.js";

const pieces = [
  ..."\n\n\n\n    \t#=-*_+>`~|:[]()!<&\\.1a界",
  "word ",
  "===",
  "---",
  "- item",
  "1. one",
  "10) ten",
  "> said",
  "```js\n",
  "~~~\n",
  "| a | b |\n|---|:-:|\n| 1 | 2 |",
  "a\n:-\nb",
  "[x]: http://a.b 'title'\n",
  "[x]",
  "<div>\n",
  "<!-- c -->",
  "**b**",
  "`code`",
  "https://a.b/c",
  "  \n",
  "- [ ] task\n",
  "\r\n",
];

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("any text gives the tokens that marked gives", () => {
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (source) => {
      const expected = lexer(source);
      const found = lexMarkdown(source);
      expect(plain(found)).toEqual(plain(expected));
      expect(plain(found.links)).toEqual(plain(expected.links));
    }),
    { numRuns: process.env.LONG ? 50_000 : 3_000 },
  );
});
