// The search of earlier prompts on the screen.
import { afterEach, describe, expect, test } from "vitest";
import { fullText } from "../../../../components/prompt/cells.js";
import type { EarlierPrompt } from "../../../../src/protocol/requests.js";
import { initialState } from "../../../../state/store.js";
import { keys, renderScreen, type ScreenOptions, type TestScreen } from "../support/screen.js";

let screen: TestScreen;
afterEach(() => screen.unmount());

const prompt = (text: string, changes: Partial<EarlierPrompt> = {}): EarlierPrompt => ({
  text,
  at: 0,
  isProject: true,
  isSession: false,
  ...changes,
});

const earlier = [
  prompt("run the tests", { isSession: true }),
  prompt("first line\nsecond line\nthird line"),
  prompt("elsewhere tests", { isProject: false }),
];

const open = async (options: ScreenOptions = {}, draft = ""): Promise<void> => {
  screen = await renderScreen(options);
  screen.engine.earlier.push(...earlier);
  await screen.press(...draft, keys.ctrl("r"));
};

const shown = (): string => fullText(screen.services.promptStore.getState().editor.cells);

describe("on the full screen", () => {
  test("ctrl+r lists prompts, typing narrows, enter sends the one in focus", async () => {
    await open();
    expect(screen.text()).toContain("2 prompts · this project");
    await screen.press(..."tests");
    expect(screen.text()).toContain("1 prompt · this project");
    await screen.press(keys.enter);
    const sent = screen.engine.requests.flatMap((request) => (request.type === "prompt" ? [request.text] : []));
    expect(sent).toEqual(["run the tests"]);
  });

  test("ctrl+r again goes to the older one; tab and esc take it, the draft can be called back", async () => {
    await open({}, "my draft");
    await screen.press(keys.ctrl("r"));
    expect(screen.text()).toContain("❯   first line  +2 lines");
    await screen.press(keys.tab);
    expect(shown()).toBe("first line\nsecond line\nthird line");
    expect(screen.services.store.getState().input.history.at(-1)).toBe("my draft");
    await screen.press(keys.ctrl("r"), keys.esc);
    expect(shown()).toBe("run the tests");
  });

  test("keys typed right behind ctrl+r land in the search, before it is drawn", async () => {
    screen = await renderScreen();
    screen.engine.earlier.push(...earlier);
    for (const key of [{ id: "ctrl+r", text: "" }, ...[..."tests"].map((text) => ({ id: text, text }))])
      screen.router.press(key);
    expect([shown(), fullText(screen.services.history.store.getState().field.cells)]).toEqual(["", "tests"]);
    await screen.settle();
  });

  test("a prompt of several lines is shown whole below the list", async () => {
    await open();
    await screen.press(keys.down);
    expect(screen.text()).toMatch(/ {4}first line\n?.*\n.* {4}second line.*\n.* {4}third line/);
  });

  test("ctrl+s goes from this project to all projects to this session", async () => {
    await open();
    await screen.press(keys.ctrl("s"));
    expect(screen.text()).toContain("3 prompts · all projects");
    await screen.press(keys.ctrl("s"));
    expect(screen.text()).toContain("1 prompt · this session");
  });

  test("ctrl+c closes it and leaves the draft alone", async () => {
    await open({}, "draft");
    await screen.press(..."zzz");
    expect(screen.text()).toContain("Nothing in this project matches.");
    await screen.press(keys.enter, keys.ctrl("c"));
    expect([shown(), screen.services.history.store.getState().isOpen]).toEqual(["draft", false]);
  });

  test("a prompt for the shell comes back in the shell mode", async () => {
    screen = await renderScreen();
    screen.engine.earlier.push(prompt("!ls -l"));
    await screen.press(keys.ctrl("r"), keys.tab);
    expect([shown(), screen.services.promptStore.getState().isShell]).toEqual(["ls -l", true]);
  });
});

test("in the scrollback's layout the found prompt stands in the prompt's place, the search in the line below", async () => {
  await open({ state: { screen: { ...initialState().screen, layout: "inline" } } });
  await screen.press(..."else");
  expect(screen.text()).toMatch(/❯ elsewhere tests\n─+\n {2}search prompts: else/);
  await screen.press(..."zz");
  expect(screen.text()).toContain("no prompt matches: elsezz");
});
