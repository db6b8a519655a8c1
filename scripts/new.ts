// npm run new tool Foo | command foo | section foo | scenario foo: writes the files of a new thing and puts it in its list.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

const words = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[\s_-]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
const kebab = (name: string) => words(name).join("-");
const pascal = (name: string) =>
  words(name)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
const camel = (name: string) => pascal(name).replace(/^./, (first) => first.toLowerCase());

interface Plan {
  files: Record<string, string>;
  /** List file, import path and the identifier that joins the list. */
  list?: { file: string; from: string; name: string };
}

const tool = (name: string): Plan => ({
  files: {
    [`src/tools/${kebab(name)}.ts`]: `// ${pascal(name)}: says in one sentence what it does.
import { z } from "zod";
import { defineTool } from "./tool.js";

const input = z.object({
  text: z.string().describe("What the model has to give, and in which form"),
});

export const ${camel(name)} = defineTool({
  name: "${pascal(name)}",
  prompt: "Tells the model what the tool does and when to use it.",
  input,
  title: ({ text }) => text ?? "",
  async call({ text }) {
    return { content: text, display: { kind: "text", text } };
  },
});
`,
    [`test/unit/tools/${kebab(name)}.test.ts`]: `import { expect, test } from "vitest";
import { ${camel(name)} } from "../../../src/tools/${kebab(name)}.js";

test("its title is the text it was given", () => {
  expect(${camel(name)}.title({ text: "hello" })).toBe("hello");
});

test("its input must name a text", () => {
  expect(${camel(name)}.input.safeParse({}).success).toBe(false);
});
`,
    [`test/scenarios/${kebab(name)}.yaml`]: `title: ${pascal(name)} does what it is for
args: ["--allowedTools", "${pascal(name)}"]
prompt: use it
model:
  - { say: "I use it.", calls: [{ ${pascal(name)}: { text: "hello" } }] }
  - { say: "Done." }
expect: { stdout: "Done." }
after: { turns: 2, results: [ok] }
`,
  },
  list: { file: "src/tools/index.ts", from: `./${kebab(name)}.js`, name: camel(name) },
});

const command = (name: string): Plan => ({
  files: {
    [`src/commands/${kebab(name)}.ts`]: `// /${kebab(name)}: says in one sentence what it does.
import { defineCommand } from "./command.js";

export const ${camel(name)} = defineCommand({
  name: "${kebab(name)}",
  description: "What the person reads in /help",
  isHeadless: true,
  run: async (args) => ({ kind: "text", text: args }),
});
`,
    [`test/unit/commands/${kebab(name)}.test.ts`]: `import { expect, test } from "vitest";
import { findCommand } from "../../../src/commands/index.js";

test("/${kebab(name)} is found by its name and works without a screen", () => {
  expect(findCommand("${kebab(name)}")?.isHeadless).toBe(true);
});
`,
  },
  list: { file: "src/commands/index.ts", from: `./${kebab(name)}.js`, name: camel(name) },
});

const section = (name: string): Plan => ({
  files: {
    [`src/prompt/sections/${kebab(name)}.ts`]: `// Says in one sentence what this section tells the model.
import type { Section } from "./section.js";

export const ${camel(name)}: Section = {
  name: "${kebab(name)}",
  stable: true,
  render: () => "# ${pascal(name)}",
};
`,
    [`test/unit/prompt/sections/${kebab(name)}.test.ts`]: `import { expect, test } from "vitest";
import { sections } from "../../../../src/prompt/sections/index.js";

test("the ${kebab(name)} section is part of the prompt", () => {
  expect(sections.map((section) => section.name)).toContain("${kebab(name)}");
});
`,
  },
  list: { file: "src/prompt/sections/index.ts", from: `./${kebab(name)}.js`, name: camel(name) },
});

const scenario = (name: string): Plan => ({
  files: {
    [`test/scenarios/${kebab(name)}.yaml`]: `title: ${words(name).join(" ")}
files: { src/a.ts: "let x = 1\\n" }
model:
  - { say: "I'll change it.", calls: [{ Edit: { file_path: src/a.ts, old_string: "1", new_string: "2" } }] }
  - { say: "Done." }
user:
  - { type: "set x to 2", press: enter }
  - { see: "src/a.ts", press: "1" }
after: { files: { src/a.ts: "let x = 2\\n" }, turns: 2, results: [ok] }
`,
  },
});

const kinds: Record<string, (name: string) => Plan> = { tool, command, section, scenario };

/** Puts an import (in order of paths) and the name (at the list's end) into an index file. */
export const addToList = (source: string, from: string, name: string): string => {
  const line = `import { ${name} } from "${from}";`;
  if (source.includes(line)) return source;
  const lines = source.split("\n");
  const imports = lines.flatMap((text, i) => (/^import .* from "\.\//.test(text) ? [i] : []));
  const path = (text: string) => /from "(.+)"/.exec(text)?.[1] ?? "";
  const before = imports.find((i) => path(lines[i] ?? "") > from);
  lines.splice(before ?? (imports.at(-1) ?? 0) + 1, 0, line);
  // The list is the first array literal after the imports, also when a function returns it.
  const listStart = lines.findIndex((text) => /^(export )?const \w+.*=>?\s*\[/.test(text));
  if (listStart < 0) throw new Error("no list found: expected `const name = [`");
  const oneLine = lines[listStart] ?? "";
  if (/\];?$/.test(oneLine)) lines[listStart] = oneLine.replace(/,?\s*\](;?)$/, `, ${name}]$1`);
  else {
    const end = lines.findIndex((text, i) => i > listStart && /^\]/.test(text));
    lines.splice(end, 0, `  ${name},`);
  }
  return lines.join("\n");
};

const main = ([kind = "", name = ""]: string[]): number => {
  const make = kinds[kind];
  if (!make || !/^[A-Za-z][\w-]*$/.test(name)) {
    process.stderr.write(`npm run new KIND NAME, where KIND is ${Object.keys(kinds).join(", ")}\n`);
    return 1;
  }
  const { files, list } = make(name);
  const taken = Object.keys(files).filter((file) => existsSync(join(root, file)));
  if (taken.length) {
    process.stderr.write(`Already there: ${taken.join(", ")}\n`);
    return 1;
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    process.stdout.write(`written  ${file}\n`);
  }
  if (list) {
    const file = join(root, list.file);
    writeFileSync(file, addToList(readFileSync(file, "utf8"), list.from, list.name));
    process.stdout.write(`added to ${list.file}\n`);
  }
  process.stdout.write("Fill them in, then: npm run check && npx vitest run test/house.test.ts\n");
  return 0;
};

if (process.argv[1] === import.meta.filename) process.exitCode = main(process.argv.slice(2));
