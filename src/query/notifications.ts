// Notices of work in the background that ended: they wait here until the model is told, with its next turn or, when
// the session is idle, with a run of their own.

/** How a task in the background ended. */
export interface TaskEnd {
  taskId: string;
  /** The call that started it. */
  toolUseId?: string;
  outputFile?: string;
  status: "completed" | "failed" | "killed";
  /** One sentence. */
  summary: string;
  /** More for the model, e.g. an agent's report. */
  result?: string;
}

const tag = (name: string, text: string): string => `<${name}>${text.replaceAll("</", "<\\/")}</${name}>`;

/** The end of a task as the model reads it (spec/memory-and-context.md section 9). */
export const taskNotification = ({ taskId, toolUseId, outputFile, status, summary, result }: TaskEnd): string =>
  [
    "<task-notification>",
    tag("task-id", taskId),
    ...(toolUseId === undefined ? [] : [tag("tool-use-id", toolUseId)]),
    ...(outputFile === undefined ? [] : [tag("output-file", outputFile)]),
    tag("status", status),
    tag("summary", summary),
    ...(result === undefined ? [] : [tag("result", result)]),
    "</task-notification>",
  ].join("\n");

export interface Notifications {
  /** Puts the end of a task in line and wakes an idle session. */
  add(end: TaskEnd): void;
  /** The same for a text that is no task's end (a hook that calls the model back). */
  addText(text: string): void;
  /** The model has learned of this task's end in another way. */
  drop(taskId: string): void;
  /** Takes all that wait, oldest first, as texts for the model. */
  take(): string[];
  isEmpty(): boolean;
  /** Ids of the tasks whose ends wait. */
  ids(): string[];
  /** Called after each `add`: the engine starts a run when nothing else goes on. */
  onAdd?: () => void;
}

/** An empty line of notices. */
export const createNotifications = (): Notifications => {
  let waiting: (TaskEnd | string)[] = [];
  const idOf = (end: TaskEnd | string): string | undefined => (typeof end === "string" ? undefined : end.taskId);
  const notifications: Notifications = {
    add: (end) => {
      waiting.push(end);
      notifications.onAdd?.();
    },
    addText: (text) => {
      waiting.push(text);
      notifications.onAdd?.();
    },
    drop: (taskId) => {
      waiting = waiting.filter((end) => idOf(end) !== taskId);
    },
    take: () => {
      const taken = waiting;
      waiting = [];
      return taken.map((end) => (typeof end === "string" ? end : taskNotification(end)));
    },
    ids: () => waiting.flatMap((end) => idOf(end) ?? []),
    isEmpty: () => waiting.length === 0,
  };
  return notifications;
};
