// The list of tools: names, aliases, schemas that the API accepts.
import { expect, it } from "vitest";
import { z } from "zod";
import { allTools, findTool } from "../../../src/tools/index.js";

it("holds the tools in their fixed order", () => {
  expect(allTools.map(({ name }) => name)).toEqual([
    "Bash",
    "Read",
    "Edit",
    "Write",
    "Glob",
    "Grep",
    "TaskCreate",
    "TaskUpdate",
    "TaskGet",
    "TaskList",
    "TodoWrite",
    "AskUserQuestion",
    "EnterPlanMode",
    "ExitPlanMode",
    "NotebookEdit",
    "WebFetch",
    "WebSearch",
    "Agent",
    "EnterWorktree",
    "ExitWorktree",
  ]);
});

it.each([
  ["read_file", "Read"],
  ["write_file", "Write"],
  ["edit_file", "Edit"],
  ["list_files", "Glob"],
  ["grep_search", "Grep"],
  ["run_shell", "Bash"],
  ["enter_plan_mode", "EnterPlanMode"],
  ["exit_plan_mode", "ExitPlanMode"],
  ["NotebookRead", "Read"],
  ["LS", "Glob"],
  ["web_fetch", "WebFetch"],
])("%s is an alias of %s", (alias, name) => {
  expect(findTool(alias)?.name).toBe(name);
});

it("knows no other names, not even those of objects", () => {
  for (const name of ["", "constructor", "__proto__", "bash"]) expect(findTool(name)).toBeUndefined();
});

it("every schema is a plain object schema in which each field is described", () => {
  for (const { name, input, prompt } of allTools) {
    const schema = z.toJSONSchema(input, { io: "input" }) as {
      type?: string;
      properties?: Record<string, { description?: string }>;
    };
    expect([name, schema.type]).toEqual([name, "object"]);
    for (const [field, { description }] of Object.entries(schema.properties ?? {}))
      expect([name, field, Boolean(description)]).toEqual([name, field, true]);
    expect(prompt.length).toBeGreaterThan(80);
  }
});
