import { afterEach, describe, expect, test } from "vitest";
import { addRule, type PermissionsData, parseRule, removeRule } from "../../../../components/pickers/rule-edit.js";
import type { Picker } from "../../../../src/protocol/pickers.js";
import { pickers } from "../support/samples.js";
import { keys, renderScreen, type ScreenOptions, type TestScreen } from "../support/screen.js";

let screen: TestScreen;
afterEach(() => screen?.unmount());

const sample = <K extends Picker["kind"]>(kind: K): Extract<Picker, { kind: K }> =>
  pickers.find((picker) => picker.kind === kind) as Extract<Picker, { kind: K }>;
const open = async (kind: Picker["kind"], pressed: string[], options: ScreenOptions = {}) => {
  screen = await renderScreen({ ...options, state: { picker: sample(kind) } });
  await screen.press(...pressed);
  return screen.engine.requests.slice(1);
};
const isClosed = (): boolean => screen.services.store.getState().picker === null;

describe("every picker", () => {
  test.each(pickers.map(({ kind }) => kind))(
    "%s closes with esc and with ctrl+c, and the prompt is back",
    async (kind) => {
      await open(kind, [keys.esc]);
      expect(isClosed()).toBe(true);
      expect(screen.text()).toContain("Type a request");
      screen.unmount();
      await open(kind, [keys.ctrl("c")]);
      expect(isClosed()).toBe(true);
      expect(screen.services.store.getState().exit).toBeNull();
    },
  );
});

describe("the model picker", () => {
  test("begins at the model in use; enter keeps, s is for this session, numbers choose", async () => {
    expect(await open("model", [keys.enter])).toEqual([{ type: "set_model", model: "sonnet", save: true }]);
    screen.unmount();
    expect(await open("model", [keys.down, "s"])).toEqual([{ type: "set_model", model: "offline", save: false }]);
    screen.unmount();
    expect(await open("model", ["1"])).toEqual([{ type: "set_model", model: "default", save: true }]);
  });
});

describe("the hooks browser", () => {
  test("leads from events to matchers, to handlers, to one, and back again", async () => {
    await open("hooks", []);
    expect(screen.text()).toMatch(/PreToolUse +1 hook/);
    expect(screen.text()).toMatch(/Stop +2 hooks/);
    await screen.press(keys.down, keys.enter);
    expect(screen.text()).toContain("Hooks › Stop");
    expect(screen.text()).toMatch(/everything +2 hooks/);
    await screen.press(keys.enter);
    expect(screen.text()).toMatch(/npm test +User/);
    expect(screen.text()).toMatch(/say done +Local/);
    await screen.press(keys.enter);
    expect(screen.text()).toMatch(/Type +command/);
    await screen.press(keys.esc, keys.esc, keys.esc);
    expect(screen.text()).toContain("❯   Stop");
    await screen.press(keys.esc);
    expect(isClosed()).toBe(true);
  });
});

describe("the settings", () => {
  test("space and enter walk through the values of a choice, also before the answer is there", async () => {
    expect(await open("settings", [" ", keys.enter, keys.down, " "])).toEqual([
      { type: "change_setting", key: "theme", value: "light" },
      { type: "change_setting", key: "theme", value: "auto" },
      { type: "change_setting", key: "verbose", value: "true" },
    ]);
  });

  test("typing searches names and words; a text is written in its place", async () => {
    await open("settings", [..."answers"]);
    expect(screen.text()).toContain("language");
    expect(screen.text()).not.toContain("verbose");
    await screen.press(keys.enter, ..."French", keys.enter);
    expect(screen.engine.requests.at(-1)).toEqual({ type: "change_setting", key: "language", value: "French" });
  });

  test("what a managed setting decides is refused, and says who decides it", async () => {
    expect(await open("settings", [..."turn", keys.enter])).toEqual([]);
    expect(screen.text()).toContain("the owner of this machine decides it: managed /etc/managed.json:2");
  });

  test("changes are told when it closes; an error at once", async () => {
    await open("settings", [" "]);
    const { settings } = sample("settings");
    screen.engine.emit({ type: "setting_rows", key: "theme", settings, text: "theme is now light", isError: false });
    screen.engine.emit({ type: "setting_rows", key: "verbose", settings, text: "it is locked", isError: true });
    await screen.settle();
    const notices = () =>
      screen.services.store.getState().transcript.items.flatMap((item) => (item.kind === "notice" ? item.text : []));
    expect(notices()).toEqual(["it is locked"]);
    await screen.press(keys.esc);
    expect(isClosed()).toBe(true);
    expect(notices()).toEqual(["it is locked", "theme is now light"]);
  });

  test("tabs by key and by click", async () => {
    await open("settings", [keys.right]);
    expect(screen.text()).toContain("Total cost");
    const rows = screen.rows();
    const row = rows.findIndex((text) => text.includes("Status │"));
    screen.services.clicks.click(rows.length - 1 - row, rows[row]!.indexOf("Status") + 1);
    await screen.settle();
    expect(screen.text()).toContain("/home/ada/shop");
  });
});

describe("a list of commands", () => {
  test("begins at what is in use; enter and a number run the row's command", async () => {
    await open("list", [keys.down, keys.enter]);
    expect(isClosed()).toBe(true);
    expect(screen.engine.requests.at(-1)).toMatchObject({ type: "prompt", text: "/output-style pirate" });
    screen.unmount();
    await open("list", ["1"]);
    expect(screen.engine.requests.at(-1)).toMatchObject({ type: "prompt", text: "/output-style default" });
  });
});

describe("the context picker", () => {
  test("d drops what is in focus, a fold is undone the same way", async () => {
    expect(await open("context", ["d"])).toEqual([{ type: "drop_context", ids: ["fold:t0"] }]);
    screen.unmount();
    const requests = await open("context", [keys.down, keys.down, "d"]);
    expect(requests).toEqual([{ type: "drop_context", ids: ["t2", "t3", "t4"] }]);
  });

  test("enter shows the beginning of it and hides it again", async () => {
    await open("context", [keys.down, keys.enter]);
    expect(screen.text()).toContain("const a = 1;");
    await screen.press(keys.enter);
    expect(screen.text()).not.toContain("const a = 1;");
  });
});

describe("the tasks picker", () => {
  const tasks = [
    { id: "b1", kind: "shell" as const, title: "npm run dev", status: "running" as const, startedAt: 1_000 },
    { id: "b2", kind: "shell" as const, title: "make", status: "failed" as const, startedAt: 1_000, endedAt: 6_000 },
  ];

  test("newest first; enter shows the output, x stops only what runs, the footer counts", async () => {
    screen = await renderScreen({ state: { background: tasks } });
    expect(screen.text()).toContain("1 in the background");
    screen.unmount();
    screen = await renderScreen({ state: { background: tasks, picker: { kind: "tasks" } } });
    expect(screen.text()).toMatch(/make +failed · 5 s[\s\S]*npm run dev +running/);
    await screen.press("x", keys.down, "x", keys.enter);
    expect(screen.engine.requests.slice(1)).toEqual([
      { type: "stop_task", id: "b1" },
      { type: "show_task", id: "b1" },
    ]);
  });

  test("the output opens at its end and is clean; esc goes back to the list", async () => {
    const text = `${Array.from({ length: 60 }, (_, at) => `line ${at}`).join("\n")}\n\u001b[2Jlast`;
    const picker = { kind: "task_output" as const, task: tasks[0]!, text, outputPath: "/o" };
    screen = await renderScreen({ state: { background: tasks, picker } });
    expect(screen.text()).toContain("last");
    expect(screen.text()).not.toContain("line 3 ");
    await screen.press(keys.esc);
    expect(screen.services.store.getState().picker).toEqual({ kind: "tasks" });
  });
});

describe("the session picker", () => {
  test("typing searches, enter resumes what is found", async () => {
    const requests = await open("sessions", [..."date filter"]);
    expect(screen.text()).toContain("1 of 30");
    expect(requests).toEqual([]);
    await screen.press(keys.enter);
    expect(screen.engine.requests.at(-1)).toEqual({ type: "resume", sessionId: "s2" });
  });

  test("space on an empty search shows more of the session", async () => {
    await open("sessions", [" "]);
    expect(screen.text()).toContain("last: now run the suite");
    await screen.press(" ");
    expect(screen.text()).not.toContain("last:");
  });

  test("nothing found: enter does nothing", async () => {
    expect(await open("sessions", [..."zzz", keys.enter])).toEqual([]);
    expect(screen.text()).toContain("No session matches.");
  });
});

describe("the permissions dialog", () => {
  test("adding: the rule, then where it is kept", async () => {
    await open("permissions", ["a", ..."Bash(npm test)", keys.enter]);
    expect(screen.text()).toContain(".claude/settings.local.json");
    await screen.press("1");
    expect(screen.engine.requests.at(-1)).toEqual({
      type: "update_permissions",
      updates: [
        {
          type: "addRules",
          rules: [{ toolName: "Bash", ruleContent: "npm test" }],
          behavior: "allow",
          destination: "localSettings",
        },
      ],
    });
    expect(screen.text()).toContain("Bash(npm test)");
  });

  test("deleting the rule in focus; a managed one stays and says why", async () => {
    const requests = await open("permissions", ["d"]);
    expect(requests).toEqual([
      {
        type: "update_permissions",
        updates: [
          {
            type: "removeRules",
            rules: [{ toolName: "Bash", ruleContent: "npm run *" }],
            behavior: "allow",
            destination: "localSettings",
          },
        ],
      },
    ]);
    expect(screen.text()).not.toContain("npm run");
    await screen.press(keys.right, keys.right, "d");
    expect(screen.text()).toContain("rules from managed cannot be changed here");
    expect(screen.text()).toContain("Bash(curl *)");
  });

  test("what is no rule is refused with an example", async () => {
    await open("permissions", ["a", ..."not a rule(", keys.enter]);
    expect(screen.text()).toContain("a rule looks like");
  });

  test("searching, and the tab of what was denied lately", async () => {
    await open("permissions", ["/", ..."edit", keys.enter]);
    expect(screen.text()).toContain("Edit(src/**)");
    expect(screen.text()).not.toContain("npm run");
    await screen.press(keys.left);
    expect(screen.text()).toContain("rm -r build");
  });

  test("rules in their parts", () => {
    expect(parseRule("Bash(npm run (x))")).toEqual({ toolName: "Bash", ruleContent: "npm run (x)" });
    expect(parseRule(" mcp__db__query ")).toEqual({ toolName: "mcp__db__query" });
    expect(parseRule("Read()")).toEqual({ toolName: "Read" });
    for (const text of ["", "Bash(", "two words", "(x)"]) expect(parseRule(text)).toBeNull();
  });

  test("adding a rule twice lists it once; a source that is not ours cannot be changed", () => {
    const data: PermissionsData = sample("permissions");
    expect(addRule(data, "Bash(npm run *)", "allow", "localSettings")?.data.rules).toHaveLength(3);
    expect(addRule(data, "Bash(npm run *)", "allow", "session")?.data.rules).toHaveLength(4);
    expect(addRule(data, "x y", "allow", "session")).toBeNull();
    expect(removeRule(data, data.rules[2]!)).toBeNull();
  });
});

describe("memory, help and pages", () => {
  test("a memory file is opened in the user's editor", async () => {
    const opened: string[] = [];
    const openFile = async (path: string): Promise<string | null> => {
      opened.push(path);
      return null;
    };
    await open("memory", ["2"], { services: { openFile } });
    expect(opened).toEqual(["/home/ada/.claude/CLAUDE.md"]);
    expect(isClosed()).toBe(true);
    expect(screen.services.store.getState().transcript.items.at(-1)).toMatchObject({ kind: "notice", level: "info" });
  });

  test("an editor that fails is an error line", async () => {
    await open("memory", ["1"], { services: { openFile: async () => "no editor is set" } });
    expect(screen.services.store.getState().transcript.items.at(-1)).toMatchObject({
      level: "error",
      text: "no editor is set",
    });
  });

  test("help has three tabs and scrolls", async () => {
    await open("help", [keys.right]);
    expect(screen.text()).toContain("/help");
    await screen.press(keys.right);
    expect(screen.text()).toContain("/deploy <env>");
    await screen.press(keys.right, keys.pageDown, keys.pageDown);
    expect(screen.text()).toMatch(/↑ \d+ more rows/);
  });

  test("text typed while a page is open goes to the draft", async () => {
    screen = await renderScreen({
      state: { picker: { kind: "page", title: "Status", rows: [{ label: "a", value: "b" }] } },
    });
    await screen.press(..."then this", keys.esc);
    expect(screen.text()).toContain("❯ then this");
    expect(screen.engine.requests.filter(({ type }) => type === "prompt")).toEqual([]);
  });

  test("help shows no tab with nothing in it, and left goes round", async () => {
    const commands = [{ name: "cost", aliases: [], description: "Show the cost", source: "built-in" }];
    screen = await renderScreen({ state: { picker: { kind: "help", commands } } });
    expect(screen.text()).toContain("Commands");
    expect(screen.text()).not.toContain("Custom");
    await screen.press(keys.left);
    expect(screen.text()).toContain("/cost");
    await screen.press(keys.right);
    expect(screen.text()).not.toContain("/cost");
  });

  test("a long page scrolls by row and page", async () => {
    const rows = Array.from({ length: 60 }, (_, at) => ({ label: `name ${at}`, value: `value ${at}` }));
    screen = await renderScreen({ state: { picker: { kind: "page", title: "Long", rows } } });
    await screen.press(keys.down, keys.pageDown, keys.pageDown, keys.pageDown, keys.pageDown);
    expect(screen.text()).toContain("value 59");
  });
});
