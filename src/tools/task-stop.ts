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
    "Stops a background command by its id, with every process it started, or an agent in the background. Use it for servers and watchers that are no longer needed.",
  input,
  title: ({ task_id, shell_id }) => task_id ?? shell_id ?? "",
  validate: async ({ task_id, shell_id }) => (task_id || shell_id ? undefined : "task_id is missing."),
  checkPermissions: async () => ({ reads: [], writes: [] }),
  call: async ({ task_id, shell_id }, { shells, agents }) => {
    const id = task_id ?? shell_id ?? "";
    const agent = agents?.get(id);
    if (agent?.isBackground) {
      if (agent.status !== "running")
        return { content: `Agent ${id} has already ended (${agent.status}).`, isError: true };
      await agents?.stop(id);
      const message = `Stopped agent ${id}: ${agent.description}`;
      return {
        content: message,
        display: { kind: "text", text: message },
        structured: { message, task_id: id, task_type: "local_agent" },
      };
    }
    const before = shells?.get(id);
    if (!before) return { content: `There is no background task ${id}.`, isError: true };
    if (before.status !== "running")
      return { content: `Background task ${id} has already ended (${before.status}).`, isError: true };
    await shells?.stop(id);
    const message = `Stopped background task ${id}: ${before.command}`;
    return {
      content: message,
      display: { kind: "text", text: message },
      structured: {
        message,
        task_id: id,
        task_type: before.monitor ? "monitor" : "local_bash",
        command: before.command,
      },
    };
  },
});
