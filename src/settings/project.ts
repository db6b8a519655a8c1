// Finds the repository a folder belongs to, by reading files only: git itself is never started here.
import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";

const readText = async (path: string): Promise<string | undefined> => {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch {
    return undefined; // missing or unreadable: the caller goes without
  }
};

/** Main checkout of the linked worktree whose `.git` file is given; undefined unless both sides name each other. */
const mainCheckout = async (gitFile: string): Promise<string | undefined> => {
  const pointer = (await readText(gitFile))?.match(/^gitdir: (.+)$/m)?.[1];
  if (!pointer) return undefined;
  const gitDir = resolve(dirname(gitFile), pointer);
  const [common, back] = await Promise.all([readText(join(gitDir, "commondir")), readText(join(gitDir, "gitdir"))]);
  if (!common || !back) return undefined;
  // A forged pointer must not borrow another repository's trust: the repository has to name this worktree itself.
  const [here, named] = await Promise.all([realpath(gitFile), realpath(resolve(gitDir, back)).catch(() => "")]);
  if (here !== named) return undefined;
  const commonDir = isAbsolute(common) ? common : resolve(gitDir, common);
  return commonDir.endsWith("/.git") ? dirname(commonDir) : undefined;
};

/** The git root above `cwd` (for a linked worktree: its main checkout), or undefined outside a repository. */
export const gitRoot = async (cwd: string): Promise<string | undefined> => {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const entry = join(folder, ".git");
    const found = await stat(entry).catch(() => undefined);
    if (found?.isDirectory()) return folder;
    if (found?.isFile()) return (await mainCheckout(entry)) ?? folder;
    if (folder === dirname(folder)) return undefined;
  }
};

/** Folders whose `.mcp.json` counts, nearest first: the start folder up to the repository's root. */
export const projectFolders = async (cwd: string): Promise<string[]> => {
  const root = await gitRoot(cwd);
  const folders: string[] = [];
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    folders.push(folder);
    if (root === undefined || folder === root || folder === dirname(folder)) break;
  }
  return root !== undefined && folders.includes(root) ? folders : folders.slice(0, 1);
};
