// Where a repository keeps its own files. Reads files only: git is not started.
import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** The repository's git folder above `cwd`, links of worktrees followed. Never throws. */
export const gitDirOf = async (cwd: string): Promise<string | undefined> => {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const entry = join(folder, ".git");
    const found = await stat(entry).catch(() => undefined); // not here: look above
    if (found?.isDirectory()) return entry;
    if (found?.isFile()) {
      const pointer = /^gitdir: (.+)$/m.exec(await readFile(entry, "utf8").catch(() => ""))?.[1];
      return pointer && resolve(folder, pointer.trim());
    }
    if (folder === dirname(folder)) return undefined;
  }
};

/** The folder that all checkouts of a repository share: its own, or what a worktree's `commondir` names. */
export const commonDirOf = async (gitDir: string): Promise<string> => {
  const common = await readFile(join(gitDir, "commondir"), "utf8").catch(() => ""); // only worktrees have one
  return common.trim() === "" ? gitDir : resolve(gitDir, common.trim());
};
