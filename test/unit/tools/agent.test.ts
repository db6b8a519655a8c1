// Agent: what the model and the hosts get of a subagent's end.
import { expect, test } from "vitest";
import type { SubagentOutcome, SubagentReport, SubagentRequest } from "../../../src/agents/run.js";
import { agent } from "../../../src/tools/agent.js";
import type { ToolContext } from "../../../src/tools/tool.js";

const report: SubagentReport & { status: "completed" } = {
  status: "completed",
  agentId: "a1",
  agentType: "Explore",
  model: "m",
  text: "It is in src/a.ts",
  cause: "completed",
  toolUses: 3,
  tokens: 1200,
  durationMs: 40,
  usage: { input_tokens: 1000, output_tokens: 200 },
};

const call = async (outcome: SubagentOutcome, change: Record<string, unknown> = {}) => {
  const requests: SubagentRequest[] = [];
  const context = {
    runSubagent: async (request: SubagentRequest) => {
      requests.push(request);
      return outcome;
    },
  } as unknown as ToolContext;
  const input = agent.input.parse({ description: "find it", prompt: "find x", ...change });
  return { result: await agent.call(input, context, () => undefined), requests };
};

const figures = "agentId: a1\n<usage>subagent_tokens: 1200\ntool_uses: 3\nduration_ms: 40</usage>";

test("a report comes back as its text and a second block with id and usage", async () => {
  const { result, requests } = await call(report, { subagent_type: "Explore", model: "haiku", name: "scout" });
  expect(requests).toEqual([
    { description: "find it", prompt: "find x", type: "Explore", model: "haiku", name: "scout", isBackground: false },
  ]);
  expect(result).toEqual({
    content: [
      { type: "text", text: "It is in src/a.ts" },
      { type: "text", text: figures },
    ],
    isError: false,
    display: {
      kind: "agent",
      agentId: "a1",
      agentType: "Explore",
      text: "It is in src/a.ts",
      toolUses: 3,
      tokens: 1200,
      durationMs: 40,
    },
    structured: {
      status: "completed",
      agentId: "a1",
      agentType: "Explore",
      content: [{ type: "text", text: "It is in src/a.ts" }],
      resolvedModel: "m",
      totalToolUseCount: 3,
      totalDurationMs: 40,
      totalTokens: 1200,
      usage: { input_tokens: 1000, output_tokens: 200 },
      prompt: "find x",
    },
  });
});

test.each([
  ["interrupted", "", true, "The agent was interrupted by the person."],
  ["stopped", "half", true, "The person stopped this agent. What it had so far:\n\nhalf"],
  ["max_turns", "half", false, "The agent reached its limit of turns. What it had so far:\n\nhalf"],
  ["api_error", "", true, "The agent could not finish: overloaded"],
  ["completed", "  ", false, "(The agent ended without a report.)"],
])("an agent that ended by %s says so, with what it had", async (cause, text, isError, expected) => {
  const { result } = await call({ ...report, cause, text, problem: "overloaded" });
  expect(result.isError).toBe(isError);
  expect(result.content).toEqual([
    { type: "text", text: expected },
    { type: "text", text: figures },
  ]);
});

test("one in the background names its log; general-purpose is the default", async () => {
  const outcome = {
    status: "async_launched",
    agentId: "a1",
    agentType: "x",
    model: "m",
    outputFile: "/tmp/o",
  } as const;
  const { result, requests } = await call(outcome, { run_in_background: true });
  expect(requests[0]).toMatchObject({ type: "general-purpose", isBackground: true });
  expect(result.content).toContain("/tmp/o");
  expect(result.structured).toMatchObject({ status: "async_launched", agentId: "a1", outputFile: "/tmp/o" });
});

test("a refusal is an error the model can act on", async () => {
  const { result } = await call({ status: "refused", text: "There is no agent named x." });
  expect(result).toMatchObject({ isError: true, content: "There is no agent named x." });
});

test("it runs beside other calls and touches nothing by itself", async () => {
  const input = agent.input.parse({ description: "d", prompt: "p" });
  expect(agent.isConcurrencySafe(input)).toBe(true);
  expect(await agent.checkPermissions(input, {} as ToolContext)).toEqual({ reads: [], writes: [] });
  expect(agent.title({ description: "auth flow", subagent_type: "Explore" })).toBe("Explore · auth flow");
});
