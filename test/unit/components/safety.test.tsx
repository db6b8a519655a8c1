// F007: no byte from outside moves the cursor, changes a mode, sets the title or asks the terminal anything, whatever
// it is part of: items of the transcript, dialogs, pickers, status, plain lines.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { windowTitle } from "../../../components/attention/attention.js";
import { titleBytes } from "../../../components/attention/sequences.js";
import { asking } from "../../../components/linear/asking.js";
import { pageLines } from "../../../components/linear/pages.js";
import { createReader } from "../../../components/linear/reader.js";
import { createTheme } from "../../../components/theme/themes.js";
import { itemRows } from "../../../components/transcript/items.js";
import { createViewer } from "../../../components/viewer/viewer.js";
import type { Display } from "../../../src/protocol/display.js";
import type { TranscriptItem } from "../../../state/app-state.js";
import { initialState } from "../../../state/store.js";
import { sessionFor } from "./support/fake-engine.js";
import { attacks, hostileText, leak, poisoned } from "./support/poison.js";
import { pickers, questions } from "./support/samples.js";
import { renderScreen } from "./support/screen.js";

const theme = createTheme("dark", "256");

const displays: Display[] = [
  { kind: "text", text: "text", summary: "short" },
  { kind: "lines", path: "a.ts", startLine: 1, lines: ["const a = 1;", "b"] },
  {
    kind: "diff",
    path: "a.ts",
    change: "update",
    added: 1,
    removed: 1,
    hunks: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-old", "+new"] }],
  },
  { kind: "paths", paths: ["a", "b"], total: 2, truncated: false },
  { kind: "matches", text: "a:1:x", files: 1, matches: 1, truncated: false },
  { kind: "shell", command: "ls", output: "out", exitCode: 1, interrupted: false },
  { kind: "todos", todos: [{ id: "1", subject: "do it", activeForm: "doing it", status: "in_progress" }] },
  { kind: "markdown", text: "# title\n\n| a | b |\n|---|---|\n| c | d |\n\n[link](http://a.example)" },
  { kind: "image", label: "a.png", mediaType: "image/png", bytes: 10 },
  { kind: "agent", agentId: "a", agentType: "explore", text: "found", toolUses: 1, tokens: 10, durationMs: 5 },
  { kind: "json", value: { key: "value" } },
];

const tool = (display: Display | undefined, state: "done" | "error" | "running"): TranscriptItem => ({
  id: "t",
  v: 0,
  kind: "tool",
  callId: "c",
  name: "Bash",
  title: "ls",
  input: {},
  isReadOnly: true,
  state,
  resultText: "went wrong",
  lastLines: ["line"],
  ...(display ? { display } : {}),
});

const items: TranscriptItem[] = [
  { id: "u", v: 0, kind: "user", text: "prompt" },
  { id: "a", v: 0, kind: "assistant", messageId: "m", index: 0, text: "answer", done: true, model: "model", at: 1 },
  { id: "g", v: 0, kind: "assistant", messageId: "m", index: 1, text: "growing", done: false },
  { id: "th", v: 0, kind: "thinking", messageId: "m", index: 2, text: "hm", done: true },
  { id: "n", v: 0, kind: "notice", level: "warning", text: "notice" },
  { id: "c", v: 0, kind: "command", command: "/x", text: "output", isError: false },
  { id: "b", v: 0, kind: "banner", version: "3", cwd: "/a", branch: "main", model: "m", trusted: true },
  { id: "bo", v: 0, kind: "boundary", text: "summarised" },
  ...displays.map((display) => tool(display, "done")),
  tool(displays[5], "error"),
  tool(undefined, "error"),
  tool(undefined, "running"),
];

const every = attacks.join("x");

describe("F007 nothing from outside reaches the terminal raw", () => {
  test("items of every kind, short and whole, wide and narrow", () => {
    fc.assert(
      fc.property(
        hostileText,
        fc.constantFrom(...items),
        fc.boolean(),
        fc.constantFrom(20, 80),
        (text, item, all, width) => {
          const rows = itemRows(poisoned(item, text), { width, theme, isExpanded: all, now: 0 });
          expect(rows.map(leak).filter((found) => found !== null)).toEqual([]);
          expect(rows.join("")).not.toContain("\n");
        },
      ),
      { seed: 3, numRuns: 400 },
    );
  });

  test("the viewer and its search, and what goes to the editor", () => {
    const hostile = items.map((item, at) => ({ ...poisoned(item, every), id: `${at}` }));
    const viewer = createViewer({ items: () => hostile, theme: () => theme, now: () => 0, draw: () => undefined });
    viewer.open();
    const rows = viewer.rows(500, 80);
    expect(rows.map(leak).filter((found) => found !== null)).toEqual([]);
    expect(leak(viewer.text())).toBeNull();
  });

  test.each(questions.map((question) => ({ kind: question.kind, id: question.id, question })))(
    "the dialog $kind $id",
    async ({ question }) => {
      const screen = await renderScreen({ rows: 40, state: { questions: [poisoned(question, every)] } });
      const raw = screen.raw();
      screen.unmount();
      expect(leak(raw)).toBeNull();
      expect(leak(asking(poisoned(question, every)).lines.join("\n"))).toBeNull();
    },
  );

  test.each(pickers.map((picker) => ({ kind: picker.kind, picker })))("the picker $kind", async ({ picker }) => {
    const screen = await renderScreen({ rows: 40, state: { picker: poisoned(picker, every) } });
    const raw = screen.raw();
    const { actions } = screen.services;
    screen.unmount();
    expect(leak(raw)).toBeNull();
    expect(leak(pageLines(poisoned(picker, every), actions).lines.join("\n"))).toBeNull();
  });

  test("status, tasks, queue, hint, model and session names", async () => {
    const { run } = initialState();
    for (const retry of [null, { attempt: 1, maxAttempts: null, retryAt: 2_000_000, reason: `lost${every}` }]) {
      const screen = await renderScreen({
        rows: 40,
        state: {
          session: poisoned(sessionFor(), every),
          run: { ...run, isRunning: true, verb: `Working${every}`, retry },
          todos: [{ id: "1", subject: `task${every}`, activeForm: every, status: "in_progress" }],
          hint: { text: `hint${every}`, until: 9_000_000 },
          input: { queued: [`queued${every}`], history: [], restore: null },
        },
      });
      screen.services.store.setState({ session: poisoned(sessionFor(), every) });
      await screen.settle();
      const raw = screen.raw();
      screen.unmount();
      expect(leak(raw)).toBeNull();
    }
  });

  test("plain lines and the window's title", () => {
    const hostile = items.map((item, at) => ({ ...poisoned(item, every), id: `${at}` }));
    expect(
      leak(
        createReader(() => false)
          .news(hostile)
          .join("\n"),
      ),
    ).toBeNull();
    const state = { ...initialState(), session: { ...sessionFor(), title: every } };
    expect(titleBytes(windowTitle(state)).slice(4, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });
});
