// The transcript viewer: everything expanded, keys, search.
import { afterEach, describe, expect, test } from "vitest";
import { viewerKeys } from "../../../../components/keys/keymap.js";
import { createTheme } from "../../../../components/theme/themes.js";
import { markMatches, matchingItems } from "../../../../components/viewer/search.js";
import { createViewer } from "../../../../components/viewer/viewer.js";
import { stripStyles } from "../../../../src/lib/text-width.js";
import type { TranscriptItem } from "../../../../state/app-state.js";
import { bashQuestion } from "../support/samples.js";
import { keys, renderScreen, type TestScreen } from "../support/screen.js";

const at = new Date(2026, 10, 30, 14, 3, 22).getTime();

const conversation = (rounds: number): TranscriptItem[] =>
  Array.from({ length: rounds }, (_, round): TranscriptItem[] => [
    { id: `u${round}`, v: 0, kind: "user", text: `prompt ${round}`, at },
    {
      id: `t${round}`,
      v: 0,
      kind: "tool",
      callId: `c${round}`,
      name: "Bash",
      title: "seq 30",
      input: {},
      isReadOnly: true,
      state: "done",
      display: {
        kind: "shell",
        command: "seq 30",
        output: Array.from({ length: 30 }, (_unused, line) => `line ${round}.${line}`).join("\n"),
        exitCode: 0,
        durationMs: 10,
      } as never,
    },
    {
      id: `a${round}`,
      v: 0,
      kind: "assistant",
      messageId: `m${round}`,
      index: 0,
      text: `Answer ${round}`,
      done: true,
      at,
      model: "model-a",
    },
  ]).flat();

const viewerOf = (items: TranscriptItem[]) => {
  const viewer = createViewer({
    items: () => items,
    theme: () => createTheme("dark", "none"),
    now: () => 0,
    draw: () => {},
  });
  viewer.open();
  const rows = (): string[] => viewer.rows(12, 80).map((row) => stripStyles(row).trimEnd());
  rows();
  return { viewer, rows };
};

describe("the model of the viewer", () => {
  test("shows whole output, the time of each message and the model that wrote it", () => {
    const { viewer } = viewerOf(conversation(1));
    const text = viewer.text();
    expect(text).toContain("line 0.29");
    expect(text).not.toContain("more rows");
    expect(text).toContain("  2026-11-30 14:03:22\n❯ prompt 0");
    expect(text).toContain("  2026-11-30 14:03:22 · model-a\n● Answer 0");
  });

  test("search goes from match to match, round the end, and back; matches are marked", () => {
    const { viewer, rows } = viewerOf(conversation(20));
    viewer.move((model) => model.toTop());
    rows();
    const search = (text: string) => {
      viewer.setField({ cells: [...text], caret: text.length } as never);
      viewer.search();
    };
    search("line 7.2");
    expect(rows()[3]).toContain("line 7.2");
    viewer.step(1);
    expect(rows()[3]).toContain("line 7.20");
    expect(viewer.store.getState()).toMatchObject({ matches: 1, match: 1 });
    viewer.step(-1);
    expect(rows()[3]).toMatch(/line 7\.2$/);
    expect(viewer.rows(12, 80)[3]).toContain("\u001b[7mline 7.2\u001b[27m");
    search("nowhere");
    expect(viewer.store.getState()).toMatchObject({ matches: 0, match: 0 });
  });

  test("braces walk from prompt to prompt", () => {
    const { viewer, rows } = viewerOf(conversation(5));
    viewer.move((model) => model.toTop());
    rows();
    viewer.toPrompt(1);
    expect(rows().join("\n")).toContain("❯ prompt 1");
    viewer.toPrompt(1);
    expect(rows().join("\n")).toContain("❯ prompt 2");
    viewer.toPrompt(-1);
    expect(rows().join("\n")).toContain("❯ prompt 1");
  });

  test("small letters find capitals, capitals only themselves; wide characters are marked whole", () => {
    const items = conversation(2);
    expect(matchingItems(items, "answer 1")).toEqual([5]);
    expect(matchingItems(items, "ANSWER")).toEqual([]);
    expect(matchingItems(items, "")).toEqual([]);
    expect(markMatches("日本 and 日本", "本", "<", ">")).toBe("日<本> and 日<本>");
  });
});

describe("the viewer on the screen", () => {
  let screen: TestScreen;
  afterEach(() => screen?.unmount());

  test("ctrl+o opens it over the prompt, every key is for it, q leaves and the draft is there", async () => {
    screen = await renderScreen();
    await screen.press("d", "r", keys.ctrl("o"));
    expect(screen.text()).toMatch(/Transcript .* q leaves/);
    await screen.press("x", "j", "G");
    expect(screen.engine.requests.filter(({ type }) => type === "prompt")).toEqual([]);
    await screen.press("q");
    expect(screen.text()).toContain("❯ dr");
  });

  test.each([
    ["esc", keys.esc],
    ["ctrl+c", keys.ctrl("c")],
    ["ctrl+o", keys.ctrl("o")],
  ])("%s leaves it", async (_, key) => {
    screen = await renderScreen();
    await screen.press(keys.ctrl("o"), key);
    expect(screen.text()).not.toContain("q leaves");
    expect(screen.services.store.getState().exit).toBeNull();
  });

  test("/ opens the search field; what is not found is said", async () => {
    screen = await renderScreen({ state: { transcript: { items: conversation(2), rev: 1 } } });
    await screen.press(keys.ctrl("o"), "/", "z", "q");
    expect(screen.text()).toContain("/ zq");
    await screen.press(keys.enter);
    expect(screen.text()).toContain("no match for zq");
  });

  test("a question that comes meanwhile is announced and takes no key", async () => {
    screen = await renderScreen();
    await screen.press(keys.ctrl("o"));
    screen.engine.emit({ type: "question", question: bashQuestion() });
    await screen.press("1", keys.enter);
    expect(screen.text()).toContain("A question waits for you");
    expect(screen.engine.answers).toEqual([]);
    await screen.press("q");
    expect(screen.text()).toContain("Run this command?");
  });

  test("? lists every key, at 40 columns too", async () => {
    screen = await renderScreen({ columns: 40, rows: 16 });
    await screen.press(keys.ctrl("o"), "?");
    const text = screen.text();
    for (const { keys } of viewerKeys()) expect(text).toContain(keys);
  });

  test("ctrl+e shows outputs in short and everything again", async () => {
    const output = Array.from({ length: 12 }, (_, at) => `out ${at}`).join("\n");
    const item: TranscriptItem = {
      id: "call:t",
      v: 0,
      kind: "tool",
      callId: "t",
      name: "Bash",
      title: "make",
      input: {},
      isReadOnly: false,
      state: "done",
      display: { kind: "text", text: output },
    };
    screen = await renderScreen({ state: { transcript: { items: [item], rev: 1 } } });
    await screen.press(keys.ctrl("o"));
    const shown = () => screen.services.viewer.rows(30, 80).map(stripStyles).join("\n");
    expect(shown()).toContain("out 11");
    await screen.press(keys.ctrl("e"));
    expect(shown()).not.toContain("out 11");
    expect(screen.text()).toContain("ctrl+e shows all");
    await screen.press(keys.ctrl("e"));
    expect(shown()).toContain("out 11");
  });

  test("[ prints everything into the scrollback", async () => {
    const printed: string[] = [];
    screen = await renderScreen({
      state: { transcript: { items: conversation(2), rev: 1 } },
      services: { printOut: async (text) => void printed.push(text) },
    });
    await screen.press(keys.ctrl("o"), "[");
    expect(printed).toHaveLength(1);
    expect(printed[0]).toMatch(/Answer 0[\s\S]*Answer 1/);
    expect(screen.text()).toContain("printed into the terminal's scrollback");
  });

  test("v opens the text in the editor", async () => {
    const edited: string[] = [];
    screen = await renderScreen({
      state: { transcript: { items: conversation(1), rev: 1 } },
      services: {
        editOutside: async (text) => {
          edited.push(text);
          return null;
        },
      },
    });
    await screen.press(keys.ctrl("o"), "v");
    expect(edited[0]).toContain("Answer 0");
  });
});
