// Lists the files of a folder as they are found: what git knows of, or what ripgrep sees outside a repository.
import { spawn } from "node:child_process";
import { isAbsolute } from "node:path";
import { harmlessGit } from "./harmless-git.js";
import type { Env } from "./paths.js";
import { ripgrepPath } from "./ripgrep.js";

export interface ListOptions {
  cwd: string;
  env: Env;
  signal: AbortSignal;
  /** Gets paths relative to `cwd`, a few hundred to a few thousand at a time. */
  onPaths(paths: string[]): void;
  /** Most paths that are listed. */
  limit: number;
}

/** Reads NUL-ended names from a program's output. True: it came to its end, or the limit was reached. */
const namesOf = (command: string, args: readonly string[], options: ListOptions): Promise<boolean> =>
  new Promise((resolve) => {
    const path = (options.env.PATH ?? "/usr/bin:/bin").split(":").filter(isAbsolute).join(":");
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...options.env, PATH: path },
      stdio: ["ignore", "pipe", "ignore"],
      signal: options.signal,
    });
    let rest = "";
    let count = 0;
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (text: string) => {
      const names = (rest + text).split("\0");
      rest = names.pop() ?? "";
      const room = options.limit - count;
      count += names.length;
      options.onPaths(names.slice(0, Math.max(0, room)));
      if (count >= options.limit) child.kill("SIGKILL");
    });
    child.on("error", () => resolve(false));
    child.on("close", (code) => resolve(code === 0 || count >= options.limit));
  });

/** Lists all files below `cwd`, without what git ignores. Never rejects; without git and ripgrep nothing is listed. */
export const listFiles = async (options: ListOptions): Promise<void> => {
  const git = harmlessGit(["ls-files", "-z", "--cached", "--others", "--exclude-standard"], options.env);
  const isListed = await namesOf("git", git.args, { ...options, env: git.env });
  if (isListed || options.signal.aborted) return;
  const args = ["--no-config", "--files", "--null", "--hidden", "--glob", "!.git/"];
  await namesOf(ripgrepPath(options.env), args, options);
};
