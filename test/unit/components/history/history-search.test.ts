import { expect, test } from "vitest";
import { createHistorySearch } from "../../../../components/history/history-search.js";
import { fitOf, wordsOf } from "../../../../components/history/matching.js";
import { editorWith } from "../../../../components/prompt/editor.js";
import type { EarlierPrompt } from "../../../../src/protocol/requests.js";
import { createAppStore, initialState } from "../../../../state/store.js";

const prompt = (text: string, changes: Partial<EarlierPrompt> = {}): EarlierPrompt => ({
  text,
  at: 1,
  isProject: true,
  isSession: false,
  ...changes,
});

/** A search over prompts that are there at once; `turns` counts the pauses between slices. */
const setUp = async (prompts: readonly EarlierPrompt[], history: string[] = []) => {
  const state = { turns: 0, longest: 0 };
  const search = createHistorySearch({
    store: createAppStore({ input: { ...initialState().input, history } }),
    readPrompts: async (onBatch) => onBatch(prompts),
    later: (run) =>
      setImmediate(() => {
        state.turns += 1;
        run();
      }),
  });
  const settle = () => expect.poll(() => search.store.getState().isComplete, { timeout: 20_000 }).toBe(true);
  search.open();
  await settle();
  const look = async (query: string): Promise<string[]> => {
    search.setField(editorWith(query));
    await settle();
    return search.store.getState().results.map(({ text }) => text);
  };
  return { search, look, settle, state };
};

test.each([
  ["fix the date filter", "date fix", "words"],
  ["fix the date filter", "FIX", "words"],
  ["fix the date filter", "fdf", "letters"],
  ["fix the date filter", "fzz", null],
  ["anything", "", "words"],
] as const)("%j fits %j by %s", (text, query, fit) => {
  const words = wordsOf(query);
  expect(fitOf(text, words, words.join(""))).toBe(fit);
});

test("words before letters, newest first, each text once", async () => {
  const { look } = await setUp([prompt("run tests"), prompt("restart"), prompt("run tests"), prompt("tests again")]);
  expect(await look("tests")).toEqual(["run tests", "tests again"]);
  expect(await look("rt")).toEqual(
    ["restart", "run tests"].sort((a, b) => Number(b.includes("rt")) - Number(a.includes("rt"))),
  );
});

test("the scope goes round: this project, all, this session", async () => {
  const { search, settle } = await setUp([
    prompt("here"),
    prompt("elsewhere", { isProject: false }),
    prompt("now", { isSession: true }),
  ]);
  const shown = () => search.store.getState().results.map(({ text }) => text);
  expect(shown()).toEqual(["here", "now"]);
  search.cycleScope();
  await settle();
  expect(shown()).toEqual(["here", "elsewhere", "now"]);
  search.cycleScope();
  await settle();
  expect(shown()).toEqual(["now"]);
});

test("drafts that were put away unsent are found too", async () => {
  const { look } = await setUp([prompt("sent")], ["sent", "a draft"]);
  expect(await look("draft")).toEqual(["a draft"]);
});

test("100,000 prompts are looked through in slices, and a key begins anew at once", async () => {
  const many = Array.from({ length: 100_000 }, (_, at) => prompt(`prompt number ${at} about something`));
  const { search, look, state } = await setUp(many);
  state.turns = 0;
  expect(await look("nothing like it zzz")).toEqual([]);
  expect(state.turns).toBe(50);
  search.setField(editorWith("number 99999"));
  search.setField(editorWith("number 7 a"));
  expect(await look("number 99998 ")).toEqual(["prompt number 99998 about something"]);
});

test("closing forgets what was read", async () => {
  const { search } = await setUp([prompt("one")]);
  search.close();
  expect(search.store.getState()).toMatchObject({ isOpen: false, results: [] });
  expect(search.chosen()).toBeUndefined();
});
