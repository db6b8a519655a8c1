// TaskStop: ends a background command and everything it started.
import { z } from "zod";
import { defineTool } from "./tool.js";

const input = z.object({
  task_id: z.string().optional().describe("Id of the background task"),
  shell_id: z.string().optional().describe("The same; an older name"),
});

export const taskStop = defineTool({
  name: "TaskStop",
  aliases: ["KillShell"],
  searchHint: "stop kill background task shell",
  prompt:
    "Stops a background command by its id, with every process it started. Use it for servers and watchers that are no longer needed.",
  input,
  title: ({ task_id, shell_id }) => task_id ?? shell_id ?? "",
  validate: async ({ task_id, shell_id }) => (task_id || shell_id ? undefined : "task_id is missing."),
  checkPermissions: async () => ({ reads: [], writes: [] }),
  call: async ({ task_id, shell_id }, { shells }) => {
    const id = task_id ?? shell_id ?? "";
    const before = shells?.get(id);
    if (!before) return { content: `There is no background task ${id}.`, isError: true };
    if (before.status !== "running")
      return { content: `Background task ${id} has already ended (${before.status}).`, isError: true };
    await shells?.stop(id);
    const message = `Stopped background task ${id}: ${before.command}`;
    return {
      content: message,
      display: { kind: "text", text: message },
      structured: { message, task_id: id, task_type: "local_bash", command: before.command },
    };
  },
});
