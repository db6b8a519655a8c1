// TodoWrite: replaces the todo list as a whole; the older form of the task tools.
import { z } from "zod";
import { taskDisplay } from "./shared/task-text.js";
import { defineTool } from "./tool.js";

const item = z.object({
  content: z.string().min(1).describe("What to do, in the imperative"),
  status: z.enum(["pending", "in_progress", "completed"]).describe("Its state"),
  activeForm: z.string().default("").describe("The same as an ongoing action"),
});
const input = z.object({ todos: z.array(item).describe("The whole list, in order; it replaces the earlier one") });
type Input = z.infer<typeof input>;

const prompt = `Replaces the todo list that the person sees while you work.

Use it for work with three or more steps. Send the whole list each time. Keep exactly one item in_progress, and mark an item completed as soon as it is done.`;

export const todoWrite = defineTool<Input>({
  name: "TodoWrite",
  searchHint: "todo list write steps plan",
  prompt,
  input: input as z.ZodType<Input>,
  deferred: true,
  title: ({ todos }) => (todos ? `${todos.length} ${todos.length === 1 ? "item" : "items"}` : ""),
  checkPermissions: async () => ({ reads: [], writes: [] }),
  call: async ({ todos }, context) => {
    const earlier = await context.tasks.replaceTodos(
      todos.map(({ content, status, activeForm }, index) => ({
        id: `todo-${index + 1}`,
        subject: content,
        status,
        ...(activeForm ? { activeForm } : {}),
      })),
    );
    return {
      content: "The todo list is up to date. Go on with the item that is in progress.",
      display: await taskDisplay(context),
      structured: {
        oldTodos: earlier.map(({ subject, status, activeForm = "" }) => ({ content: subject, status, activeForm })),
        newTodos: todos,
      },
    };
  },
});
