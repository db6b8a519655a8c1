import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitWorktrees } from "../../../src/platform/git.js";
import { tempDir } from "../../helpers/transcript-kit.js";

test("the other checkouts of a repository are found from each of them, without git", async () => {
  const root = realpathSync(tempDir());
  const [main, one, two] = ["main", "one", "two"].map((name) => join(root, name)) as [string, string, string];
  mkdirSync(main);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
      cwd: main,
      env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null" },
    });
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "first");
  git("worktree", "add", "-q", one);
  git("worktree", "add", "-q", two);
  mkdirSync(join(one, "deep"));
  expect((await gitWorktrees(main)).sort()).toEqual([one, two]);
  expect(await gitWorktrees(join(one, "deep"))).toEqual([main, two]);
  expect(await gitWorktrees(root)).toEqual([]);
});
