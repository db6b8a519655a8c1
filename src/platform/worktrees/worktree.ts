// A git worktree of our own below `.claude/worktrees/`: made for one agent or session, and taken away only when nothing of it would be lost.
import { readdir, readFile, rmdir, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isDirectory, isInside } from "../fs.js";
import { runHarmlessGit } from "../harmless-git.js";
import type { Env } from "../paths.js";

export interface Worktree {
  /** Name of its folder. */
  name: string;
  path: string;
  branch: string;
  /** The commit it began with. */
  base: string;
  /** Top folder of the main checkout. */
  mainRoot: string;
  /** Its own folder among git's files. */
  adminDir: string;
  /** What we put there ourselves (links, copies), relative: no change of anybody's. */
  brought: string[];
}

/** What stands in a worktree beyond its first commit. */
export interface WorktreeState {
  /** Changed and untracked files; ignored ones do not count. */
  files: number;
  commits: number;
  /** Its branch or HEAD is not where we left it, in a way that the figures do not tell. */
  isMoved: boolean;
}

/** Why there can be no worktree; the text is for the model and the person. */
export class WorktreeProblem extends Error {}

const addTimeoutMs = 120_000; // a checkout of a large repository
const timeoutMs = 20_000;

/** Variables that would lead git to another repository than the one of its folder. */
const elsewhere = /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE)$/;

/** The environment without variables that name another repository. */
export const ownRepository = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !elsewhere.test(name)));

/** Git in a folder, running none of the repository's programs: no hooks, fsmonitor, filters, external diff, prompts, network. */
export const worktreeGit = async (
  args: readonly string[],
  { cwd, env, isLong = false }: { cwd: string; env: Env; isLong?: boolean },
): Promise<{ ok: boolean; stdout: string; problem: string }> => {
  const end = await runHarmlessGit(args, {
    cwd,
    env: ownRepository(env),
    timeoutMs: isLong ? addTimeoutMs : timeoutMs,
  });
  const why = end.error ? "git is not installed" : end.timedOut ? "git took too long" : end.stderr.trim();
  return { ok: end.exitCode === 0, stdout: end.stdout, problem: why };
};

/** The main checkout around a folder. Throws a WorktreeProblem outside a repository. */
export const mainCheckoutOf = async (cwd: string, env: Env): Promise<{ mainRoot: string; top: string }> => {
  const found = await worktreeGit(["rev-parse", "--path-format=absolute", "--git-common-dir", "--show-toplevel"], {
    cwd,
    env,
  });
  const [common, top] = found.stdout.trim().split("\n");
  if (!found.ok || !common || !top)
    throw new WorktreeProblem(
      /not a git repository/.test(found.problem)
        ? `${cwd} is not in a git repository, and a worktree needs one.`
        : `No worktree can be made in ${cwd}: ${found.problem || "there is no checkout"}.`,
    );
  return { mainRoot: basename(common) === ".git" ? dirname(common) : top, top };
};

export const worktreesDir = (mainRoot: string): string => join(mainRoot, ".claude", "worktrees");

/** Removes the folder of worktrees again when it is empty. */
const closeFolder = async (mainRoot: string): Promise<void> => {
  const folder = worktreesDir(mainRoot);
  const isLast = (await readdir(folder)).join() === ".gitignore";
  if (!isLast) return;
  await unlink(join(folder, ".gitignore"));
  await rmdir(folder);
  await rmdir(dirname(folder)); // only where nothing else is in `.claude`
};

/** What a worktree holds now; undefined when git cannot say, or it is gone. */
export const worktreeState = async (
  { path, branch, base, brought }: Worktree,
  env: Env,
): Promise<WorktreeState | undefined> => {
  if (!(await isDirectory(path))) return undefined;
  const ask = (...args: string[]) => worktreeGit(args, { cwd: path, env, isLong: true });
  const [status, count, head, tip] = await Promise.all([
    ask("status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignore-submodules=none", "--no-renames"),
    ask("rev-list", "--count", "HEAD", `refs/heads/${branch}`, `^${base}`),
    ask("symbolic-ref", "--quiet", "HEAD"),
    ask("rev-parse", "HEAD", `refs/heads/${branch}`),
  ]);
  if (!status.ok || !count.ok || !tip.ok) return undefined;
  const own = new Set(brought);
  const files = status.stdout
    .split("\0")
    .filter((entry) => entry !== "" && !(entry.startsWith("?? ") && own.has(entry.slice(3).replace(/\/$/, ""))));
  const isHome = head.stdout.trim() === `refs/heads/${branch}` && tip.stdout.trim() === `${base}\n${base}`;
  const commits = Number(count.stdout.trim());
  return { files: files.length, commits, isMoved: !isHome && commits === 0 };
};

export const isUnchanged = (state: WorktreeState | undefined): boolean =>
  state !== undefined && state.files === 0 && state.commits === 0 && !state.isMoved;

/**
 * Takes a worktree and its branch away. Without `isDiscarded` git itself refuses what is not clean, and the branch goes only where it
 * still is at its first commit. Returns why it could not.
 */
export const removeWorktree = async (
  worktree: Worktree,
  env: Env,
  { isDiscarded = false }: { isDiscarded?: boolean } = {},
): Promise<string | undefined> => {
  const { path, branch, base, mainRoot, brought } = worktree;
  for (const name of brought) {
    const at = join(path, name);
    if (isInside(at, path)) await unlink(at).catch(() => undefined); // gone, or a folder by now: git says so below
  }
  const force = isDiscarded ? ["--force"] : [];
  const removed = await worktreeGit(["worktree", "remove", ...force, path], { cwd: mainRoot, env, isLong: true });
  if (!removed.ok) return removed.problem;
  const old = isDiscarded ? [] : [base];
  const gone = await worktreeGit(["update-ref", "-d", `refs/heads/${branch}`, ...old], { cwd: mainRoot, env });
  await closeFolder(mainRoot).catch(() => undefined); // others are in it
  return gone.ok ? undefined : `the branch ${branch} stays: ${gone.problem}`;
};

/** Reads a small file; undefined when it is not there. */
export const readSmall = (path: string): Promise<string | undefined> => readFile(path, "utf8").catch(() => undefined); // not there
