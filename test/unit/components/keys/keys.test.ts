import type { Key } from "ink";
import { describe, expect, test } from "vitest";
import { createGlobalKeys } from "../../../../components/keys/global-keys.js";
import { type InterruptFacts, interruptHint, onCtrlC, onCtrlD, onEsc } from "../../../../components/keys/interrupt.js";
import { type KeyPress, pressesOf } from "../../../../components/keys/key-press.js";
import { createKeyRouter } from "../../../../components/keys/key-router.js";
import { bindings, describedKeys, globalAction, promptAction } from "../../../../components/keys/keymap.js";

const idle: InterruptFacts = { hasText: false, isRunning: false, hasPicker: false, hasQuestion: false, armed: null };

describe("F035 what ctrl+c, ctrl+d and esc do next", () => {
  test.each([
    ["text is cleared first, also during a run", { hasText: true, isRunning: true }, "clearText"],
    ["an empty prompt and a run: the run stops", { isRunning: true }, "interrupt"],
    ["nothing to do: it asks", {}, "arm"],
    ["the second press leaves", { armed: "ctrl+c" }, "exit"],
    ["another armed key does not count", { armed: "esc" }, "arm"],
    ["a picker is closed before anything else", { hasPicker: true, hasText: true }, "closePicker"],
    ["behind a question the draft is left alone", { hasQuestion: true, hasText: true, isRunning: true }, "interrupt"],
    ["a question without a run: it asks, then leaves", { hasQuestion: true, hasText: true }, "arm"],
  ] as const)("ctrl+c: %s", (_, facts, step) => {
    expect(onCtrlC({ ...idle, ...facts })).toBe(step);
  });

  test("ctrl+d leaves at the second press", () => {
    expect(onCtrlD(idle)).toBe("arm");
    expect(onCtrlD({ ...idle, armed: "ctrl+d" })).toBe("exit");
  });

  test.each([
    [{ isRunning: true, hasText: true }, "interrupt"],
    [{}, "arm"],
    [{ armed: "esc" }, "rewind"],
    [{ hasText: true }, "arm"],
    [{ hasText: true, armed: "esc" }, "clearText"],
  ] as const)("esc with %o: %s", (facts, step) => {
    expect(onEsc({ ...idle, ...facts })).toBe(step);
  });

  test("the hint names what the next press does", () => {
    expect(interruptHint(idle)).toBe("");
    expect(interruptHint({ ...idle, isRunning: true })).toBe("esc stops");
    expect(interruptHint({ ...idle, isRunning: true, hasText: true })).toBe("esc stops · ctrl+c clears the text");
    expect(interruptHint({ ...idle, armed: "ctrl+c" })).toBe("ctrl+c again leaves");
    expect(interruptHint({ ...idle, hasText: true, armed: "esc" })).toBe("esc again clears the text");
    expect(interruptHint({ ...idle, armed: "esc" })).toBe("esc again goes back to a prompt");
  });
});

const key = (flags: Partial<Key>): Key => ({ ...({} as Key), ...flags });

test.each([
  ["\r", { return: true }, ["enter"]],
  ["\r", { return: true, shift: true }, ["shift+enter"]],
  ["\r", { return: true, meta: true }, ["alt+enter"]],
  ["\n", {}, ["ctrl+j"]],
  ["", { tab: true, shift: true }, ["shift+tab"]],
  ["c", { ctrl: true }, ["ctrl+c"]],
  ["_", { ctrl: true }, ["ctrl+_"]],
  ["b", { meta: true }, ["alt+b"]],
  ["", { leftArrow: true, ctrl: true }, ["ctrl+left"]],
  ["", { backspace: true, meta: true }, ["alt+backspace"]],
  ["", { escape: true }, ["esc"]],
  ["", { escape: true, meta: true }, ["esc", "esc"]],
  ["A", { shift: true }, ["A"]],
  ["한", {}, ["한"]],
  ["c", { ctrl: true, shift: true }, ["ctrl+shift+c"]],
  ["k", { super: true }, ["cmd+k"]],
  ["", {}, []],
  ["a", { eventType: "release" }, []],
] as const)("Ink's %j %o is %j", (input, flags, ids) => {
  expect(pressesOf(input, key(flags)).map(({ id }) => id)).toEqual(ids);
});

describe("the keymap", () => {
  test("no context binds a key twice", () => {
    const seen = bindings.flatMap(({ context, keys }) => keys.map((name) => `${context} ${name}`));
    expect(seen).toEqual([...new Set(seen)]);
  });

  test("the list of keys comes from the table", () => {
    expect(describedKeys()).toContainEqual({ keys: "ctrl+y", description: "put back what was cut" });
    expect(promptAction("ctrl+y")).toBe("yank");
    expect(globalAction("pageup")).toBe("scrollPageUp");
    expect(globalAction("x")).toBeUndefined();
  });
});

describe("the router", () => {
  const press = (id: string): KeyPress => ({ id, text: "" });

  test("the topmost context takes a key, what it leaves goes down, ctrl+c goes to the bottom first", () => {
    const router = createKeyRouter(() => 7);
    const log: string[] = [];
    const layer = (context: "dialog" | "prompt" | "global", uses: string[]) => ({
      context,
      onKey: ({ id }: KeyPress) => {
        log.push(`${context}:${id}`);
        return uses.includes(id);
      },
    });
    router.add(layer("global", ["ctrl+c"]));
    const remove = router.add(layer("dialog", ["a", "ctrl+c"]));
    router.add(layer("prompt", ["b"]));
    for (const id of ["a", "b", "z", "ctrl+c"]) router.press(press(id));
    remove();
    router.press(press("a"));
    expect(log).toEqual([
      "dialog:a",
      "dialog:b",
      "prompt:b",
      "dialog:z",
      "prompt:z",
      "global:z",
      "global:ctrl+c",
      "prompt:a",
      "global:a",
    ]);
    expect(router.lastKeyAt()).toBe(7);
  });

  test("the keys of a chord go down as one press; a key that continues none is an ordinary key, esc ends it", () => {
    const time = { now: 0 };
    const waiting: (string | null)[] = [];
    const router = createKeyRouter(
      () => time.now,
      (keys) => waiting.push(keys),
    );
    const log: string[] = [];
    router.add({
      context: "prompt",
      onKey: ({ id }) => {
        log.push(id);
        return true;
      },
    });
    for (const id of ["ctrl+x", "ctrl+e", "ctrl+x", "a", "ctrl+x", "esc", "ctrl+x"]) router.press(press(id));
    time.now = 3_000;
    router.press(press("ctrl+e"));
    expect(log).toEqual(["ctrl+x ctrl+e", "a", "ctrl+e"]);
    expect(waiting).toEqual(["ctrl+x", null, "ctrl+x", null, "ctrl+x", null, "ctrl+x", null]);
  });
});

test("ctrl+l draws the screen anew and asks nothing of the session", () => {
  const drawn: string[] = [];
  const terminal = { redraw: () => void drawn.push("redraw"), stop: () => undefined };
  const press = createGlobalKeys({} as never, {} as never, terminal);
  expect(press({ id: "ctrl+l", text: "" })).toBe(true);
  expect(drawn).toEqual(["redraw"]);
});
