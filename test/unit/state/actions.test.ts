import { describe, expect, test } from "vitest";
import type { Engine } from "../../../src/protocol/engine.js";
import type { EngineEvent } from "../../../src/protocol/events.js";
import { createActions } from "../../../state/actions.js";
import { createAppStore } from "../../../state/store.js";
import { createFakeEngine, outcomeFor, sessionFor } from "../components/support/fake-engine.js";
import { bashQuestion } from "../components/support/samples.js";

const tick = async (): Promise<void> => {
  for (let at = 0; at < 6; at++) await new Promise((resolve) => setImmediate(resolve));
};

const setUp = async (isOpen = true) => {
  const engine = createFakeEngine();
  const store = createAppStore();
  let load: (engine: Engine) => void = () => undefined;
  const loading = new Promise<Engine>((resolve) => {
    load = resolve;
  });
  const actions = createActions({ engine: loading, store, now: () => 1_000, isBlocked: () => false });
  const opened = actions.open();
  if (isOpen) {
    load(engine);
    await opened;
  }
  const prompts = (): string[] =>
    engine.requests.flatMap((request) => (request.type === "prompt" ? [request.text] : []));
  return { engine, store, actions, prompts, load: () => load(engine), input: () => store.getState().input };
};

const message = (text: string, uuid: string): EngineEvent => ({
  type: "user_message",
  uuid,
  content: text,
  shown: text,
  isMeta: false,
  timestamp: "2026-01-01T00:00:00Z",
});

describe("prompts", () => {
  test("a prompt sent before the engine is there waits and is then sent", async () => {
    const { actions, load, prompts, input } = await setUp(false);
    actions.submit({ text: "early" });
    expect(input().queued).toEqual(["early"]);
    load();
    await tick();
    expect(prompts()).toEqual(["early"]);
    expect(input().queued).toEqual([]);
  });

  test("a prompt during a run is listed until it reaches the conversation", async () => {
    const { actions, engine, input } = await setUp();
    actions.submit({ text: "one" });
    await tick();
    const run = engine.running();
    actions.submit({ text: "two" });
    actions.submit({ text: "/cost" });
    await tick();
    expect(input().queued).toEqual(["two", "/cost"]);
    const [, , two] = engine.requests;
    run.push(message("two", two?.type === "prompt" ? (two.uuid ?? "") : ""));
    await tick();
    expect(input().queued).toEqual(["/cost"]);
    run.push({ type: "command_output", command: "cost", text: "$0", isError: false });
    await tick();
    expect(input().queued).toEqual([]);
  });

  test("what waits can be taken back, and the engine forgets it", async () => {
    const { actions, engine, input } = await setUp();
    actions.submit({ text: "one" });
    await tick();
    actions.submit({ text: "two" });
    actions.submit({ text: "three" });
    await tick();
    const uuids = engine.requests.slice(2).map((request) => (request.type === "prompt" ? request.uuid : ""));
    expect(await actions.pullQueued()).toBe("two\n\nthree");
    expect(input().queued).toEqual([]);
    expect(actions.pullQueued()).toBeNull();
    expect(engine.requests.slice(-2)).toEqual(uuids.map((uuid) => ({ type: "unqueue", uuid })));
  });

  test("what the engine has already sent is not taken back a second time", async () => {
    const { actions, engine, input } = await setUp();
    for (const text of ["one", "two", "three"]) {
      actions.submit({ text });
      await tick();
    }
    const two = engine.requests[2];
    engine.taken.add(two?.type === "prompt" ? (two.uuid ?? "") : "");
    expect(await actions.pullQueued()).toBe("three");
    expect(input().queued).toEqual(["two"]);
    expect(await actions.pullQueued()).toBeNull();
  });

  test("a command that needs no run is off the list as soon as it is done, whatever else runs", async () => {
    const { actions, engine, input } = await setUp();
    actions.submit({ text: "one" });
    await tick();
    actions.submit({ text: "/status" });
    await tick();
    expect(input().queued).toEqual(["/status"]);
    engine.running().end(outcomeFor({ isLocal: true }));
    await tick();
    expect(input().queued).toEqual([]);
  });

  test("when nothing runs any more nothing is listed", async () => {
    const { actions, engine, input } = await setUp();
    actions.submit({ text: "one" });
    await tick();
    const run = engine.running();
    actions.submit({ text: "two" });
    await tick();
    engine.running().end();
    await tick();
    expect(input().queued).toEqual(["two"]);
    run.end(outcomeFor());
    await tick();
    expect(input().queued).toEqual([]);
  });

  test("pastes are sent in full and remembered as they were seen", async () => {
    const { actions, engine, input } = await setUp();
    actions.submit({ text: "long text", shown: "[Pasted text #1 +3 lines]" });
    await tick();
    expect(engine.requests.at(-1)).toMatchObject({ text: "long text", display: "[Pasted text #1 +3 lines]" });
    expect(input().history).toEqual(["[Pasted text #1 +3 lines]"]);
  });
});

describe("other actions", () => {
  test("an answer closes the dialog at once and reaches the engine", async () => {
    const { actions, engine, store } = await setUp();
    store.setState({ questions: [bashQuestion()] });
    actions.answer("q1", { kind: "permission", outcome: "allow" });
    expect(store.getState().questions).toEqual([]);
    await tick();
    expect(engine.answers).toEqual([{ id: "q1", answer: { kind: "permission", outcome: "allow" } }]);
  });

  test("the mode walks round the session's cycle, also when the key is pressed faster than the engine answers", async () => {
    const { actions, engine, store } = await setUp();
    const modes = [1, 2, 3].map(() => {
      actions.cycleMode();
      return store.getState().mode;
    });
    expect(modes).toEqual(["acceptEdits", "plan", "default"]);
    await tick();
    expect(engine.requests.flatMap((request) => (request.type === "set_mode" ? [request.mode] : []))).toEqual(modes);
  });

  test("a mode the engine refuses is not shown for long", async () => {
    const { actions, store } = await setUp();
    store.setState({ session: sessionFor({ modeCycle: ["default", "bypassPermissions"] }) });
    actions.cycleMode();
    expect(store.getState().mode).toBe("bypassPermissions");
    await tick();
    expect(store.getState().mode).toBe("default");
  });

  test("everything is shown whole, then short again; one item alone too", async () => {
    const { actions, store } = await setUp();
    const { items } = store.getState().transcript;
    items.push({ id: "c", v: 0, kind: "command", command: "cost", text: "x", isError: false });
    items.push({ id: "u", v: 0, kind: "user", text: "hi" });
    actions.toggleExpanded();
    expect(items.map(({ expanded, v }) => ({ expanded, v })).slice(-2)).toEqual([
      { expanded: true, v: 1 },
      { expanded: undefined, v: 0 },
    ]);
    actions.toggleItem("c");
    actions.toggleItem("u");
    expect(items.at(-2)).toMatchObject({ expanded: false, v: 2 });
    expect(items.at(-1)).toMatchObject({ v: 0 });
  });

  test("a failing engine start leaves with its message and exit code 1", async () => {
    const store = createAppStore();
    const engine = Promise.reject(new Error("settings are broken"));
    await createActions({ engine, store, now: () => 0, isBlocked: () => false }).open();
    expect(store.getState().exit).toEqual({ code: 1, message: "settings are broken" });
  });

  test("leaving closes the session first", async () => {
    const { actions, engine, store } = await setUp();
    expect(store.getState().session).toEqual(sessionFor());
    actions.exit(0);
    await tick();
    expect(engine.requests.at(-1)).toEqual({ type: "close", reason: "exit" });
    expect(store.getState().exit).toEqual({ code: 0 });
  });

  test("text the engine hands back is taken once", async () => {
    const { actions, store, engine } = await setUp();
    engine.emit({ type: "restore_prompt", text: "again" });
    expect(actions.takeRestore()).toBe("again");
    expect(actions.takeRestore()).toBeNull();
    expect(store.getState().input.restore).toBeNull();
  });
});
