// Paths, plain-file checks and whole writes on real folders.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  FileProblem,
  fileKind,
  formatBytes,
  isInside,
  landingPath,
  openFile,
  problemOf,
  readBytes,
  similarNames,
} from "../../../src/platform/fs.js";
import { runProcess } from "../../../src/platform/process.js";
import { writeFileWhole } from "../../../src/platform/write-file.js";

/** Mounting a small disk needs rights that not every machine gives. */
const canMount = async (): Promise<boolean> => {
  const folder = mkdtempSync(join(tmpdir(), "mount-"));
  const { exitCode } = await runProcess("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]);
  if (exitCode === 0) await runProcess("umount", [folder]);
  rmSync(folder, { recursive: true, force: true });
  return exitCode === 0;
};

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "fs-")));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const at = (name: string) => join(dir, name);

describe("where a path lands", () => {
  it("follows links, dangling ones too, and folder links above a new file", async () => {
    mkdirSync(at("real"));
    symlinkSync("real", at("folder"));
    symlinkSync("gone", at("dangling"));
    symlinkSync("real/chain", at("one"));
    symlinkSync("../new", at("real/chain"));
    expect(await landingPath(at("folder/a/b.txt"))).toBe(at("real/a/b.txt"));
    expect(await landingPath(at("dangling"))).toBe(at("gone"));
    expect(await landingPath(at("dangling/x"))).toBe(at("gone/x"));
    expect(await landingPath(at("one"))).toBe(at("new"));
    expect(await landingPath("/")).toBe("/");
  });

  it("a circle of links is a problem, not a hang", async () => {
    symlinkSync("b", at("a"));
    symlinkSync("a", at("b"));
    await expect(landingPath(at("a"))).rejects.toMatchObject({ kind: "loop" });
  });

  it("F105 inside means whole path segments", () => {
    expect([
      isInside("/tmp/proj-secret/key", "/tmp/proj"),
      isInside("/tmp/proj/a", "/tmp/proj"),
      isInside("/tmp/proj", "/tmp/proj"),
      isInside("/x", "/"),
    ]).toEqual([false, true, true, true]);
  });
});

describe("reading", () => {
  it("names what is not a plain file", async () => {
    await runProcess("mkfifo", [at("fifo")]);
    expect([
      await fileKind(at("fifo")),
      await fileKind(dir),
      await fileKind("/dev/null"),
      await fileKind(at("no")),
      await fileKind(at("fifo/x")),
    ]).toEqual(["fifo", "directory", "device", "missing", "missing"]);
    for (const [path, kind] of [
      [at("fifo"), "fifo"],
      [dir, "directory"],
      ["/dev/zero", "device"],
      [at("no"), "missing"],
    ]) {
      await expect(openFile(path!)).rejects.toMatchObject({ name: "FileProblem", kind });
    }
  });

  it("reads exact bytes and refuses more than the limit before reading", async () => {
    writeFileSync(at("a"), Buffer.from([0, 255, 13, 10]));
    expect((await readBytes(at("a"))).bytes).toEqual(Buffer.from([0, 255, 13, 10]));
    const problem = await readBytes(at("a"), 3).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(FileProblem);
    expect((problem as FileProblem).message).toContain("too large (4 B, the limit is 3 B)");
  });

  it("suggests similar names", async () => {
    for (const name of ["README.md", "index.test.ts", "index.tsx", "other"]) writeFileSync(at(name), "");
    expect(await similarNames(at("readme.MD"))).toEqual([at("README.md")]);
    expect(await similarNames(at("index.ts"))).toEqual([at("index.tsx"), at("index.test.ts")]);
    expect(await similarNames(at("nope/x"))).toEqual([]);
  });

  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1536, "1.5 KB"],
    [12_582_912, "12 MB"],
    [1e12, "931 GB"],
  ])("%d bytes are %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe("writing", async () => {
  const isMountable = await canMount();

  it("refuses when the path leads elsewhere than the checks saw", async () => {
    writeFileSync(at("a"), "a");
    writeFileSync(at("b"), "b");
    symlinkSync("a", at("link"));
    const landing = await landingPath(at("link"));
    rmSync(at("link"));
    symlinkSync("b", at("link"));
    await expect(writeFileWhole(at("link"), Buffer.from("x"), { landing })).rejects.toThrow("leads to another file");
    expect(readFileSync(at("b"), "utf8")).toBe("b");
  });

  it("a file name as long as the system allows can be written and leaves no temporary file", async () => {
    const name = "n".repeat(255);
    expect(await writeFileWhole(at(name), Buffer.from("x"))).toMatchObject({ existed: false });
    expect(await writeFileWhole(at(name), Buffer.from("yy"))).toMatchObject({ existed: true });
    expect([readFileSync(at(name), "utf8"), readdirSync(dir)]).toEqual(["yy", [name]]);
  });

  it("new files get the usual mode, set-id bits of old ones stay", async () => {
    const usual = 0o666 & ~process.umask();
    await writeFileWhole(at("sub/new"), Buffer.from("x"));
    expect(statSync(at("sub/new")).mode & 0o7777).toBe(usual);
    chmodSync(at("sub/new"), 0o4755);
    await writeFileWhole(at("sub/new"), Buffer.from("y"));
    expect(statSync(at("sub/new")).mode & 0o7777).toBe(0o4755);
  });

  it.runIf(isMountable)("F078 on a full disk the old content survives, replaced or in place", async () => {
    mkdirSync(at("disk"));
    await runProcess("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", at("disk")]);
    try {
      writeFileSync(at("disk/a"), "old content");
      writeFileSync(at("disk/one"), "linked");
      execFileSync("ln", [at("disk/one"), at("disk/two")]);
      for (const name of ["a", "one"]) {
        await expect(writeFileWhole(at(`disk/${name}`), Buffer.alloc(200_000, 1))).rejects.toMatchObject({
          code: "ENOSPC",
        });
      }
      expect(readFileSync(at("disk/a"), "utf8")).toBe("old content");
      expect(readFileSync(at("disk/two"), "utf8")).toBe("linked");
      expect(readdirSync(at("disk")).sort()).toEqual(["a", "one", "two"]);
    } finally {
      await runProcess("umount", [at("disk")]);
    }
  });

  it("keeps the file when its folder is not there and cannot be made", async () => {
    writeFileSync(at("file"), "x");
    await expect(writeFileWhole(at("file/below"), Buffer.from("y"))).rejects.toThrow();
    expect(existsSync(at("file"))).toBe(true);
  });
});

it("a system stream without news says so", () => {
  const error = Object.assign(new Error("EAGAIN: resource temporarily unavailable, read"), { code: "EAGAIN" });
  expect(problemOf("/proc/kmsg", error).message).toBe(
    "/proc/kmsg has nothing to read now: it is a stream of the system that waits for news, not a stored file.",
  );
});
