// Vim mode: `|` marks the caret. Keys of more than one character stand in <>.
import { describe, expect, test } from "vitest";
import { fullText, shownText, toCells } from "../../../../components/prompt/cells.js";
import { type EditorState, emptyEditor, reduceEditor } from "../../../../components/prompt/editor.js";
import { pressVim } from "../../../../components/prompt/vim.js";
import { newVim, selectionOf, type VimState, vimIndicator } from "../../../../components/prompt/vim-state.js";

interface At {
  vim: VimState;
  editor: EditorState;
  effects: string[];
}

const marked = (text: string): EditorState => {
  const [before = "", after = ""] = text.split("|");
  const set = reduceEditor(emptyEditor, { type: "set", cells: toCells(before + after) });
  return { ...set, undo: [], caret: toCells(before).length };
};

const normal = (text: string): At => ({ vim: { ...newVim, mode: "normal" }, editor: marked(text), effects: [] });

const keysOf = (keys: string): string[] =>
  keys.match(/<[\w+-]+>|[\s\S]/gu)!.map((key) => key.replace(/^<(.+)>$/, "$1"));

const press = (at: At, keys: string): At => {
  let now = at;
  for (const key of keysOf(keys)) {
    const step = pressVim(now.vim, now.editor, key);
    if (step) now = { ...step, effects: step.effect ? [...now.effects, step.effect] : now.effects };
    else if (now.vim.mode === "insert") {
      const action = key === "bs" ? ({ type: "backspace" } as const) : ({ type: "insert", text: key } as const);
      now = { ...now, editor: reduceEditor(now.editor, action) };
    }
  }
  return now;
};

const shown = ({ editor: { cells, caret } }: At): string =>
  `${shownText(cells.slice(0, caret))}|${shownText(cells.slice(caret))}`;

const after = (text: string, keys: string): string => shown(press(normal(text), keys));

describe("motions", () => {
  test.each([
    ["ab|cd", "h", "a|bcd"],
    ["|abcd", "h", "|abcd"],
    ["ab|cd", "l", "abc|d"],
    ["abc|d", "l", "abc|d"],
    ["|abcdef", "3l", "abc|def"],
    ["a|b\ncd", " ", "ab\n|cd"],
    ["|foo.bar baz", "w", "foo|.bar baz"],
    ["|foo.bar baz", "2w", "foo.|bar baz"],
    ["|foo.bar baz", "W", "foo.bar |baz"],
    ["fo|o\n  bar", "w", "foo\n  |bar"],
    ["fo|o\n\nbar", "w", "foo\n|\nbar"],
    ["|foo bar", "e", "fo|o bar"],
    ["fo|o bar", "e", "foo ba|r"],
    ["foo.bar b|az", "b", "foo.bar |baz"],
    ["foo.bar |baz", "2b", "foo|.bar baz"],
    ["foo.bar |baz", "B", "|foo.bar baz"],
    ["  ab|c", "0", "|  abc"],
    ["  ab|c", "^", "  |abc"],
    ["  |abc\nx", "$", "  ab|c\nx"],
    ["a\nb\n  c|d", "gg", "|a\nb\n  cd"],
    ["|a\nb\n  cd", "G", "a\nb\n  |cd"],
    ["|a\nb\nc", "2G", "a\n|b\nc"],
    ["|a\nb\nc", "3gg", "a\nb\n|c"],
    ["|a,b,c", "f,", "a|,b,c"],
    ["|a,b,c", "2f,", "a,b|,c"],
    ["|a,b,c", "t,", "|a,b,c"],
    ["|aa,b,c", "t,;", "aa,|b,c"],
    ["|a,b,c", "f,;", "a,b|,c"],
    ["|a,b,c", "f,;,", "a|,b,c"],
    ["a,b,|c", "F,", "a,b|,c"],
    ["a,b,|c", "T,", "a,b,|c"],
    ["a,bb|c", "T,", "a,|bbc"],
    ["|abc", "fz", "|abc"],
    ["abc|d\nx\nabcd", "jj", "abcd\nx\nabc|d"],
    ["abc|d\nxy", "j<up>", "abc|d\nxy"],
    ["a|b\nxyz\nq", "$jj", "ab\nxyz\n|q"],
    ["a|b\nxyz", "$j", "ab\nxy|z"],
    ["日本|語 字", "h", "日|本語 字"],
    ["|👩‍💻👍🏽 x", "l", "👩‍💻|👍🏽 x"],
    ["|日本語 字", "w", "日本語 |字"],
  ])("%j %s %j", (text, keys, wanted) => {
    expect(after(text, keys)).toBe(wanted);
  });

  test.each([
    ["a|b\ncd", "k", ["older"]],
    ["ab\nc|d", "j", ["newer"]],
    ["ab\nc|d", "kk", ["older"]],
    ["a|b", "/", ["search"]],
    ["a|b", "?", ["help"]],
    ["a|b", "d/", []],
  ])("%j %s asks the prompt for %j", (text, keys, effects) => {
    expect(press(normal(text), keys).effects).toEqual(effects);
  });
});

describe("edits", () => {
  test.each([
    ["ab|cd", "x", "ab|d"],
    ["ab|cd", "3x", "a|b"],
    ["ab|cd", "X", "a|cd"],
    ["a\n|b\nc", "dd", "a\n|c"],
    ["a\nb\n|c", "dd", "a\n|b"],
    ["|a", "dd", "|"],
    ["|a\nb\nc\nd", "2dd", "|c\nd"],
    ["ab |cd ef", "D", "ab| "],
    ["|foo bar baz", "dw", "|bar baz"],
    ["|foo bar baz", "d2w", "|baz"],
    ["|a b c d e", "2d2w", "|e"],
    ["foo |bar\nbaz", "dw", "foo| \nbaz"],
    ["|foo bar", "de", "| bar"],
    ["foo |bar", "db", "|bar"],
    ["foo b|ar", "d0", "|ar"],
    ["foo |bar", "d$", "foo| "],
    ["|a,b", "df,", "|b"],
    ["|a,b", "dt,", "|,b"],
    ["a\nb|b\nc\nd", "dj", "a\n|d"],
    ["a\nb|b\nc", "dk", "|c"],
    ["a|b", "dj", "a|b"],
    ["a\nb\n|c", "dgg", "|"],
    ["a\n|b\nc", "dG", "|a"],
    ["fo|o bar", "cwx<esc>", "fo|x bar"],
    ["|foo bar", "cwhi<esc>", "h|i bar"],
    ["|a bc", "cwx<esc>", "|x bc"],
    ["foo| bar", "cwx<esc>", "foo|xbar"],
    ["|foo bar", "ceyo<esc>", "y|o bar"],
    ["foo b|ar", "cbX<esc>", "foo |Xar"],
    ["a\nb|b\nc", "ccx<esc>", "a\n|x\nc"],
    ["ab|cd", "Cx<esc>", "ab|x"],
    ["ab|cd", "sx<esc>", "ab|xd"],
    ["ab|cd", "2sx<esc>", "ab|x"],
    ["a|b\nc", "Sx<esc>", "|x\nc"],
    ["|ab\ncd", "yyp", "ab\n|ab\ncd"],
    ["|ab\ncd", "YP", "|ab\nab\ncd"],
    ["|ab\ncd", "yyjp", "ab\ncd\n|ab"],
    ["|foo bar", "ywP", "foo| foo bar"],
    ["|foo bar", "yep", "ffo|ooo bar"],
    ["foo |bar", "ybP", "foo| foo bar"],
    ["|ab", "x2p", "ba|a"],
    ["|ab\ncd", "yy2p", "ab\n|ab\nab\ncd"],
    ["|a\n\nb", ">>", "  |a\n\nb"],
    ["|a\n\nb", "3>>", "  |a\n\n  b"],
    ["    |a", "<<", "  |a"],
    [" |a", "<<", "|a"],
    ["|a\n  b", "J", "a| b"],
    ["|a\n\nb", "J", "|a\nb"],
    ["f|(\n)", "J", "f(|)"],
    ["|a\nb\nc", "3J", "a b| c"],
    ["|abc", "rx", "|xbc"],
    ["|abc", "2rx", "x|xc"],
    ["|abc", "4rx", "|abc"],
    ["|aBc", "~~", "Ab|c"],
    ["|ab", "iX<esc>", "|Xab"],
    ["|ab", "aX<esc>", "a|Xb"],
    ["  a|b", "IX<esc>", "  |Xab"],
    ["|ab\nc", "AX<esc>", "ab|X\nc"],
    ["a|b\nc", "oX<esc>", "ab\n|X\nc"],
    ["a\n|b", "OX<esc>", "a\n|X\nb"],
    ["|ab", "3ix<esc>", "xx|xab"],
    ["|ab", "2ox<esc>", "ab\nx\n|x"],
    ["日|本語", "x", "日|語"],
    ["|👩‍💻👍🏽", "x", "|👍🏽"],
  ])("%j %s %j", (text, keys, wanted) => {
    expect(after(text, keys)).toBe(wanted);
  });
});

describe("text objects", () => {
  test.each([
    ["foo b|ar baz", "diw", "foo | baz"],
    ["foo b|ar baz", "daw", "foo |baz"],
    ["foo b|ar", "daw", "fo|o"],
    ["a.b|c d", "diW", "| d"],
    ["x a.b|c d", "daW", "x |d"],
    ['say "a |b" now', 'di"', 'say "|" now'],
    ['say "a |b" now', 'da"', "say |now"],
    ['|say "a b"', 'ci"x<esc>', 'say "|x"'],
    ["it '|a'", "di'", "it '|'"],
    ["it '|a' b", "da'", "it |b"],
    ["f(a, |b(c))", "di(", "f(|)"],
    ["f(a, b(|c))", "da(", "f(a, |b)".replace("|b", "b|")],
    ["[1, |2]", "di[", "[|]"],
    ["x[|1]", "da[", "|x"],
    ["{ |a }", "di{", "{|}"],
    ["{ {|a} }", "da{", "{ | }"],
    ["ab|c", "di(", "ab|c"],
    ["foo b|ar", "yiwP", "foo ba|rbar"],
    ["f(\n  |a\n)", "di(", "f(|)"],
  ])("%j %s %j", (text, keys, wanted) => {
    expect(after(text, keys)).toBe(wanted);
  });
});

describe("visual mode", () => {
  test.each([
    ["a|bcd", "vld", "a|d"],
    ["a|bcd", "v$d", "|a"],
    ["a|bcd ef", "ved", "a| ef"],
    ["abc|d", "vhhx", "|a"],
    ["a|bcd", "vlohd", "|d"],
    ["|foo bar", "vey$p", "foo barfo|o"],
    ["|foo bar", "vecX<esc>", "|X bar"],
    ["|foo bar", "vesX<esc>", "|X bar"],
    ["|foo bar", "yewvep", "foo |foo"],
    ["|abcd", "vlrx", "|xxcd"],
    ["|aBcd", "vl~", "|Abcd"],
    ["|aBcd", "vlU", "|ABcd"],
    ["|ABcd", "vlu", "|abcd"],
    ["|a\nb\nc", "vjJ", "a| b\nc"],
    ["|a\nb\nc", "Vjd", "|c"],
    ["|a\nb\nc", "Vj>", "  |a\n  b\nc"],
    ["|  a\n  b", "Vj<", "|a\nb"],
    ["|a\nb\nc", "VyGp", "a\nb\nc\n|a"],
    ["|a\nb\nc", "VjcX<esc>", "|X\nc"],
    ["|a\nb", "yyjVp", "a\n|a"],
    ["a |foo b", "viwd", "a | b"],
    ['"|foo"', 'va"d', "|"],
    ["a|bc", "vVd", "|"],
    ["a|bc", "Vvd", "a|c"],
    ["日|本語字", "vld", "日|字"],
  ])("%j %s %j", (text, keys, wanted) => {
    expect(after(text, keys)).toBe(wanted);
  });

  test("what is selected", () => {
    const at = press(normal("a|bcd\nef"), "vl");
    expect(selectionOf(at.vim, at.editor)).toEqual({ start: 1, end: 3 });
    const lines = press(at, "V");
    expect(selectionOf(lines.vim, lines.editor)).toEqual({ start: 0, end: 4 });
    expect(selectionOf(press(lines, "<esc>").vim, lines.editor)).toBeNull();
  });
});

describe("again and undo", () => {
  test.each([
    ["|a b c", "dw.", "|c"],
    ["|a b c d", "dw2.", "|d"],
    ["|abcdef", "2x.", "|ef"],
    ["|abcdef", "2x3.", "|f"],
    ["|a b", "cwX<esc>w.", "X |X"],
    ["|ab", "iX<esc>l.", "X|Xab"],
    ["|a\nb", "A!<esc>j.", "a!\nb|!"],
    ["|abcd", "rxl.", "x|xcd"],
    ["|abcdef", "vld.", "|ef"],
    ["|ab\ncd\nef\ngh", "vjld.", "|h"],
    ["|a\nb\nc\nd", "Vjd.", "|"],
    ["|a\nb\nc", ">>j.", "  a\n  |b\nc"],
    ['"|a" "b"', 'di"f"l;.', '"" "|"'],
    ["|a", ".", "|a"],
    ["|a b c", "dwu", "|a b c"],
    ["|a b c", "dwdwu", "|b c"],
    ["|a b c", "dwdw2u", "|a b c"],
    ["|ab", "ihello you<esc>u", "|ab"],
    ["|foo bar", "cwone two<esc>u", "|foo bar"],
    ["|a\nb\nc", "3Ju", "|a\nb\nc"],
    ["|ab", "3ixy<esc>u", "|ab"],
  ])("%j %s %j", (text, keys, wanted) => {
    expect(after(text, keys)).toBe(wanted);
  });
});

test("the indicator names the mode and the keys that wait", () => {
  const at = normal("|ab");
  expect([newVim, at.vim, press(at, "2d").vim, press(at, "v").vim, press(at, "V").vim].map(vimIndicator)).toEqual([
    "-- INSERT --",
    "-- NORMAL --",
    "-- NORMAL -- 2d",
    "-- VISUAL --",
    "-- VISUAL LINE --",
  ]);
});

test("esc forgets keys that wait, then belongs to the prompt", () => {
  const waiting = press(normal("|ab"), "2d");
  const idle = press(waiting, "<esc>");
  expect(idle.vim.pending).toEqual([]);
  expect(pressVim(idle.vim, idle.editor, "esc")).toBeNull();
  expect(pressVim(idle.vim, idle.editor, "enter")).toBeNull();
  expect(pressVim(idle.vim, idle.editor, "ctrl+s")).toBeNull();
});

test("a paste is one cell: x takes it, p brings it back with its text", () => {
  const long = "line\n".repeat(10);
  const pasted = reduceEditor(marked("a|b"), { type: "paste", text: long });
  const at = press({ vim: { ...newVim, mode: "normal" }, editor: { ...pasted, caret: 1 }, effects: [] }, "x");
  expect(shown(at)).toBe("a|b");
  expect(fullText(press(at, "p").editor.cells)).toBe(`ab${long}`);
});
