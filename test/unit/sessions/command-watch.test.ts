import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { watchLimits } from "../../../src/sessions/checkpoint-numbers.js";
import { CommandWatch } from "../../../src/sessions/command-watch.js";
import { type CheckpointKit, checkpointKit } from "../../helpers/checkpoint-kit.js";

const env = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
const git = (kit: CheckpointKit, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
    cwd: kit.folder,
    env,
    encoding: "utf8",
  });

/** A kit with a watch; `run` stands for a shell command. */
const watched = async (prepare: (kit: CheckpointKit) => void) => {
  const kit = checkpointKit();
  prepare(kit);
  const watch = new CommandWatch(Date.now);
  await kit.checkpoints.begin("p1");
  const run = async (command: () => void | Promise<void>): Promise<string[]> => {
    const end = await watch.begin([kit.folder], env);
    await command();
    const found = await end();
    await kit.checkpoints.adopt(async () => found, "Bash");
    return found.unknown.map((sentence) => sentence.replaceAll(kit.folder, "FOLDER"));
  };
  return { kit, run };
};

const repository = (kit: CheckpointKit): void => {
  kit.write("build/out.js", "made before\n");
  git(kit, "init", "-q");
  kit.write("clean.txt", "clean\n");
  kit.write("dirty.txt", "committed\n");
  kit.write("run.sh", "#!/bin/sh\n");
  chmodSync(kit.path("run.sh"), 0o755);
  kit.write(".gitignore", "build/\n");
  git(kit, "add", ".");
  git(kit, "commit", "-qm", "first");
  kit.write("dirty.txt", "changed before\n");
  kit.write("untracked.txt", "unknown to git\n");
};

/** Everything but git's own folder. */
const filesOf = (kit: CheckpointKit): Record<string, string> =>
  Object.fromEntries(Object.entries(kit.all()).filter(([name]) => !name.startsWith(".git/")));

test("in a repository what a command changed, made, removed and committed comes back exactly", async () => {
  const { kit, run } = await watched(repository);
  const before = filesOf(kit);
  const unknown = await run(() => {
    kit.write("clean.txt", "by the command\n");
    kit.write("dirty.txt", "by the command\n");
    kit.write("untracked.txt", "by the command\n");
    rmSync(kit.path("run.sh"));
    kit.write("new/made.txt", "by the command\n");
    git(kit, "add", "clean.txt", "new/made.txt");
    git(kit, "commit", "-qm", "second");
  });
  expect(unknown).toEqual([]);
  await kit.rewind("p1");
  expect(filesOf(kit)).toEqual({ ...before, new: "folder" });
});

test("files that git ignores are not watched, and stay", async () => {
  const { kit, run } = await watched(repository);
  await run(() => kit.write("build/out.js", "made again\n"));
  expect(await kit.plan("p1")).toEqual({});
});

test("a file that a command moved here is not taken for one it made", async () => {
  const { kit, run } = await watched(repository);
  await run(() => renameSync(kit.path("build/out.js"), kit.path("out.js")));
  expect(await kit.plan("p1")).toEqual({ "out.js": "lost: it was there or elsewhere before, out of git's sight" });
  await kit.rewind("p1", true);
  expect(kit.read("out.js")).toBe("made before\n");
});

test("the index and its states alone are no changes", async () => {
  const { kit, run } = await watched(repository);
  await run(() => {
    git(kit, "add", ".");
    git(kit, "reset", "-q");
    git(kit, "commit", "-qam", "second");
    git(kit, "reset", "-q", "--soft", "HEAD~1");
  });
  expect(await kit.plan("p1")).toEqual({});
});

test("a branch that a command checked out goes back file by file, git itself is not touched", async () => {
  const { kit, run } = await watched((made) => {
    repository(made);
    git(made, "checkout", "-q", "--", "dirty.txt");
    git(made, "checkout", "-qb", "other");
    made.write("clean.txt", "on the other branch\n");
    git(made, "commit", "-qam", "other");
    git(made, "checkout", "-q", "-");
  });
  const head = git(kit, "rev-parse", "other");
  await run(() => void git(kit, "checkout", "-q", "other"));
  expect(await kit.plan("p1")).toEqual({ "clean.txt": "restore" });
  await kit.rewind("p1");
  expect([kit.read("clean.txt"), git(kit, "rev-parse", "HEAD")]).toEqual(["clean\n", head]);
});

test("no program that the repository names is started by looking at it", async () => {
  const { kit, run } = await watched((made) => {
    repository(made);
    made.write("evil.sh", `#!/bin/sh\ntouch "${join(dirname(made.folder), "ran")}"\n`);
    chmodSync(made.path("evil.sh"), 0o755);
    git(made, "config", "core.fsmonitor", made.path("evil.sh"));
    git(made, "config", "core.pager", made.path("evil.sh"));
    git(made, "config", "diff.external", made.path("evil.sh"));
    git(made, "config", "core.hooksPath", made.folder);
    writeFileSync(join(made.folder, "post-index-change"), `#!/bin/sh\ntouch "${join(dirname(made.folder), "ran")}"\n`, {
      mode: 0o755,
    });
    rmSync(join(dirname(made.folder), "ran"), { force: true });
  });
  await run(() => kit.write("clean.txt", "by the command\n"));
  expect(await kit.plan("p1")).toEqual({ "clean.txt": "restore" });
  expect(existsSync(join(dirname(kit.folder), "ran"))).toBe(false);
});

test("a file that git holds in another form is named, not brought back wrong", async () => {
  const { kit, run } = await watched((made) => {
    git(made, "init", "-q");
    made.write(".gitattributes", "*.crlf eol=crlf\n");
    made.write("a.crlf", "one\r\n");
    git(made, "add", ".");
    git(made, "commit", "-qm", "first");
  });
  await run(() => kit.write("a.crlf", "two\r\n"));
  expect(await kit.plan("p1")).toEqual({
    "a.crlf": "lost: git holds it in another form (filter, encoding or line ends)",
  });
});

test("without git a small folder is watched as a whole, what is too large is named", async () => {
  const { kit, run } = await watched((made) => {
    made.write("a.txt", "one\n");
    made.write("sub/b.txt", "one\n");
    made.write("big.bin", Buffer.alloc(watchLimits.maxFileBytes + 1));
    made.write("node_modules/x/index.js", "not watched\n");
  });
  await run(() => {
    kit.write("a.txt", "two\n");
    rmSync(kit.path("sub"), { recursive: true });
    kit.write("big.bin", "small now");
    kit.write("made.txt", "made\n");
    kit.write("node_modules/x/index.js", "changed\n");
  });
  expect(await kit.plan("p1")).toEqual({
    "a.txt": "restore",
    "big.bin": "lost: larger than 1.0 MB before the command",
    "made.txt": "remove",
    "sub/b.txt": "create",
  });
  await kit.rewind("p1");
  expect([kit.read("a.txt"), kit.read("sub/b.txt"), kit.read("made.txt")]).toEqual(["one\n", "one\n", undefined]);
});

test("a folder with too many files is not watched, and that is said once for all its commands", async () => {
  const { kit, run } = await watched((made) => {
    mkdirSync(made.path("many"));
    for (let at = 0; at <= watchLimits.maxFiles; at += 1) writeFileSync(made.path(`many/${at}`), "");
  });
  const sentence = `What commands changed in FOLDER is not known: it has more than ${watchLimits.maxFiles} files and no git.`;
  expect(await run(() => undefined)).toEqual([sentence]);
  expect(await run(() => undefined)).toEqual([sentence]);
  expect(kit.checkpoints.history.checkpoints.at(-1)?.unknown).toHaveLength(1);
});

test("a change by Edit while a command runs is noted once, and goes back to before both", async () => {
  const { kit, run } = await watched(repository);
  await run(async () => {
    await kit.call("clean.txt", "by Edit\n", "Edit");
    kit.write("dirty.txt", "by the command\n");
  });
  expect(await kit.plan("p1")).toEqual({ "clean.txt": "restore", "dirty.txt": "restore" });
  await kit.rewind("p1");
  expect([kit.read("clean.txt"), kit.read("dirty.txt")]).toEqual(["clean\n", "changed before\n"]);
});
