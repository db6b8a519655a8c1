import { expect, test } from "vitest";
import { type Cells, fullText, toCells } from "../../../../components/prompt/cells.js";
import { type HistoryState, noHistory, recall } from "../../../../components/prompt/history.js";

const entries = { prompts: ["first", "second"], cellsOf: (prompt: string) => toCells(prompt) };

const walk = (steps: (1 | -1 | string)[], start: string): string[] => {
  let history: HistoryState = noHistory;
  let cells: Cells = toCells(start);
  const seen: string[] = [];
  for (const step of steps) {
    if (typeof step === "string") {
      cells = toCells(step);
      continue;
    }
    const found = recall(history, entries, cells, step);
    if (found) ({ history, cells } = found);
    seen.push(fullText(cells));
  }
  return seen;
};

test("F031 the unsent draft comes back after walking through the history", () => {
  expect(walk([1, 1, 1, -1, -1, -1], "unfinished draft")).toEqual([
    "second",
    "first",
    "first",
    "second",
    "unfinished draft",
    "unfinished draft",
  ]);
});

test("F031 an edited entry keeps its edit when walked away from and back", () => {
  expect(walk([1, "second, edited", 1, -1, -1, 1], "draft")).toEqual([
    "second",
    "first",
    "second, edited",
    "draft",
    "second, edited",
  ]);
});

test("an edit that is typed back to the original is no edit of its own", () => {
  expect(walk([1, "x", 1, -1, "second", 1, -1], "")).toEqual(["second", "first", "x", "first", "second"]);
});

test("there is nothing beyond the ends", () => {
  expect(recall(noHistory, entries, [], -1)).toBeNull();
  expect(recall(noHistory, { ...entries, prompts: [] }, [], 1)).toBeNull();
});
