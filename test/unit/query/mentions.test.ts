// Mentions in a finished prompt.
import { expect, it } from "vitest";
import { mentionsIn } from "../../../src/query/mentions.js";

it("finds paths, quoted paths and line ranges; punctuation and addresses stay out", () => {
  expect(
    mentionsIn('See @src/a.ts, (@b.md) and @"my dir/c d.txt"#L2-5. Also @e.ts#L7 @e.ts#L7; me@host.org @"" @ @~/n.md!'),
  ).toEqual([
    { path: "src/a.ts" },
    { path: "b.md" },
    { path: "my dir/c d.txt", from: 2, to: 5 },
    { path: "e.ts", from: 7, to: 7 },
    { path: "~/n.md" },
  ]);
});

it("a quote that was not closed ends with its line", () => {
  expect(mentionsIn('look at @"my dir/a.txt\nand @b')).toEqual([{ path: "my dir/a.txt" }, { path: "b" }]);
});
