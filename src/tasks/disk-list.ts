// createTaskList: the task list on disk, one whole JSON file a task, in <configDir>/tasks/<id>/.
import { randomBytes } from "node:crypto";
import { link, mkdir, readdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type Todo, todo } from "../protocol/display.js";
import type { Task, TaskChange, TaskList } from "./list.js";

const taskFile = z.object({
  id: z.string(),
  subject: z.string(),
  description: z.string().default(""),
  activeForm: z.string().optional(),
  status: z.enum(["pending", "in_progress", "completed"]),
  owner: z.string().optional(),
  blocks: z.array(z.string()).default([]),
  blockedBy: z.array(z.string()).default([]),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

const lastIdFile = ".last-id"; // ids of deleted tasks are not given out again
const todosFile = "todos.json";

/**
 * A task list kept in `dir` (created with the first task). `onChange` gets what the panel should show after each change.
 * Several processes may share a folder: ids are claimed, files are replaced whole.
 */
export const createTaskList = (options: { dir: string; onChange?: (todos: Todo[]) => void }): TaskList => {
  const { dir, onChange = () => undefined } = options;
  let queue: Promise<unknown> = Promise.resolve();
  /** One change after the other, so that a change never works on what another is replacing. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work);
    queue = result.catch(() => undefined); // the caller sees the failure, the next change still runs
    return result;
  };
  const changed = async (): Promise<void> => onChange(await panel(dir));
  return {
    create: (task) =>
      inTurn(async () => {
        const created = await claim(dir, { ...task, status: "pending", blocks: [], blockedBy: [] });
        await changed();
        return created;
      }),
    get: (id) => readTask(dir, id),
    list: () => readTasks(dir),
    update: (id, change) =>
      inTurn(async () => {
        const task = await readTask(dir, id);
        if (!task) return undefined;
        const updated = change.status === "deleted" ? await remove(dir, task) : await apply(dir, task, change);
        await changed();
        return updated;
      }),
    replaceTodos: (todos) =>
      inTurn(async () => {
        const earlier = await readTodos(dir);
        await writeWhole(dir, todosFile, todos);
        await changed();
        return earlier;
      }),
    todos: () => panel(dir),
  };
};

const isId = (id: string): boolean => /^[1-9]\d{0,8}$/.test(id);

const readTask = async (dir: string, id: string): Promise<Task | undefined> => {
  if (!isId(id)) return undefined;
  try {
    return taskFile.parse(JSON.parse(await readFile(join(dir, `${id}.json`), "utf8")));
  } catch {
    return undefined; // not there, or not a task: as good as not there
  }
};

const readIds = async (dir: string): Promise<number[]> => {
  const names = await readdir(dir).catch(() => [] as string[]); // no folder yet: no tasks
  return names
    .map((name) => /^(\d+)\.json$/.exec(name)?.[1])
    .filter((id): id is string => id !== undefined && isId(id))
    .map(Number)
    .sort((a, b) => a - b);
};

const readTasks = async (dir: string): Promise<Task[]> => {
  const ids = await readIds(dir);
  const tasks = await Promise.all(ids.map((id) => readTask(dir, String(id))));
  return tasks.filter((task) => task !== undefined);
};

const temporaryName = () => `.${randomBytes(6).toString("hex")}.tmp`;

const writeWhole = async (dir: string, name: string, value: unknown): Promise<void> => {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const temporary = join(dir, temporaryName());
  await writeFile(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, join(dir, name));
};

/** Writes a new task under the next free id: `link` fails where another process was faster. */
const claim = async (dir: string, task: Omit<Task, "id">): Promise<Task> => {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const last = Number(await readFile(join(dir, lastIdFile), "utf8").catch(() => "0")) || 0;
  const temporary = join(dir, temporaryName());
  try {
    for (let id = Math.max(last, (await readIds(dir)).at(-1) ?? 0) + 1; ; id++) {
      const created: Task = { ...task, id: String(id) };
      await writeFile(temporary, `${JSON.stringify(created, null, 2)}\n`, { mode: 0o600 });
      try {
        await link(temporary, join(dir, `${id}.json`));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EEXIST") continue;
        throw error;
      }
      await writeWhole(dir, lastIdFile, id);
      return created;
    }
  } finally {
    await unlink(temporary).catch(() => undefined); // never written
  }
};

const save = async (dir: string, task: Task): Promise<void> => writeWhole(dir, `${task.id}.json`, task);

const union = (a: readonly string[], b: readonly string[] = []): string[] => [...new Set([...a, ...b])];

/** Applies a change and keeps both ends of each dependency in step. */
const apply = async (dir: string, task: Task, change: TaskChange): Promise<Task> => {
  const { status, addBlocks = [], addBlockedBy = [], metadata, ...plain } = change;
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  const updated: Task = {
    ...task,
    ...given,
    ...(status && status !== "deleted" ? { status } : {}),
    blocks: union(task.blocks, addBlocks),
    blockedBy: union(task.blockedBy, addBlockedBy),
  };
  if (metadata) {
    const merged = Object.entries({ ...task.metadata, ...metadata }).filter(([, value]) => value !== null);
    updated.metadata = Object.fromEntries(merged);
  }
  await save(dir, updated);
  for (const id of addBlocks) {
    const other = await readTask(dir, id);
    if (other) await save(dir, { ...other, blockedBy: union(other.blockedBy, [task.id]) });
  }
  for (const id of addBlockedBy) {
    const other = await readTask(dir, id);
    if (other) await save(dir, { ...other, blocks: union(other.blocks, [task.id]) });
  }
  return updated;
};

const remove = async (dir: string, task: Task): Promise<Task> => {
  await unlink(join(dir, `${task.id}.json`));
  for (const other of await readTasks(dir)) {
    if (!other.blocks.includes(task.id) && !other.blockedBy.includes(task.id)) continue;
    await save(dir, {
      ...other,
      blocks: other.blocks.filter((id) => id !== task.id),
      blockedBy: other.blockedBy.filter((id) => id !== task.id),
    });
  }
  return task;
};

const readTodos = async (dir: string): Promise<Todo[]> => {
  try {
    return z.array(todo).parse(JSON.parse(await readFile(join(dir, todosFile), "utf8")));
  } catch {
    return []; // none written yet
  }
};

/** Tasks first, then TodoWrite's todos; dependencies only while they are open. */
const panel = async (dir: string): Promise<Todo[]> => {
  const tasks = await readTasks(dir);
  const open = new Set(tasks.filter(({ status }) => status !== "completed").map(({ id }) => id));
  const rows = tasks.map((task): Todo => {
    const blockedBy = task.blockedBy.filter((id) => open.has(id));
    return {
      id: task.id,
      subject: task.subject,
      ...(task.activeForm ? { activeForm: task.activeForm } : {}),
      status: task.status,
      ...(blockedBy.length > 0 ? { blockedBy } : {}),
      ...(task.owner ? { owner: task.owner } : {}),
    };
  });
  return [...rows, ...(await readTodos(dir))];
};
