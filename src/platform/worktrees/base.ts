// The commit a fresh worktree begins with: the newest of the remote's default branch, as far as it can be reached quickly.
import { harmlessGit } from "../harmless-git.js";
import type { Env } from "../paths.js";
import { runProcess } from "../process.js";
import { ownRepository } from "./worktree.js";

const fetchTimeoutMs = 5_000; // spec/extensions.md section 10
const timeoutMs = 5_000;

/** Protocols a fetch may use; none of them starts a program that the repository names. */
const protocols = ["https", "ssh", "file"];

/** Fetches origin's default branch and returns its commit; undefined without a remote. A remote that cannot be reached: as it was last seen. */
export const freshBase = async (cwd: string, env: Env): Promise<string | undefined> => {
  const run = (args: string[], ms: number, more: Env = {}) => {
    const git = harmlessGit(args, ownRepository(env));
    return runProcess("git", git.args, { cwd, env: { ...git.env, ...more }, timeoutMs: ms });
  };
  const head = await run(["symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"], timeoutMs);
  const ref = head.stdout.trim() || "refs/remotes/origin/main";
  const branch = ref.replace("refs/remotes/origin/", "");
  await run(
    [
      ...["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--upload-pack=git-upload-pack"],
      ...["origin", `+refs/heads/${branch}:${ref}`],
    ],
    fetchTimeoutMs,
    { GIT_SSH_COMMAND: "ssh -oBatchMode=yes", GIT_ALLOW_PROTOCOL: protocols.join(":") },
  );
  const commit = await run(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`], timeoutMs);
  return commit.exitCode === 0 ? commit.stdout.trim() : undefined;
};
