// Makes a worktree: checks its name, chooses its first commit, lets git check it out, notes its owner, brings what it needs.
import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { isDirectory, isInside } from "../fs.js";
import type { Env } from "../paths.js";
import { freshBase } from "./base.js";
import { bringFiles } from "./bring.js";
import { noteOwner } from "./owner.js";
import { mainCheckoutOf, type Worktree, WorktreeProblem, worktreeGit, worktreesDir } from "./worktree.js";

export interface WorktreeRequest {
  /** A folder of the repository. */
  cwd: string;
  env: Env;
  name: string;
  baseRef: "fresh" | "head";
  /** Folders of the main checkout that are linked instead of missing (node_modules). */
  links?: readonly string[];
}

const segment = /^[A-Za-z0-9._-]+$/;
const longestName = 64;

/** Why a name cannot be that of a worktree. */
export const nameProblem = (name: string): string | undefined =>
  name.length <= longestName && segment.test(name) && !/^[.-]/.test(name) && !/\.\.|\.lock$|\.$/.test(name)
    ? undefined
    : `"${name}" cannot name a worktree: up to ${longestName} letters, digits, ".", "_" and "-", beginning with a letter or digit.`;

export const branchOf = (name: string): string => `worktree-${name}`;

/** The folder of worktrees, which git and searches of the main checkout pass over. */
const openFolder = async (mainRoot: string): Promise<void> => {
  const folder = worktreesDir(mainRoot);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, ".gitignore"), "*\n", { flag: "wx" }).catch(() => undefined); // there already
};

/** Makes a worktree on a branch of its own. Throws a WorktreeProblem; what was begun is taken back. */
export const createWorktree = async (request: WorktreeRequest): Promise<Worktree> => {
  const { cwd, env, name, baseRef, links = [] } = request;
  const wrong = nameProblem(name);
  if (wrong) throw new WorktreeProblem(wrong);
  const { mainRoot } = await mainCheckoutOf(cwd, env);
  const base = (baseRef === "fresh" && (await freshBase(mainRoot, env))) || (await headCommit(cwd, env));
  const path = join(worktreesDir(mainRoot), name);
  if (await isDirectory(path))
    throw new WorktreeProblem(`There is a worktree ${name} already (${path}): choose another name.`);
  const branch = branchOf(name);
  await openFolder(mainRoot);
  const added = await worktreeGit(["worktree", "add", "--quiet", "-b", branch, path, base], {
    cwd: mainRoot,
    env,
    isLong: true,
  });
  if (!added.ok) {
    await worktreeGit(["worktree", "prune"], { cwd: mainRoot, env });
    throw new WorktreeProblem(`The worktree ${name} could not be made: ${added.problem}`);
  }
  const admin = await worktreeGit(["rev-parse", "--absolute-git-dir"], { cwd: path, env });
  const worktree = { name, path, branch, base, mainRoot, adminDir: admin.stdout.trim(), brought: [] as string[] };
  await noteOwner(worktree);
  worktree.brought.push(...(await bringFiles({ mainRoot, path, env, links })));
  if (worktree.brought.length > 0) await noteOwner(worktree);
  return worktree;
};

const headCommit = async (cwd: string, env: Env): Promise<string> => {
  const head = await worktreeGit(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { cwd, env });
  if (!head.ok) throw new WorktreeProblem("The repository has no commit yet, and a worktree begins with one.");
  return head.stdout.trim();
};

/** The place in the worktree that stands for a folder of the checkout it was made from; its top where there is none. */
export const samePlace = async ({ path }: Worktree, top: string, cwd: string): Promise<string> => {
  const place = isInside(cwd, top) ? join(path, relative(top, cwd)) : path;
  return (await isDirectory(place)) ? place : path;
};
