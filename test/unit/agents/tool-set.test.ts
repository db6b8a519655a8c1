// Which tools an agent gets.
import { expect, test } from "vitest";
import { builtinAgents } from "../../../src/agents/builtin/index.js";
import { agentToolSet, type ToolSetOptions } from "../../../src/agents/tool-set.js";
import { canonicalTool } from "../../../src/settings/rule-text.js";

const offered = [
  "Bash Read Edit Write Glob Grep TaskCreate AskUserQuestion EnterPlanMode ExitPlanMode NotebookEdit Agent TaskOutput TaskStop",
  "mcp__git__log mcp__git__diff mcp__web__get",
].flatMap((line) => line.split(" "));

const setOf = (tools: string[] | undefined, change: Partial<ToolSetOptions> & { disallowedTools?: string[] } = {}) =>
  agentToolSet(
    { tools, disallowedTools: change.disallowedTools ?? [] },
    { offered, canonical: canonicalTool, isBackground: false, mayDelegate: true, ...change },
  );

const names = (...args: Parameters<typeof setOf>) => setOf(...args).names.join(" ");

test("all tools but those that speak to the person, and Agent only where agents may start others", () => {
  expect(names(undefined)).toBe(
    "Bash Read Edit Write Glob Grep TaskCreate NotebookEdit Agent TaskStop mcp__git__log mcp__git__diff mcp__web__get",
  );
  expect(names(undefined, { mayDelegate: false }).split(" ")).not.toContain("Agent");
});

test("in the background only tools that need nobody", () => {
  expect(names(undefined, { isBackground: true })).toBe(
    "Bash Read Edit Write Glob Grep NotebookEdit TaskStop mcp__git__log mcp__git__diff mcp__web__get",
  );
});

test("A25 listed tools, under any of their names; unknown ones match nothing", () => {
  expect(setOf(["Grep", "LS", "NoSuch", "Bash(git:*)", "AskUserQuestion"])).toEqual({
    names: ["Bash", "Glob", "Grep"],
    unknown: ["NoSuch"],
  });
  expect(setOf(["NoSuch"])).toEqual({ names: [], unknown: ["NoSuch"] });
});

test("A38 what is disallowed is taken off first; one with parentheses takes nothing away", () => {
  expect(names(["Read", "Write"], { disallowedTools: ["Write"] })).toBe("Read");
  expect(names(["Read", "Bash"], { disallowedTools: ["Bash(rm:*)"] })).toBe("Bash Read");
});

test("MCP tools one by one or a server at a time", () => {
  expect(names(["mcp__git"])).toBe("mcp__git__log mcp__git__diff");
  expect(names(["mcp__git__*", "mcp__web__get"])).toBe("mcp__git__log mcp__git__diff mcp__web__get");
  expect(names(["mcp__git__log"])).toBe("mcp__git__log");
});

test("the built-in agents: Explore also runs commands, Plan does not, general-purpose has all", () => {
  const sets = builtinAgents.map((agent) => [
    agent.name,
    names(agent.tools).split(" ").length > 6 ? "all" : names(agent.tools),
  ]);
  expect(sets).toEqual([
    ["general-purpose", "all"],
    ["Explore", "Bash Read Glob Grep"],
    ["Plan", "Read Glob Grep"],
  ]);
  expect(builtinAgents.filter(({ isReadOnly }) => isReadOnly).map(({ name }) => name)).toEqual(["Explore", "Plan"]);
});
