import { expect, test } from "vitest";
import { flags } from "../../../src/entrypoints/flags.js";
import { helpText, versionLine } from "../../../src/entrypoints/help-text.js";

test("help names every flag that is built, with its choices, and no other", () => {
  const help = helpText();
  for (const { name, isBuilt, doc, choices } of flags) {
    if (isBuilt === false) expect(help).not.toContain(`--${name} `);
    else {
      expect(help).toContain(`--${name}`);
      expect(help).toContain(doc);
      for (const choice of choices ?? []) expect(help).toContain(choice);
    }
  }
});

test("no flag's name is taken twice", () => {
  const names = flags.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test("the version begins with its number", () => {
  expect(versionLine("3.0.0")).toBe("3.0.0 (compatible with Claude Code 2.1)");
});
