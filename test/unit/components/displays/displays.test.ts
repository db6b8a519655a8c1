// Displays as rows: each kind, budgets, and what is said about hidden rows.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayRows } from "../../../../components/displays/index.js";
import { wordDiff } from "../../../../components/displays/word-diff.js";
import { createTheme } from "../../../../components/theme/themes.js";
import { stripStyles, textWidth } from "../../../../src/lib/text-width.js";
import type { Display } from "../../../../src/protocol/display.js";

const theme = createTheme("dark-ansi", "16");
const draw = (display: Display, more: { width?: number; maxRows?: number; expanded?: boolean } = {}) =>
  displayRows(display, { width: 40, theme, ...more }).map((row) => stripStyles(row).trimEnd());

const shell = (output: string, exitCode = 0): Display => ({
  kind: "shell",
  command: "x",
  output,
  exitCode,
  interrupted: false,
});
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join("\n");

describe("budgets", () => {
  test("output says how much is hidden and which key shows it", () => {
    expect(draw(shell(numbers(30)), { maxRows: 3 })).toEqual(["line 0", "line 1", "… 28 more rows · ctrl+o"]);
    expect(draw(shell(numbers(30)), { expanded: true }).length).toBe(30);
  });

  test("a failed command shows its end as well", () => {
    expect(draw(shell(numbers(30), 1), { maxRows: 4 })).toEqual([
      "line 0",
      "… 27 more rows · ctrl+o",
      "line 28",
      "line 29",
    ]);
  });

  test("F017 one line of 120 KB takes its row budget, the match at its start stays visible, and it is quick", () => {
    const output = `needle ${"x".repeat(120_000)}`;
    const before = process.cpuUsage();
    const rows = draw(shell(output), { maxRows: 4, width: 80 });
    expect(process.cpuUsage(before).user).toBeLessThan(50_000);
    expect(rows.length).toBe(4);
    expect(rows[0]).toMatch(/^needle x/);
    expect(rows[3]).toBe("… 1,498 more rows · ctrl+o");
    expect(draw(shell(output, 1), { maxRows: 4, width: 80 }).length).toBe(4);
  });

  test("no display of random content takes more rows or cells than it may", () => {
    const text = fc.string({ unit: "binary", maxLength: 200 });
    const display = fc.oneof(
      text.map((value): Display => ({ kind: "text", text: value })),
      text.map((value): Display => ({ kind: "lines", startLine: 7, lines: value.split("\n") })),
      text.map((value): Display => shell(value, 2)),
      text.map((value): Display => ({ kind: "markdown", text: value })),
      text.map((value): Display => ({ kind: "json", value: { value } })),
      text.map((value): Display => ({ kind: "paths", paths: value.split(" "), total: 900, truncated: true })),
      text.map((value): Display => ({ kind: "matches", text: value, files: 1, matches: 1, truncated: false })),
      fc.tuple(text, text).map(
        ([a, b]): Display => ({
          kind: "diff",
          path: "p",
          change: "update",
          added: 1,
          removed: 1,
          hunks: [{ oldStart: 9, oldLines: 1, newStart: 9, newLines: 1, lines: [`-${a}`, `+${b}`, ` ${a}`] }],
        }),
      ),
    );
    fc.assert(
      fc.property(
        display,
        fc.integer({ min: 12, max: 60 }),
        fc.integer({ min: 1, max: 8 }),
        (value, width, maxRows) => {
          const rows = displayRows(value, { width, theme, maxRows });
          expect(rows.length).toBeLessThanOrEqual(maxRows);
          for (const row of rows) {
            expect([row, textWidth(row) <= width]).toEqual([row, true]);
            expect(row.replaceAll(/\u001b\[[0-9;:]*m|\u001b\]8;;[!-~]*\u001b\\/g, "")).not.toMatch(
              /[\u0000-\u001f\u007f-\u009f]/,
            );
          }
        },
      ),
      { seed: 9, numRuns: 400 },
    );
  });
});

describe("diffs", () => {
  const diff: Display = {
    kind: "diff",
    path: "a.ts",
    change: "update",
    added: 2,
    removed: 1,
    hunks: [
      {
        oldStart: 9,
        oldLines: 2,
        newStart: 9,
        newLines: 3,
        lines: [" same", "-const a = 1;", "+const a = 2;", "+added", "\\ No newline at end of file"],
      },
      { oldStart: 200, oldLines: 1, newStart: 201, newLines: 1, lines: ["\tlast"].map((line) => ` ${line}`) },
    ],
  };

  test("numbers, signs and the gap between hunks", () => {
    expect(draw(diff)).toEqual([
      "  9    same",
      " 10  − const a = 1;",
      " 10  + const a = 2;",
      " 11  + added",
      "  …",
      "201        last",
    ]);
  });

  test("rows are coloured to the full width, words that changed are marked", () => {
    const [hunk] = diff.hunks;
    const one: Display = {
      ...diff,
      hunks: [{ ...(hunk as NonNullable<typeof hunk>), lines: ["-const a = 1;", "+const a = 2;"] }],
    };
    const rows = displayRows(one, { width: 24, theme });
    expect(rows.map((row) => textWidth(row))).toEqual([24, 24]);
    expect(rows[0]).toContain("\u001b[4;91m1");
    expect(rows[1]).toContain("\u001b[4;92m2");
  });

  test("a limited diff counts what is missing", () => {
    expect(draw(diff, { maxRows: 3 })).toEqual(["  9    same", " 10  − const a = 1;", "… 4 more rows · ctrl+o"]);
  });

  test("lines with nothing in common get no word marks", () => {
    expect(wordDiff("completely different", "zzz 123 yyy")).toBe(null);
    expect(wordDiff("let a = 1", "let b = 1")).toEqual([
      [
        { text: "let ", isChanged: false },
        { text: "a", isChanged: true },
        { text: " = 1", isChanged: false },
      ],
      [
        { text: "let ", isChanged: false },
        { text: "b", isChanged: true },
        { text: " = 1", isChanged: false },
      ],
    ]);
  });
});

describe("other kinds", () => {
  test.each<[string, Display, string[]]>([
    ["text", { kind: "text", text: "a\tb\r\nc" }, ["a       b", "c"]],
    ["text with a summary", { kind: "text", text: "long", summary: "Wrote 3 lines" }, ["Wrote 3 lines"]],
    ["lines", { kind: "lines", startLine: 9, lines: ["a", "\tb"] }, [" 9  a", "10      b"]],
    ["paths", { kind: "paths", paths: ["a", "b"], total: 2, truncated: false }, ["a", "b"]],
    ["truncated paths", { kind: "paths", paths: ["a"], total: 5, truncated: true }, ["a", "… 4 more rows · ctrl+o"]],
    ["matches", { kind: "matches", text: "a:1:x", files: 1, matches: 1, truncated: false }, ["a:1:x"]],
    ["progress bar", shell("10 %\r100 %\n"), ["100 %"]],
    [
      "todos",
      {
        kind: "todos",
        todos: [
          { id: "1", subject: "one", status: "completed" },
          { id: "2", subject: "two", status: "in_progress" },
          { id: "3", subject: "three", status: "pending" },
        ],
      },
      ["✓ one", "● two", "○ three"],
    ],
    ["markdown", { kind: "markdown", text: "# T\n\n- a" }, ["T", "", "• a"]],
    ["image", { kind: "image", label: "shot.png", mediaType: "image/png", bytes: 2048 }, ["shot.png image/png · 2 KB"]],
    [
      "agent",
      { kind: "agent", agentId: "a", agentType: "Explore", text: "Found it.", toolUses: 2, tokens: 1, durationMs: 1 },
      ["Found it."],
    ],
    ["json", { kind: "json", value: { a: [1] } }, ["{", '  "a": [', "    1", "  ]", "}"]],
    ["json that is none", { kind: "json", value: 1n }, ["(not JSON: Do not know how to serialize", "a BigInt)"]],
  ])("%s", (_name, display, expected) => {
    const rows = draw(display);
    if (_name === "json that is none") expect(rows.join("")).toContain("not JSON");
    else expect(rows).toEqual(expected);
  });

  test("colours of foreign output survive, unless colours are off", () => {
    const output = shell("\u001b[31mred\u001b[0m");
    expect(displayRows(output, { width: 20, theme })).toEqual(["\u001b[31mred\u001b[0m"]);
    expect(displayRows(output, { width: 20, theme: createTheme("dark", "none") })).toEqual(["red"]);
  });
});

test("prose is wrapped at blanks, output at cells", () => {
  const text = "The person did not allow this call, and nothing was done.";
  expect(draw({ kind: "text", text }, { width: 30 })).toEqual([
    "The person did not allow this",
    "call, and nothing was done.",
  ]);
  expect(draw(shell(text), { width: 12 })[0]).toBe("The person d");
});
