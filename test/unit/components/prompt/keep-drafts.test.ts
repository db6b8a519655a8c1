import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { editorWith, emptyEditor, reduceEditor } from "../../../../components/prompt/editor.js";
import { keepDrafts } from "../../../../components/prompt/keep-drafts.js";
import { createPromptStore } from "../../../../components/prompt/prompt-store.js";
import { createAppStore } from "../../../../state/store.js";
import { sessionFor } from "../support/fake-engine.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const kept = (session = true) => {
  const promptStore = createPromptStore();
  const store = createAppStore(session ? { session: sessionFor() } : {});
  const saved: unknown[][] = [];
  keepDrafts({ promptStore, store, actions: { saveDraft: (...args) => void saved.push(args) }, pauseMs: 700 });
  const type = (text: string) => promptStore.setState({ editor: editorWith(text) });
  return { promptStore, store, saved, type };
};

test("a draft is kept after a pause, not at each key, and an empty prompt at once", () => {
  const { promptStore, saved, type } = kept();
  for (const text of ["h", "he", "hel"]) {
    type(text);
    vi.advanceTimersByTime(300);
  }
  expect(saved).toEqual([]);
  vi.advanceTimersByTime(500);
  expect(saved).toEqual([["hel", []]]);
  promptStore.setState({ editor: emptyEditor });
  expect(saved.at(-1)).toEqual(["", []]);
  expect(vi.getTimerCount()).toBe(0);
});

test("somebody who types on without a pause is kept all the same", () => {
  const { saved, type } = kept();
  for (let at = 1; at <= 30; at += 1) {
    type("x".repeat(at));
    vi.advanceTimersByTime(200);
  }
  expect(saved.length).toBe(1);
});

test("pastes are kept with their text, shell commands with their mark; nothing before the session is open", () => {
  const { promptStore, saved, store, type } = kept(false);
  type("early");
  vi.advanceTimersByTime(1_000);
  expect(saved).toEqual([]);
  store.setState({ session: sessionFor() });
  const pasted = reduceEditor(emptyEditor, { type: "paste", text: "a\nb\nc\nd" });
  promptStore.setState({ editor: pasted, isShell: true });
  vi.advanceTimersByTime(1_000);
  expect(saved).toEqual([["![Pasted text #1 +4 lines]", [{ id: 1, text: "a\nb\nc\nd" }]]]);
});

test("an empty prompt is told only where something is kept: typed here, or put there by the engine", () => {
  const { promptStore, saved, store, type } = kept();
  type("quick");
  promptStore.setState({ editor: emptyEditor });
  expect(saved).toEqual([]);
  store.setState(({ input }) => ({ input: { ...input, restore: "from before" } }));
  type("from before");
  promptStore.setState({ editor: emptyEditor });
  expect(saved).toEqual([["", []]]);
});
