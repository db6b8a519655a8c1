import { createHash } from "node:crypto";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keptCheckpoints } from "../../../src/sessions/checkpoint-numbers.js";
import { checkpointKit } from "../../helpers/checkpoint-kit.js";

const hash16 = (path: string): string => createHash("sha256").update(path).digest("hex").slice(0, 16);

test("a rewind puts changed, made and removed files back as they were, with their modes", async () => {
  const kit = checkpointKit();
  kit.write("a.txt", "one\n");
  kit.write("run.sh", "#!/bin/sh\n");
  chmodSync(kit.path("run.sh"), 0o750);
  kit.write("gone.txt", "still here\n");
  kit.write("latin.txt", Buffer.from([0x63, 0xe9, 0x0d, 0x0a, 0xff]));
  const before = kit.all();
  await kit.checkpoints.begin("p1");
  await kit.call("a.txt", "two\n");
  await kit.call("a.txt", "three\n");
  await kit.call("run.sh", "#!/bin/bash\n");
  await kit.call("gone.txt", null);
  await kit.call("new/deep/b.txt", "made\n");
  await kit.call("latin.txt", "now utf-8 é\n");
  expect(await kit.rewind("p1")).toEqual({
    "a.txt": "done",
    "gone.txt": "done",
    "latin.txt": "done",
    "new/deep/b.txt": "done",
    "run.sh": "done",
  });
  expect(kit.all()).toEqual(before);
});

test("F192 nothing that the session did not make is removed or overwritten", async () => {
  const kit = checkpointKit();
  kit.write("mine.txt", "mine\n");
  kit.write("both.txt", "one\n");
  await kit.checkpoints.begin("p1");
  await kit.call("both.txt", "two\n");
  await kit.call("made.txt", "made\n");
  await kit.call("dir/made.txt", "made\n");
  kit.write("data/big.bin", "from a script");
  kit.write("mine.txt", "changed in an editor\n");
  kit.write("both.txt", "changed in an editor too\n");
  kit.write("made.txt", "somebody went on with it\n");
  kit.write("dir/other.txt", "beside it\n");
  const changed = "kept: changed since, not by this session";
  expect(await kit.plan("p1")).toEqual({ "both.txt": changed, "dir/made.txt": "remove", "made.txt": changed });
  await kit.rewind("p1");
  expect(kit.all()).toEqual({
    "both.txt": "644 changed in an editor too\n",
    data: "folder",
    "data/big.bin": "644 from a script",
    dir: "folder",
    "dir/other.txt": "644 beside it\n",
    "made.txt": "644 somebody went on with it\n",
    "mine.txt": "644 changed in an editor\n",
  });
  await kit.rewind("p1", true);
  expect([kit.read("both.txt"), kit.read("made.txt")]).toEqual(["one\n", undefined]);
});

test("a change of somebody else between two of ours is a conflict, and what is overwritten all the same is kept", async () => {
  const kit = checkpointKit();
  kit.write("a.txt", "one\n");
  await kit.checkpoints.begin("p1");
  await kit.call("a.txt", "two\n");
  kit.write("a.txt", "two and mine\n");
  await kit.checkpoints.begin("p2");
  await kit.call("a.txt", "three\n");
  expect(await kit.plan("p1")).toEqual({ "a.txt": "kept: also changed by somebody else in between" });
  expect(await kit.plan("p2")).toEqual({ "a.txt": "restore" });
  await kit.rewind("p1", true);
  expect(kit.read("a.txt")).toBe("one\n");
  const rewindId = kit.checkpoints.history.checkpoints.at(-1)!.id;
  expect(await kit.rewind(rewindId)).toEqual({ "a.txt": "done" });
  expect(kit.read("a.txt")).toBe("three\n");
  await kit.rewind("p2");
  expect(kit.read("a.txt")).toBe("two and mine\n");
});

test("the lines and the places of kept contents are those that other programs read", async () => {
  const kit = checkpointKit();
  kit.write("a.txt", "one\n");
  await kit.checkpoints.begin("p1");
  await kit.call("a.txt", "two\n");
  await kit.call("new.txt", "made\n");
  await kit.checkpoints.begin("p2");
  const snapshots = kit.lines.filter(({ type }) => type === "file-history-snapshot");
  const name = `${hash16(kit.path("a.txt"))}@v`;
  expect(snapshots[0]).toEqual({
    type: "file-history-snapshot",
    messageId: "p1",
    snapshot: { messageId: "p1", trackedFileBackups: {}, timestamp: expect.any(String) },
    isSnapshotUpdate: false,
  });
  expect(snapshots[2]).toMatchObject({
    messageId: "p1",
    isSnapshotUpdate: true,
    snapshot: {
      messageId: "p1",
      trackedFileBackups: {
        [kit.path("a.txt")]: { backupFileName: `${name}1`, version: 1, backupTime: expect.any(String) },
        [kit.path("new.txt")]: { backupFileName: null, version: 1, backupTime: expect.any(String) },
      },
    },
  });
  // At the next prompt the state then is kept, for programs that go back by it.
  expect(snapshots[3]).toMatchObject({
    messageId: "p2",
    isSnapshotUpdate: false,
    snapshot: {
      trackedFileBackups: {
        [kit.path("a.txt")]: { backupFileName: `${name}2`, version: 2 },
        [kit.path("new.txt")]: { backupFileName: `${hash16(kit.path("new.txt"))}@v2`, version: 2 },
      },
    },
  });
  expect(readFileSync(join(kit.dir, `${name}1`), "utf8")).toBe("one\n");
  expect(readFileSync(join(kit.dir, `${name}2`), "utf8")).toBe("two\n");
  expect(statSync(kit.dir).mode & 0o777).toBe(0o700);
});

test("a session of another program can be rewound by its lines", async () => {
  const kit = checkpointKit();
  mkdirSync(kit.dir, { recursive: true });
  const line = (messageId: string, backups: object, isSnapshotUpdate: boolean) => ({
    type: "file-history-snapshot",
    messageId,
    snapshot: { messageId, trackedFileBackups: backups, timestamp: new Date().toISOString() },
    isSnapshotUpdate,
  });
  const kept = (backupFileName: string | null, version: number) => ({
    backupFileName,
    version,
    backupTime: "2026-01-01T00:00:00Z",
  });
  writeFileSync(join(kit.dir, "aa@v1"), "one\n");
  writeFileSync(join(kit.dir, "aa@v2"), "two\n");
  kit.write("a.txt", "three\n");
  kit.write("new.txt", "made\n");
  kit.lines.push(
    line("m1", {}, false),
    line("m1", { "a.txt": kept("aa@v1", 1) }, true),
    line("m2", { "a.txt": kept("aa@v2", 2) }, false),
    line("m2", { "a.txt": kept("aa@v2", 2), "new.txt": kept(null, 1) }, true),
    line("m2", { "a.txt": kept("../../secret", 3) }, true),
  );
  const reopened = kit.reopened();
  expect(await reopened.plan("m2")).toEqual({ "a.txt": "restore", "new.txt": "remove" });
  await reopened.rewind("m1");
  expect(reopened.all()).toEqual({ "a.txt": "644 one\n" });
});

test("the state of a session that is opened again is the one it was left in", async () => {
  const kit = checkpointKit();
  kit.write("a.txt", "one\n");
  kit.write("b.txt", "one\n");
  await kit.checkpoints.begin("p1");
  await kit.call("a.txt", "two\n");
  await kit.call("b.txt", "two\n");
  kit.write("b.txt", "mine\n");
  const reopened = kit.reopened();
  expect(await reopened.plan("p1")).toEqual({
    "a.txt": "restore",
    "b.txt": "kept: changed since, not by this session",
  });
  await reopened.checkpoints.begin("p2");
  await reopened.call("a.txt", "three\n");
  expect(await reopened.plan("p2")).toEqual({ "a.txt": "restore" });
  await reopened.rewind("p1");
  expect(reopened.read("a.txt")).toBe("one\n");
});

test("a call that was killed before its end was noted is taken back, unless the file is much younger than the record", async () => {
  const kit = checkpointKit();
  kit.write("a.txt", "one\n");
  await kit.checkpoints.begin("p1");
  await kit.checkpoints.touch([kit.path("a.txt")], "Write");
  kit.write("a.txt", "half a call\n"); // killed here
  expect(await kit.reopened().plan("p1")).toEqual({ "a.txt": "restore" });
  const old = kit.lines.map((line) =>
    JSON.parse(JSON.stringify(line).replaceAll(/"20\d\d-[^"]+Z"/g, '"2020-01-01T00:00:00.000Z"')),
  );
  kit.lines.splice(0, kit.lines.length, ...old);
  expect(await kit.reopened().plan("p1")).toEqual({ "a.txt": "kept: changed since, not by this session" });
});

test("a full disk loses nothing: the file is named as one that cannot come back", async () => {
  const kit = checkpointKit();
  kit.write("a.txt", "one\n");
  await kit.checkpoints.begin("p1");
  writeFileSync(kit.dir, "a file where the folder should be");
  const { lost, settle } = await kit.checkpoints.touch([kit.path("a.txt")], "Edit");
  kit.write("a.txt", "two\n");
  await settle();
  expect(lost).toEqual([{ path: kit.path("a.txt"), problem: expect.stringContaining("could not be kept") }]);
  rmSync(kit.dir);
  expect(await kit.plan("p1")).toEqual({ "a.txt": expect.stringMatching(/^lost: it could not be kept/) });
  expect(await kit.reopened().plan("p1")).toEqual({ "a.txt": expect.stringMatching(/^lost: it could not be kept/) });
  await kit.rewind("p1");
  expect(kit.read("a.txt")).toBe("two\n");
});

test("a rewind does not overwrite what it could not keep first", async () => {
  const kit = checkpointKit();
  kit.write("a.txt", "one\n");
  await kit.checkpoints.begin("p1");
  await kit.call("a.txt", "two\n");
  const { steps } = { steps: await kit.plan("p1") };
  expect(steps).toEqual({ "a.txt": "restore" });
  const kept = readdirSync(kit.dir).map((name) => [name, readFileSync(join(kit.dir, name))] as const);
  const { planRewind, applyRewind } = await import("../../../src/sessions/rewind.js");
  const plan = (await planRewind(kit.checkpoints, kit.dir, "p1"))!;
  rmSync(kit.dir, { recursive: true });
  writeFileSync(kit.dir, "");
  const options = {
    checkpoints: kit.checkpoints,
    record: () => undefined,
    newId: () => "r",
    to: "p1",
    takesConflicts: false,
  };
  const { files } = await applyRewind(plan, options);
  expect(files).toEqual([{ path: kit.path("a.txt"), problem: expect.stringContaining("could not be kept first") }]);
  expect(kit.read("a.txt")).toBe("two\n");
  expect(kept).toHaveLength(1);
});

test("a kept content that is gone or damaged is said, not written", async () => {
  const kit = checkpointKit();
  kit.write("a.txt", "one\n");
  kit.write("b.txt", "one\n");
  await kit.checkpoints.begin("p1");
  await kit.call("a.txt", "two\n");
  await kit.call("b.txt", "two\n");
  rmSync(join(kit.dir, `${hash16(kit.path("a.txt"))}@v1`));
  chmodSync(join(kit.dir, `${hash16(kit.path("b.txt"))}@v1`), 0o600);
  writeFileSync(join(kit.dir, `${hash16(kit.path("b.txt"))}@v1`), "torn");
  expect(await kit.plan("p1")).toEqual({
    "a.txt": "lost: its kept state is gone",
    "b.txt": "lost: its kept state is damaged",
  });
});

test("hard links stay links and a path that became a link is left alone", async () => {
  const kit = checkpointKit();
  kit.write("a.txt", "one\n");
  linkSync(kit.path("a.txt"), kit.path("twin.txt"));
  kit.write("b.txt", "one\n");
  kit.write("target.txt", "target\n");
  await kit.checkpoints.begin("p1");
  await kit.call("a.txt", "two\n");
  await kit.call("b.txt", "two\n");
  rmSync(kit.path("b.txt"));
  symlinkSync("target.txt", kit.path("b.txt"));
  await kit.rewind("p1", true);
  expect([kit.read("a.txt"), kit.read("twin.txt"), kit.read("target.txt")]).toEqual(["one\n", "one\n", "target\n"]);
  expect(statSync(kit.path("a.txt")).nlink).toBe(2);
});

test("a mode that somebody gave since stays, one that a command changed goes back", async () => {
  const kit = checkpointKit();
  kit.write("a.sh", "one\n");
  kit.write("b.sh", "one\n");
  await kit.checkpoints.begin("p1");
  await kit.call("a.sh", "two\n");
  chmodSync(kit.path("a.sh"), 0o755);
  const before = { bytes: Buffer.from("one\n"), mode: 0o644 };
  chmodSync(kit.path("b.sh"), 0o755);
  kit.write("b.sh", "two\n");
  await kit.checkpoints.adopt(async () => ({ changes: [{ path: kit.path("b.sh"), before }], unknown: [] }), "Bash");
  await kit.rewind("p1");
  expect(kit.all()).toEqual({ "a.sh": "755 one\n", "b.sh": "644 one\n" });
});

test(`only the newest ${keptCheckpoints} checkpoints are kept, and what only older ones named is removed`, async () => {
  const kit = checkpointKit();
  for (let at = 0; at < keptCheckpoints + 5; at += 1) {
    kit.write("a.txt", `mine ${at}\n`);
    await kit.checkpoints.begin(`p${at}`);
    await kit.call("a.txt", `ours ${at}\n`);
  }
  expect(kit.checkpoints.history.checkpoints).toHaveLength(keptCheckpoints);
  expect(readdirSync(kit.dir)).toContain(`${hash16(kit.path("a.txt"))}@v${keptCheckpoints + 5}`);
  expect(readdirSync(kit.dir)).not.toContain(`${hash16(kit.path("a.txt"))}@v1`);
  expect(await kit.plan("p5")).toEqual({ "a.txt": "kept: also changed by somebody else in between" });
  await expect(kit.plan("p4")).rejects.toThrow("no checkpoint");
});
