import { describe, expect, test, vi } from "vitest";
import type { Engine } from "../../../src/protocol/engine.js";
import type { EngineEvent } from "../../../src/protocol/events.js";
import { createPump } from "../../../state/pump.js";
import { createAppStore } from "../../../state/store.js";
import { createFakeEngine } from "../components/support/fake-engine.js";

const delta = (text: string, index = 0): EngineEvent => ({ type: "text", messageId: "m1", index, delta: text });
const notice = (text: string): EngineEvent => ({ type: "notice", level: "info", text });

const agentStart = (at: number): EngineEvent => ({
  type: "agent_start",
  toolUseId: `t${at}`,
  agentId: `a${at}`,
  agentType: "Explore",
  name: "Explore",
  color: "blue",
  description: "part",
  prompt: "look",
  isBackground: false,
  at: 0,
});
const agentDelta = (at: number, text: string): EngineEvent =>
  ({ ...delta(text), parentToolUseId: `t${at}` }) as EngineEvent;

const setUp = (engine: Engine, isBlocked = () => false) => {
  const store = createAppStore();
  let sets = 0;
  store.subscribe(() => {
    sets += 1;
  });
  const seen: string[] = [];
  const time = { now: 100_000 };
  const pump = createPump({
    engine: Promise.resolve(engine),
    store,
    now: () => time.now,
    isBlocked,
    onEvent: ({ type }) => void seen.push(type),
  });
  return { store, pump, seen, time, sets: () => sets, items: () => store.getState().transcript.items };
};

const scripted = (events: EngineEvent[]): Engine => ({
  ...createFakeEngine(),
  submit: async function* () {
    yield* events;
    return undefined;
  },
});

describe("the pump", () => {
  test("collects deltas and stores them before whatever comes next, in order", async () => {
    const { pump, items, sets } = setUp(scripted([delta("a"), delta("b"), delta("c"), notice("n"), delta("d", 1)]));
    await pump.run({ type: "prompt", text: "x" });
    expect(items().map((item) => "text" in item && item.text)).toEqual(["abc", "n", "d"]);
    // The first piece at once, the rest with the notice, the end.
    expect(sets()).toBe(3);
  });

  test("stores streamed text after a frame's time even when nothing else comes", () => {
    vi.useFakeTimers();
    const { pump, items } = setUp(createFakeEngine());
    pump.receive(notice("start"));
    pump.receive(delta("a"));
    expect(items()).toHaveLength(1);
    vi.advanceTimersByTime(40);
    expect(items()).toHaveLength(2);
    vi.useRealTimers();
  });

  test("holds text back while the terminal is blocked, and loses none of it", () => {
    vi.useFakeTimers();
    let blocked = true;
    const { pump, items } = setUp(createFakeEngine(), () => blocked);
    for (let at = 0; at < 1_000; at++) pump.receive(delta("x"));
    vi.advanceTimersByTime(500);
    expect(items()).toHaveLength(0);
    blocked = false;
    vi.advanceTimersByTime(40);
    expect(items()).toMatchObject([{ text: "x".repeat(1_000) }]);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  test("what five agents stream is stored ten times a second, and before whatever may depend on it", () => {
    vi.useFakeTimers();
    const { pump, store, time, sets } = setUp(createFakeEngine());
    const tick = (ms: number): void => {
      time.now += ms;
      vi.advanceTimersByTime(ms);
    };
    for (let at = 0; at < 5; at++) pump.receive(agentStart(at));
    const before = sets();
    // Five agents at 40 deltas a second each, for two seconds.
    for (let round = 0; round < 80; round++) {
      for (let at = 0; at < 5; at++) pump.receive(agentDelta(at, `${round} `));
      tick(25);
    }
    expect(sets() - before).toBeLessThanOrEqual(20);
    pump.receive(agentDelta(4, "last"));
    pump.receive(notice("main"));
    const { agents } = store.getState();
    const whole = Array.from({ length: 80 }, (_, round) => `${round} `).join("");
    expect(agents.map(({ lines }) => lines.map(({ text }) => text))).toEqual(
      agents.map((_, at) => [at === 4 ? `${whole}last` : whole]),
    );
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  test("the person's own answer does not wait for agents, nor they for it", () => {
    vi.useFakeTimers();
    const { pump, store, items } = setUp(createFakeEngine());
    pump.receive(agentStart(0));
    pump.receive(agentDelta(0, "mine"));
    pump.receive(delta("a"));
    vi.advanceTimersByTime(40);
    expect(items()).toHaveLength(1);
    expect(store.getState().agents[0]?.lines).toEqual([]);
    vi.advanceTimersByTime(80);
    expect(store.getState().agents[0]?.lines).toMatchObject([{ text: "mine" }]);
    vi.useRealTimers();
  });

  test("raw stream events neither store nor break the collecting", async () => {
    const raw: EngineEvent = { type: "stream", event: { type: "content_block_delta" } };
    const { pump, sets, seen } = setUp(scripted([delta("a"), raw, delta("b"), raw]));
    await pump.run({ type: "prompt", text: "x" });
    expect(sets()).toBe(2);
    expect(seen).toEqual(["text", "text"]);
  });

  test("a replayed session is stored in few steps", async () => {
    const events = Array.from({ length: 2_000 }, (_, at) => notice(`n${at}`));
    const { pump, sets, items } = setUp(scripted(events));
    await pump.run({ type: "open" });
    expect(items()).toHaveLength(2_000);
    expect(sets()).toBeLessThan(20);
  });

  test("reads what the engine says between runs", async () => {
    const engine = createFakeEngine();
    const { items } = setUp(engine);
    await Promise.resolve();
    engine.emit(notice("by itself"));
    expect(items()).toMatchObject([{ text: "by itself" }]);
  });

  test("a fast engine lets timers run in between", async () => {
    const engine: Engine = {
      ...createFakeEngine(),
      submit: async function* () {
        for (let at = 0; at < 200; at++) yield delta("x".repeat(100));
        return undefined;
      },
    };
    let turns = 0;
    let handle = setImmediate(function count() {
      turns += 1;
      handle = setImmediate(count);
    });
    // Each look at the clock moves it: every event counts as a millisecond of work.
    let clock = 0;
    const pump = createPump({
      engine: Promise.resolve(engine),
      store: createAppStore(),
      now: () => clock++,
      isBlocked: () => false,
      onEvent: () => undefined,
    });
    await pump.run({ type: "prompt", text: "x" });
    clearImmediate(handle);
    expect(turns).toBeGreaterThan(5);
  });
});
