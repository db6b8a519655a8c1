// What the prompt says about the repository. Git is started without a shell and with everything switched off
// that would run the repository's own programs. Call only in trusted folders.
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { commonDirOf, gitDirOf } from "./git-dir.js";
import { runHarmlessGit } from "./harmless-git.js";
import type { Env } from "./paths.js";
import type { ProcessOutcome } from "./process.js";

export interface GitSnapshot {
  /** Short name; "HEAD" when detached. */
  branch: string;
  /** The branch pull requests usually go to; undefined when unknown. */
  mainBranch?: string;
  /** `git status --short`, cut to `maxStatusChars`. Empty: clean. */
  status: string;
  isStatusCut: boolean;
  /** Newest first: short hash and subject. */
  recentCommits: string[];
}

const maxStatusChars = 2000; // a snapshot for orientation; the model can ask for more
const recentCommits = 5;
const timeoutMs = 5000; // a huge repository must not hold up the first request

/** Runs git read-only in `cwd`: no hooks, fsmonitor, filters, pager, external diff, locks, prompts or network. */
export const runGit = (
  args: readonly string[],
  options: { cwd: string; env: Env; signal?: AbortSignal },
): Promise<ProcessOutcome> => runHarmlessGit(args, { ...options, timeoutMs, maxBytes: 1024 * 1024 });

const mainRefs = ["refs/remotes/origin/HEAD", "refs/heads/main", "refs/heads/master"];

/** What origin/HEAD points at, else `main` or `master`, whichever is there. */
const mainBranchOf = (refs: string): string | undefined => {
  const rows = refs
    .split("\n")
    .filter(Boolean)
    .map((row) => row.split(" "));
  const remote = rows.find(([, target]) => target)?.[1];
  return remote?.replace(/^origin\//, "") ?? rows.find(([name]) => name === "main" || name === "master")?.[0];
};

/** Folders of the repository's other checkouts, the main one first; none outside a repository. Reads files only. */
export const gitWorktrees = async (cwd: string): Promise<string[]> => {
  const gitDir = await gitDirOf(cwd);
  if (gitDir === undefined) return [];
  const common = await commonDirOf(gitDir);
  const names = await readdir(join(common, "worktrees")).catch(() => []); // none was ever made
  const linked = await Promise.all(
    names.map(async (name) => {
      const dir = join(common, "worktrees", name);
      const pointer = await readFile(join(dir, "gitdir"), "utf8").catch(() => ""); // being made or removed
      return dir === gitDir || pointer.trim() === "" ? [] : [dirname(resolve(dir, pointer.trim()))];
    }),
  );
  const main = basename(common) === ".git" && common !== gitDir ? [dirname(common)] : [];
  return [...main, ...linked.flat()];
};

/** The branch that HEAD names; undefined when it is detached or cannot be read. */
const headOf = async (gitDir: string): Promise<string | undefined> => {
  const head = await readFile(join(gitDir, "HEAD"), "utf8").catch(() => ""); // a broken repository has no branch
  return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim();
};

/** Branch, status and newest commits of the repository around `cwd`; undefined outside a repository or without git. */
export const gitSnapshot = async (options: {
  cwd: string;
  env: Env;
  signal?: AbortSignal;
}): Promise<GitSnapshot | undefined> => {
  const gitDir = await gitDirOf(options.cwd); // most folders are no repository: then git is not started at all
  if (gitDir === undefined) return undefined;
  const [head, refs, status, log] = await Promise.all([
    headOf(gitDir),
    runGit(["for-each-ref", "--format=%(refname:short) %(symref:short)", ...mainRefs], options),
    runGit(["status", "--short", "--ignore-submodules=all"], options),
    runGit(["log", `--max-count=${recentCommits}`, "--no-show-signature", "--no-decorate", "--format=%h %s"], options),
  ]);
  const mainBranch = mainBranchOf(refs.stdout);
  const text = status.stdout.trimEnd();
  return {
    branch: head ?? "HEAD",
    ...(mainBranch ? { mainBranch } : {}),
    status: text.slice(0, maxStatusChars),
    isStatusCut: text.length > maxStatusChars || status.truncated || status.timedOut,
    recentCommits: log.stdout.split("\n").filter(Boolean),
  };
};

/** Name of the current branch, undefined outside a repository. Reads files only: git is not started. */
export const gitBranch = async ({ cwd }: { cwd: string }): Promise<string | undefined> => {
  const gitDir = await gitDirOf(cwd);
  return gitDir === undefined ? undefined : headOf(gitDir);
};
