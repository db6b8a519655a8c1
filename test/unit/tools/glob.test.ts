// Glob on real trees: names, order, limits.
import { utimesSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { glob } from "../../../src/tools/glob.js";
import { openWorkspace, type Workspace } from "../../helpers/tool-workspace.js";

let space: Workspace;
beforeEach(() => {
  space = openWorkspace();
});
afterEach(() => space.close());

const find = async (pattern: string, path?: string) =>
  String((await space.run(glob, { pattern, path })).content).split("\n");

it("F198 finds every kind of name and shows it unambiguously", async () => {
  const names = [
    "with space.ts",
    "new\nline.ts",
    "-dash.ts",
    "br[x].ts",
    "nfc-é.ts",
    "nfd-e\u0301.ts",
    "😀.ts",
    ".hidden.ts",
    `${"n".repeat(247)}.ts`,
  ];
  for (const name of names) space.file(`src/${name}`, "");
  const found = await find("**/*.{ts,tsx}");
  expect(found.sort()).toEqual(
    names.map((name) => (name.includes("\n") ? JSON.stringify(`src/${name}`) : `src/${name}`)).sort(),
  );
  expect(await find("src/[!a-z]*.ts")).toContain("src/😀.ts");
  expect(await find("src/!(*space)*.ts")).not.toContain("src/with space.ts");
  expect(await find("src/.*")).toEqual(["src/.hidden.ts"]);
});

it("sorts the newest first and then by name", async () => {
  for (const [name, seconds] of [
    ["b.txt", 100],
    ["a.txt", 100],
    ["new.txt", 200],
  ] as const) {
    utimesSync(space.file(name, ""), seconds, seconds);
  }
  expect(await find("*.txt")).toEqual(["new.txt", "a.txt", "b.txt"]);
});

it("finds ignored files unless the setting says otherwise, and never the insides of .git", async () => {
  space.file(".gitignore", "out/\n");
  space.file("out/a.js", "");
  space.file(".git/hooks/a.js", "");
  space.file("b.js", "");
  expect((await find("**/*.js")).sort()).toEqual(["b.js", "out/a.js"]);
  space.context.env = { ...space.context.env, CLAUDE_CODE_GLOB_NO_IGNORE: "false" };
  expect(await find("**/*.js")).toEqual(["b.js"]);
});

it("cuts at 100 and says how many there are", async () => {
  for (let index = 0; index < 130; index++) space.file(`f${index}.txt`, "");
  const result = await space.run(glob, { pattern: "*.txt" });
  expect(result.content).toContain("(The newest 100 of 130.");
  expect(result.structured).toMatchObject({ numFiles: 100, truncated: true });
  expect(result.display).toMatchObject({ kind: "paths", total: 130, truncated: true });
});

it("takes absolute patterns and a path, and names the searched folder as read", async () => {
  space.file("src/a.ts", "");
  expect(await find(`${space.cwd}/src/**/*.ts`)).toEqual(["src/a.ts"]);
  expect(await find("*.ts", space.path("src"))).toEqual(["src/a.ts"]);
  expect(await glob.checkPermissions({ pattern: "/etc/**/*.conf" }, space.context)).toEqual({
    reads: ["/etc"],
    writes: [],
  });
  expect(await glob.checkPermissions({ pattern: "../*.ts" }, space.context)).toEqual({
    reads: [space.path("..").replace(/\/project\/\.\.$/, "")],
    writes: [],
  });
  expect(await find("nothing*")).toEqual(["No files found"]);
  expect((await space.run(glob, { pattern: "*", path: "gone" })).isError).toBe(true);
});

it("leaves out what may not be read", async () => {
  space.file(".env", "");
  space.file("a", "");
  space.context.mayRead = (path) => !path.endsWith(".env");
  expect(await find("*")).toEqual(["a"]);
});
