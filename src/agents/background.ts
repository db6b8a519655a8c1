// The agents of a session: who runs, who ended, and how to stop one. Foreground and background alike.
import { type AgentColor, nextColor } from "./colors.js";

export type AgentStatus = "running" | "completed" | "failed" | "stopped";

export interface AgentTask {
  id: string;
  /** The Agent call that started it. */
  toolUseId: string;
  /** The agent that started it; absent: the main thread. */
  parentId?: string;
  agentType: string;
  /** What people call it: its given name, else its type. */
  name: string;
  color: AgentColor;
  description: string;
  isBackground: boolean;
  status: AgentStatus;
  startedAt: number;
  endedAt?: number;
  toolUses: number;
  tokens: number;
  /** Where a background agent writes what it does and its report. */
  outputFile?: string;
  /** What it was doing when that was asked last. */
  summary?: string;
  /** Its report, or why it failed. */
  result?: string;
}

export interface AgentTasks {
  /** Takes a place and a colour for an agent that is being made ready: others that start meanwhile count it. */
  reserve(id: string): AgentColor;
  /** It was not started after all. */
  release(id: string): void;
  /** How many run or are being made ready. */
  atWork(): number;
  /** Enters a running agent. `stop` ends it and nothing else. */
  add(task: AgentTask, stop: () => void): void;
  /** Adds to its figures while it runs. */
  count(id: string, more: { toolUses?: number; tokens?: number }): void;
  /** Notes what it does now. */
  note(id: string, summary: string): void;
  end(id: string, status: Exclude<AgentStatus, "running">, result: string, at: number): void;
  /** By id, or by the name it was given. */
  get(idOrName: string): AgentTask | undefined;
  /** Oldest first. */
  list(): AgentTask[];
  running(): AgentTask[];
  /** Ends one and waits until it has ended. Undefined when there is none of this id. */
  stop(idOrName: string): Promise<AgentTask | undefined>;
  /** Ends those in the background and waits for them. */
  stopBackground(): Promise<void>;
  /** Waits for its end, at most `timeoutMs`. */
  wait(idOrName: string, timeoutMs: number, signal: AbortSignal): Promise<AgentTask | undefined>;
}

interface Entry {
  task: AgentTask;
  stop: () => void;
  ended: Promise<void>;
  settle: () => void;
}

/** No agents yet. */
export const createAgentTasks = (): AgentTasks => {
  const entries = new Map<string, Entry>();
  const find = (idOrName: string): Entry | undefined =>
    entries.get(idOrName) ?? [...entries.values()].findLast(({ task }) => task.name === idOrName);
  const copy = (entry: Entry | undefined): AgentTask | undefined => entry && { ...entry.task };
  const halt = (entry: Entry): Promise<void> => {
    entry.stop();
    return entry.ended;
  };
  const reserved = new Map<string, AgentColor>();
  const running = () => [...entries.values()].filter(({ task }) => task.status === "running");
  return {
    reserve: (id) => {
      const color = nextColor([...running().map(({ task }) => task.color), ...reserved.values()]);
      reserved.set(id, color);
      return color;
    },
    release: (id) => void reserved.delete(id),
    atWork: () => running().length + reserved.size,
    add: (task, stop) => {
      reserved.delete(task.id);
      let settle: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => {
        settle = resolve;
      });
      entries.set(task.id, { task: { ...task }, stop, ended, settle });
    },
    count: (id, { toolUses = 0, tokens = 0 }) => {
      const task = entries.get(id)?.task;
      if (!task) return;
      task.toolUses += toolUses;
      task.tokens += tokens;
    },
    note: (id, summary) => {
      const task = entries.get(id)?.task;
      if (task?.status === "running") task.summary = summary;
    },
    end: (id, status, result, at) => {
      const entry = entries.get(id);
      if (!entry) return;
      Object.assign(entry.task, { status, result, endedAt: at });
      entry.settle();
    },
    get: (idOrName) => copy(find(idOrName)),
    list: () => [...entries.values()].map(({ task }) => ({ ...task })),
    running: () => running().map(({ task }) => ({ ...task })),
    stop: async (idOrName) => {
      const entry = find(idOrName);
      if (entry?.task.status === "running") await halt(entry);
      return copy(entry);
    },
    stopBackground: async () => {
      const open = [...entries.values()].filter(({ task }) => task.isBackground && task.status === "running");
      await Promise.all(open.map(halt));
    },
    wait: async (idOrName, timeoutMs, signal) => {
      const entry = find(idOrName);
      if (entry?.task.status === "running") await firstOf(entry.ended, timeoutMs, signal);
      return copy(entry);
    },
  };
};

const firstOf = (ended: Promise<void>, timeoutMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, timeoutMs);
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
    void ended.then(done);
  });
