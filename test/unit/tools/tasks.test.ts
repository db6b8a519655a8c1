// Task tools and TodoWrite: texts, structured outputs, one panel.
import { afterEach, beforeEach, expect, it } from "vitest";
import { findTool } from "../../../src/tools/index.js";
import { openWorkspace, type Workspace } from "../../helpers/tool-workspace.js";

let space: Workspace;
beforeEach(() => {
  space = openWorkspace();
});
afterEach(() => space.close());

const call = (name: string, input: Record<string, unknown>) => space.run(findTool(name)!, input);

it("creates, lists, shows, updates and deletes", async () => {
  expect(await call("TaskCreate", { subject: "One", description: "first", activeForm: "Doing one" })).toEqual({
    content: "Created task 1: One",
    display: { kind: "todos", todos: [{ id: "1", subject: "One", activeForm: "Doing one", status: "pending" }] },
    structured: { task: { id: "1", subject: "One" } },
  });
  await call("TaskCreate", { subject: "Two" });
  expect(
    (await call("TaskUpdate", { taskId: "2", addBlockedBy: ["1"], owner: "me", status: "in_progress" })).content,
  ).toBe("Updated task 2: in_progress.");
  expect(await call("TaskList", {})).toMatchObject({
    content: "1 [pending] One\n2 [in_progress] Two (owner me, waits for 1)",
    structured: {
      tasks: [
        { id: "1", subject: "One", status: "pending", blockedBy: [] },
        { id: "2", subject: "Two", status: "in_progress", owner: "me", blockedBy: ["1"] },
      ],
    },
  });
  expect((await call("TaskGet", { taskId: "1" })).content).toBe(
    "Task 1: One\nStatus: pending\nDescription: first\nHolds up: 2",
  );
  await call("TaskUpdate", { taskId: "1", status: "completed" });
  expect((await call("TaskList", {})).content).toBe("1 [completed] One\n2 [in_progress] Two (owner me)");
  expect((await call("TaskUpdate", { taskId: "1", status: "deleted" })).content).toBe("Deleted task 1.");
  expect((await call("TaskList", {})).content).toBe("2 [in_progress] Two (owner me)");
});

it("refuses unknown ids and circles", async () => {
  expect(await call("TaskGet", { taskId: "7" })).toEqual({
    content: "There is no task 7. TaskList shows all of them.",
    isError: true,
  });
  expect((await call("TaskUpdate", { taskId: "7", status: "completed" })).isError).toBe(true);
  for (const subject of ["a", "b", "c"]) await call("TaskCreate", { subject });
  await call("TaskUpdate", { taskId: "1", addBlocks: ["2"] });
  await call("TaskUpdate", { taskId: "2", addBlocks: ["3"] });
  expect((await call("TaskUpdate", { taskId: "3", addBlocks: ["1"] })).content).toContain("would wait for itself");
  expect((await call("TaskUpdate", { taskId: "1", addBlockedBy: ["1"] })).isError).toBe(true);
  expect((await call("TaskUpdate", { taskId: "1", addBlockedBy: ["9"] })).content).toContain("no task 9");
});

it("TodoWrite replaces the list and feeds the same panel", async () => {
  const todos = [{ content: "A", status: "in_progress", activeForm: "Doing A" }];
  await call("TaskCreate", { subject: "One" });
  expect((await call("TodoWrite", { todos })).structured).toEqual({ oldTodos: [], newTodos: todos });
  const second = await call("TodoWrite", { todos: [{ ...todos[0], status: "completed" }] });
  expect(second.structured).toMatchObject({ oldTodos: todos });
  expect(await space.context.tasks.todos()).toEqual([
    { id: "1", subject: "One", status: "pending" },
    { id: "todo-1", subject: "A", activeForm: "Doing A", status: "completed" },
  ]);
});
