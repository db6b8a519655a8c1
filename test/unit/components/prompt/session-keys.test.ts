// Keys that act on the session: model, thinking, agents, editor.
import { expect, test } from "vitest";
import type { AgentState } from "../../../../state/app-state.js";
import { setUpPrompt } from "../support/prompt.js";

const agent = (id: string, changes: Partial<AgentState> = {}): AgentState => ({
  id,
  toolUseId: id,
  type: "Explore",
  name: id,
  color: "red",
  description: "",
  isBackground: true,
  status: "running",
  startedAt: 0,
  turns: 0,
  toolUses: 0,
  tokens: 0,
  lines: [],
  ...changes,
});

test("ctrl+x ctrl+k stops all agents in the background at the second press, and only within three seconds", async () => {
  const agents = [agent("a"), agent("b", { status: "failed" }), agent("c", { isBackground: false }), agent("d")];
  const kit = await setUpPrompt({ agents });
  const stopped = () =>
    kit.engine.requests.flatMap((request) => (request.type === "stop_agent" ? [request.agentId] : []));
  kit.press("ctrl+x ctrl+k");
  expect(kit.app.getState().hint?.text).toBe("ctrl+x ctrl+k again stops 2 agents in the background");
  kit.time.now += 3_000;
  kit.press("ctrl+x ctrl+k");
  await kit.settle();
  expect(stopped()).toEqual([]);
  kit.press("ctrl+x ctrl+k");
  await kit.settle();
  expect(stopped()).toEqual(["a", "d"]);
});

test("without agents ctrl+x ctrl+k says so", async () => {
  const kit = await setUpPrompt();
  kit.press("ctrl+x ctrl+k");
  expect(kit.app.getState().hint?.text).toBe("no agent works in the background");
});

test("alt+t turns thinking off and on again", async () => {
  const kit = await setUpPrompt();
  kit.press("alt+t", "alt+t");
  await kit.settle();
  const saved = kit.engine.requests.flatMap((request) => (request.type === "save_settings" ? [request.members] : []));
  expect(saved).toEqual([{ alwaysThinkingEnabled: false }, { alwaysThinkingEnabled: null }]);
  expect(kit.app.getState().hint?.text).toBe("Thinking on");
});

test("alt+p opens the models, keeps the draft and stays out of the history", async () => {
  const kit = await setUpPrompt();
  kit.type("draft");
  kit.press("alt+p");
  await kit.settle();
  expect(kit.sent()).toEqual(["/model"]);
  expect(kit.shown()).toBe("draft");
  expect(kit.app.getState().input.history).toEqual([]);
});

test("ctrl+x ctrl+e opens the editor", async () => {
  const kit = await setUpPrompt();
  kit.type("text");
  kit.press("ctrl+x ctrl+e");
  await kit.settle();
  expect(kit.edits).toEqual(["text"]);
});
