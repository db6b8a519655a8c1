// How items look: the transcript of spec/screens.md section 2 and its variants, as plain rows.

import fc from "fast-check";
import { render } from "ink-testing-library";
import { describe, expect, test } from "vitest";
import { createTheme } from "../../../../components/theme/themes.js";
import { createTranscriptModel } from "../../../../components/transcript/model.js";
import { createSource } from "../../../../components/transcript/source.js";
import { Transcript } from "../../../../components/transcript/Transcript.js";
import { escapeSequence, StyleState } from "../../../../src/lib/sgr.js";
import { stripStyles, textWidth } from "../../../../src/lib/text-width.js";
import type { Display } from "../../../../src/protocol/display.js";
import type { TranscriptItem } from "../../../../state/app-state.js";
import { assistant, plain, theme, tool, user } from "./fixtures.js";

const now = 100_000;
const draw = (items: TranscriptItem[], width = 80, isExpanded = false) => {
  const source = createSource({ items: () => items, theme: () => theme, now: () => now, isExpanded });
  return createTranscriptModel(source).rows(500, width);
};

const edit: Display = {
  kind: "diff",
  path: "src/filter.ts",
  change: "update",
  added: 2,
  removed: 1,
  hunks: [
    {
      oldStart: 41,
      oldLines: 2,
      newStart: 41,
      newLines: 2,
      lines: [
        " if (item.date < from) return false;",
        "-if (item.date >= to) return false;",
        "+if (item.date > to) return false;",
      ],
    },
  ],
};

const atWork: TranscriptItem[] = [
  user("u", "make the date filter inclusive and cover it with a test"),
  assistant("a", "I'll look at the filter and its tests first."),
  tool("1", "Read", "src/filter.ts"),
  tool("2", "Read", "test/filter.test.ts"),
  tool("3", "Grep", '"dateTo" in src', {
    display: { kind: "matches", text: "src/filter.ts:3", files: 1, matches: 7, truncated: false },
  }),
  tool("4", "Edit", "src/filter.ts", { display: edit }),
  tool("5", "Bash", "npm test -- filter", {
    state: "running",
    canMove: true,
    startedAt: now - 4200,
    lastLines: ["PASS test/filter.test.ts", "✓ keeps items of the first day (3 ms)"],
  }),
];

test("a run at work looks as the screens of the design show it", () => {
  expect(plain(draw(atWork)).map((row) => row.trimEnd())).toEqual([
    "❯ make the date filter inclusive and cover it with a test",
    "",
    "● I'll look at the filter and its tests first.",
    "",
    "● Read src/filter.ts, test/filter.test.ts                       2 files · ctrl+o",
    '● Grep "dateTo" in src                                                 7 matches',
    "● Edit src/filter.ts                                                       +2 −1",
    "  ⎿  41    if (item.date < from) return false;",
    "     42  − if (item.date >= to) return false;",
    "     42  + if (item.date > to) return false;",
    "● Bash npm test -- filter                                         … 4 s · ctrl+b",
    "  ⎿  PASS test/filter.test.ts",
    "     ✓ keeps items of the first day (3 ms)",
  ]);
});

test("the viewer shows everything in full: reads one by one, thinking, whole output", () => {
  const output = Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n");
  const items: TranscriptItem[] = [
    { kind: "thinking", id: "t", v: 1, messageId: "m", index: 0, text: "First\nthen", done: true },
    tool("1", "Read", "a.ts", { display: { kind: "lines", startLine: 9, lines: ["x", "y"] } }),
    tool("2", "Read", "b.ts"),
    tool("3", "Bash", "seq 30", {
      display: { kind: "shell", command: "seq 30", output, exitCode: 0, interrupted: false },
    }),
  ];
  expect(plain(draw(items)).map((row) => row.trimEnd())).toEqual([
    "… Thought, 2 lines · ctrl+o",
    "",
    "● Read a.ts, b.ts                                               2 files · ctrl+o",
    "● Bash seq 30",
    "  ⎿  line 0",
    "     line 1",
    "     line 2",
    "     … 27 more rows · ctrl+o",
  ]);
  const full = plain(draw(items, 80, true)).map((row) => row.trimEnd());
  expect(full.slice(0, 8)).toEqual([
    "… First",
    "  then",
    "",
    "● Read a.ts                                                              2 lines",
    "  ⎿   9  x",
    "     10  y",
    "● Read b.ts",
    "● Bash seq 30",
  ]);
  expect(full.at(-1)).toBe("     line 29");
});

describe("states", () => {
  test("each has its glyph and says what it waits for", () => {
    const states = [
      tool("1", "Bash", "a", { state: "queued" }),
      tool("2", "Bash", "b", { state: "waiting" }),
      tool("3", "Bash", "c", { state: "running", startedAt: now }),
      tool("4", "Bash", "d", { state: "error", resultText: "command not found" }),
    ];
    expect(plain(draw(states, 40)).map((row) => row.trimEnd())).toEqual([
      "○ Bash a                          queued",
      "○ Bash b                   waits for you",
      "● Bash c                               …",
      "✗ Bash d",
      "  ⎿  command not found",
    ]);
  });

  test("a subagent's calls hang under its own, the newest three of them", () => {
    const children = Array.from({ length: 5 }, (_, index) =>
      tool(`c${index}`, "Grep", `word ${index}`, { parentToolUseId: "p" }),
    );
    const items = [tool("p", "Agent", "explore", { state: "running", startedAt: now - 61_000 }), ...children];
    expect(plain(draw(items, 44)).map((row) => row.trimEnd())).toEqual([
      "● Agent explore                       … 1:01",
      "  ⎿  … 2 earlier calls · ctrl+o",
      "     ● Grep word 2",
      "     ● Grep word 3",
      "     ● Grep word 4",
    ]);
  });
});

test("other items: banner, notices, commands, boundaries", () => {
  const items: TranscriptItem[] = [
    { kind: "banner", id: "b", v: 1, version: "3.0.0", cwd: "~/shop", branch: "main", model: "sonnet", trusted: false },
    { kind: "notice", id: "n", v: 1, level: "info", text: "Quiet." },
    { kind: "notice", id: "m", v: 1, level: "error", text: "Loud." },
    { kind: "command", id: "c", v: 1, command: "/cost", text: "Total: $0.07", isError: false },
    { kind: "boundary", id: "d", v: 1, text: "Compacted" },
    assistant("empty", ""),
    user("u", "on we go"),
  ];
  expect(plain(draw(items, 60))).toEqual([
    "  claude 3.0.0  sonnet       ~/shop · main · not trusted yet",
    "",
    "· Quiet.",
    "✗ Loud.",
    "",
    "❯ /cost",
    "  ⎿  Total: $0.07",
    "",
    "── Compacted ──",
    "",
    "❯ on we go",
  ]);
});

test("prose is never longer than 100 columns, on any window", () => {
  const rows = draw([assistant("a", "word ".repeat(200)), user("u", "word ".repeat(100))], 200);
  expect(Math.max(...rows.map((row) => textWidth(row.trimEnd())))).toBeLessThanOrEqual(102);
});

test("F007 escape sequences in titles, output, answers and prompts never reach a row", () => {
  const evil = "a\u001b[2J\u001b]0;t\u0007\u009b5n\u001b[?1049hb";
  const items: TranscriptItem[] = [
    user("u", evil),
    assistant("a", evil),
    assistant("l", `[x](https://e.vil/\u001b]0;t\u0007)\n\n\`\`\`\n${evil}\n\`\`\``),
    tool("1", evil, evil, { display: { kind: "shell", command: evil, output: evil, exitCode: 0, interrupted: false } }),
    tool("2", "X", evil, { state: "error", resultText: evil }),
    tool("3", "X", evil, { state: "running", lastLines: [evil] }),
    { kind: "notice", id: "n", v: 1, level: "error", text: evil },
    { kind: "command", id: "c", v: 1, command: evil, text: evil, isError: false },
    { kind: "banner", id: "b", v: 1, version: "3", cwd: evil, model: evil, trusted: true },
    { kind: "boundary", id: "d", v: 1, text: evil },
  ];
  for (const isExpanded of [false, true])
    for (const row of draw(items, 60, isExpanded))
      expect(row.replaceAll(/\u001b\[[0-9;]*m|\u001b\]8;;[!-~]*\u001b\\/g, "")).not.toMatch(
        /[\u0000-\u001f\u007f-\u009f]/,
      );
});

test("F013 right-to-left words leave in logical order, unbroken", () => {
  expect(plain(draw([assistant("a", "مرحبا main.ts سطر 12.")]))).toEqual(["● مرحبا main.ts سطر 12."]);
});

test("rows of random items fit the window and close their styles", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 80 });
  const item = fc.oneof(
    text.map((value) => user("u", value)),
    text.map((value) => assistant("a", value)),
    fc
      .tuple(text, text, fc.constantFrom("done", "error", "running", "waiting" as const))
      .map(([title, output, state]) =>
        tool("t", "Bash", title, {
          state: state as "done",
          resultText: output,
          lastLines: output.split("\n"),
          display: { kind: "shell", command: title, output, exitCode: 1, interrupted: false },
        }),
      ),
  );
  fc.assert(
    fc.property(item, fc.integer({ min: 1, max: 60 }), (value, width) => {
      for (const row of draw([value], width)) {
        const state = new StyleState();
        for (const [sequence] of row.matchAll(new RegExp(escapeSequence.source, "g"))) state.apply(sequence);
        expect([row, textWidth(row) <= Math.max(width, 8), state.isClean]).toEqual([row, true, true]);
      }
    }),
    { seed: 3, numRuns: 300 },
  );
});

test("the text back end shows the same rows in a component tree", () => {
  const source = createSource({ items: () => atWork, theme: () => createTheme("dark", "none"), now: () => now });
  const model = createTranscriptModel(source);
  const { lastFrame } = render(<Transcript backend="text" model={model} height={4} width={80} rev={1} />);
  const expected = plain(model.rows(4, 80)).map((row) => row.trimEnd());
  expect(
    stripStyles(lastFrame() ?? "")
      .split("\n")
      .map((row) => row.trimEnd()),
  ).toEqual(expected);
});
