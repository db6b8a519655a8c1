// The register of a session's agents, and their colours.
import { expect, test } from "vitest";
import { type AgentTask, createAgentTasks } from "../../../src/agents/background.js";
import { agentColors, colorNamed, nextColor } from "../../../src/agents/colors.js";

const task = (id: string, change: Partial<AgentTask> = {}): AgentTask => ({
  id,
  toolUseId: `t${id}`,
  agentType: "Explore",
  name: "Explore",
  color: "blue",
  description: "look",
  isBackground: false,
  status: "running",
  startedAt: 1,
  toolUses: 0,
  tokens: 0,
  ...change,
});
const never = new AbortController().signal;

test("an agent is found by its id or its name, counts, and ends", () => {
  const agents = createAgentTasks();
  agents.add(task("a", { name: "scout" }), () => undefined);
  agents.count("a", { toolUses: 2 });
  agents.count("a", { tokens: 30 });
  expect(agents.get("scout")).toEqual(task("a", { name: "scout", toolUses: 2, tokens: 30 }));
  expect(agents.running()).toHaveLength(1);
  agents.end("a", "completed", "found", 9);
  expect(agents.get("a")).toMatchObject({ status: "completed", result: "found", endedAt: 9 });
  expect(agents.running()).toEqual([]);
  expect(agents.get("b")).toBeUndefined();
});

test("stopping waits until the agent has ended; others go on", async () => {
  const agents = createAgentTasks();
  agents.add(task("a"), () => queueMicrotask(() => agents.end("a", "stopped", "", 2)));
  agents.add(task("b"), () => undefined);
  expect(await agents.stop("a")).toMatchObject({ id: "a", status: "stopped" });
  expect(agents.running().map(({ id }) => id)).toEqual(["b"]);
  expect(await agents.stop("nobody")).toBeUndefined();
  expect(await agents.stop("a")).toMatchObject({ status: "stopped" });
});

test("only agents in the background are stopped together", async () => {
  const agents = createAgentTasks();
  for (const id of ["a", "b"])
    agents.add(task(id, { isBackground: id === "b" }), () => agents.end(id, "stopped", "", 2));
  await agents.stopBackground();
  expect(agents.running().map(({ id }) => id)).toEqual(["a"]);
});

test("waiting ends with the agent, with the time, or with the signal", async () => {
  const agents = createAgentTasks();
  agents.add(task("a"), () => undefined);
  expect(await agents.wait("a", 1, never)).toMatchObject({ status: "running" });
  expect(await agents.wait("a", 60_000, AbortSignal.abort())).toMatchObject({ status: "running" });
  const waiting = agents.wait("a", 60_000, never);
  agents.end("a", "failed", "why", 3);
  expect(await waiting).toMatchObject({ status: "failed", result: "why" });
});

test("each running agent has a colour of its own while there are any", () => {
  expect(colorNamed("Yellow")).toBe("yellow");
  expect(colorNamed("#10B981")).toBeUndefined();
  expect(nextColor([])).toBe("blue");
  expect(nextColor(["blue", "purple"])).toBe("green");
  expect(agentColors).toContain(nextColor([...agentColors]));
});
