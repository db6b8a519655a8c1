// Properties of the editor under any sequence of actions on difficult text.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cell, fullText, isPaste } from "../../../../components/prompt/cells.js";
import {
  type EditorAction,
  type EditorState,
  emptyEditor,
  reduceEditor,
} from "../../../../components/prompt/editor.js";
import { columnOfCaret, drawRow, layoutRows, rowOfCaret } from "../../../../components/prompt/layout.js";
import { graphemes, textWidth } from "../../../../src/lib/text-width.js";

const pieces = [
  "a",
  "B",
  " ",
  "\n",
  "é",
  "e",
  "\u0301",
  "👨‍👩‍👧",
  "👨",
  "\u200d",
  "👧",
  "🇯",
  "🇵",
  "한",
  "ᄒ",
  "ᅡ",
  "क",
  "्",
  "ष",
  "\t",
  "你",
  "①",
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(""));
const width = fc.integer({ min: 4, max: 30 });
const action: fc.Arbitrary<EditorAction> = fc.oneof(
  fc.record({ type: fc.constant("insert" as const), text, at: fc.integer({ min: 0, max: 5_000 }) }),
  fc.constant({ type: "paste" as const, text: "p\nq\nr" }),
  fc.record({ type: fc.constant("paste" as const), text }),
  fc.record({ type: fc.constantFrom("up" as const, "down" as const), width }),
  fc
    .constantFrom(
      ...(["left", "right", "wordLeft", "wordRight", "lineStart", "lineEnd", "textStart", "textEnd"] as const),
      ...(["backspace", "delete", "killToEnd", "killToStart", "killBlankBack", "killWordBack"] as const),
      ...(["killWordForward", "yank", "yankCycle", "undo", "redo", "expandPaste", "clear"] as const),
    )
    .map((type) => ({ type }) as EditorAction),
);
const settings = { seed: 20_261_130, numRuns: process.env.LONG ? 20_000 : 600 };

/** The cells a fresh split of the same text gives, pastes kept. */
const resplit = (cells: readonly Cell[]): Cell[] => {
  const out: Cell[] = [];
  let run = "";
  for (const cell of cells) {
    if (!isPaste(cell)) {
      run += cell;
      continue;
    }
    out.push(...graphemes(run), cell);
    run = "";
  }
  return [...out, ...graphemes(run)];
};

const play = (actions: readonly EditorAction[], start = emptyEditor): EditorState =>
  actions.reduce(reduceEditor, start);

describe("whatever is typed", () => {
  test("no action splits a grapheme and the caret stays inside the text", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 25 }), (actions) => {
        let state = emptyEditor;
        for (const one of actions) {
          state = reduceEditor(state, one);
          expect(state.cells).toEqual(resplit(state.cells));
          expect(state.caret).toBeGreaterThanOrEqual(0);
          expect(state.caret).toBeLessThanOrEqual(state.cells.length);
        }
      }),
      settings,
    );
  });

  test("undo takes back exactly the last change", () => {
    const changes = new Set(["insert", "paste", "backspace", "delete", "yank", "expandPaste", "clear"]);
    fc.assert(
      fc.property(fc.array(action, { maxLength: 12 }), action, (actions, last) => {
        // A move in between ends any run of similar changes.
        const before = play([...actions, { type: "textStart" }, { type: "right" }]);
        const after = reduceEditor(before, last);
        const isChange = changes.has(last.type) || last.type.startsWith("kill");
        if (!isChange || after === before || after.cells === before.cells) return;
        const undone = reduceEditor(after, { type: "undo" });
        expect(undone.cells).toEqual(before.cells);
        expect(undone.caret).toBe(before.caret);
        expect(reduceEditor(undone, { type: "redo" }).cells).toEqual(after.cells);
      }),
      settings,
    );
  });

  test("undoing everything leads back to the start, redoing everything to the end", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 20 }), (actions) => {
        const end = play(actions.filter(({ type }) => type !== "undo" && type !== "redo"));
        let state = end;
        for (let step = 0; step <= 60; step++) state = reduceEditor(state, { type: "undo" });
        expect(fullText(state.cells)).toBe("");
        for (let step = 0; step <= 60; step++) state = reduceEditor(state, { type: "redo" });
        expect(state.cells).toEqual(end.cells);
      }),
      settings,
    );
  });

  test("rows never exceed the width, hold every cell once, and the caret is on one of them", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 20 }), width, (actions, columns) => {
        const { cells, caret } = play(actions);
        const rows = layoutRows(cells, columns);
        let next = 0;
        for (const row of rows) {
          expect(row.start).toBe(next);
          const isOneCell = row.end - row.start <= 1;
          if (!isOneCell) expect(textWidth(drawRow(cells, row))).toBeLessThanOrEqual(columns);
          next = row.isSoft ? row.end : row.end + 1;
        }
        expect(next).toBe(cells.length + 1);
        const row = rows[rowOfCaret(rows, caret)]!;
        expect(caret).toBeGreaterThanOrEqual(row.start);
        expect(caret).toBeLessThanOrEqual(row.end);
        expect(columnOfCaret(cells, row, caret)).toBeLessThanOrEqual(textWidth(drawRow(cells, row)));
      }),
      settings,
    );
  });
});
