// Selecting with the mouse (F019).
import { describe, expect, test } from "vitest";
import { clipboardBytes } from "../../../../components/attention/sequences.js";
import { createSelection, rangesOf, rangesText, wordAt } from "../../../../components/mouse/selection.js";
import { parseSequence } from "../../../../components/terminal/sequences.js";
import { addressAt } from "../../../../src/lib/mark-cells.js";
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

describe("a drag at the edge of the transcript", () => {
  const all = Array.from({ length: 30 }, (_, at) => `line ${at}`);
  const pane = ["────", "❯ prompt", "footer"];
  const height = 10;

  const setUpEdge = () => {
    const state = { top: 10, isRunning: false, step: (): void => undefined, copied: [] as string[] };
    const shown = () => [...all.slice(state.top, state.top + height), ...pane];
    const selection = createSelection({
      rows: shown,
      now: () => 0,
      draw: () => undefined,
      onSelect: (text) => state.copied.push(text),
      scroll: (by) => {
        const next = state.top + by;
        if (next < 0 || next + height > all.length) return null;
        state.top = next;
        return all.slice(next, next + height);
      },
      repeat: (step) => {
        Object.assign(state, { step, isRunning: true });
        return () => {
          state.isRunning = false;
        };
      },
    });
    selection.overlay(shown(), height);
    return { state, selection, shown };
  };

  test("scrolls upwards row by row and takes what comes along", () => {
    const { state, selection, shown } = setUpEdge();
    selection.press(mouse("press", 5, 6));
    selection.drag(mouse("drag", 0, 0));
    expect([state.top, state.isRunning]).toEqual([9, true]);
    for (let at = 0; at < 3; at++) state.step();
    expect(selection.overlay(shown(), height).slice(0, 2)).toEqual([
      "\u001b[7mline 6\u001b[27m",
      "\u001b[7mline 7\u001b[27m",
    ]);
    selection.release(mouse("release", 0, 0));
    expect(state.isRunning).toBe(false);
    expect(state.copied).toEqual([all.slice(6, 16).join("\n")]);
    expect(selection.overlay(shown(), height)[9]).toBe("\u001b[7mline 15\u001b[27m");
  });

  test("scrolls downwards, stops at the last row, and ends as soon as the pointer is back inside", () => {
    const { state, selection } = setUpEdge();
    selection.press(mouse("press", 8, 0));
    selection.drag(mouse("drag", 11, 3));
    state.step();
    expect(state.top).toBe(12);
    selection.drag(mouse("drag", 4, 6));
    expect(state.isRunning).toBe(false);
    selection.drag(mouse("drag", 10, 3));
    for (let at = 0; at < 20 && state.isRunning; at++) state.step();
    expect([state.top, state.isRunning]).toEqual([20, false]);
    selection.drag(mouse("drag", 9, 6));
    selection.release(mouse("release", 9, 6));
    expect(state.copied).toEqual([all.slice(18).join("\n")]);
  });

  test("stops where the rows that come along do not continue what is marked", () => {
    const { state, selection } = setUpEdge();
    selection.press(mouse("press", 5, 6));
    state.top = 3; // new output moved the transcript under the frozen picture
    selection.drag(mouse("drag", 0, 0));
    expect(state.isRunning).toBe(false);
    selection.release(mouse("release", 0, 0));
    expect(state.copied).toEqual([all.slice(10, 16).join("\n")]);
  });

  test("which began in the pane scrolls nothing", () => {
    const { state, selection } = setUpEdge();
    selection.press(mouse("press", 11, 2));
    selection.drag(mouse("drag", 0, 0));
    expect([state.top, state.isRunning]).toEqual([10, false]);
  });
});

test("a click with ctrl finds the address of a link, or one that is written out, and nothing else", () => {
  const row =
    "日本 \u001b]8;;https://a.example/x\u001b\\\u001b[4mhere\u001b[24m\u001b]8;;\u001b\\ (see https://b.example/y?z=1).";
  expect(addressAt(row, 5)).toBe("https://a.example/x");
  expect(addressAt(row, 4)).toBeUndefined();
  expect(addressAt(row, 9)).toBeUndefined();
  expect(addressAt(row, 16)).toBe("https://b.example/y?z=1");
  expect(addressAt(row, 200)).toBeUndefined();
  expect(addressAt("\u001b]8;;file:///etc/passwd\u001b\\x\u001b]8;;\u001b\\", 0)).toBeUndefined();
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
