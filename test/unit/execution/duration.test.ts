// How long a call took: its own time, not the time it waited.
import { expect, test } from "vitest";
import { z } from "zod";
import type { ExecutionContext, PendingCall } from "../../../src/execution/context.js";
import { resultEvent, runCall } from "../../../src/execution/run-call.js";
import { defineTool, type ToolContext } from "../../../src/tools/tool.js";

test("a call's duration counts from its own start: waiting for a person is not part of it", async () => {
  let now = 1_000;
  const tool = defineTool({
    name: "Slow",
    prompt: "slow",
    input: z.object({}),
    isReadOnly: () => false,
    isConcurrencySafe: () => false,
    checkPermissions: async () => ({ reads: [], writes: [] }),
    title: () => "",
    call: async () => {
      now += 30;
      return { content: "done" };
    },
  });
  const execution: ExecutionContext = {
    findTool: () => tool,
    toolNames: ["Slow"],
    toolContext: () => ({}) as ToolContext,
    decide: async () => ({ outcome: "ask", reasons: [], suggestions: [], checks: [] }),
    askPermission: async () => {
      now += 60_000;
      return { kind: "permission", outcome: "allow" };
    },
    applyUpdates: async () => undefined,
    onDenied: () => undefined,
    now: () => now,
  };
  const call: PendingCall = {
    block: { type: "tool_use", id: "t1", name: "Slow", input: {} },
    tool,
    input: {},
    reminders: [],
    context: { signal: new AbortController().signal, cwd: "/", resultsDir: "/nowhere" } as ToolContext,
  };
  const { result } = await runCall(call, execution, async () => undefined);
  expect(resultEvent(call, result, "u", execution)).toMatchObject({ durationMs: 30, isError: false });
});
