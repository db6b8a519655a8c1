// The vim mode in the prompt: what it takes of the keys and what it leaves to the prompt.
import { expect, test } from "vitest";
import { initialState } from "../../../../state/store.js";
import { setUpPrompt } from "../support/prompt.js";

const setUpVim = async (state: Parameters<typeof setUpPrompt>[0] = {}) => {
  const kit = await setUpPrompt(state);
  kit.actions.changeScreen({ editorMode: "vim" });
  const mode = () => kit.store.getState().vim?.mode;
  return { ...kit, mode };
};

test("it begins in insert mode, esc leaves it, enter sends and begins anew", async () => {
  const kit = await setUpVim();
  kit.type("hello");
  kit.press("esc");
  expect([kit.mode(), kit.store.getState().editor.caret]).toEqual(["normal", 4]);
  kit.type("x");
  kit.press("enter");
  await kit.settle();
  expect(kit.sent()).toEqual(["hell"]);
  expect(kit.mode()).toBe("insert");
});

test("keys that come in one piece are commands until they are text", async () => {
  const kit = await setUpVim();
  kit.type("one two");
  kit.press("esc");
  kit.prompt.press({ id: "bcwsix", text: "bcwsix" });
  expect([kit.shown(), kit.mode()]).toEqual(["one six", "insert"]);
});

test("in insert mode esc does not stop the run, in normal mode it does", async () => {
  const kit = await setUpVim({ run: { ...initialState().run, isRunning: true } });
  kit.press("esc");
  await kit.settle();
  expect(kit.engine.interrupts).toEqual([]);
  kit.press("esc");
  await kit.settle();
  expect(kit.engine.interrupts).toEqual(["run"]);
});

test("k above the first line and j below the last one walk through the history, the draft stays", async () => {
  const kit = await setUpVim();
  for (const prompt of ["older", "newer"]) kit.actions.remember(prompt);
  kit.type("draft");
  kit.press("esc");
  kit.type("k");
  expect(kit.shown()).toBe("newer");
  kit.type("k");
  expect(kit.shown()).toBe("older");
  expect(kit.store.getState().editor.caret).toBe(4);
  kit.type("jj");
  expect(kit.shown()).toBe("draft");
});

test("letters of normal mode never reach the text, ! and ? neither", async () => {
  const kit = await setUpVim();
  kit.press("esc");
  kit.type("!zq");
  expect([kit.shown(), kit.store.getState().isShell]).toEqual(["", false]);
  kit.type("?");
  expect(kit.store.getState().showKeys).toBe(true);
});

test("ordinary keys keep the caret on a cell in normal mode", async () => {
  const kit = await setUpVim();
  kit.type("hello");
  kit.press("esc", "ctrl+e");
  expect(kit.store.getState().editor.caret).toBe(4);
});

test("the setting counts at once, both ways", async () => {
  const kit = await setUpVim();
  kit.type("ab");
  kit.actions.changeScreen({ editorMode: "normal" });
  kit.press("esc");
  kit.type("x");
  expect([kit.shown(), kit.store.getState().vim]).toEqual(["abx", null]);
});
