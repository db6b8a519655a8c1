// EnterWorktree: moves the session into a git worktree of its own, so that the main checkout stays as it is.
import { z } from "zod";
import { defineTool } from "./tool.js";

const prompt = `Makes a git worktree of this repository on a branch of its own and goes on there: the working folder moves, and calls that would change the main checkout are refused until ExitWorktree.

Use it only when the person asks for a worktree, or for work beside what lies unfinished in the main checkout. For a piece of work that an agent can do, start the agent with isolation: worktree instead. It begins with the last commit; what is not committed stays in the main checkout.`;

const input = z.object({
  name: z
    .string()
    .max(64)
    .optional()
    .describe(
      "Name of the worktree (letters, digits, . _ -); one that was left is gone on with. Made up when left out",
    ),
});

export const enterWorktree = defineTool<z.infer<typeof input>>({
  name: "EnterWorktree",
  searchHint: "git worktree isolate branch separate checkout",
  deferred: true,
  prompt,
  input: input as z.ZodType<z.infer<typeof input>>,
  title: ({ name = "" }) => name,
  validate: async (_, { worktrees }) => {
    if (!worktrees) return "Worktrees cannot be entered here.";
    return worktrees.current ? `This already works in the worktree ${worktrees.current.path}.` : undefined;
  },
  call: async ({ name }, { worktrees }) => {
    const end = await worktrees?.enter(name);
    if (!end || end.kind === "refused")
      return { content: end?.text ?? "Worktrees cannot be entered here.", isError: true };
    const { path, branch, cwd } = end;
    return {
      content: `The working folder is now ${cwd}, in the worktree ${path} on the branch ${branch}. Change files only there; ExitWorktree leads back.`,
      display: { kind: "text", text: `In the worktree ${path} (branch ${branch})`, summary: branch },
      structured: { worktreePath: path, worktreeBranch: branch, message: `Entered ${path}` },
    };
  },
});
