// Tasks as text for the model and as a display.
import type { Display } from "../../protocol/display.js";
import type { Task } from "../../tasks/list.js";
import type { ToolContext } from "../tool.js";

/** The whole panel as it is now. */
export const taskDisplay = async ({ tasks }: Pick<ToolContext, "tasks">): Promise<Display> => ({
  kind: "todos",
  todos: await tasks.todos(),
});

/** Ids of the tasks this one still waits for. */
export const openBlockers = (task: Task, all: readonly Task[]): string[] =>
  task.blockedBy.filter((id) => all.some((other) => other.id === id && other.status !== "completed"));

/** One line: `2 [in_progress] Fix the filter (owner x, waits for 1)`. */
export const taskLine = (task: Task, all: readonly Task[]): string => {
  const blockers = openBlockers(task, all);
  const extras = [
    ...(task.owner ? [`owner ${task.owner}`] : []),
    ...(blockers.length > 0 ? [`waits for ${blockers.join(", ")}`] : []),
  ];
  return `${task.id} [${task.status}] ${task.subject}${extras.length > 0 ? ` (${extras.join(", ")})` : ""}`;
};

/** The answer to a wrong id. */
export const unknownTask = (id: string): string => `There is no task ${id}. TaskList shows all of them.`;
