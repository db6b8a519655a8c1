// Our own git calls over repositories that name programs wherever git would start them: none may run.
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitSnapshot } from "../../../src/platform/git.js";
import { runHarmlessGit } from "../../../src/platform/harmless-git.js";
import { worktreeGit } from "../../../src/platform/worktrees/worktree.js";
import { tempDir } from "../../helpers/transcript-kit.js";

/** A repository whose every file goes through the filter `name`, and a program that notes that it ran. */
const trap = (name = "evil") => {
  const root = realpathSync(tempDir());
  const repo = join(root, "repo");
  const home = join(root, "home");
  mkdirSync(repo);
  mkdirSync(home);
  const env = { PATH: process.env.PATH, HOME: home };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
      cwd: repo,
      env,
      encoding: "utf8",
      timeout: 20_000,
      stdio: "pipe",
    });
  const ran = join(root, "ran");
  const program = join(root, "program.sh");
  writeFileSync(program, `#!/bin/sh\necho "$@" >> "${ran}"\n`, { mode: 0o755 });
  git("init", "-q");
  writeFileSync(join(repo, ".gitattributes"), `*.txt filter=${name}\n`);
  writeFileSync(join(repo, "a.txt"), "one\n");
  git("add", "-A");
  git("commit", "-qm", "first");
  const section = (lines: string) => `[filter "${name}"]\n${lines}`;
  return {
    env,
    git,
    repo,
    home,
    program,
    config: join(repo, ".git", "config"),
    section,
    /** The same content under another time: git must read the file to know. */
    age: () => utimesSync(join(repo, "a.txt"), 1_000_000_000, 1_000_000_000),
    hasRun: () => {
      const has = existsSync(ran);
      rmSync(ran, { force: true });
      return has;
    },
  };
};

const clean = ["clean", "process"].map((key) => [key] as const);

test.each(clean)("a filter of the repository (%s) does not run when the folder is looked at", async (key) => {
  const { env, git, repo, program, config, section, age, hasRun } = trap();
  appendFileSync(config, section(`\t${key} = ${program} %f\n\trequired = true\n`));
  age();
  try {
    git("status", "--short");
  } catch {
    // the program is no real filter process: git gives up, but it did run
  }
  expect(hasRun()).toBe(true); // git alone starts it
  age();
  expect(await gitSnapshot({ cwd: repo, env })).toMatchObject({ status: "" });
  expect((await worktreeGit(["status", "--short"], { cwd: repo, env })).ok).toBe(true);
  expect(hasRun()).toBe(false);
});

test("neither does one of an included file, of a worktree's own configuration, or with a name that fits no -c", async () => {
  const { env, repo, program, config, section, age, hasRun } = trap("a=b.c");
  const included = join(repo, ".git", "more");
  writeFileSync(included, section(`\tclean = ${program} included\n`));
  appendFileSync(config, `[include]\n\tpath = more\n`);
  age();
  expect((await runHarmlessGit(["status", "--short"], { cwd: repo, env })).exitCode).toBe(0);
  expect(hasRun()).toBe(false);
  rmSync(included);
  appendFileSync(config, "[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tworktreeConfig = true\n");
  writeFileSync(join(repo, ".git", "config.worktree"), section(`\tclean = ${program} worktree\n`));
  age();
  expect((await runHarmlessGit(["status", "--short"], { cwd: repo, env })).exitCode).toBe(0);
  expect(hasRun()).toBe(false);
});

test("a worktree is checked out without the repository's filter and hooks", async () => {
  const { env, repo, program, config, section, hasRun } = trap();
  appendFileSync(config, section(`\tsmudge = ${program}\n\trequired = true\n`));
  writeFileSync(join(repo, ".git", "hooks", "post-checkout"), `#!/bin/sh\n${program} hook\n`, { mode: 0o755 });
  const made = await worktreeGit(["worktree", "add", "--detach", join(repo, "..", "tree")], { cwd: repo, env });
  expect([made.ok, existsSync(join(repo, "..", "tree", "a.txt"))]).toEqual([true, true]);
  expect(hasRun()).toBe(false);
});

test("a filter that the person has for all repositories stays, unless the repository changes it or names programs for it", async () => {
  const { env, repo, home, program, config, section, age, hasRun } = trap("lfs");
  writeFileSync(join(home, ".gitconfig"), section(`\tclean = ${program} mine\n`));
  const look = async () => {
    age();
    await runHarmlessGit(["status", "--short"], { cwd: repo, env });
    return hasRun();
  };
  expect(await look()).toBe(true);
  appendFileSync(config, `[lfs "extension.x"]\n\tclean = ${program} extension\n`);
  expect(await look()).toBe(false);
});

test("objects that a partial clone has left out are not fetched", async () => {
  const { env, git, repo, program, hasRun } = trap();
  const blob = git("rev-parse", "HEAD:a.txt").trim();
  git("config", "remote.origin.url", repo);
  git("config", "remote.origin.promisor", "true");
  git("config", "remote.origin.uploadpack", program);
  git("config", "protocol.file.allow", "always");
  git("config", "extensions.partialClone", "origin");
  git("config", "core.repositoryFormatVersion", "1");
  rmSync(join(repo, ".git", "objects", blob.slice(0, 2), blob.slice(2)));
  expect(() => git("cat-file", "-p", blob)).toThrow();
  expect(hasRun()).toBe(true); // git alone starts it
  await runHarmlessGit(["cat-file", "-p", blob], { cwd: repo, env });
  await runHarmlessGit(["status", "--short"], { cwd: repo, env });
  expect(hasRun()).toBe(false);
});

test("where the configuration cannot be read git is not run at all", async () => {
  const { env, repo, config } = trap();
  appendFileSync(config, "[include]\n\tpath = broken\n");
  writeFileSync(join(repo, ".git", "broken"), "[filter\n");
  const { exitCode, stderr } = await runHarmlessGit(["status", "--short"], { cwd: repo, env });
  expect([exitCode, stderr]).toEqual([null, "the repository's configuration cannot be read"]);
});
