// Keeps .claude/settings.local.json out of commits: one line in the user's global git excludes file.
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { runGit } from "../platform/git.js";
import type { Env } from "../platform/paths.js";

const pattern = "**/.claude/settings.local.json";

/** The user's excludes file: what git is configured with, else its default place. */
const excludesFile = async (home: string, env: Env): Promise<string> => {
  const fallback = join(env.XDG_CONFIG_HOME || join(home, ".config"), "git", "ignore");
  const { exitCode, stdout } = await runGit(["config", "--global", "--type=path", "--get", "core.excludesFile"], {
    cwd: home,
    env: { ...env, HOME: home },
  });
  const file = stdout.trim();
  return exitCode === 0 && isAbsolute(file) ? file : fallback;
};

/** Adds the line unless it is there. Never throws: a missing line is no reason not to save a rule. */
export const excludeLocalSettings = async (home: string, env: Env): Promise<void> => {
  try {
    const file = await excludesFile(home, env);
    const text = await readFile(file, "utf8").catch(() => ""); // the file is made when it is missing
    if (text.split("\n").some((line) => line.trim() === pattern)) return;
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, `${text === "" || text.endsWith("\n") ? "" : "\n"}${pattern}\n`);
  } catch {
    // no git, or an excludes file we may not write: git status shows the file then, nothing worse
  }
};
