// Rewinds in processes that are killed, on disks that are full, and by users who may not read: real ones.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { rewindProcess } from "../../helpers/rewind-process.js";
import { tempDir } from "../../helpers/transcript-kit.js";

const old = "old ".repeat(50_000);
const changed = "new ".repeat(50_000);
const names = ["a", "b", "c"] as const; // c is made by the change

const isLong = process.env.LONG === "1";
const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

const prepared = (): { root: string; read: () => (string | undefined)[] } => {
  const root = realpathSync(tempDir());
  mkdirSync(join(root, "project"));
  for (const name of ["a", "b"]) writeFileSync(join(root, "project", name), old);
  const read = () =>
    names.map((name) => {
      const path = join(root, "project", name);
      const text = existsSync(path) ? readFileSync(path, "utf8") : undefined;
      return text === old ? "old" : text === changed ? "new" : text === undefined ? "none" : `torn (${text.length})`;
    });
  return { root, read };
};

/** Lines of a whole run: the checkpoint or the start, then two for each file, and for a rewind its end. */
const changeLines = 1 + 2 * names.length;
const rewindLines = 2 + 2 * names.length + 1;

test("a kill at any line of a rewind leaves every file whole; the next process knows and can finish", async () => {
  for (const killAt of isLong ? upTo(1, rewindLines) : [1, 3, 4, rewindLines]) {
    const { root, read } = prepared();
    expect((await rewindProcess(root, "change")).said?.lines).toBe(changeLines);
    expect(read()).toEqual(["new", "new", "new"]);
    const killed = await rewindProcess(root, "rewind", { killAt, turns: killAt === rewindLines ? 0 : killAt % 4 });
    expect([killed.signal, killed.said]).toEqual(["SIGKILL", undefined]);
    for (const [at, state] of read().entries()) expect(["new", at === 2 ? "none" : "old"]).toContain(state);
    const lines = readFileSync(join(root, "lines.jsonl"), "utf8");
    const isCut = lines.includes('"state":"started"') && !lines.includes('"state":"done"');
    const next = await rewindProcess(root, "rewind");
    expect([killAt, next.said?.interrupted]).toEqual([killAt, isCut]);
    expect([next.said?.problems, next.said?.after]).toEqual([[], false]);
    expect(read()).toEqual(["old", "old", "none"]);
  }
}, 60_000);

test("a kill between keeping a file and changing it, or before the change is noted, can be gone back from", async () => {
  for (const killAt of isLong ? upTo(2, changeLines) : [2, 5]) {
    const { root, read } = prepared();
    const { signal } = await rewindProcess(root, "change", { killAt, turns: killAt % 2 });
    expect(signal).toBe("SIGKILL");
    const { said } = await rewindProcess(root, "rewind");
    expect([said?.interrupted, said?.problems]).toEqual([false, []]);
    expect(read()).toEqual(["old", "old", "none"]);
  }
}, 60_000);

const isRoot = process.getuid?.() === 0;

const run = (program: string, ...args: string[]) => void execFileSync(program, args, { stdio: "pipe" });

/** Mounts a disk of this size; false where that is not allowed. */
const mountSmall = (path: string, size: string): boolean => {
  try {
    run("mount", "-t", "tmpfs", "-o", `size=${size}`, "none", path);
  } catch {
    return false;
  }
  onTestFinished(() => run("umount", path));
  return true;
};

test("a full disk under the kept files: the change goes on and is named as one that cannot come back", async ({
  skip,
}) => {
  const { root, read } = prepared();
  mkdirSync(join(root, "kept"));
  // Room for one of the two contents.
  skip(!isRoot || !mountSmall(join(root, "kept"), "300k"), "a small disk can be mounted by root only");
  const { said } = await rewindProcess(root, "change");
  expect(said?.lost).toEqual(["the disk is full"]);
  expect(readdirSync(join(root, "kept")).filter((name) => name.startsWith("."))).toEqual([]);
  const { said: back } = await rewindProcess(root, "rewind");
  expect(back?.plan).toEqual({ a: "restore", b: "lost: the disk is full", c: "remove" });
  // What would be overwritten cannot be kept either, so nothing is.
  expect(new Set(back?.problems)).toEqual(new Set(["its present state could not be kept first: the disk is full"]));
  expect(read()).toEqual(["new", "new", "new"]);
});

test("a full disk under the files themselves: what does not fit stays as it was, whole, and is told", async ({
  skip,
}) => {
  const { root, read } = prepared();
  const disk = join(root, "project");
  await rewindProcess(root, "change");
  const files = names.map((name) => [name, readFileSync(join(disk, name))] as const);
  skip(!isRoot || !mountSmall(disk, "700k"), "a small disk can be mounted by root only");
  for (const [name, bytes] of files) writeFileSync(join(disk, name), bytes);
  const { said } = await rewindProcess(root, "rewind");
  expect(said?.problems).toEqual(["it could not be written (ENOSPC)", "it could not be written (ENOSPC)"]);
  expect(read()).toEqual(["new", "new", "none"]);
  expect(readdirSync(disk).sort()).toEqual(["a", "b"]); // no draft is left
  expect((await rewindProcess(root, "rewind")).said?.problems).toEqual([]); // the removal of c made room
  expect(read()).toEqual(["old", "old", "none"]);
});

test("files that this user may not read are named, and nothing of them changes", async ({ skip }) => {
  const { root, read } = prepared();
  const nobody = 65534;
  for (const path of [root, join(root, "project")]) chmodSync(path, 0o755);
  if (isRoot) {
    chownSync(root, nobody, nobody);
    chownSync(join(root, "project"), nobody, nobody);
    chownSync(join(root, "project", "a"), nobody, nobody);
    chmodSync(join(root, "project", "b"), 0o600);
  } else chmodSync(join(root, "project", "b"), 0o200);
  const as = isRoot ? { uid: nobody } : {};
  const first = await rewindProcess(root, "change", as);
  // Everybody may look into folders of temporary files, but perhaps not to where Node or the program lie.
  skip(first.said === undefined && isRoot, `another user cannot start it: ${first.stderr.slice(0, 200)}`);
  expect(first.said?.lost).toEqual(["it may not be read"]);
  expect((await rewindProcess(root, "rewind", as)).said?.plan).toMatchObject({
    a: "restore",
    b: "lost: it may not be read",
  });
  expect([read()[0], read()[2]]).toEqual(["old", "none"]);
});
