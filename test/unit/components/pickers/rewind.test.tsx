import { afterEach, expect, test } from "vitest";
import type { Picker } from "../../../../src/protocol/pickers.js";
import { pickers } from "../support/samples.js";
import { keys, renderScreen, type TestScreen } from "../support/screen.js";

let screen: TestScreen;
afterEach(() => screen?.unmount());

type RewindData = Extract<Picker, { kind: "rewind" }>;
const sample = pickers.find(({ kind }) => kind === "rewind") as RewindData;

/** Opens the picker, presses keys, and gives the requests they led to. */
const open = async (pressed: string[], data: RewindData = sample) => {
  screen = await renderScreen({ state: { picker: data } });
  await screen.press(...pressed);
  return screen.engine.requests.slice(1);
};
const isClosed = (): boolean => screen.services.store.getState().picker === null;

test("F194 enter at once changes nothing: where we are is chosen first", async () => {
  expect(await open([keys.enter, keys.enter])).toEqual([]);
  expect(isClosed()).toBe(true);
});

test("F194 the first choice at a point changes no file, and a look comes before it", async () => {
  const { report: _report, ...unseen } = sample;
  expect(await open([keys.up, keys.up, keys.enter], unseen)).toEqual([
    { type: "rewind", id: "u1", scope: "code", isDryRun: true },
  ]);
  expect(screen.text()).toContain("Looking at the files");
  expect(screen.text()).not.toContain("Files only");
  screen.engine.emit({ type: "rewind", report: sample.report! });
  await screen.settle();
  expect(screen.text()).toContain("src/filter.ts changes back +2 −12");
  await screen.press(keys.enter);
  expect(screen.engine.requests.at(-1)).toEqual({
    type: "rewind",
    id: "u1",
    scope: "conversation",
    takesConflicts: false,
  });
  expect(isClosed()).toBe(true);
});

test("numbers choose, x takes conflicts too, esc goes back to the points", async () => {
  await open([keys.up, keys.up, keys.enter, "x"]);
  expect(screen.text()).toContain("README.md is overwritten +1 −1");
  await screen.press("1");
  expect(screen.engine.requests.at(-1)).toEqual({ type: "rewind", id: "u1", scope: "both", takesConflicts: true });
  screen.unmount();
  await open([keys.up, keys.up, keys.enter, keys.esc]);
  expect(screen.text()).toContain("(current)");
});

test("a point without changed files offers no files", async () => {
  await open([keys.up, keys.enter]);
  expect(screen.text()).toContain("No file was changed since.");
  expect(screen.text()).not.toContain("files");
  await screen.press("2");
  expect(screen.engine.requests.at(-1)).toEqual({
    type: "rewind",
    id: "u2",
    scope: "summarise_from",
    takesConflicts: false,
  });
});

test("the conversation before /clear is resumed, never mind does nothing", async () => {
  expect(await open([keys.down, keys.enter])).toEqual([{ type: "resume", sessionId: "s1" }]);
  screen.unmount();
  await open([keys.up, keys.enter, "4"]);
  expect(isClosed()).toBe(true);
  expect(screen.engine.requests.slice(1)).toEqual([]);
});
