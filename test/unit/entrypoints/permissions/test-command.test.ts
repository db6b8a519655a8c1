// `claude permissions test`: its outcome, its batch form over both case tables, and what it leaves behind.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { permissionsCommand } from "../../../../src/entrypoints/permissions/test-command.js";
import { type Outcome, type Result, readCases, report, scoreOf } from "../../permissions/cases.js";
import { type Fixture, makeFixture } from "../../permissions/fixture.js";

let fixture: Fixture;
beforeAll(() => {
  fixture = makeFixture();
});
afterAll(() => fixture.dispose());

const run = async (argv: string[], stdin = "") => {
  let [out, err] = ["", ""];
  const code = await permissionsCommand(argv, {
    env: { HOME: fixture.home, CLAUDE_CONFIG_DIR: join(fixture.home, ".claude") },
    cwd: fixture.root,
    stdin: Readable.from([stdin]),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err };
};

const lines = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("a command that only reads is allowed with exit code 0 and its reason", async () => {
  const { code, out } = await run(["test", "git log --oneline | head -3"]);
  expect(code).toBe(0);
  expect(out).toContain("allow: it would run without a question");
  expect(out).toContain("only reads");
});

test("--json tells outcome, mode, checks, rule and source", async () => {
  const settings = JSON.stringify({ permissions: { deny: ["Bash(rm *)"] } });
  const { code, out } = await run(["test", "rm -rf build", "--json", "--settings", settings]);
  expect(code).toBe(3);
  expect(JSON.parse(out)).toMatchObject({
    command: "rm -rf build",
    mode: "default",
    outcome: "deny",
    checks: [],
    rule: "Bash(rm *)",
    source: "flagSettings",
  });
});

test("a question has exit code 2 and shows what would be offered", async () => {
  const { code, out } = await run(["test", "npm run build"]);
  expect(code).toBe(2);
  expect(out).toContain("don't ask again for npm run build *");
});

test.each([
  [[], "Usage"],
  [["test"], "Usage"],
  [["test", "ls", "--permission-mode", "fast"], 'no permission mode "fast"'],
  [["test", "ls", "--batch"], "--batch reads its commands from standard input"],
  [["test", "ls", "--nonsense"], "--nonsense"],
])("%j is refused with a word about it", async (argv, text) => {
  const { code, out, err } = await run(argv);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain(text);
});

test("a settings file that cannot be parsed ends it with file, line and column", async () => {
  const file = join(fixture.home, ".claude", "settings.json");
  mkdirSync(join(fixture.home, ".claude"), { recursive: true });
  writeFileSync(file, '{\n  "permissions": {\n');
  const { code, err } = await run(["test", "ls"]);
  writeFileSync(file, "{}\n");
  expect(code).toBe(1);
  expect(err).toContain(`${file}:3:1: not valid JSON`);
});

describe("--batch", () => {
  test.each(["bash-permissions.jsonl", "path-permissions.jsonl"])(
    "%s scores through the command line as it does inside",
    async (file) => {
      const cases = readCases(file);
      const { code, out } = await run(["test", "--batch"], readFileSync(`test/fixtures/${file}`, "utf8"));
      const answers = lines(out);
      expect(code).toBe(0);
      expect(answers.map(({ id }) => id)).toEqual(cases.map(({ id }) => id));
      const results = cases.map((item, index): Result => {
        const answer = answers[index] as { outcome: Outcome; checks: string[] };
        const { id, kind, why, expect: wanted, also = [], command = "" } = item;
        return { id, kind, why, text: command, expected: [wanted, ...also], ...answer };
      });
      const { hard, soft, questions } = scoreOf(results);
      expect([report("HARD", hard), report("SOFT", soft), report("QUESTION", questions)].join("")).toBe("");
    },
  );

  test("a line that is no case is an error for that line, and the rest goes on", async () => {
    const { out } = await run(
      ["test", "--batch"],
      'nonsense\n{"id":"x","rules":{"alow":[]},"command":"ls"}\n{"id":"y","command":"ls"}\n{"id":"z"}\n',
    );
    expect(lines(out)).toMatchObject([
      { id: null, outcome: "error" },
      { id: "x", outcome: "error" },
      { id: "y", outcome: "allow" },
      { id: "z", outcome: "error" },
    ]);
  });

  test("setup files are taken away again, what was there stays, and places elsewhere are refused", async () => {
    const before = readdirSync(fixture.root).sort();
    const setup = [
      { file: "deep/er/new.txt", content: "x" },
      { file: "a.txt", content: "overwritten" },
    ];
    const content = readFileSync(join(fixture.root, "a.txt"), "utf8");
    const read = { tool: "Read", input: { file_path: "deep/er/new.txt" } };
    const input = [
      { id: "1", ...read, setup },
      { id: "2", ...read },
      { id: "3", ...read, setup: [{ file: "/etc/made-by-a-case" }] },
    ];
    const { out } = await run(["test", "--batch"], input.map((item) => JSON.stringify(item)).join("\n"));
    expect(lines(out).map(({ outcome }) => outcome)).toEqual(["allow", "error", "error"]);
    expect(readdirSync(fixture.root).sort()).toEqual(before);
    expect(readFileSync(join(fixture.root, "a.txt"), "utf8")).toBe(content);
    expect(existsSync("/etc/made-by-a-case")).toBe(false);
  });
});
