// The list of earlier sessions: what each key does, and the list as a screen.
import { afterEach, expect, test } from "vitest";
import type { Picker, SessionRow } from "../../../../src/protocol/pickers.js";
import { keys, renderScreen, type ScreenOptions, type TestScreen } from "../support/screen.js";

let screen: TestScreen;
afterEach(() => screen?.unmount());

const row = (sessionId: string, more: Partial<SessionRow> = {}): SessionRow => ({
  sessionId,
  title: sessionId,
  updatedAt: 1_000_000 - 300_000,
  messages: 12,
  branch: "main",
  cwd: "/home/ada/shop",
  bytes: 20_480,
  ...more,
});

const rows: SessionRow[] = [
  row("s1", { title: "try it with a map", forkOf: "s3", name: "try it with a map" }),
  row("s2", { title: "why is the start slow", branch: "fix/start", firstPrompt: "why is the start slow?" }),
  row("s3", { title: "fix the date filter", lastPrompt: "now run the suite", firstPrompt: "dates are off by one" }),
  row("s4", { title: "another window's", openIn: 4_711 }),
  row("s5", { title: "Damaged: s5.jsonl", problem: "no line of it can be read", messages: 0, branch: undefined }),
];

const open = async (
  pressed: string[],
  change: Partial<Extract<Picker, { kind: "sessions" }>> = {},
  options: ScreenOptions = {},
) => {
  const picker = {
    kind: "sessions" as const,
    sessions: rows,
    scope: "project" as const,
    isComplete: true,
    branch: "main",
    ...change,
  };
  screen = await renderScreen({ ...options, state: { picker } });
  await screen.press(...pressed);
  return screen.engine.requests.slice(1);
};

test.each([
  [80, 24],
  [120, 40],
  [40, 12],
])("the list at %dx%d", async (columns, height) => {
  await open([], {}, { columns, rows: height });
  expect(screen.text()).toMatchSnapshot();
});

test("space tells more of the session in focus", async () => {
  await open([keys.down, keys.down, keys.up, " "]);
  expect(screen.text()).toMatch(/fix\/start[\s\S]*first: why is the start slow\?/);
  await screen.press(" ");
  expect(screen.text()).not.toContain("first:");
});

test("right shows the branches of a session, left gathers them; enter resumes the one in focus", async () => {
  await open([keys.right]);
  expect(screen.text()).toContain("└ fix the date filter");
  await screen.press(keys.left);
  expect(screen.text()).toContain("(+1 branch →)");
  await screen.press(keys.right, keys.down, keys.enter);
  expect(screen.engine.requests.at(-1)).toEqual({ type: "resume", sessionId: "s3" });
});

test("ctrl+r names the session in focus; esc leaves its name", async () => {
  expect(await open([keys.down, keys.ctrl("r"), ..."cold start", keys.enter])).toEqual([
    { type: "rename_session", sessionId: "s2", name: "cold start", scope: "project" },
  ]);
  expect(screen.services.store.getState().picker).not.toBeNull();
  await screen.press(keys.ctrl("r"), "x", keys.esc);
  expect(screen.engine.requests).toHaveLength(2);
  expect(screen.text()).toContain("why is the start slow");
});

test("ctrl+a and ctrl+w show other sessions and go back; late rows of another scope change nothing", async () => {
  expect(await open([keys.ctrl("a")])).toEqual([{ type: "list_sessions", scope: "all" }]);
  expect(screen.text()).toContain("all projects · reading …");
  const elsewhere = row("e1", {
    title: "in the other house",
    cwd: "/home/ada/house",
    command: "cd /home/ada/house && claude --resume e1",
  });
  screen.engine.emit({ type: "session_rows", scope: "worktrees", sessions: [], isComplete: true });
  screen.engine.emit({ type: "session_rows", scope: "all", sessions: [...rows, elsewhere], isComplete: true });
  await screen.settle();
  expect(screen.text()).toContain("house · 5 min");
  await screen.press(..."other house", keys.enter);
  const state = screen.services.store.getState();
  expect(state.screen.copy?.text).toBe("cd /home/ada/house && claude --resume e1");
  expect(state.picker).toBeNull();
  expect(JSON.stringify(state.transcript.items.at(-1))).toContain("cd /home/ada/house && claude --resume e1");
  expect(screen.engine.requests.some(({ type }) => type === "resume")).toBe(false);
  screen.unmount();
  expect(await open([keys.ctrl("w"), keys.ctrl("w")])).toEqual([
    { type: "list_sessions", scope: "worktrees" },
    { type: "list_sessions", scope: "project" },
  ]);
});

test("ctrl+b shows the sessions of this branch alone", async () => {
  await open([keys.ctrl("b")]);
  expect(screen.text()).not.toContain("why is the start slow");
  expect(screen.text()).toContain("branch main");
});

test("a damaged session is shown and not resumed; one that is open elsewhere says so", async () => {
  expect(await open([keys.up, keys.enter])).toEqual([]);
  expect(screen.text()).toContain("cannot be resumed: no line of it can be read");
  expect(screen.text()).toContain("open now");
  expect(screen.services.store.getState().picker).not.toBeNull();
});

test("a list that is not complete asks for the rest once", async () => {
  expect(await open([], { isComplete: false })).toEqual([{ type: "list_sessions", scope: "project" }]);
});

test("5,000 sessions: a key is answered at once", async () => {
  const sessions = Array.from({ length: 5_000 }, (_, at) => row(`id${at}`, { title: `session number ${at}` }));
  await open([], { sessions });
  const started = performance.now();
  await screen.press(..."4999", keys.backspace, keys.down, keys.up);
  expect(performance.now() - started).toBeLessThan(1_500);
  expect(screen.text()).toContain("session number 499");
});
