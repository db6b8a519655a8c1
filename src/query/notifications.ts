// Notices of work in the background that ended: they wait here until the model is told, with its next turn or, when
// the session is idle, with a run of their own.

/** How a task in the background ended. */
export interface TaskEnd {
  taskId: string;
  /** The call that started it. */
  toolUseId?: string;
  outputFile?: string;
  /** running: news of a task that goes on (Monitor). */
  status: "completed" | "failed" | "killed" | "running";
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
  /** Settles with the next `add`. */
  next(): Promise<void>;
  /** Ids of the tasks whose ends wait. */
  ids(): string[];
  /** Called after each `add`: the engine starts a run when nothing else goes on. */
  onAdd?: () => void;
}

const mostNews = 5; // of one task that wait at once: a long turn must not end in a flood

const leftOutText = "[earlier messages of this monitor were left out; its output file has all]";

/** Those that wait, without the oldest news of a task that has too many; the next one says so. */
const withoutFlood = (waiting: readonly (TaskEnd | string)[], { taskId, status }: TaskEnd): (TaskEnd | string)[] => {
  const isNews = (end: TaskEnd | string): end is TaskEnd =>
    typeof end !== "string" && end.taskId === taskId && end.status === "running";
  const [oldest, second] = waiting.filter(isNews);
  if (status !== "running" || waiting.filter(isNews).length < mostNews || !oldest || !second) return [...waiting];
  const result = `${leftOutText}\n${second.result ?? ""}`;
  return waiting.filter((end) => end !== oldest).map((end) => (end === second ? { ...second, result } : end));
};

/** An empty line of notices. */
export const createNotifications = (): Notifications => {
  let waiting: (TaskEnd | string)[] = [];
  let next = Promise.withResolvers<void>();
  const idOf = (end: TaskEnd | string): string | undefined => (typeof end === "string" ? undefined : end.taskId);
  const notifications: Notifications = {
    add: (end) => {
      waiting = [...withoutFlood(waiting, end), end];
      next.resolve();
      next = Promise.withResolvers<void>();
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
    next: () => next.promise,
  };
  return notifications;
};
