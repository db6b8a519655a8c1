// The task list of a session: tasks with dependencies, one JSON file each; TodoWrite's todos feed the same panel.
import type { Todo } from "../protocol/display.js";

export interface Task {
  id: string;
  subject: string;
  description: string;
  activeForm?: string;
  status: "pending" | "in_progress" | "completed";
  owner?: string;
  blocks: string[];
  blockedBy: string[];
  metadata?: Record<string, unknown>;
}

export type TaskChange = Partial<Pick<Task, "subject" | "description" | "activeForm" | "owner">> & {
  status?: Task["status"] | "deleted";
  addBlocks?: string[];
  addBlockedBy?: string[];
  /** A null value deletes the key. */
  metadata?: Record<string, unknown>;
};

export interface TaskList {
  create(task: Pick<Task, "subject" | "description" | "activeForm" | "metadata">): Promise<Task>;
  get(id: string): Promise<Task | undefined>;
  list(): Promise<Task[]>;
  /** Undefined when there is no such task. */
  update(id: string, change: TaskChange): Promise<Task | undefined>;
  /** TodoWrite: replaces the todos; returns the earlier ones. */
  replaceTodos(todos: Todo[]): Promise<Todo[]>;
  /** What the panel shows now. */
  todos(): Promise<Todo[]>;
}
