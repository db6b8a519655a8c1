import { describe, expect, test, vi } from "vitest";
import { initialState } from "../../../../state/store.js";
import { setUpPrompt } from "../support/prompt.js";

const running = { ...initialState().run, isRunning: true };
const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at}`).join("\n");

describe("sending", () => {
  test("enter sends and empties, blank text is not sent", async () => {
    const { press, type, sent, settle, shown } = await setUpPrompt();
    press("enter");
    type("  ");
    press("enter");
    type("do it");
    press("enter");
    await settle();
    expect(sent()).toEqual(["  do it"]);
    expect(shown()).toBe("");
  });

  test("new lines: backslash and enter, shift, alt, ctrl+j", async () => {
    const { press, type, full } = await setUpPrompt();
    type("a\\");
    press("enter");
    type("b");
    press("shift+enter");
    type("c");
    press("alt+enter");
    type("d");
    press("ctrl+j");
    type("e");
    expect(full()).toBe("a\nb\nc\nd\ne");
  });

  test("F023 text with a line end inside is put in, not sent", async () => {
    const { prompt, sent, settle, full } = await setUpPrompt();
    prompt.press({ id: "one\rtwo", text: "one\rtwo" });
    await settle();
    expect(full()).toBe("one\ntwo");
    expect(sent()).toEqual([]);
  });

  test("F025 F037 a long paste is sent in full, byte for byte, and is still whole when recalled", async () => {
    const { prompt, press, type, sent, settle, shown, full } = await setUpPrompt();
    const paste = lines(10_000);
    type("look: ");
    prompt.paste(paste);
    expect(shown()).toBe("look: [Pasted text #1 +10000 lines]");
    press("enter");
    await settle();
    expect(sent()).toEqual([`look: ${paste}`]);
    press("up");
    expect(shown()).toBe("look: [Pasted text #1 +10000 lines]");
    expect(full()).toBe(`look: ${paste}`);
  });

  test("F037 tab next to a placeholder shows its text", async () => {
    const { prompt, press, shown } = await setUpPrompt();
    prompt.paste(lines(3));
    press("tab");
    expect(shown()).toBe(lines(3));
  });
});

describe("esc and ctrl+c", () => {
  test("F194 esc esc on an empty prompt asks for the points to go back to and changes nothing", async () => {
    const { press, engine, sent, app } = await setUpPrompt();
    const before = app.getState();
    press("esc", "esc", "enter", "enter");
    expect(app.getState()).toBe(before);
    expect(sent()).toEqual([]);
    expect(engine.interrupts).toEqual([]);
    await vi.waitFor(() => expect(engine.requests.at(-1)).toEqual({ type: "rewind_points" }));
  });

  test("F194 esc esc with text clears it, and up brings it back", async () => {
    const { press, type, shown } = await setUpPrompt();
    type("a draft");
    press("esc");
    expect(shown()).toBe("a draft");
    press("esc");
    expect(shown()).toBe("");
    press("up");
    expect(shown()).toBe("a draft");
  });

  test("the second esc counts only within its time", async () => {
    const { press, type, shown, time } = await setUpPrompt();
    type("a draft");
    press("esc");
    time.now += 2_000;
    press("esc");
    expect(shown()).toBe("a draft");
  });

  test("F194 esc esc during a run stops the run and keeps the text", async () => {
    const { press, type, engine, settle, shown } = await setUpPrompt({ run: running });
    type("a draft");
    press("esc", "esc");
    await settle();
    expect(engine.interrupts).toEqual(["run", "run"]);
    expect(shown()).toBe("a draft");
  });

  test("a key typed in between disarms esc", async () => {
    const { press, type, shown } = await setUpPrompt();
    type("a");
    press("esc");
    type("b");
    press("esc");
    expect(shown()).toBe("ab");
  });
});

describe("up and down", () => {
  test("F031 the draft survives walking through the history, edits of entries too", async () => {
    const { press, type, shown } = await setUpPrompt({
      input: { queued: [], history: ["first", "second"], restore: null },
    });
    type("unfinished draft");
    press("up", "up", "up", "down", "down", "down");
    expect(shown()).toBe("unfinished draft");
    press("up");
    type("!");
    press("up", "down");
    expect(shown()).toBe("second!");
    press("down");
    expect(shown()).toBe("unfinished draft");
  });

  test("up walks through rows first", async () => {
    const { press, type, shown, store } = await setUpPrompt({
      input: { queued: [], history: ["older"], restore: null },
    });
    type("one");
    press("ctrl+j");
    type("two");
    press("up");
    expect(store.getState().editor.caret).toBe(3);
    press("up");
    expect(shown()).toBe("older");
  });

  test("a prompt of an earlier session is sent with its paste, never with the bare placeholder", async () => {
    const shownBefore = "why [Pasted text #1 +3 lines]?";
    const { press, shown, sent, settle, engine } = await setUpPrompt({
      input: {
        queued: [],
        history: [shownBefore],
        pastes: { [shownBefore]: [{ id: 1, text: "a\nb\nc" }] },
        restore: null,
      },
    });
    press("up");
    expect(shown()).toBe(shownBefore);
    press("enter");
    await settle();
    expect(sent()).toEqual(["why a\nb\nc?"]);
    expect(engine.requests.at(-1)).toMatchObject({ display: shownBefore, pastes: [{ id: 1, text: "a\nb\nc" }] });
  });

  test("up takes waiting prompts back before it turns to the history", async () => {
    const { press, type, shown, settle, app } = await setUpPrompt();
    type("one");
    press("enter");
    await settle();
    for (const text of ["two", "three"]) {
      type(text);
      press("enter");
    }
    expect(app.getState().input.queued).toEqual(["two", "three"]);
    type("draft");
    press("up");
    await settle();
    expect(shown()).toBe("two\n\nthree\ndraft");
    expect(app.getState().input.queued).toEqual([]);
  });
});

describe("the command menu", () => {
  test("enter runs the chosen command, tab completes it, a typo is sent as typed", async () => {
    const { press, type, sent, settle, shown } = await setUpPrompt();
    type("/co");
    press("down", "tab");
    expect(shown()).toBe("/compact ");
    press("ctrl+u");
    type("/hel");
    press("enter");
    await settle();
    type("/xyzzy");
    press("enter");
    expect(sent()).toEqual(["/help"]);
  });

  test("right accepts the chosen command at the end of what is typed, elsewhere it moves the caret", async () => {
    const { press, type, shown, store } = await setUpPrompt();
    type("/co");
    press("left", "right");
    expect(shown()).toBe("/co");
    expect(store.getState().editor.caret).toBe(3);
    press("down", "right");
    expect(shown()).toBe("/compact ");
  });

  test("esc closes the menu without clearing or stopping anything", async () => {
    const { press, type, shown, engine, sent, settle } = await setUpPrompt({ run: running });
    type("/he");
    press("esc");
    expect(engine.interrupts).toEqual([]);
    expect(shown()).toBe("/he");
    press("enter");
    await settle();
    expect(sent()).toEqual(["/he"]);
  });

  test("an alias finds its command", async () => {
    const { press, type, sent, settle } = await setUpPrompt();
    type("/new");
    press("enter");
    await settle();
    expect(sent()).toEqual(["/clear"]);
  });
});

describe("more keys", () => {
  test("? on an empty prompt shows the keys, elsewhere it is a character", async () => {
    const { press, type, store, shown } = await setUpPrompt();
    type("?");
    expect(store.getState().showKeys).toBe(true);
    press("esc");
    expect(store.getState().showKeys).toBe(false);
    type("a?");
    expect(shown()).toBe("a?");
  });

  test("ctrl+s puts the text aside and brings it back", async () => {
    const { press, type, shown } = await setUpPrompt();
    type("later");
    press("ctrl+s");
    expect(shown()).toBe("");
    press("ctrl+s");
    expect(shown()).toBe("later");
  });

  test("ctrl+g writes in the user's own editor", async () => {
    const { press, type, shown, edits, settle } = await setUpPrompt();
    type("text");
    press("ctrl+g");
    await settle();
    expect(edits).toEqual(["text"]);
    expect(shown()).toBe("text edited");
  });

  test("several keys in one tick all count", async () => {
    const { press, type, shown } = await setUpPrompt();
    type("abc");
    press("left", "left", "backspace");
    type("x");
    expect(shown()).toBe("xbc");
  });

  test("keys the prompt does not know are left to others", async () => {
    const { prompt } = await setUpPrompt();
    expect(prompt.press({ id: "pageup", text: "" })).toBe(false);
    expect(prompt.press({ id: "shift+tab", text: "" })).toBe(false);
  });
});
