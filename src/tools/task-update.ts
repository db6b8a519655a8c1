// TaskUpdate: changes a task's state, texts, owner or dependencies, or deletes it.
import { z } from "zod";
import type { Task } from "../tasks/list.js";
import { taskDisplay, unknownTask } from "./shared/task-text.js";
import { defineTool, type ToolContext } from "./tool.js";

const input = z.object({
  taskId: z.string().min(1).describe("Id of the task"),
  subject: z.string().min(1).optional().describe("New title"),
  description: z.string().optional().describe("New description"),
  activeForm: z.string().optional().describe("New text for while it runs"),
  status: z
    .enum(["pending", "in_progress", "completed", "deleted"])
    .optional()
    .describe("New state; deleted removes the task"),
  addBlocks: z.array(z.string()).optional().describe("Ids of tasks that cannot begin before this one is completed"),
  addBlockedBy: z
    .array(z.string())
    .optional()
    .describe("Ids of tasks that must be completed before this one can begin"),
  owner: z.string().optional().describe("Who works on it"),
  metadata: z.record(z.string(), z.unknown()).optional().describe("Facts to add; null deletes a key"),
});
type Input = z.infer<typeof input>;

const prompt = `Changes a task.

- Set in_progress before you begin a task and completed as soon as it is done, one at a time; never several at the end.
- Set completed only when it is really done: tests pass, nothing is left half-way. When something blocks it, leave it in_progress and create a task for what blocks it.
- Set deleted when a task turns out to be unnecessary.`;

export const taskUpdate = defineTool<Input>({
  name: "TaskUpdate",
  searchHint: "update change task status complete delete dependencies",
  prompt,
  input,
  title: ({ taskId = "", status }) => (status ? `${taskId} → ${status}` : taskId),
  checkPermissions: async () => ({ reads: [], writes: [] }),
  call: async ({ taskId, ...change }, context) => {
    const before = await context.tasks.get(taskId);
    if (!before) return { content: unknownTask(taskId), isError: true };
    const wrong = await wrongDependency(taskId, change, context);
    if (wrong !== undefined) return { content: wrong, isError: true };
    if (change.status === "completed" && before.status !== "completed") {
      const { subject, description } = { ...before, ...change };
      const open = await context.onTask?.("TaskCompleted", { id: taskId, subject, description });
      if (open !== undefined)
        return {
          content: `Task ${taskId} is not completed, and nothing was changed. A hook says: ${open}`,
          isError: true,
        };
    }
    await context.tasks.update(taskId, change);
    return {
      content:
        change.status === "deleted"
          ? `Deleted task ${taskId}.`
          : `Updated task ${taskId}${change.status ? `: ${change.status}` : ""}.`,
      display: await taskDisplay(context),
      structured: {
        success: true,
        taskId,
        updatedFields: Object.keys(change),
        ...(change.status ? { statusChange: { from: before.status, to: change.status } } : {}),
      },
    };
  },
});

/** A dependency on nothing, on itself or in a circle would never resolve. */
const wrongDependency = async (
  id: string,
  { addBlocks = [], addBlockedBy = [] }: Pick<Input, "addBlocks" | "addBlockedBy">,
  { tasks }: ToolContext,
): Promise<string | undefined> => {
  const named = [...addBlocks, ...addBlockedBy];
  if (named.length === 0) return undefined;
  const all = new Map((await tasks.list()).map((task) => [task.id, task]));
  const missing = named.find((other) => !all.has(other));
  if (missing !== undefined) return unknownTask(missing);
  const edges = [...addBlocks.map((other) => [id, other]), ...addBlockedBy.map((other) => [other, id])] as [
    string,
    string,
  ][];
  const loop = edges.find(([first, then]) => first === then || waitsFor(first, then, all, edges));
  return loop ? `Task ${loop[0]} would wait for itself through ${loop[1]}; nothing was changed.` : undefined;
};

/** True when `id` already waits, directly or through others, for `other`. */
const waitsFor = (
  id: string,
  other: string,
  all: ReadonlyMap<string, Task>,
  edges: readonly [string, string][],
): boolean => {
  const seen = new Set<string>();
  const open = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const before = [
      ...(all.get(at)?.blockedBy ?? []),
      ...edges.filter(([, then]) => then === at).map(([first]) => first),
    ];
    if (before.includes(other)) return true;
    open.push(...before);
  }
  return false;
};
