// The width function against string-width (Ink's own measure) and the row helpers against their promises.
import fc from "fast-check";
import stringWidth from "string-width";
import { afterEach, describe, expect, test } from "vitest";
import { setAmbiguousWide } from "../../../src/lib/grapheme-width.js";
import { escapeSequence, StyleState } from "../../../src/lib/sgr.js";
import {
  cutToWidth,
  graphemes,
  hardWrap,
  padToWidth,
  stripStyles,
  textWidth,
  wrapText,
} from "../../../src/lib/text-width.js";

const seed = { seed: 20261130, numRuns: 400 };
const samples = [
  ..."abz 09#*_~",
  ..."éßøñ—…“”•€™©®←→✓✗●○❯⎿✳─│╭█░",
  ..."中文字日本語ひらカナ한글",
  ..."ไทยעבריתمرحبا",
  "e\u0301",
  "👍",
  "👍🏽",
  "👨‍👩‍👧",
  "🇯🇵",
  "1️⃣",
  "⚠️",
  "⚠",
  "☝🏽",
  "✳️",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "नि",
  "ｶﾞ",
  "각",
  "①",
  "±",
];
const ordinary = fc.array(fc.constantFrom(...samples), { maxLength: 40 }).map((parts) => parts.join(""));
const styles = [
  "\u001b[1m",
  "\u001b[31m",
  "\u001b[38;2;1;2;3m",
  "\u001b[0m",
  "\u001b[39m",
  "\u001b]8;;http://a.b\u001b\\",
];
const styled = fc
  .array(fc.oneof(fc.constantFrom(...samples), fc.constantFrom(" ", " ", "word"), fc.constantFrom(...styles)), {
    maxLength: 60,
  })
  .map((parts) => parts.join(""));
const anyText = fc.string({ unit: "binary", maxLength: 60 }).map((text) => text.replace(/[\p{C}]/gu, ""));

describe("textWidth", () => {
  test("agrees with string-width on ordinary text in many scripts", () => {
    fc.assert(
      fc.property(ordinary, (text) => {
        expect([text, textWidth(text)]).toEqual([text, stringWidth(text)]);
      }),
      seed,
    );
  });

  test("agrees with string-width on each character up to U+3100, alone, between letters and as an emoji", () => {
    const differing: string[] = [];
    for (let code = 0xa0; code < 0x3100; code++) {
      const character = String.fromCodePoint(code);
      for (const text of [`a${character}b`, `${character}\ufe0f`])
        if (textWidth(text) !== stringWidth(text)) differing.push(`U+${code.toString(16)} ${JSON.stringify(text)}`);
    }
    expect(differing).toEqual([]);
  });

  test("styles count nothing, unless asked for", () => {
    expect(textWidth("\u001b[1;31mab\u001b[0m\u001b]8;;http://x\u0007c")).toBe(3);
    expect(textWidth("\u001b[1m", { countAnsiEscapeCodes: true })).toBe(
      stringWidth("\u001b[1m", { countAnsiEscapeCodes: true }),
    );
  });

  test("F011 keycaps, families, flags, combining marks and Thai have the terminal's width", () => {
    expect(["①", "±", "…", "€", "1️⃣", "👨‍👩‍👧", "🇯🇵", "e\u0301", "ไทย"].map((text) => textWidth(text))).toEqual([
      1, 1, 1, 1, 2, 2, 2, 1, 3,
    ]);
  });

  describe("on a terminal that draws ambiguous characters wide", () => {
    afterEach(() => setAmbiguousWide(false));
    test("F011 an option makes ambiguous characters two cells", () => {
      setAmbiguousWide(true);
      expect(["①", "±", "─", "a", "中"].map((text) => textWidth(text))).toEqual([2, 2, 2, 1, 2]);
    });
  });
});

test("graphemes are what a person calls characters", () => {
  expect(graphemes("ae\u0301👨‍👩‍👧中")).toEqual(["a", "e\u0301", "👨‍👩‍👧", "中"]);
});

describe("rows", () => {
  const isBalanced = (row: string) => {
    const state = new StyleState();
    for (const [sequence] of row.matchAll(new RegExp(escapeSequence.source, "g"))) state.apply(sequence);
    return state.isClean;
  };

  test("no row of random unicode is wider than asked for", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, styled), fc.integer({ min: 1, max: 30 }), (text, width) => {
        for (const rows of [wrapText(text, width), hardWrap(text, width), [cutToWidth(text, width)]])
          for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(width);
        expect(textWidth(padToWidth(text, width))).toBe(width);
      }),
      seed,
    );
  });

  test("hard wrapping loses nothing", () => {
    fc.assert(
      fc.property(styled, fc.integer({ min: 2, max: 20 }), (text, width) => {
        expect(hardWrap(text, width).map(stripStyles).join("")).toBe(stripStyles(text));
      }),
      seed,
    );
  });

  test("word wrapping loses nothing but spaces", () => {
    fc.assert(
      fc.property(styled, fc.integer({ min: 2, max: 20 }), (text, width) => {
        const withoutSpaces = (value: string) => stripStyles(value).replaceAll(" ", "");
        expect(withoutSpaces(wrapText(text, width).join(""))).toBe(withoutSpaces(text));
      }),
      seed,
    );
  });

  test("each row closes the styles it opens", () => {
    fc.assert(
      fc.property(styled, fc.integer({ min: 1, max: 12 }), (text, width) => {
        for (const row of wrapText(text, width)) expect([row, isBalanced(row)]).toEqual([row, true]);
      }),
      seed,
    );
  });

  test("styles go on in the next row", () => {
    expect(wrapText("\u001b[31mred words\u001b[39m go", 5)).toEqual([
      "\u001b[31mred\u001b[0m",
      "\u001b[31mwords\u001b[39m",
      "go",
    ]);
  });

  test("wrapping keeps indentation, breaks long words and ends at newlines", () => {
    expect(wrapText("  two words\nabcdefghij k", 8)).toEqual(["  two", "words", "abcdefgh", "ij k"]);
    expect(wrapText("", 8)).toEqual([""]);
    expect(wrapText("中文字中文字", 5)).toEqual(["中文", "字中", "文字"]);
  });

  test("cutting says that something is missing", () => {
    expect([cutToWidth("hello", 5), cutToWidth("hello!", 5), cutToWidth("中文字", 5), cutToWidth("ab", 0)]).toEqual([
      "hello",
      "hell…",
      "中文…",
      "",
    ]);
  });

  test("F017 a line of 120 KB is wrapped no further than asked for", () => {
    const line = `needle ${"x".repeat(120_000)}`;
    const before = process.cpuUsage();
    const rows = hardWrap(line, 80, 3);
    const { user } = process.cpuUsage(before);
    expect(rows.length).toBe(3);
    expect(user).toBeLessThan(50_000);
  });
});
