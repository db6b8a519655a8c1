import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { lockSession } from "../../../src/sessions/lock.js";
import { readTranscript } from "../../../src/sessions/read.js";
import { loadConversation } from "../../../src/sessions/resume.js";
import { bundleProgram } from "../../helpers/bundle-program.js";
import { tempDir, writerFor } from "../../helpers/transcript-kit.js";

let bundle: string;
const rounds = process.env.LONG === "1" ? 50 : 4; // F062 names 50
const roundsAFile = 4;
const chars = 2_500_000; // of two bytes each: the 5 MB of F062

/** A process that writes records of `size` characters and says on stdout how many are done; it is killed before its sixth. */
const program = `
  import { writeSync } from "node:fs";
  import { openTranscript } from "./src/sessions/transcript.js";
  import { lockSession } from "./src/sessions/lock.js";
  const [, , file, size, parentUuid, lockFolder] = process.argv;
  if (lockFolder) lockSession(lockFolder, "s");
  const writer = openTranscript({ file, sessionId: "s", cwd: "/", version: "3.0.0", entrypoint: "cli", parentUuid: parentUuid || null });
  for (let index = 0; index < 6; index += 1) {
    writer.appendUser({ content: index + ":" + "é".repeat(Number(size)) });
    writeSync(1, index + "\\n");
  }
  // Holds the lock until it is killed, though not for ever.
  if (lockFolder) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
`;

beforeAll(async () => {
  bundle = await bundleProgram(program);
});

const end = (child: ChildProcess) => new Promise((resolve) => child.once("close", resolve));

/** Runs the writer and kills it once it has reported `count` records; returns how many it had reported by then. */
const killAfter = async (count: number, args: string[]): Promise<number> => {
  const child = spawn(process.execPath, [bundle, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = end(child);
  let reported = "";
  child.stdout.on("data", (chunk: Buffer) => {
    reported += chunk;
    if (reported.split("\n").length > count) child.kill("SIGKILL");
  });
  await closed;
  return reported.split("\n").length - 1;
};

/** Kills a writer `rounds` times on one file, which must keep every record that was reported and only grow. */
const killOnOneFile = async (count: number): Promise<void> => {
  const file = join(tempDir(), "a.jsonl");
  let parent = "";
  let messages = 0;
  let size = 0;
  for (let round = 0; round < count; round += 1) {
    const reported = await killAfter(1 + (round % 2), [file, String(chars), parent]);
    const conversation = loadConversation(readTranscript(file).records);
    expect(conversation.repairs).toEqual([]);
    // Written but not yet reported: at most one whole record more.
    const added = conversation.messages.length - messages;
    expect([reported, reported + 1]).toContain(added);
    expect(statSync(file).size).toBeGreaterThan(size);
    messages = conversation.messages.length;
    size = statSync(file).size;
    parent = conversation.lastUuid ?? "";
  }
  writerFor(file, { parentUuid: parent }).appendUser({ content: "the end" });
  expect(JSON.parse(readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
    parentUuid: parent,
    message: { content: "the end" },
  });
  rmSync(file);
};

test("F062 SIGKILL in the middle of big writes loses at most the record being written, again and again", async () => {
  for (let round = 0; round < rounds; round += roundsAFile) await killOnOneFile(roundsAFile);
}, 300_000);

test("a killed process leaves a stale lock that the next opener takes", async () => {
  const folder = tempDir();
  const child = spawn(process.execPath, [bundle, join(folder, "a.jsonl"), "1", "", folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  expect(lockSession(folder, "s")).toEqual({ kind: "held", pid: child.pid });
  const closed = end(child);
  child.stdout.resume();
  child.kill("SIGKILL");
  await closed;
  expect(lockSession(folder, "s").kind).toBe("locked");
});
