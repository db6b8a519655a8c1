import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { lockSession } from "../../../src/sessions/lock.js";
import { readTranscript } from "../../../src/sessions/read.js";
import { loadConversation } from "../../../src/sessions/resume.js";
import { bundleProgram } from "../../helpers/bundle-program.js";
import { tempDir, writerFor } from "../../helpers/transcript-kit.js";

let bundle: string;
const rounds = process.env.LONG === "1" ? 50 : 8; // F062 names 50

/** A process that writes records of `size` characters for ever, and says on stdout how many are done. */
const program = `
  import { writeSync } from "node:fs";
  import { openTranscript } from "./src/sessions/transcript.js";
  import { lockSession } from "./src/sessions/lock.js";
  const [, , file, size, parentUuid, lockFolder] = process.argv;
  if (lockFolder) lockSession(lockFolder, "s");
  const writer = openTranscript({ file, sessionId: "s", cwd: "/", version: "3.0.0", entrypoint: "cli", parentUuid: parentUuid || null });
  for (let index = 0; ; index += 1) {
    writer.appendUser({ content: index + ":" + "é".repeat(Number(size)) });
    writeSync(1, index + "\\n");
  }
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

test("F062 SIGKILL in the middle of big writes loses at most the record being written, again and again", async () => {
  const file = join(tempDir(), "a.jsonl");
  let expected = 0;
  let size = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { lastUuid } = round === 0 ? { lastUuid: "" } : loadConversation(readTranscript(file).records);
    const reported = await killAfter(1 + (round % 3), [file, String(200_000 + round * 31_337), lastUuid ?? ""]);
    const { messages, repairs } = loadConversation(readTranscript(file).records);
    expect(repairs).toEqual([]);
    // Written but not yet reported: at most one whole record more.
    expect(messages.length - expected - reported).toBeGreaterThanOrEqual(0);
    expect(messages.length - expected - reported).toBeLessThanOrEqual(1);
    expected = messages.length;
    expect(statSync(file).size).toBeGreaterThan(size);
    size = statSync(file).size;
  }
  const { lastUuid } = loadConversation(readTranscript(file).records);
  writerFor(file, { parentUuid: lastUuid }).appendUser({ content: "the end" });
  expect(JSON.parse(readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
    parentUuid: lastUuid,
    message: { content: "the end" },
  });
});

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
