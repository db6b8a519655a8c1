// The house rules that a linter cannot hold. Each check lists exactly what is missing.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { engineEvent } from "../src/protocol/events.js";
import { mayImport, rooms } from "./helpers/rooms.js";
import { loadScenario } from "./helpers/scenario-schema.js";

const root = resolve(import.meta.dirname, "..");
const at = (path: string) => join(root, path);
const read = (path: string) => readFileSync(at(path), "utf8");
const isCode = (path: string) => /\.(ts|tsx|mjs)$/.test(path);

/** Files below a folder as paths from the root; none when it does not exist. */
const filesIn = (folder: string): string[] =>
  existsSync(at(folder))
    ? readdirSync(at(folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
        .sort()
    : [];

const productCode = [...filesIn("src"), ...filesIn("state"), ...filesIn("components"), ...filesIn("scripts")].filter(
  isCode,
);
const testCode = filesIn("test").filter(isCode);
const ownCode = [...productCode, ...testCode];

/** Files that define a thing (by the word they define it with) but are not imported by the list in index.ts. */
const unlisted = (folder: string, defines: RegExp, except: string[]): string[] => {
  const index = `${folder}/index.ts`;
  const list = existsSync(at(index)) ? read(index) : "";
  return filesIn(folder)
    .filter((file) => isCode(file) && file !== index && !except.includes(basename(file)) && defines.test(read(file)))
    .filter((file) => !list.includes(`"./${relative(folder, file).replace(/\.tsx?$/, ".js")}"`))
    .map((file) => `${file} is missing in ${index}`);
};

/** Tool files and the names of the tools they define. */
const tools = filesIn("src/tools")
  .filter((file) => isCode(file) && basename(file) !== "tool.ts")
  .flatMap((file) => {
    const text = read(file);
    if (!/defineTool[(<]/.test(text)) return [];
    const names = [...text.matchAll(/defineTool(?:<[^>]*>)?\(\{\s*name: "(\w+)"/g)].map(([, name]) => String(name));
    return names.map((name) => ({ file, name }));
  });

test("every folder of src/ is a room of the table", () => {
  const folders = readdirSync(at("src"), { withFileTypes: true });
  expect(folders.filter((f) => f.isDirectory() && !rooms.includes(f.name)).map((f) => `src/${f.name}`)).toEqual([]);
  expect(folders.filter((f) => f.isFile()).map((f) => `src/${f.name} lies in no room`)).toEqual([]);
});

test("every tool, command and prompt section is in its list", () => {
  expect([
    // Tools of MCP servers are made where servers are: resources.ts.
    ...unlisted("src/tools", /defineTool[(<]/, ["tool.ts", "resources.ts"]),
    ...unlisted("src/commands", /defineCommand\(/, ["command.ts"]),
    ...unlisted("src/prompt/sections", /: Section = /, []),
  ]).toEqual([]);
});

test("every tool has a unit test and a scenario that calls it", () => {
  const tests = testCode.filter((file) => file.startsWith("test/unit/")).map(read);
  const called = new Set(
    filesIn("test/scenarios")
      .filter((file) => file.endsWith(".yaml"))
      .flatMap((file) => loadScenario(at(file)).model.flatMap(({ calls }) => (calls ?? []).flatMap(Object.keys))),
  );
  const missing = tools.flatMap(({ file, name }) => {
    const module = `${file.replace(/\.ts$/, ".js")}"`;
    const isTested = tests.some(
      (text) => text.includes(module) || (text.includes("tools/") && text.includes(`"${name}"`)),
    );
    return [
      ...(isTested ? [] : [`${name}: no test under test/unit/ imports ${file} or names the tool`]),
      ...(called.has(name) ? [] : [`${name}: no file in test/scenarios/ calls it`]),
    ];
  });
  expect(missing).toEqual([]);
});

test("every slash command has a test that names it", () => {
  const texts = [...testCode, ...filesIn("test/scenarios")].map(read).join("\n");
  const names = filesIn("src/commands").flatMap(
    (file) => /defineCommand\(\{\s*name: "([\w-]+)"/.exec(read(file))?.[1] ?? [],
  );
  expect(names.filter((name) => !texts.includes(`/${name}`) && !texts.includes(`commands/${name}.js`))).toEqual([]);
});

test("every engine event is reduced", () => {
  const reducers = [read("state/reduce.ts"), ...filesIn("state/slices").map(read)].join("\n");
  const types = engineEvent.options.map(({ shape }) => shape.type.value);
  expect(types.filter((type) => !reducers.includes(`case "${type}":`)).map((type) => `no case for "${type}"`)).toEqual(
    [],
  );
});

test("every file that docs/walk.md names exists", () => {
  const named = [...read("docs/walk.md").matchAll(/(?:src|state|components|test|scripts|bin|docs)\/[\w./-]*\w/g)].map(
    ([path]) => path,
  );
  expect(named.length).toBeGreaterThan(10);
  expect([...new Set(named)].filter((path) => !existsSync(at(path)))).toEqual([]);
});

test("no file is longer than 400 lines (tests 600)", () => {
  const long = (files: string[], limit: number) =>
    files
      .map((file) => ({ file, lines: read(file).split("\n").length - 1 }))
      .filter(({ lines }) => lines > limit)
      .map(({ file, lines }) => `${file}: ${lines} lines, at most ${limit}`);
  expect([...long(productCode, 400), ...long(testCode, 600)]).toEqual([]);
});

test("every file says in its first line what it is for", () => {
  const helpers = testCode.filter((file) => !file.endsWith(".test.ts") && !file.endsWith(".test.tsx"));
  const silent = [...productCode, ...helpers].filter((file) => !/^(\/\/ |\/\*|#!)/.test(read(file)));
  expect(silent).toEqual([]);
});

test("there are no left-overs: to-do marks, skipped or lone tests", () => {
  const marks = new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "XX" + "X:", "HA" + "CK"].join("|")})\\b`);
  const lone = /\b(it|test|describe)(\.\w+)*\.(skip|only|todo|fails)\b/;
  const found = ownCode
    .filter((file) => file !== "test/house.test.ts")
    .flatMap((file) =>
      read(file)
        .split("\n")
        .flatMap((line, i) => (marks.test(line) || lone.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
    );
  expect(found).toEqual([]);
});

test("the linter forbids every import that the rooms forbid, and no other", () => {
  const skeleton = mkdtempSync(join(tmpdir(), "house-"));
  onTestFinished(() => rmSync(skeleton, { recursive: true, force: true }));
  writeFileSync(join(skeleton, "biome.json"), read("biome.json"));
  symlinkSync(at("node_modules"), join(skeleton, "node_modules"));
  const all = [...rooms, "state", "components"];
  const folderOf = (room: string) => (rooms.includes(room) ? `src/${room}` : room);
  const forbidden: string[] = [];
  for (const from of all)
    for (const to of all.filter((room) => room !== from)) {
      const file = `${folderOf(from)}/uses-${to}.ts`;
      const target = relative(folderOf(from), folderOf(to));
      mkdirSync(dirname(join(skeleton, file)), { recursive: true });
      writeFileSync(join(skeleton, file), `import { thing } from "${target}/thing.js";\nexport const used = thing;\n`);
      if (!mayImport(from, to)) forbidden.push(file);
    }
  for (const room of rooms.filter((name) => name !== "entrypoints")) {
    const file = `src/${room}/uses-react.ts`;
    writeFileSync(join(skeleton, file), 'import { useState } from "react";\nexport const used = useState;\n');
    forbidden.push(file);
  }
  const flagged = lint(skeleton);
  expect(flagged.filter((file) => !forbidden.includes(file)).map((file) => `${file} is flagged, but allowed`)).toEqual(
    [],
  );
  expect(forbidden.filter((file) => !flagged.includes(file)).map((file) => `${file} is not flagged`)).toEqual([]);
});

/** Files that the repository's linter flags for a restricted import. */
const lint = (folder: string): string[] => {
  const biome = at("node_modules/.bin/biome");
  const args = ["lint", "--only=style/noRestrictedImports", "--reporter=json", "--max-diagnostics=none", "."];
  const output = (() => {
    try {
      return execFileSync(biome, args, {
        cwd: folder,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
        maxBuffer: 1e8,
      });
    } catch (error) {
      // Findings end it with 1; its report is on stdout all the same.
      return (error as { stdout: string }).stdout;
    }
  })();
  const report = JSON.parse(output) as {
    diagnostics: { category: string; location: { path: string | { file: string } } }[];
  };
  const paths = report.diagnostics
    .filter(({ category }) => category === "lint/style/noRestrictedImports")
    .map(({ location: { path } }) => (typeof path === "string" ? path : path.file));
  return [...new Set(paths)].map((path) => path.replace(/^\.\//, ""));
};
