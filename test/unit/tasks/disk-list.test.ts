// The task list on real files: ids, dependencies, deletion, several writers.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Todo } from "../../../src/protocol/display.js";
import { createTaskList } from "../../../src/tasks/disk-list.js";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "tasks-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it("gives ids 1, 2, … and writes one whole file a task", async () => {
  const tasks = createTaskList({ dir: join(dir, "s") });
  await tasks.create({ subject: "one", description: "first" });
  await tasks.create({ subject: "two", description: "", activeForm: "Doing two", metadata: { a: 1 } });
  expect(JSON.parse(readFileSync(join(dir, "s", "2.json"), "utf8"))).toEqual({
    id: "2",
    subject: "two",
    description: "",
    activeForm: "Doing two",
    status: "pending",
    blocks: [],
    blockedBy: [],
    metadata: { a: 1 },
  });
  expect(readdirSync(join(dir, "s")).sort()).toEqual([".last-id", "1.json", "2.json"]);
});

it("keeps both ends of a dependency and drops it with the task", async () => {
  const tasks = createTaskList({ dir });
  for (const subject of ["a", "b", "c"]) await tasks.create({ subject, description: "" });
  await tasks.update("1", { addBlocks: ["2"] });
  await tasks.update("3", { addBlockedBy: ["2"], status: "in_progress", owner: "x" });
  expect((await tasks.get("2"))!).toMatchObject({ blockedBy: ["1"], blocks: ["3"] });
  expect(await tasks.todos()).toEqual([
    { id: "1", subject: "a", status: "pending" },
    { id: "2", subject: "b", status: "pending", blockedBy: ["1"] },
    { id: "3", subject: "c", status: "in_progress", blockedBy: ["2"], owner: "x" },
  ]);
  await tasks.update("2", { status: "deleted" });
  expect((await tasks.list()).map(({ id, blocks, blockedBy }) => ({ id, blocks, blockedBy }))).toEqual([
    { id: "1", blocks: [], blockedBy: [] },
    { id: "3", blocks: [], blockedBy: [] },
  ]);
  expect((await tasks.create({ subject: "d", description: "" })).id).toBe("4");
});

it("never gives the id of a deleted task again", async () => {
  const tasks = createTaskList({ dir });
  await tasks.create({ subject: "a", description: "" });
  await tasks.update("1", { status: "deleted" });
  expect((await tasks.create({ subject: "b", description: "" })).id).toBe("2");
});

it("a null metadata value deletes the key, an unknown id is undefined", async () => {
  const tasks = createTaskList({ dir });
  await tasks.create({ subject: "a", description: "", metadata: { keep: 1, drop: 2 } });
  expect((await tasks.update("1", { metadata: { drop: null, more: 3 } }))!.metadata).toEqual({ keep: 1, more: 3 });
  expect(await tasks.update("9", { status: "completed" })).toBeUndefined();
  expect(await tasks.get("../1")).toBeUndefined();
});

it("two lists on one folder never give the same id", async () => {
  const [a, b] = [createTaskList({ dir }), createTaskList({ dir })];
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 ? a : b).create({ subject: String(n), description: "" })),
  );
  expect(new Set(made.map(({ id }) => id)).size).toBe(20);
});

it("tells the panel after each change, tasks before todos, and skips damaged files", async () => {
  const seen: Todo[][] = [];
  const tasks = createTaskList({ dir, onChange: (todos) => seen.push(todos) });
  writeFileSync(join(dir, "1.json"), "{ torn");
  await tasks.create({ subject: "a", description: "" });
  const todos: Todo[] = [{ id: "t1", subject: "todo", status: "pending" }];
  expect(await tasks.replaceTodos(todos)).toEqual([]);
  expect(await tasks.replaceTodos([])).toEqual(todos);
  expect(seen).toEqual([
    [{ id: "2", subject: "a", status: "pending" }],
    [{ id: "2", subject: "a", status: "pending" }, ...todos],
    [{ id: "2", subject: "a", status: "pending" }],
  ]);
});
