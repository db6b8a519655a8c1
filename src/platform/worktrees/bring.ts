// What a new worktree gets beside the commit: ignored files that `.worktreeinclude` names, and links to folders of the main checkout.
import { copyFile, mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileKind, isInside } from "../fs.js";
import type { Env } from "../paths.js";
import { worktreeGit } from "./worktree.js";

const maxFiles = 2_000; // it is meant for settings and keys, not for build folders

const listed = async (cwd: string, env: Env, exclude: string): Promise<string[]> => {
  const found = await worktreeGit(["ls-files", "-z", "--others", "--ignored", exclude], { cwd, env });
  return found.ok ? found.stdout.split("\0").filter(Boolean) : [];
};

/** Ignored files of the main checkout that `.worktreeinclude` (gitignore syntax) names. */
const includedFiles = async (mainRoot: string, env: Env): Promise<string[]> => {
  const file = join(mainRoot, ".worktreeinclude");
  if ((await fileKind(file)) !== "file") return [];
  const [ignored, named] = await Promise.all([
    listed(mainRoot, env, "--exclude-standard"),
    listed(mainRoot, env, `--exclude-from=${file}`),
  ]);
  const both = new Set(named);
  return ignored.filter((name) => both.has(name) && !name.startsWith(".claude/worktrees/")).slice(0, maxFiles);
};

/** Copies and links into a new worktree; returns what it put there, relative. What cannot be brought is left out. */
export const bringFiles = async (options: {
  mainRoot: string;
  path: string;
  env: Env;
  links: readonly string[];
}): Promise<string[]> => {
  const { mainRoot, path, env, links } = options;
  const brought: string[] = [];
  const bring = async (name: string, how: (from: string, to: string) => Promise<void>): Promise<void> => {
    const [from, to] = [join(mainRoot, name), join(path, name)];
    if (!isInside(from, mainRoot) || !isInside(to, path) || (await fileKind(to)) !== "missing") return;
    try {
      await mkdir(dirname(to), { recursive: true });
      await how(from, to);
      brought.push(name);
    } catch {
      // unreadable or gone meanwhile: the agent does without
    }
  };
  for (const name of await includedFiles(mainRoot, env)) await bring(name, (from, to) => copyFile(from, to));
  for (const name of links.map((link) => link.replace(/\/+$/, "")))
    if ((await fileKind(join(mainRoot, name))) === "directory")
      await bring(name, (from, to) => symlink(from, to, "dir"));
  return brought;
};
