// Properties of the vim mode under any keys on difficult text.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fullText, toCells } from "../../../../components/prompt/cells.js";
import { type EditorState, emptyEditor, reduceEditor } from "../../../../components/prompt/editor.js";
import { pressVim } from "../../../../components/prompt/vim.js";
import { newVim, onCell, selectionOf, type VimState } from "../../../../components/prompt/vim-state.js";
import { graphemes } from "../../../../src/lib/text-width.js";

const pieces = [
  "a",
  "B",
  " ",
  " ",
  "\n",
  "(",
  ")",
  '"',
  "'",
  "{",
  "}",
  ".",
  "é",
  "👨‍👩‍👧",
  "🇯🇵",
  "한",
  "你",
  "\t",
  "ß",
  "e\u0301",
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((parts) => parts.join(""));
const letters = [..."hjkl wWeEbB0^$gGfFtT;,xXdDcCsSyYpPJu.iaIAoOvV~r<>123456789\"'([{U"];
const names = ["esc", "esc", "esc", "left", "right", "up", "down", "home", "end", "backspace", "delete"];
const keys = fc.array(fc.constantFrom(...letters, ...names, "你", "👨‍👩‍👧"), { maxLength: 25 });
const settings = { seed: 20_261_130, numRuns: process.env.LONG ? 50_000 : 1_500 };

interface At {
  vim: VimState;
  editor: EditorState;
}

const start = (content: string): At => {
  const editor = reduceEditor(emptyEditor, { type: "set", cells: toCells(content) });
  return {
    vim: { ...newVim, mode: "normal" },
    editor: { ...editor, undo: [], caret: onCell(editor.cells, editor.caret) },
  };
};

/** A key as the prompt deals with it. */
const press = ({ vim, editor }: At, key: string): At => {
  const step = pressVim(vim, editor, key);
  if (step) return step;
  if (vim.mode !== "insert" || key.length > 2) return { vim, editor };
  return { vim, editor: reduceEditor(editor, { type: "insert", text: key }) };
};

describe("whatever is pressed", () => {
  test("nothing throws, no grapheme is split, the caret and the selection stay inside the text", () => {
    fc.assert(
      fc.property(text, keys, (content, pressed) => {
        let at = start(content);
        for (const key of pressed) {
          at = press(at, key);
          const { cells, caret } = at.editor;
          if (cells.length > 5_000) return;
          expect(caret).toBeGreaterThanOrEqual(0);
          expect(caret).toBeLessThanOrEqual(cells.length);
          if (at.vim.mode !== "insert") expect(onCell(cells, caret)).toBe(caret);
          const selected = selectionOf(at.vim, at.editor);
          if (selected) expect(selected.start).toBeLessThanOrEqual(selected.end);
        }
        const { cells } = at.editor;
        if (cells.length < 500) expect(cells).toEqual(graphemes(fullText(cells)));
      }),
      settings,
    );
  });

  test("undo leads back to the text it began with", () => {
    fc.assert(
      fc.property(text, keys, (content, pressed) => {
        let at = start(content);
        const first = fullText(at.editor.cells);
        for (const key of pressed) {
          at = press(at, key);
          if (at.editor.cells.length > 5_000) return;
        }
        for (const key of ["esc", "esc", "esc"]) at = press(at, key);
        for (let left = 0; left < 60; left++) at = press(at, "u");
        expect(fullText(at.editor.cells)).toBe(first);
      }),
      settings,
    );
  });
});
