// Coloured code: loaded late, drawn again when it arrives, never wrong about the text.
import { describe, expect, test } from "vitest";
import { displayRows } from "../../../../components/displays/index.js";
import { createHighlighter, loadGrammars } from "../../../../components/highlight/highlighter.js";
import { languageOfFence, languageOfPath } from "../../../../components/highlight/languages.js";
import { createLook } from "../../../../components/theme/look.js";
import { createTheme, type Theme } from "../../../../components/theme/themes.js";
import { MarkdownTail, markdownRows } from "../../../../components/transcript/tail.js";
import { stripStyles } from "../../../../src/lib/text-width.js";

const grammars = await loadGrammars();

/** A theme whose grammars are there. */
const ready = async (level: "256" | "16" | "none" = "256"): Promise<Theme> => {
  const look = createLook({ env: {}, setting: "dark", level, loadGrammars: async () => grammars });
  look.theme().highlight?.(["x"], "ts");
  await new Promise((resolve) => setImmediate(resolve));
  return look.theme();
};
const answer = "Look:\n\n```ts\nconst a = `x\ny`; // done\n```\n\nEnd.";

describe("the highlighter", () => {
  test("is plain until the grammars have come, then says so once", async () => {
    let isReady = 0;
    const made = createHighlighter({ load: async () => grammars, onReady: () => isReady++ });
    expect(made.highlight(["const a = 1;"], "ts")).toBeNull();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isReady).toBe(1);
    expect(made.highlight(["const a = 1;", "x"], "ts")?.[0]?.[0]).toEqual({ text: "const", token: "syntaxKeyword" });
    expect(made.highlight(["const a"], "no-such-language")).toBeNull();
    expect(made.highlight(["a".repeat(50_000)], "ts")).toBeNull();
  });

  test("a failed load leaves code plain and is told once", async () => {
    const errors: unknown[] = [];
    const made = createHighlighter({
      load: () => Promise.reject(new Error("gone")),
      onReady: () => expect.unreachable(),
      onError: (error) => errors.push(error),
    });
    made.highlight(["a"], "ts");
    made.highlight(["a"], "ts");
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toHaveLength(1);
  });

  test("languages come from file names and from fences", () => {
    expect(["a.mts", "Makefile", "x/y.PY", ".bashrc", "noext", "q.vue"].map(languageOfPath)).toEqual([
      "typescript",
      "makefile",
      "py",
      "bash",
      "",
      "xml",
    ]);
    expect(["TS", "js{1,2}", "rust,ignore", ""].map(languageOfFence)).toEqual(["ts", "js", "rust", ""]);
  });
});

describe("code on the screen", () => {
  test("a closed fence is coloured as a whole: a string over two lines stays a string", async () => {
    const theme = await ready();
    const rows = markdownRows(answer, { width: 60, theme });
    expect(rows.map(stripStyles)).toEqual(["Look:", "", "  const a = `x", "  y`; // done", "", "End."]);
    expect(rows[3]).toContain(theme.style("syntaxString", "y`"));
    expect(rows[2]).toContain(theme.style("syntaxKeyword", "const"));
  });

  test("a growing answer shows the same rows as the whole text, at every prefix", async () => {
    const theme = await ready();
    const tail = new MarkdownTail({ width: 40, theme });
    for (let end = 1; end <= answer.length; end++)
      expect(tail.rows(answer.slice(0, end))).toEqual(markdownRows(answer.slice(0, end), { width: 40, theme }));
  });

  test("file lines and diffs have colours, with the word marks still in their place", async () => {
    const theme = await ready();
    const lines = displayRows(
      { kind: "lines", path: "a.ts", startLine: 1, lines: ["const a = 1;"] },
      { width: 60, theme },
    );
    expect(lines.map(stripStyles)).toEqual(["1  const a = 1;"]);
    expect(lines[0]).toContain(theme.style("syntaxKeyword", "const"));
    const diff = displayRows(
      {
        kind: "diff",
        path: "a.ts",
        change: "update",
        added: 1,
        removed: 1,
        hunks: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-const a = one;", "+const a = two;"] }],
      },
      { width: 40, theme },
    );
    expect(diff.map((row) => stripStyles(row).trimEnd())).toEqual(["1  − const a = one;", "1  + const a = two;"]);
    expect(diff[1]).toContain(theme.style("syntaxKeyword", "const"));
    expect(diff[1]).toContain(theme.style("diffAddedWord", "two"));
  });

  test("with 16 colours changed lines keep the colour that says what changed; without colours code is plain", async () => {
    const display = {
      kind: "diff" as const,
      path: "a.ts",
      change: "update" as const,
      added: 1,
      removed: 0,
      hunks: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: ["+const a = 1;"] }],
    };
    const ansi = createTheme("dark-ansi", "16", { highlight: (await ready()).highlight });
    expect(displayRows(display, { width: 40, theme: ansi })[0]).not.toContain(ansi.style("syntaxKeyword", "const"));
    expect((await ready("none")).highlight).toBeUndefined();
  });
});
