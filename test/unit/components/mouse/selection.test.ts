// Selecting with the mouse (F019).
import { describe, expect, test } from "vitest";
import { clipboardBytes } from "../../../../components/attention/sequences.js";
import { createSelection, rangesOf, rangesText, wordAt } from "../../../../components/mouse/selection.js";
import { parseSequence } from "../../../../components/terminal/sequences.js";
import { stripStyles } from "../../../../src/lib/text-width.js";
import { copyTools } from "../../../../src/platform/copy-text.js";

const mouse = (kind: "press" | "drag" | "release", row: number, column: number) => ({
  kind,
  button: 0,
  row,
  column,
  shift: false,
  alt: false,
  ctrl: false,
});

const setUp = (initial: string[]) => {
  const state = { rows: initial, now: 0, copied: [] as string[], draws: 0 };
  const selection = createSelection({
    rows: () => state.rows,
    now: () => state.now,
    draw: () => {
      state.draws += 1;
    },
    onSelect: (text) => state.copied.push(text),
  });
  const drag = (from: [number, number], to: [number, number]): boolean => {
    selection.press(mouse("press", ...from));
    selection.drag(mouse("drag", ...to));
    return selection.release(mouse("release", ...to));
  };
  const click = (row: number, column: number): boolean => {
    selection.press(mouse("press", row, column));
    return selection.release(mouse("release", row, column));
  };
  return { state, selection, drag, click };
};

const rows = ["❯ make it so", "", "● First \u001b[1mbold\u001b[22m line", "  second line, 日本 here", "──────"];

test("F019 a drag over two lines is copied on release, the gutter left out, in either direction", () => {
  const { state, drag } = setUp(rows);
  expect(drag([2, 2], [3, 7])).toBe(true);
  expect(drag([3, 7], [2, 2])).toBe(true);
  expect(state.copied).toEqual(["First bold line\nsecond", "First bold line\nsecond"]);
});

test("a click that does not move selects nothing", () => {
  const { state, click } = setUp(rows);
  expect(click(2, 3)).toBe(false);
  expect(state.copied).toEqual([]);
});

test("a double click takes the word, a triple click the line; a slow second click is a new one", () => {
  const { state, click } = setUp(["see src/a-b.ts: ok", "日本 x"]);
  click(0, 6);
  click(0, 6);
  click(0, 6);
  state.now = 5_000;
  click(0, 6);
  expect(state.copied).toEqual(["src/a-b.ts:", "see src/a-b.ts: ok"]);
  expect(wordAt("日本 x", 2)).toEqual({ from: 0, to: 4 });
  expect(wordAt("a  b", 1)).toEqual({ from: 1, to: 2 });
});

test("while the button is down the picture stands still; what moves away afterwards loses its mark", () => {
  const { state, selection } = setUp(rows);
  selection.press(mouse("press", 2, 2));
  selection.drag(mouse("drag", 2, 6));
  const moved = ["new row", ...rows];
  expect(stripStyles(selection.overlay(moved)[2] as string)).toBe("● First bold line");
  expect(selection.overlay(moved)[2]).toContain("\u001b[7mFirst\u001b[27m");
  selection.release(mouse("release", 2, 6));
  expect(state.copied).toEqual(["First"]);
  expect(selection.overlay(rows)[2]).toContain("\u001b[7m");
  expect(selection.overlay(moved)).toBe(moved);
  expect(selection.isActive).toBe(false);
});

test("ranges never leave the screen, and end at the text", () => {
  expect(rangesOf(["ab", "c"], { row: 0, column: 1 }, { row: 9, column: 50 })).toEqual([
    { row: 0, from: 1, to: 2 },
    { row: 1, from: 0, to: 1 },
  ]);
  expect(
    rangesText(
      ["abc", "def"],
      [
        { row: 0, from: 0, to: 3 },
        { row: 1, from: 0, to: 2 },
      ],
    ),
  ).toBe("abc\nde");
});

describe("where it goes", () => {
  test("the clipboard string holds the text in base64; too much is refused", () => {
    expect(clipboardBytes("日本")).toBe(`\u001b]52;c;${Buffer.from("日本").toString("base64")}\u0007`);
    expect(clipboardBytes("x".repeat(80_000))).toBeNull();
  });

  test("the machine's own tools, and none of them over SSH", () => {
    expect(copyTools("darwin", {})).toEqual([["pbcopy"]]);
    expect(copyTools("linux", { WAYLAND_DISPLAY: "w", DISPLAY: ":0" }).map(([name]) => name)).toEqual([
      "wl-copy",
      "xclip",
      "xsel",
    ]);
    expect(copyTools("linux", { SSH_TTY: "/dev/pts/1", DISPLAY: ":0", TMUX: "x" })).toEqual([
      ["tmux", "load-buffer", "-w", "-"],
    ]);
  });

  test("moves with a button down are drags, moves without one are nothing", () => {
    expect(parseSequence("\u001b[<32;5;6M")).toMatchObject({
      token: { kind: "mouse", event: { kind: "drag", button: 0, column: 4, row: 5 } },
    });
    expect(parseSequence("\u001b[<35;5;6M")).toMatchObject({ token: { kind: "ignore" } });
  });
});
