// Agents at work as frames of text: boxes, lines, a question beside them, and the keys.
import { describe, expect, test, vi } from "vitest";
import { paneHeight, paneRows } from "../../../../components/agents/pane-rows.js";
import type { InlaySource } from "../../../../components/terminal/inlay.js";
import { createTheme } from "../../../../components/theme/themes.js";
import { stripStyles, textWidth } from "../../../../src/lib/text-width.js";
import type { QuestionOf } from "../../../../src/protocol/questions.js";
import type { AgentLine, AgentState } from "../../../../state/app-state.js";
import { questions } from "../support/samples.js";
import { keys, renderScreen } from "../support/screen.js";

const now = 1_000_000; // where the test screen's clock stands
const theme = createTheme("dark", "none");

const call = (text: string, note = "", state: AgentLine["state"] = "done"): AgentLine => ({
  id: text,
  kind: "call",
  state,
  text,
  note,
});
const says = (text: string): AgentLine => ({ id: text, kind: "text", state: "done", text, note: "" });

const agent = (id: string, change: Partial<AgentState> = {}): AgentState => ({
  id,
  toolUseId: `t-${id}`,
  type: "Explore",
  name: "Explore",
  color: "blue",
  description: "auth flow",
  isBackground: false,
  status: "running",
  startedAt: now - 41_000,
  turns: 9,
  toolUses: 12,
  tokens: 31_000,
  lines: [
    call('Grep "refreshToken"', "19 matches"),
    call("Read src/auth/session.ts", "", "running"),
    says("The session is renewed in the middleware, which every request passes before it reaches a handler."),
  ],
  ...change,
});

const four = [
  agent("a"),
  agent("b", {
    color: "green",
    description: "billing",
    status: "failed",
    endedAt: now - 2_000,
    turns: 6,
    tokens: 18_400,
    lines: [call("Read src/billing/invoice.ts"), call('Grep "taxRate"', "4 matches"), says("Three places.")],
    summary: "the request was too long, and nothing was left to shorten",
  }),
  agent("c", {
    color: "pink",
    name: "reviewer",
    description: "the last commit",
    status: "waiting",
    turns: 1,
    tokens: 860,
    lines: [call("Bash npm audit", "", "waiting")],
  }),
  agent("d", { color: "orange", name: "tests", description: "run them", isBackground: true, turns: 0, lines: [] }),
];

const many = Array.from({ length: 9 }, (_, index) => agent(`n${index}`, { description: `part ${index + 1}` }));

const sizes = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 40, rows: 12 },
] as const;

describe.each(sizes)("at $columns x $rows", ({ columns, rows }) => {
  test.each([
    { name: "agents-two", agents: four.slice(0, 2) },
    { name: "agents-four", agents: four },
    { name: "agents-nine", agents: many },
  ])("$name stand above the prompt as recorded", async ({ name, agents }) => {
    const run = { isRunning: true, startedAt: now - 42_000, verb: "Working" };
    const idle = await renderScreen({ columns, rows });
    const screen = await renderScreen({
      columns,
      rows,
      services: { reducedMotion: true },
      state: { agents, run: { ...idle.services.store.getState().run, ...run } },
    });
    const frame = screen.rows();
    idle.unmount();
    screen.unmount();
    expect(frame.length).toBeLessThanOrEqual(rows - 3);
    await expect(`${frame.join("\n")}\n`).toMatchFileSnapshot(`../../../screens/ui/${name}-${columns}x${rows}.txt`);
  });
});

test("every row is exactly as wide as the screen or shorter, and there are never more rows than allowed", () => {
  for (let width = 20; width <= 200; width += 7)
    for (let height = 1; height <= 20; height += 3)
      for (const agents of [four.slice(0, 1), four, many]) {
        const drawn = paneRows(agents, { width, height, theme, now, focused: agents.at(-1)?.id });
        expect(drawn.length).toBeLessThanOrEqual(height);
        for (const row of drawn) expect(textWidth(row)).toBeLessThanOrEqual(width);
      }
});

test("F186 eight agents that print a megabyte stay within their rows, and nothing they print reaches the terminal raw", () => {
  const loud = Array.from({ length: 8 }, (_, index) =>
    agent(`l${index}`, { lines: [says(`\u001b[2J\u001b]0;owned\u0007${"x".repeat(1_000_000)}`)] }),
  );
  const drawn = paneRows(loud, { width: 80, height: 10, theme, now });
  expect(drawn).toHaveLength(8);
  expect(drawn.join("\n")).not.toMatch(/\u001b\[2J|\u0007|owned/);
  const boxes = paneRows(loud.slice(0, 4), { width: 80, height: 10, theme, now });
  expect(boxes).toHaveLength(10);
  expect(boxes.join("\n")).not.toMatch(/\u001b\[2J|\u0007|owned/);
});

test("beside a question the agents take two lines", async () => {
  const screen = await renderScreen({ state: { agents: four, questions: [questions[0]!] } });
  const frame = screen.text();
  screen.unmount();
  expect(frame).toContain("Explore · auth flow");
  expect(frame).toContain("… 3 more");
});

test("the agent that asks stands first beside its question, with its work; what has ended stands last", async () => {
  const names = ["write one", "write two", "write three", "write four", "write five"];
  const five = names.map((description, at) =>
    agent(`w${at}`, {
      description,
      name: "general-purpose",
      status: at === 0 ? "failed" : at < 3 ? "running" : "waiting",
    }),
  );
  const who = { id: "w4", name: "general-purpose", color: "blue", description: "write five" };
  const question = { ...(questions[0] as QuestionOf<"permission">), agent: who };
  const screen = await renderScreen({ state: { agents: five, questions: [question] } });
  const rows = screen.rows();
  screen.unmount();
  const at = rows.findIndex((row) => row.includes("○ general-purpose · waits for you · write five"));
  expect(at).toBeGreaterThanOrEqual(0);
  expect(rows[at + 1]).toContain("… 4 more");
  expect(rows.join("\n")).toContain("general-purpose (write five) asks: ");
  const drawn = paneRows(five, { width: 80, height: 9, asking: "w4", theme, now });
  expect(drawn.map((row) => /write \w+/.exec(row)?.[0])).toEqual([
    "write five",
    "write four",
    "write two",
    "write three",
    "write one",
  ]);
  expect(paneRows(five, { width: 80, height: 9, theme, now }).at(-1)).toContain("write one");
});

test("an agent below another one has its own row beside its question", () => {
  const below = agent("c", { parentToolUseId: "t-a", status: "waiting", description: "part c" });
  const drawn = paneRows([agent("a"), agent("b"), below], { width: 80, height: 2, asking: "c", theme, now });
  expect(drawn[0]).toContain("waits for you · part c");
  expect(drawn).toHaveLength(2);
});

test("right chooses an agent, enter opens it, x stops it alone, text takes the keys back", async () => {
  const screen = await renderScreen({ state: { agents: four.slice(0, 2) } });
  await screen.press(keys.right);
  expect(screen.text()).toContain("▸ Explore · auth flow");
  expect(screen.text()).toContain("enter opens · x stops");
  await screen.press("x");
  expect(screen.engine.requests).toContainEqual({ type: "stop_agent", agentId: "a" });
  await screen.press(keys.right);
  expect(screen.text()).toContain("enter opens · x takes it off");
  await screen.press("x");
  expect(screen.services.store.getState().agents.map(({ id }) => id)).toEqual(["a"]);
  await screen.press(keys.left, keys.enter);
  expect(screen.services.store.getState().picker).toMatchObject({ kind: "page", title: "Explore · auth flow" });
  await screen.press(keys.esc, "h", "i", "x");
  expect(screen.services.promptStore.getState().editor.cells.join("")).toBe("hix");
  screen.unmount();
});

test("an opened agent shows all it did as it goes on, x stops it there, and esc leaves it chosen", async () => {
  const lines = Array.from({ length: 30 }, (_, at) => call(`Read file-${at}.ts`));
  const busy = agent("b", { description: "billing", lines, toolUses: 42 });
  const screen = await renderScreen({ state: { agents: [agent("a"), busy] } });
  await screen.press(keys.right, keys.right, keys.enter);
  expect(screen.text()).toMatch(/Time +41 s/);
  expect(screen.text()).toMatch(/Tokens +31\.0k/);
  expect(screen.text()).toMatch(/Turns +9, with 42 calls/);
  expect(screen.text()).toMatch(/Earlier +12 more, in its transcript/);
  expect(screen.text()).toMatch(/Call +Read file-0\.ts/);
  expect(screen.text()).not.toContain("file-29.ts");
  await screen.press(keys.up); // round to the end
  expect(screen.text()).toContain("Read file-29.ts");
  const { store } = screen.services;
  store.setState({ agents: [agent("a"), { ...busy, lines: [...lines, call("Bash npm test", "", "running")] }] });
  await screen.settle();
  await screen.press(keys.down);
  expect(screen.text()).toMatch(/Call +Bash npm test {3}runs/);
  await screen.press("x");
  expect(screen.engine.requests).toContainEqual({ type: "stop_agent", agentId: "b" });
  await screen.press(keys.esc);
  expect(screen.text()).toContain("▸ Explore · billing");
  expect(screen.text()).not.toContain("▸ Explore · auth flow");
  await screen.press(keys.enter);
  store.setState({ agents: [agent("a")] });
  await screen.settle();
  expect(screen.text()).toMatch(/State +ended/);
  expect(screen.text()).toContain("Read file-0.ts");
  expect(screen.text()).not.toContain("x stops");
  screen.unmount();
});

test("a failed agent stays half a minute, then its row goes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const screen = await renderScreen({ state: { agents: four.slice(0, 2) } });
    expect(screen.text()).toContain("✗ failed: the request was too long");
    vi.advanceTimersByTime(27_999); // it ended two seconds ago
    await screen.settle();
    expect(screen.text()).toContain("✗ failed");
    vi.advanceTimersByTime(1);
    await screen.settle();
    expect(screen.text()).not.toContain("✗ failed");
    expect(screen.services.store.getState().agents.map(({ id }) => id)).toEqual(["a"]);
    screen.unmount();
  } finally {
    vi.useRealTimers();
  }
});

describe("agents below agents", () => {
  const below = (id: string, parent: string) =>
    agent(id, { parentToolUseId: `t-${parent}`, description: `part ${id}` });
  const nested = [
    agent("a"),
    below("d", "c"),
    agent("b", { description: "billing" }),
    below("c", "a"),
    below("e", "a"),
  ];

  test("stand as a tree under the one that started them", () => {
    const drawn = paneRows(nested, { width: 60, height: 10, theme, now }).map((row) =>
      stripStyles(row).replace(/ {3}\d+ turns.*/, ""),
    );
    expect(drawn).toEqual([
      " ● Explore · auth flow",
      " └ ● Explore · part c",
      "   └ ● Explore · part d",
      " └ ● Explore · part e",
      " ● Explore · billing",
    ]);
  });

  test("are counted where rows are scarce", () => {
    const drawn = paneRows(nested, { width: 60, height: 3, theme, now }).map((row) =>
      stripStyles(row).replace(/ {3}\d+ turns.*/, ""),
    );
    expect(drawn).toEqual([" ● Explore · auth flow (+3)", " ● Explore · billing"]);
  });

  test("keys walk through the rows as they are drawn; one whose parent is gone stands for itself", async () => {
    const screen = await renderScreen({ state: { agents: nested } });
    await screen.press(keys.right, keys.right, keys.right);
    expect(screen.text()).toMatch(/▸ +└ ● Explore · part d/);
    screen.unmount();
    expect(paneRows([below("x", "gone")], { width: 60, height: 3, theme, now })[0]).toContain("● Explore · part x");
  });
});

test("what streams into panes costs no frame of Ink's and only the boxes that changed; another agent costs one", async () => {
  let source: InlaySource = () => [];
  let requests = 0;
  const inlay = {
    setInlay: (next: InlaySource) => {
      source = next;
    },
    request: () => {
      requests += 1;
    },
  };
  const five = ["a", "b", "c", "d", "e"].map((id) => agent(id));
  const screen = await renderScreen({ columns: 120, rows: 40, state: { agents: five }, services: { inlay } });
  const { store } = screen.services;
  await screen.settle();
  const [frames, before] = [screen.frames(), requests];
  for (let at = 0; at < 50; at++) {
    const agents = store
      .getState()
      .agents.map((one, index) =>
        index === 0 ? { ...one, lines: [...one.lines, says(`piece ${at}`)].slice(-100) } : one,
      );
    store.setState({ agents });
    await screen.settle();
  }
  expect({ frames: screen.frames() - frames, requests: requests - before }).toEqual({ frames: 0, requests: 50 });
  expect(source()).toEqual(
    paneRows(store.getState().agents, { width: 120, height: 16, theme: screen.services.look.theme(), now }),
  );
  expect(source().join("\n")).toContain("piece 49");
  store.setState({ agents: [...store.getState().agents, agent("f")] });
  await screen.settle();
  expect(screen.frames()).toBeGreaterThan(frames);
  expect(
    screen
      .raw()
      .split("\n")
      .filter((row) => /^[\u{f0000}-\u{f00ff}]$/u.test(row)),
  ).toHaveLength(source().length);
  screen.unmount();
});

test("the room kept for panes is as high as they are", () => {
  for (const width of [30, 40, 80, 120, 200])
    for (const height of [0, 1, 2, 5, 10, 16])
      for (let count = 0; count <= 8; count++) {
        for (const parentToolUseId of [undefined, "t-n0"]) {
          const agents = Array.from({ length: count }, (_, at) => agent(`n${at}`, at === 0 ? {} : { parentToolUseId }));
          expect(paneRows(agents, { width, height, theme, now })).toHaveLength(paneHeight(agents, { width, height }));
        }
      }
});
