import { expect, test } from "vitest";
import { addToList } from "../../../scripts/new.js";

test("a new entry joins the imports by path and the list at its end", () => {
  const source =
    'import { a } from "./a.js";\nimport { c } from "./c.js";\n\nexport const all: readonly Tool[] = [\n  a,\n  c,\n];\n';
  expect(addToList(source, "./b.js", "b")).toBe(
    'import { a } from "./a.js";\nimport { b } from "./b.js";\nimport { c } from "./c.js";\n\nexport const all: readonly Tool[] = [\n  a,\n  c,\n  b,\n];\n',
  );
});

test("a list on one line grows on its line, and nothing is added twice", () => {
  const once = addToList('import { a } from "./a.js";\nexport const all = [a];\n', "./b.js", "b");
  expect(once).toBe('import { a } from "./a.js";\nimport { b } from "./b.js";\nexport const all = [a, b];\n');
  expect(addToList(once, "./b.js", "b")).toBe(once);
});

test("a list that a function returns grows like any other", () => {
  const source =
    'import { a } from "./a.js";\n\nexport const make = (options: Options = {}): readonly Tool[] => [\n  a,\n];\n';
  expect(addToList(source, "./b.js", "b")).toContain("=> [\n  a,\n  b,\n];");
});
