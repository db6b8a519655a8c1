import { describe, expect, test } from "vitest";
import { fullText, shownText } from "../../../../components/prompt/cells.js";
import {
  canMoveVertically,
  type EditorAction,
  type EditorState,
  editorWith,
  emptyEditor,
  reduceEditor,
} from "../../../../components/prompt/editor.js";

const run = (state: EditorState, ...actions: (EditorAction | EditorAction["type"])[]): EditorState =>
  actions.reduce<EditorState>(
    (current, action) =>
      reduceEditor(current, typeof action === "string" ? ({ type: action } as EditorAction) : action),
    state,
  );
/** The text with the caret as "|". */
const look = ({ cells, caret }: EditorState): string =>
  `${shownText(cells.slice(0, caret))}|${shownText(cells.slice(caret))}`;
const at = (text: string): EditorState => {
  const caret = text.indexOf("|");
  const state = editorWith(text.replace("|", ""));
  return {
    ...state,
    caret: [...new Intl.Segmenter().segment(text.slice(0, caret))].length,
    last: { group: "other", at: 0 },
  };
};
const insert = (text: string, when = 0): EditorAction => ({ type: "insert", text, at: when });

describe("moving and typing", () => {
  test("graphemes are one step however many code points they have", () => {
    const state = editorWith("a👨‍👩‍👧é🇯🇵");
    expect(state.caret).toBe(4);
    expect(look(run(state, "left"))).toBe("a👨‍👩‍👧é|🇯🇵");
    expect(look(run(state, "left", "left", "backspace"))).toBe("a|é🇯🇵");
    expect(look(run(state, "left", "left", "left", "delete"))).toBe("a|é🇯🇵");
  });

  test("a combining mark typed behind its letter joins it", () => {
    const state = run(editorWith("e"), insert("\u0301"), insert("x"));
    expect(state.cells).toEqual(["e\u0301", "x"]);
    expect(state.caret).toBe(2);
  });

  test("a letter put before a lone mark takes it over, the caret behind both", () => {
    const state = run(run(editorWith("\u0301"), "left"), insert("e"));
    expect(state.cells).toEqual(["e\u0301"]);
    expect(state.caret).toBe(1);
  });

  test("half flags that meet become one flag", () => {
    const state = run(editorWith("🇯x🇵"), "left", "backspace");
    expect(state.cells).toEqual(["🇯🇵"]);
  });

  test("control characters are dropped, line ends are one kind, tabs stay", () => {
    expect(fullText(editorWith("a\r\nb\rc\u001b[31md\te\u0007").cells)).toBe("a\nb\nc[31md\te");
  });

  test("word and line motions", () => {
    expect(look(run(at("one two_2 three|"), "wordLeft", "wordLeft"))).toBe("one |two_2 three");
    expect(look(run(at("|one, two"), "wordRight", "wordRight"))).toBe("one, two|");
    expect(look(run(at("ab\ncd|e\nf"), "lineStart"))).toBe("ab\n|cde\nf");
    expect(look(run(at("ab\nc|de\nf"), "lineEnd"))).toBe("ab\ncde|\nf");
    expect(look(run(at("ab\nc|de"), "textStart", "textEnd", "left"))).toBe("ab\ncd|e");
  });

  test("up and down keep the column through short rows", () => {
    const width = 40;
    const state = run(at("abcdef|\nx\nabcdef"), { type: "down", width });
    expect(look(state)).toBe("abcdef\nx|\nabcdef");
    expect(look(run(state, { type: "down", width }))).toBe("abcdef\nx\nabcdef|");
    expect(look(run(state, { type: "down", width }, { type: "up", width }, { type: "up", width }))).toBe(
      "abcdef|\nx\nabcdef",
    );
    expect(canMoveVertically(state, 1, width)).toBe(true);
    expect(canMoveVertically(at("a|"), -1, width)).toBe(false);
  });

  test("up and down move by rows on the screen, not by lines", () => {
    const state = at("aaaa bbbb cccc|");
    expect(look(run(state, { type: "up", width: 6 }))).toBe("aaaa bbbb| cccc");
  });
});

describe("cutting and putting back", () => {
  test("ctrl+k, ctrl+u, ctrl+w, alt+d", () => {
    expect(look(run(at("ab|cd\nef"), "killToEnd"))).toBe("ab|\nef");
    expect(look(run(at("ab|\nef"), "killToEnd"))).toBe("ab|ef");
    expect(look(run(at("x\nab|cd"), "killToStart"))).toBe("x\n|cd");
    expect(look(run(at("one two-three |"), "killBlankBack"))).toBe("one |");
    expect(look(run(at("one two-three|"), "killWordBack"))).toBe("one two-|");
    expect(look(run(at("|one two"), "killWordForward"))).toBe("| two");
  });

  test("cuts in a row are one stretch, in the order they stood", () => {
    const state = run(at("one two three|"), "killBlankBack", "killBlankBack");
    expect(look(run(state, "yank"))).toBe("one two three|");
    const both = run(at("ab|cd"), "killToEnd", "killToStart");
    expect(look(run(both, "yank"))).toBe("abcd|");
  });

  test("the ring walks through older stretches", () => {
    const state = run(at("one two|"), "killBlankBack", "left", "right", "killToStart");
    expect(look(run(state, "yank"))).toBe("one |");
    expect(look(run(state, "yank", "yankCycle"))).toBe("two|");
    expect(look(run(state, "yank", "yankCycle", "yankCycle"))).toBe("one |");
    expect(look(run(state, "yank", "undo"))).toBe("|");
    expect(run(editorWith("x"), "yankCycle", "yank").cells).toEqual(["x"]);
  });
});

describe("undo", () => {
  test("a word typed in one go is one step, the next word another", () => {
    const state = run(emptyEditor, insert("a", 1), insert("b", 2), insert(" ", 3), insert("c", 4), insert("d", 5));
    expect(look(run(state, "undo"))).toBe("ab |");
    expect(look(run(state, "undo", "undo"))).toBe("|");
    expect(look(run(state, "undo", "undo", "redo", "redo"))).toBe("ab cd|");
  });

  test("a pause begins a new step", () => {
    const state = run(emptyEditor, insert("a", 1), insert("b", 5_000));
    expect(look(run(state, "undo"))).toBe("a|");
  });

  test("something new after undo forgets what could be redone", () => {
    const state = run(run(editorWith("ab"), "killToStart", "undo"), insert("x"));
    expect(run(state, "redo")).toBe(state);
  });
});

describe("pastes", () => {
  const long = Array.from({ length: 30 }, (_, line) => `line ${line}`).join("\n");

  test("F037 a long paste is one atom: it moves, goes and comes back as one", () => {
    const state = run(editorWith("a "), { type: "paste", text: long }, insert(" b"));
    expect(look(state)).toBe("a [Pasted text #1 +30 lines] b|");
    expect(fullText(state.cells)).toBe(`a ${long} b`);
    const behind = run(state, "left", "left");
    expect(look(run(behind, "left"))).toBe("a |[Pasted text #1 +30 lines] b");
    for (const kill of ["backspace", "killBlankBack", "killWordBack"] as const) {
      expect(look(run(behind, kill))).toBe("a | b");
      expect(fullText(run(behind, kill, "undo").cells)).toBe(`a ${long} b`);
    }
    expect(look(run(behind, "killToStart"))).toBe("| b");
    expect(fullText(run(behind, "killToStart", "textEnd", "yank").cells)).toBe(` ba ${long}`);
    expect(fullText(run(behind, "killBlankBack", "textStart", "yank").cells)).toBe(`${long}a  b`);
  });

  test("F037 one key opens the placeholder in place, and undo closes it", () => {
    const state = run(editorWith("a "), { type: "paste", text: long });
    const open = run(state, "expandPaste");
    expect(shownText(open.cells)).toBe(`a ${long}`);
    expect(look(run(open, "undo"))).toBe("a [Pasted text #1 +30 lines]|");
    expect(run(editorWith("x"), "expandPaste").cells).toEqual(["x"]);
  });

  test("short pastes are plain text, the limits are 800 characters and 2 lines", () => {
    expect(look(run(emptyEditor, { type: "paste", text: "one\r\ntwo" }))).toBe("one\ntwo|");
    expect(look(run(emptyEditor, { type: "paste", text: "x".repeat(801) }))).toBe("[Pasted text #1 801 characters]|");
    const two = run(emptyEditor, { type: "paste", text: "a\nb\nc" }, { type: "paste", text: "d\ne\nf" });
    expect(look(two)).toBe("[Pasted text #1 +3 lines][Pasted text #2 +3 lines]|");
  });

  test("F025 10,000 pasted lines are kept byte for byte", () => {
    const lines = Array.from({ length: 10_000 }, (_, line) => `${line}\t${"x".repeat(70)} [201~`).join("\n");
    const state = run(emptyEditor, { type: "paste", text: lines }, insert("!"));
    expect(fullText(state.cells)).toBe(`${lines}!`);
    expect(state.cells).toHaveLength(2);
  });
});
