// TaskCreate: adds a task to the session's list.
import { z } from "zod";
import { taskDisplay } from "./shared/task-text.js";
import { defineTool } from "./tool.js";

const input = z.object({
  subject: z.string().min(1).describe("Short title in the imperative, e.g. Fix the date filter"),
  description: z.string().default("").describe("What is to be done, with enough detail to do it later"),
  activeForm: z
    .string()
    .optional()
    .describe("The same as an ongoing action, shown while it runs, e.g. Fixing the date filter"),
  metadata: z.record(z.string(), z.unknown()).optional().describe("Any further facts to keep with it"),
});
type Input = z.infer<typeof input>;

const prompt = `Adds a task to the list that the person sees while you work.

Use the list for work with three or more distinct steps, when the person gives several things to do, or when they ask for one. Do not use it for a single simple step or for plain questions.
Create all tasks first, then set each to in_progress with TaskUpdate when you begin and to completed as soon as it is really done.`;

export const taskCreate = defineTool<Input>({
  name: "TaskCreate",
  searchHint: "create add task todo plan steps",
  prompt,
  input: input as z.ZodType<Input>,
  title: ({ subject = "" }) => subject,
  checkPermissions: async () => ({ reads: [], writes: [] }),
  call: async (task, context) => {
    const created = await context.tasks.create(task);
    const { id, subject, description } = created;
    const undone = await context.onTask?.("TaskCreated", { id, subject, description });
    if (undone !== undefined) {
      await context.tasks.update(id, { status: "deleted" });
      return { content: `The task was not created. A hook says: ${undone}`, isError: true };
    }
    return {
      content: `Created task ${created.id}: ${created.subject}`,
      display: await taskDisplay(context),
      structured: { task: { id: created.id, subject: created.subject } },
    };
  },
});
