// The documents agree with the code: patterns and commands in the README, links, size of the repository's instructions.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { allCommands } from "../src/commands/index.js";
import { offlinePatterns } from "../src/providers/offline/patterns.js";
import { keysPage } from "./helpers/keys-page.js";

const root = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

const code = (text: string): string => {
  if (text === "") return "";
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
};

test("the README's table holds every pattern of the offline model, in its order", () => {
  const rows = offlinePatterns.map(({ usage, example, does }) => `| ${code(usage)} | ${code(example)} | ${does} |`);
  expect(read("README.md")).toContain(rows.map((row) => row.replace(/ {2,}/g, " ")).join("\n"));
});

test("the README's table holds every slash command", () => {
  const readme = read("README.md");
  expect(allCommands.map(({ name }) => name).filter((name) => !readme.includes(`| \`/${name}\` |`))).toEqual([]);
});

test("docs/keys.md says what the keymap says", async () => {
  await expect(keysPage()).toMatchFileSnapshot("../docs/keys.md");
});

test("every test that docs/coverage.md names exists", () => {
  const rows = read("docs/coverage.md")
    .split("\n")
    .filter((line) => /^\| .* \| [AB] \| /.test(line));
  expect(rows.length).toBeGreaterThan(100);
  const missing = rows.flatMap((row) => {
    const [, shown = ""] = /\| [AB] \| (.*) \|$/.exec(row) ?? [];
    if (shown === "open") return [];
    const [, file = "", name] = /^`([^`]+)`(?:: (.+))?$/.exec(shown) ?? [];
    const isThere = file !== "" && existsSync(join(root, file));
    const hasName = file.endsWith(".yaml") || (name !== undefined && isThere && read(file).includes(`"${name}"`));
    return isThere && hasName ? [] : [row];
  });
  expect(missing).toEqual([]);
});

test("every link between the documents leads to a file", () => {
  const pages = ["README.md", "CLAUDE.md", "CHANGELOG.md", ...globSync("docs/**/*.md", { cwd: root })];
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !existsSync(join(root, dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test("every page of decisions has a number of its own", () => {
  const numbers = globSync("docs/decisions/*.md", { cwd: root }).map((page) => /(\d{4})-[^/]+$/.exec(page)?.[1]);
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
});

test("CLAUDE.md is short: every session pays for it", () => {
  expect(read("CLAUDE.md").split("\n").length).toBeLessThan(80);
});
