// The person's status line on the screen: asked for after changes, shown below the prompt, gone while a dialog is open.
import { afterEach, expect, test } from "vitest";
import { sessionFor } from "../support/fake-engine.js";
import { pickers } from "../support/samples.js";
import { renderScreen, type TestScreen } from "../support/screen.js";

let screen: TestScreen;
afterEach(() => screen?.unmount());

const withLine = (more: object = {}) =>
  sessionFor({ interface: { statusLine: { type: "command", command: "x", ...more } } });
const event = { type: "status_line" as const, lines: ["\u001b[32mmain\u001b[0m · 12 %\u001b[2J", "second"] };

test("several changes in a row ask once; an untrusted session never asks", async () => {
  screen = await renderScreen({ services: { statusLineMs: 0 } });
  const asked = () => screen.engine.requests.filter(({ type }) => type === "status_line");
  screen.engine.emit({ type: "session", session: { ...withLine(), trusted: false }, reason: "change" });
  await screen.press("a");
  expect(asked()).toEqual([]);
  screen.engine.emit({ type: "session", session: withLine(), reason: "change" });
  screen.engine.emit({ type: "mode", mode: "plan" });
  await expect.poll(asked).toEqual([{ type: "status_line", columns: 80, rows: 24 }]);
});

test("its lines stand between prompt and footer, clean, and give way to a dialog", async () => {
  screen = await renderScreen();
  screen.engine.emit({ type: "session", session: withLine({ padding: 1 }), reason: "change" });
  screen.engine.emit(event);
  await screen.settle();
  const rows = screen.rows();
  expect(rows.slice(-3, -1)).toEqual(["   main · 12 %", "   second"]);
  screen.services.store.setState({ picker: pickers.find(({ kind }) => kind === "list")! });
  await screen.settle();
  expect(screen.text()).not.toContain("main · 12 %");
});

test("what is wrong with it is told once", async () => {
  screen = await renderScreen();
  for (let at = 0; at < 3; at++) screen.engine.emit({ type: "status_line", lines: [], problem: "it failed" });
  await screen.settle();
  const notices = screen.services.store.getState().transcript.items.filter(({ kind }) => kind === "notice");
  expect(notices).toHaveLength(1);
});
