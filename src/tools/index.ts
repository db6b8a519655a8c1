// The ordered list of tools. The order is part of the cached prompt prefix: append, do not reorder.
import { agent } from "./agent.js";
import { askUserQuestion } from "./ask-user-question.js";
import { type BashOptions, createBash } from "./bash/index.js";
import { edit } from "./edit/index.js";
import { enterPlanMode } from "./enter-plan-mode.js";
import { enterWorktree } from "./enter-worktree.js";
import { exitPlanMode } from "./exit-plan-mode.js";
import { exitWorktree } from "./exit-worktree.js";
import { glob } from "./glob.js";
import { grep } from "./grep/index.js";
import { monitor } from "./monitor.js";
import { notebookEdit } from "./notebook-edit/index.js";
import { read } from "./read.js";
import { taskCreate } from "./task-create.js";
import { taskGet } from "./task-get.js";
import { taskList } from "./task-list.js";
import { taskOutput } from "./task-output.js";
import { taskStop } from "./task-stop.js";
import { taskUpdate } from "./task-update.js";
import { todoWrite } from "./todo-write.js";
import type { AnyTool } from "./tool.js";
import { toolSearch } from "./tool-search/index.js";
import { createWebFetch, type WebFetchOptions } from "./web-fetch/index.js";
import { createWebSearch } from "./web-search.js";
import { write } from "./write.js";

/** Without `isReadOnlyCommand` every command counts as changing; without `hasBackground` none goes there. */
export type ToolsOptions = BashOptions & WebFetchOptions & { hasToolSearch?: boolean };

/** All tools, in their fixed order. */
export const createTools = (options: ToolsOptions = {}): readonly AnyTool[] => [
  createBash(options),
  read,
  edit,
  write,
  glob,
  grep,
  taskCreate,
  taskUpdate,
  taskGet,
  taskList,
  todoWrite,
  askUserQuestion,
  enterPlanMode,
  exitPlanMode,
  notebookEdit,
  createWebFetch(options),
  createWebSearch(),
  agent,
  enterWorktree,
  exitWorktree,
  ...(options.hasBackground ? [taskOutput, taskStop, monitor] : []),
  ...(options.hasToolSearch ? [toolSearch] : []),
];

/** All tools of a session without background commands. */
export const allTools: readonly AnyTool[] = createTools();

/** The tool of this name or alias; undefined when there is none. */
export const findTool = (name: string, tools: readonly AnyTool[] = allTools): AnyTool | undefined =>
  tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.aliases.includes(name));
