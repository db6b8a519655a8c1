// TaskList: all tasks, one line each.
import { z } from "zod";
import { openBlockers, taskDisplay, taskLine } from "./shared/task-text.js";
import { defineTool } from "./tool.js";

export const taskList = defineTool({
  name: "TaskList",
  searchHint: "list all tasks todos status",
  prompt:
    "Lists all tasks with id, status, owner and what they wait for. Use it to find the next task to do: the lowest id that is pending, has no owner and waits for nothing.",
  input: z.object({}),
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  title: () => "",
  checkPermissions: async () => ({ reads: [], writes: [] }),
  call: async (_, context) => {
    const all = await context.tasks.list();
    return {
      content: all.map((task) => taskLine(task, all)).join("\n") || "There are no tasks.",
      display: await taskDisplay(context),
      structured: {
        tasks: all.map((task) => ({
          id: task.id,
          subject: task.subject,
          status: task.status,
          ...(task.owner ? { owner: task.owner } : {}),
          blockedBy: openBlockers(task, all),
        })),
      },
    };
  },
});
