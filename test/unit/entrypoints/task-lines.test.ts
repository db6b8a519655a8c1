// Lines for SDK hosts about background commands.
import { expect, it } from "vitest";
import { taskEndLines, taskStartedLines } from "../../../src/entrypoints/task-lines.js";
import { taskNotification } from "../../../src/query/notifications.js";

const result = {
  type: "tool_result",
  uuid: "u",
  id: "t1",
  name: "Bash",
  isError: false,
  content: "",
  durationMs: 1,
  timestamp: "",
} as const;
const message = { type: "user_message", uuid: "u", shown: "", isMeta: true, timestamp: "" } as const;

it("a command that goes on in the background is announced once", () => {
  expect(taskStartedLines({ ...result, structured: { backgroundTaskId: "b1" } }, "npm run dev")).toEqual([
    {
      type: "system",
      subtype: "task_started",
      task_id: "b1",
      tool_use_id: "t1",
      description: "npm run dev",
      task_type: "local_bash",
    },
  ]);
  expect(taskStartedLines({ ...result, structured: { stdout: "x" } }, "ls")).toEqual([]);
  expect(taskStartedLines({ ...result, structured: "Error: x" }, "ls")).toEqual([]);
});

it("each end that the model is told becomes a line; what a person typed does not", () => {
  const ends = (["completed", "killed"] as const).map((status) =>
    taskNotification({ taskId: `b-${status}`, toolUseId: "t", outputFile: "/o", status, summary: "s" }),
  );
  const content = ends.join("\n\n");
  expect(taskEndLines({ ...message, content })).toEqual(
    [
      ["b-completed", "completed"],
      ["b-killed", "stopped"],
    ].map(([task_id, status]) => ({
      type: "system",
      subtype: "task_notification",
      task_id,
      tool_use_id: "t",
      status,
      output_file: "/o",
      summary: "s",
    })),
  );
  expect(taskEndLines({ ...message, isMeta: false, content })).toEqual([]);
});
