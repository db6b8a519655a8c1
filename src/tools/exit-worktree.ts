// ExitWorktree: back to the main checkout; the worktree stays, or goes when nothing would be lost.
import { z } from "zod";
import { defineTool } from "./tool.js";

const prompt = `Leaves the git worktree that EnterWorktree made and goes back to the main checkout. Use it when the work there is done or the person asks for it; it does nothing to worktrees made in another way.

- action "keep" leaves the worktree and its branch where they are.
- action "remove" takes both away. It is refused while files are changed or commits are on the branch alone: commit and merge them first. discard_changes throws them away for good; set it only when the person has said so, and the person is asked again.`;

const input = z.object({
  action: z.enum(["keep", "remove"]).describe("What becomes of the worktree and its branch"),
  discard_changes: z.boolean().optional().describe("With remove: also what is not committed or merged, for good"),
});

export const exitWorktree = defineTool<z.infer<typeof input>>({
  name: "ExitWorktree",
  searchHint: "git worktree leave remove keep branch",
  deferred: true,
  prompt,
  input: input as z.ZodType<z.infer<typeof input>>,
  title: ({ action = "", discard_changes }) => (discard_changes ? `${action}, discarding changes` : action),
  validate: async (_, { worktrees }) => (worktrees?.current ? undefined : "There is no worktree to leave."),
  // Throwing work away always asks; what is removed otherwise is unchanged.
  checkPermissions: async ({ action, discard_changes }) =>
    action === "remove" && discard_changes ? undefined : { reads: [], writes: [] },
  call: async ({ action, discard_changes = false }, { worktrees }) => {
    const end = await worktrees?.leave(action, discard_changes);
    if (!end || end.kind === "refused")
      return { content: end?.text ?? "There is no worktree to leave.", isError: true };
    const { path, branch, cwd, isRemoved } = end;
    const what = isRemoved
      ? `The worktree ${path} and its branch are gone.`
      : `The worktree ${path} stays, branch ${branch}.`;
    return {
      content: `${what} The working folder is ${cwd} again.`,
      display: { kind: "text", text: what, summary: isRemoved ? "removed" : "kept" },
      structured: { action, worktreePath: path, worktreeBranch: branch, originalCwd: cwd, message: what },
    };
  },
});
