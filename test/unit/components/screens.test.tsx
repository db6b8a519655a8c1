// Every dialog, picker and state as frames of text at four sizes, each beside what it must mean at any of them: its
// options in their order, what is focused, and what Esc does.
import { describe, expect, test } from "vitest";
import type { AppState, TranscriptItem } from "../../../state/app-state.js";
import { initialState } from "../../../state/store.js";
import { pickers, questions } from "./support/samples.js";
import { keys, renderScreen, type TestScreen } from "./support/screen.js";

const sizes = [
  { columns: 120, rows: 40 },
  { columns: 80, rows: 24 },
  { columns: 60, rows: 20 },
  { columns: 40, rows: 12 },
] as const;

/** Whether the texts stand in the frame in this order. */
const stand = (frame: readonly string[], ...texts: string[]): boolean => {
  let from = 0;
  const text = frame.join("\n");
  return texts.every((one) => {
    const at = text.indexOf(one, from);
    from = at + one.length;
    return at >= 0;
  });
};

/** Options in their order as they are numbered, and the words about Esc. */
const meanings: Record<string, { options: string[]; esc: RegExp }> = {
  permission: { options: ["❯ 1", "Yes", "2", "3", "No, and say"], esc: /esc = 3/ },
  plan: { options: ["❯ 1", "Start fresh", "2", "Start, accept", "3", "approve", "4", "Keep planning"], esc: /esc = 4/ },
  choice: { options: ["❯ 1", "Passkeys", "2", "Magic link", "3", "Something else", "4", "Talk"], esc: /esc: talk|esc/ },
  trust: { options: ["❯ 1", "Yes, I trust", "2", "No, leave"], esc: /esc leaves/ },
  start: { options: ["❯ 1", "offline tour", "2", "API key", "3", "local model", "4", "Leave"], esc: /esc leaves/ },
  mcp_server: {
    options: ["❯ 1", "Use this server", "2", "Use this and all", "3", "Never use it"],
    esc: /esc asks next/,
  },
  go_on: { options: ["❯ 1", "Stop here", "2", "Go on"], esc: /esc stops/ },
};

const expectFits = (frame: readonly string[], { columns, rows }: (typeof sizes)[number]): void => {
  expect(frame.length).toBeLessThanOrEqual(rows - 3);
  for (const row of frame) expect([...row].length).toBeLessThanOrEqual(columns);
};

const expectSnapshot = (frame: readonly string[], name: string, { columns, rows }: (typeof sizes)[number]) =>
  expect(`${frame.join("\n")}\n`).toMatchFileSnapshot(`../../screens/ui/${name}-${columns}x${rows}.txt`);

describe.each(sizes)("at $columns x $rows", (size) => {
  const { columns, rows } = size;
  test.each(questions.map((question) => ({ name: `${question.kind}-${question.id}`, question })))(
    "the question $name fits, offers its ways in order, the first focused, and looks as recorded",
    async ({ name, question }) => {
      const screen = await renderScreen({ columns, rows, state: { questions: [question] } });
      const frame = screen.rows();
      screen.unmount();
      expectFits(frame, size);
      expect(frame.at(-1)).toMatch(/^╰.*╯$/);
      const { options, esc } = meanings[question.kind]!;
      expect(stand(frame, ...options)).toBe(true);
      expect(frame.filter((row) => row.includes("❯"))).toHaveLength(1);
      expect(frame.at(-1)).toMatch(esc);
      await expectSnapshot(frame, name, size);
    },
  );

  test.each([...pickers, { kind: "theme" } as const].map((picker) => ({ name: picker.kind, picker })))(
    "the picker $name fits, says how to leave, and looks as recorded",
    async ({ name, picker }) => {
      const screen = await renderScreen({ columns, rows, state: { picker } });
      const frame = screen.rows();
      screen.unmount();
      expectFits(frame, size);
      expect(frame.at(-1)).toMatch(/^╰.*esc .*╯$/);
      await expectSnapshot(frame, name, size);
    },
  );

  test.each(Object.entries(states))("the state %s means the same and looks as recorded", async (name, state) => {
    const screen = await renderScreen({ columns, rows, services: { reducedMotion: true }, state: state.state });
    await state.act?.(screen);
    const frame = screen.rows();
    screen.unmount();
    expectFits(frame, size);
    for (const text of state.shows) expect(frame.join("\n")).toMatch(text);
    await expectSnapshot(frame, `state-${name}`, size);
  });
});

interface SampleState {
  state: Partial<AppState>;
  act?: (screen: TestScreen) => Promise<void>;
  shows: RegExp[];
}

const { run } = initialState();
const working = {
  ...run,
  isRunning: true,
  startedAt: 962_000,
  verb: "Testing",
  inputTokens: 12_400,
  outputTokens: 860,
};
const items = (): TranscriptItem[] => [
  { id: "u", v: 0, kind: "user", text: "hello" },
  { id: "a", v: 0, kind: "assistant", messageId: "m", index: 0, text: "Hello.", done: true },
];

const states: Record<string, SampleState> = {
  idle: { state: {}, shows: [/❯ Type a request/, /asks before/] },
  working: { state: { run: working }, shows: [/Testing… 38/, /esc to stop|esc stops/] },
  retrying: {
    state: {
      run: { ...working, retry: { attempt: 2, maxAttempts: 10, retryAt: 1_004_000, reason: "Connection lost" } },
    },
    shows: [/○ Connection .*Trying again in 4 s/],
  },
  tasks: {
    state: {
      run: working,
      todos: [
        { id: "1", subject: "Find the filter", status: "completed" },
        { id: "2", subject: "Cover it with a test", activeForm: "Covering it", status: "in_progress" },
        { id: "3", subject: "Run the whole suite", status: "pending" },
      ],
    },
    shows: [/✓ Find the filter/, /● Cover it/, /○ Run the whole/],
  },
  history: {
    state: { input: { queued: [], history: ["one\ntwo\nthree", "fix the date filter"], restore: null } },
    act: async (screen) => {
      await screen.press(keys.ctrl("r"), keys.down);
    },
    shows: [/Earlier prompts/, /❯ {3}one {2}\+2 lines/, /ctrl\+c closes/],
  },
  queued: {
    state: { run: working, input: { queued: ["and then push"], history: [], restore: null } },
    shows: [/and then push/],
  },
  plan: {
    state: {},
    act: async (screen) => {
      screen.engine.emit({ type: "mode", mode: "plan" });
      await screen.settle();
    },
    shows: [/plan mode on/],
  },
  rewind: {
    state: { picker: pickers.find(({ kind }) => kind === "rewind") ?? null },
    act: (screen) => screen.press(keys.up, keys.up, keys.enter),
    shows: [/src\/filter\.ts changes back \+2 −12|… \d more/, /❯ 2 Conversation only|❯ 2 +Conversation only/],
  },
  hint: { state: { hint: { text: "ctrl+c again leaves", until: 2_000_000 } }, shows: [/ctrl\+c again leaves/] },
  viewer: {
    state: { transcript: { items: items(), rev: 1 } },
    act: (screen) => screen.press(keys.ctrl("o")),
    shows: [/Transcript \d+ of \d/, /q leaves/],
  },
  search: {
    state: { transcript: { items: items(), rev: 1 } },
    act: (screen) => screen.press(keys.ctrl("o"), "/", "H"),
    shows: [/^\/ H/m],
  },
};
