import { afterEach, describe, expect, test } from "vitest";
import { followKeybindings } from "../../../../components/keys/follow-keybindings.js";
import { keybindingsTemplate, parseKeybindings } from "../../../../components/keys/keybindings.js";
import {
  createKeymap,
  describedKeys,
  dialogAction,
  globalAction,
  keyFor,
  keymapStore,
  pickerAction,
  promptAction,
  taskAction,
  viewerAction,
} from "../../../../components/keys/keymap.js";
import { parseKeystroke } from "../../../../components/keys/keystroke.js";
import type { KeybindingsPort } from "../../../../components/mount-options.js";
import { setUpPrompt } from "../support/prompt.js";

afterEach(() => keymapStore.setState(createKeymap([]).keymap, true));

const file = (...blocks: [string, Record<string, string | null>][]): string =>
  JSON.stringify({ $schema: "x", $docs: "y", bindings: blocks.map(([context, bindings]) => ({ context, bindings })) });

/** Puts a file in force; what was said about it. */
const use = (text: string): string[] => {
  const { overrides, problems } = parseKeybindings(text);
  const made = createKeymap(overrides);
  keymapStore.setState(made.keymap, true);
  return [...problems, ...made.problems];
};

describe("keys as people write them", () => {
  test.each([
    ["ctrl+e", "ctrl+e"],
    ["control+E", "ctrl+e"],
    ["shift+ctrl+c", "ctrl+shift+c"],
    ["opt+p", "alt+p"],
    ["meta+option+x", "alt+x"],
    ["command+k", "cmd+k"],
    ["win+k", "cmd+k"],
    ["G", "G"],
    ["shift+g", "G"],
    ["escape", "esc"],
    ["Return", "enter"],
    ["space", " "],
    ["shift+Tab", "shift+tab"],
    ["ctrl+x  ctrl+e", "ctrl+x ctrl+e"],
    ["ctrl++", "ctrl++"],
    ["+", "+"],
    ["ctrl+shift+_", "ctrl+_"],
  ])("%s is %s", (text, id) => {
    expect(parseKeystroke(text)).toEqual({ id });
  });

  test.each([
    ["hyper+x", "hyper is no modifier (ctrl, alt, shift, cmd)"],
    ["ctrl+f13", "f13 is no key"],
    ["ctrl+", "nothing is no key"],
    ["alt+shift+x", "terminals do not tell alt+shift and a letter from alt and that letter"],
  ])("%s is refused", (text, problem) => {
    expect(parseKeystroke(text)).toEqual({ problem });
  });
});

describe("bindings of one's own", () => {
  test("bind, rebind and unbind; help and hints follow", () => {
    const problems = use(
      file(["Chat", { "ctrl+e": "chat:externalEditor", "ctrl+u": null, "alt+q t": "app:toggleTodos" }]),
    );
    expect(problems).toEqual([]);
    expect(promptAction("ctrl+e")).toBe("editOutside");
    expect(promptAction("ctrl+u")).toBeUndefined();
    expect(globalAction("alt+q t")).toBe("toggleTodos");
    expect(keyFor("chat:externalEditor")).toBe("ctrl+e");
    expect(keyFor("chat:killToStart")).toBe("");
    expect(describedKeys()).toContainEqual({ keys: "alt+q t", description: "show or hide the tasks" });
    expect(describedKeys().map(({ keys }) => keys)).not.toContain("ctrl+u");
  });

  test("an action of two contexts moves in both and takes no key that means something else there", () => {
    expect(use(file(["Tabs", { "alt+right": "tabs:next", "shift+tab": "tabs:previous" }]))).toEqual([]);
    expect([dialogAction("alt+right"), pickerAction("alt+right")]).toEqual(["tabRight", "tabRight"]);
    expect(dialogAction("shift+tab")).toBe("allowEdits");
  });

  test("the viewer takes plain letters, the prompt does not", () => {
    expect(
      use(file(["Transcript", { e: "transcript:externalEditor", v: null }], ["Chat", { e: "chat:undo" }])),
    ).toEqual(["line 1: e must stay free for typing in Chat: add ctrl or alt"]);
    expect(viewerAction("e")).toBe("edit");
    expect(viewerAction("v")).toBeUndefined();
  });

  test("what cannot be is told with its line, the rest counts", () => {
    const text = `{
  // comments are fine
  "bindings": [
    { "context": "Chat", "bindings": {
      "ctrl+c": "chat:undo",
      "ctrl+m": "chat:submit",
      "ctrl+q": "chat:unod",
      "hyper+q": "chat:undo",
      "alt+v": 3,
      "alt+9": null,
      "alt+8": "select:next",
      "alt+7": "voice:pushToTalk",
      "alt+6": "chat:undo",
      "alt+6": "chat:redo",
    } },
    { "context": "Chatt", "bindings": {} },
    { "context": "Chat" }
  ]
}`;
    expect(use(text)).toEqual([
      "line 7: there is no action chat:unod; did you mean chat:undo?",
      "line 8: hyper+q: hyper is no modifier (ctrl, alt, shift, cmd)",
      "line 9: alt+v needs the name of an action, or null",
      "line 12: voice:pushToTalk does nothing: there is no voice input here",
      "line 16: there is no context Chatt; did you mean Chat?",
      'line 17: each entry must be {"context": "Chat", "bindings": { … }}',
      "line 5: ctrl+c cannot be bound: it always interrupts",
      "line 6: ctrl+m cannot be bound: a terminal sends it as enter",
      "line 10: Chat has no key alt+9",
      "line 11: select:next belongs to the context Select, not Chat",
      "line 14: alt+6 is bound in Chat on line 13 already; this one counts",
    ]);
    expect(promptAction("alt+6")).toBe("redo");
  });

  test("bindings that hide each other or leave no way out are told", () => {
    expect(
      use(
        file(["Global", { "ctrl+e": "app:toggleTodos" }], ["Chat", { "ctrl+x": "chat:undo", enter: "chat:newline" }]),
      ),
    ).toEqual([
      "line 1: in the prompt ctrl+e still means chat:lineEnd: bind it in Chat, or to null there",
      "ctrl+x in Chat never acts: a chord begins with it",
      "no key sends the prompt any more (chat:submit)",
    ]);
  });

  test.each([
    ['{"bindings": [', "line 1, column 15: close bracket expected"],
    ['{\n  "bindings": [}\n]}', "line 2, column 16: value expected"],
    ["[]", 'line 1: the file must be {"bindings": [ … ]}'],
    ["null", 'line 1: the file must be {"bindings": [ … ]}'],
  ])("%j is no such file", (text, message) => {
    expect(() => parseKeybindings(text)).toThrow(message);
  });

  test("the template changes nothing", () => {
    expect(use(keybindingsTemplate())).toEqual([]);
    expect(keymapStore.getState()).toEqual(createKeymap([]).keymap);
  });
});

/** A file that the test changes, with the notices that came of it. */
const live = async (text: string | null) => {
  const kit = await setUpPrompt();
  const state = { text, changed: () => {} };
  const port: KeybindingsPort = {
    path: "/h/keybindings.json",
    read: async () => state.text,
    create: async () => {},
    watch: (onChange) => {
      state.changed = onChange;
    },
  };
  followKeybindings(port, kit.actions);
  const notices = (): string[] =>
    kit.app
      .getState()
      .transcript.items.flatMap((item) => (item.kind === "notice" ? [`${item.level} ${item.text}`] : []));
  const change = async (next: string, count: number): Promise<void> => {
    state.text = next;
    state.changed();
    await expect.poll(() => notices().length).toBe(count);
  };
  return { kit, notices, change };
};

test("a changed file counts at once; a broken one keeps the last good bindings and says where it is wrong", async () => {
  const { notices, change } = await live(null);
  await change(file(["Chat", { "ctrl+e": "chat:undo" }]), 1);
  expect(promptAction("ctrl+e")).toBe("undo");
  await change('{"bindings": [', 2);
  expect(promptAction("ctrl+e")).toBe("undo");
  await change(file(), 3);
  expect(promptAction("ctrl+e")).toBe("lineEnd");
  expect(taskAction("ctrl+b")).toBe("background");
  expect(notices()).toEqual([
    "info Key bindings read again",
    "error /h/keybindings.json: line 1, column 15: close bracket expected. The key bindings before it stay in force.",
    "info Key bindings read again",
  ]);
});
