import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createWorktree, nameProblem, samePlace } from "../../../src/platform/worktrees/create.js";
import { leftWorktree, noteOwner, sweepWorktrees } from "../../../src/platform/worktrees/owner.js";
import { isUnchanged, removeWorktree, type Worktree, worktreeState } from "../../../src/platform/worktrees/worktree.js";
import { openRepository, type Repository } from "../../helpers/repository.js";

const make = (repository: Repository, name: string, more: Partial<Parameters<typeof createWorktree>[0]> = {}) =>
  createWorktree({ cwd: repository.root, env: repository.env, name, baseRef: "head", ...more });

const isClean = async (worktree: Worktree, { env }: Repository) => isUnchanged(await worktreeState(worktree, env));

/** As if the process that made it had been killed. */
const orphan = (worktree: Worktree): void => {
  const file = join(worktree.adminDir, "claude-owner.json");
  const { pid } = spawnSync("true");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), pid }));
};

describe("a worktree", () => {
  it("lies below .claude/worktrees on a branch of its own, and the main checkout stays as it was", async () => {
    const repository = openRepository();
    const worktree = await make(repository, "fix-1");
    expect(worktree).toMatchObject({
      path: join(repository.root, ".claude/worktrees/fix-1"),
      branch: "worktree-fix-1",
      base: repository.git("rev-parse", "HEAD").trim(),
    });
    expect(readFileSync(join(worktree.path, "a.txt"), "utf8")).toBe("alpha\n");
    expect(repository.git("status", "--porcelain")).toBe("");
    expect(await isClean(worktree, repository)).toBe(true);
  });

  it("goes with its branch and its folders when nothing was changed", async () => {
    const repository = openRepository();
    const worktree = await make(repository, "fix-1");
    expect(await removeWorktree(worktree, repository.env)).toBeUndefined();
    expect(existsSync(join(repository.root, ".claude"))).toBe(false);
    expect(repository.git("branch", "--list").trim()).toBe("* main");
    expect(repository.git("worktree", "list").trim().split("\n")).toHaveLength(1);
  });

  it.each([
    ["a changed file", (at: string) => writeFileSync(join(at, "a.txt"), "beta\n")],
    ["an untracked file", (at: string) => writeFileSync(join(at, "new.txt"), "new\n")],
    ["a commit", (at: string, { gitIn }: Repository) => gitIn(at, "commit", "-q", "--allow-empty", "-m", "second")],
    ["another branch", (at: string, { gitIn }: Repository) => gitIn(at, "checkout", "-q", "-b", "other")],
    ["a detached HEAD", (at: string, { gitIn }: Repository) => gitIn(at, "checkout", "-q", "--detach")],
  ])("is changed by %s", async (_, change) => {
    const repository = openRepository();
    const worktree = await make(repository, "fix-1");
    change(worktree.path, repository);
    expect(await isClean(worktree, repository)).toBe(false);
  });

  it("F180 one that is not clean is not removed, whoever asks: no --force", async () => {
    const repository = openRepository({ "a.txt": "alpha\n", ".gitignore": "build/\n" });
    const worktree = await make(repository, "fix-1");
    writeFileSync(join(worktree.path, "a.txt"), "beta\n");
    writeFileSync(join(worktree.path, "new.txt"), "new\n");
    mkdirSync(join(worktree.path, "build"));
    writeFileSync(join(worktree.path, "build/out"), "x");
    expect(await worktreeState(worktree, repository.env)).toEqual({ files: 2, commits: 0, isMoved: false });
    expect(await removeWorktree(worktree, repository.env)).toContain("contains modified or untracked files");
    expect(readFileSync(join(worktree.path, "new.txt"), "utf8")).toBe("new\n");
  });

  it("keeps a branch that has moved on since, even when the folder is clean", async () => {
    const repository = openRepository();
    const worktree = await make(repository, "fix-1");
    repository.gitIn(worktree.path, "commit", "-q", "--allow-empty", "-m", "second");
    expect(await removeWorktree(worktree, repository.env)).toContain("worktree-fix-1 stays");
    expect(repository.git("branch", "--list")).toContain("worktree-fix-1");
  });

  it("starts no program of the repository: hooks, fsmonitor, external diff", async () => {
    const repository = openRepository();
    const mark = join(repository.root, "..", "ran");
    const program = repository.file("evil.sh", `#!/bin/sh\necho $0 >> ${mark}\n`);
    mkdirSync(join(repository.root, ".git/hooks"), { recursive: true });
    for (const hook of ["post-checkout", "reference-transaction"])
      symlinkSync(program, join(repository.root, ".git/hooks", hook));
    spawnSync("chmod", ["+x", program]);
    repository.git("config", "core.fsmonitor", program);
    repository.git("config", "diff.external", program);
    spawnSync("rm", ["-f", mark]); // the lines above were git, too
    const worktree = await make(repository, "fix-1");
    writeFileSync(join(worktree.path, "a.txt"), "beta\n");
    await worktreeState(worktree, repository.env);
    await removeWorktree(worktree, repository.env);
    expect(existsSync(mark)).toBe(false);
  });

  it("several at once do not get in each other's way", async () => {
    const repository = openRepository();
    const made = await Promise.all(["a", "b", "c", "d", "e"].map((name) => make(repository, name)));
    await Promise.all(made.map((worktree) => removeWorktree(worktree, repository.env)));
    expect(repository.git("worktree", "list").trim().split("\n")).toHaveLength(1);
    expect(existsSync(join(repository.root, ".claude"))).toBe(false);
  });

  it("a variable that names another repository leads nowhere", async () => {
    const repository = openRepository();
    const other = openRepository();
    const env = { ...repository.env, GIT_DIR: join(other.root, ".git"), GIT_WORK_TREE: other.root };
    const worktree = await make(repository, "fix-1", { env });
    expect(worktree.mainRoot).toBe(repository.root);
    expect(other.git("branch", "--list").trim()).toBe("* main");
  });

  it("brings ignored files that .worktreeinclude names and links folders; neither counts as a change", async () => {
    const repository = openRepository({
      "a.txt": "alpha\n",
      ".gitignore": ".env\nnode_modules/\n",
      ".worktreeinclude": ".env\n",
    });
    repository.file(".env", "KEY=1\n");
    repository.file("node_modules/x/index.js", "1\n");
    const worktree = await make(repository, "fix-1", { links: ["node_modules", "../..", "none"] });
    expect(readFileSync(join(worktree.path, ".env"), "utf8")).toBe("KEY=1\n");
    expect(readFileSync(join(worktree.path, "node_modules/x/index.js"), "utf8")).toBe("1\n");
    expect(worktree.brought).toEqual([".env", "node_modules"]);
    expect(await isClean(worktree, repository)).toBe(true);
    expect(await removeWorktree(worktree, repository.env)).toBeUndefined();
    expect(repository.text("node_modules/x/index.js")).toBe("1\n");
  });

  it("a fresh one begins at the newest commit of origin's default branch; without a remote at HEAD", async () => {
    const origin = openRepository();
    const repository = openRepository();
    repository.git("remote", "add", "origin", origin.root);
    repository.git("fetch", "-q");
    origin.git("commit", "-q", "--allow-empty", "-m", "newer");
    const fresh = await make(repository, "fix-1", { baseRef: "fresh" });
    expect(fresh.base).toBe(origin.git("rev-parse", "main").trim());
    const alone = openRepository();
    expect((await make(alone, "fix-1", { baseRef: "fresh" })).base).toBe(alone.git("rev-parse", "HEAD").trim());
  });

  it("the same folder below its top is found again", async () => {
    const repository = openRepository({ "sub/deep/a.txt": "a\n" });
    const worktree = await make(repository, "fix-1");
    expect(await samePlace(worktree, repository.root, join(repository.root, "sub/deep"))).toBe(
      join(worktree.path, "sub/deep"),
    );
    expect(await samePlace(worktree, repository.root, join(repository.root, "gone"))).toBe(worktree.path);
  });
});

describe("no worktree", () => {
  it("outside a repository, without a commit, under a name that is taken or no name", async () => {
    const repository = openRepository();
    await make(repository, "fix-1");
    await expect(make(repository, "fix-1")).rejects.toThrow("There is a worktree fix-1 already");
    await expect(make(repository, "../x")).rejects.toThrow('"../x" cannot name a worktree');
    await expect(make(repository, "fix-2", { cwd: join(repository.root, "../home") })).rejects.toThrow(
      "is not in a git repository, and a worktree needs one.",
    );
    spawnSync("git", ["init", "-q", join(repository.root, "../home")], { env: repository.env as NodeJS.ProcessEnv });
    await expect(make(repository, "fix-2", { cwd: join(repository.root, "../home") })).rejects.toThrow(
      "has no commit yet",
    );
  });

  it.each(["", ".", "..", "-x", "a/b", "a b", "a..b", "x.lock", "x.", "x".repeat(65)])("is named %j", (name) => {
    expect(nameProblem(name)).toBeDefined();
  });
  it.each(["fix-1", "A.b_c", "x".repeat(64)])("but may be named %j", (name) => {
    expect(nameProblem(name)).toBeUndefined();
  });
});

describe("what a crash leaves behind", () => {
  it("F180 clean worktrees are removed, the others stay and are told of once; those in use are not touched", async () => {
    const repository = openRepository();
    const [clean, dirty, used] = await Promise.all(["clean", "dirty", "used"].map((name) => make(repository, name)));
    writeFileSync(join(dirty!.path, "new.txt"), "work\n");
    orphan(clean!);
    orphan(dirty!);
    const first = await sweepWorktrees(repository.root, repository.env);
    expect(first.removed.map(({ name }) => name)).toEqual(["clean"]);
    expect(first.kept).toMatchObject([{ worktree: { name: "dirty" }, state: { files: 1 } }]);
    expect(await sweepWorktrees(repository.root, repository.env)).toEqual({ removed: [], kept: [] });
    expect(existsSync(used!.path)).toBe(true);
    expect(readFileSync(join(dirty!.path, "new.txt"), "utf8")).toBe("work\n");
  });

  it("a worktree that somebody made by hand is nobody's to remove", async () => {
    const repository = openRepository();
    repository.git("worktree", "add", "-q", ".claude/worktrees/mine");
    expect(await sweepWorktrees(repository.root, repository.env)).toEqual({ removed: [], kept: [] });
    expect(await leftWorktree(repository.root, "mine")).toBeUndefined();
  });

  it("can be gone on with, unless a living process uses it", async () => {
    const repository = openRepository();
    const worktree = await make(repository, "fix-1");
    const file = join(worktree.adminDir, "claude-owner.json");
    const owner = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...owner, pid: 1, startTime: "", host: "elsewhere" }));
    expect(await leftWorktree(repository.root, "fix-1")).toBe("in use");
    orphan(worktree);
    expect(await leftWorktree(repository.root, "fix-1")).toBe("in use"); // of another machine: hands off
    await noteOwner(worktree);
    orphan(worktree);
    expect(await leftWorktree(repository.root, "fix-1")).toEqual(worktree);
  });
});
