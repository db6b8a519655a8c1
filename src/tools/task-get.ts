// TaskGet: one task with everything that is known of it.
import { z } from "zod";
import { openBlockers, unknownTask } from "./shared/task-text.js";
import { defineTool } from "./tool.js";

const input = z.object({ taskId: z.string().min(1).describe("Id of the task") });

export const taskGet = defineTool({
  name: "TaskGet",
  searchHint: "get show task details",
  prompt:
    "Shows one task with its description, dependencies and owner. Use it before beginning a task that was created earlier.",
  input,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  title: ({ taskId = "" }) => taskId,
  checkPermissions: async () => ({ reads: [], writes: [] }),
  call: async ({ taskId }, { tasks }) => {
    const task = await tasks.get(taskId);
    if (!task) return { content: unknownTask(taskId), isError: true };
    const waits = openBlockers(task, await tasks.list());
    const lines = [
      `Task ${task.id}: ${task.subject}`,
      `Status: ${task.status}`,
      ...(task.description ? [`Description: ${task.description}`] : []),
      ...(task.owner ? [`Owner: ${task.owner}`] : []),
      ...(waits.length > 0 ? [`Waits for: ${waits.join(", ")}`] : []),
      ...(task.blocks.length > 0 ? [`Holds up: ${task.blocks.join(", ")}`] : []),
      ...(task.metadata && Object.keys(task.metadata).length > 0 ? [`Metadata: ${JSON.stringify(task.metadata)}`] : []),
    ];
    return {
      content: lines.join("\n"),
      display: { kind: "text", text: lines.join("\n"), summary: task.subject },
      structured: { task },
    };
  },
});
