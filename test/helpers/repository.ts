// A git repository in a temporary folder, with a commit.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

export interface Repository {
  root: string;
  /** Environment for git: a home of its own. */
  env: Record<string, string | undefined>;
  git(...args: string[]): string;
  gitIn(folder: string, ...args: string[]): string;
  file(name: string, content: string): string;
  text(name: string): string;
}

/** Makes a folder a repository whose files are committed on `main`. */
export const initRepository = (root: string, env: Record<string, string | undefined>): Repository => {
  const gitIn = (folder: string, ...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.org", ...args], {
      cwd: folder,
      env: env as NodeJS.ProcessEnv,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  gitIn(root, "init", "-q", "-b", "main");
  gitIn(root, "add", "-A");
  gitIn(root, "commit", "-q", "--allow-empty", "-m", "first");
  return {
    root,
    env,
    gitIn,
    git: (...args) => gitIn(root, ...args),
    file: (name, content) => {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), content);
      return join(root, name);
    },
    text: (name) => readFileSync(join(root, name), "utf8"),
  };
};

/** A repository of its own, removed with the test. */
export const openRepository = (files: Record<string, string> = { "a.txt": "alpha\n" }): Repository => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "repository-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project = join(root, "project");
  mkdirSync(join(root, "home"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), content);
  }
  return initRepository(project, { PATH: process.env.PATH, HOME: join(root, "home"), GIT_CONFIG_NOSYSTEM: "1" });
};
