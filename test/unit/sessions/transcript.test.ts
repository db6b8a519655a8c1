import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTranscript } from "../../../src/sessions/read.js";
import { answer, call, result, sessionId, tempDir, text, writerFor } from "../../helpers/transcript-kit.js";

const lines = (file: string) => readFileSync(file, "utf8").trimEnd().split("\n");

test("the file is made with the first real message, and what came before it stands in front", () => {
  const file = join(tempDir(), "deep", "a.jsonl");
  const writer = writerFor(file);
  writer.appendMode("plan");
  writer.appendTitle("A title", "person");
  writer.appendSystem({ subtype: "local_command", content: "<command-name>/help</command-name>" });
  expect(existsSync(file)).toBe(false);
  writer.appendUser({ content: "hello" });
  expect(readTranscript(file).records.map(({ type }) => type)).toEqual([
    "permission-mode",
    "custom-title",
    "system",
    "user",
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a prompt has every common field", () => {
  const file = join(tempDir(), "a.jsonl");
  const writer = writerFor(file, { now: () => 0 });
  const uuid = writer.appendUser({ content: "hello", permissionMode: "default", promptId: "p1" });
  expect(JSON.parse(lines(file)[0] ?? "")).toEqual({
    parentUuid: null,
    isSidechain: false,
    type: "user",
    uuid,
    timestamp: "1970-01-01T00:00:00.000Z",
    sessionId,
    cwd: "/project",
    version: "3.0.0",
    gitBranch: "main",
    userType: "external",
    entrypoint: "cli",
    message: { role: "user", content: "hello" },
    permissionMode: "default",
    promptId: "p1",
  });
});

test("an answer is one line a block, and every line hangs on the one before", () => {
  const file = join(tempDir(), "a.jsonl");
  const writer = writerFor(file);
  const prompt = writer.appendUser({ content: "hello" });
  const blocks = writer.appendAssistant({ message: answer("m1", text("x"), call("t1")), requestId: "r1" });
  const done = writer.appendToolResult({
    block: result("t1", "content"),
    toolUseResult: { type: "text" },
    display: { kind: "text", text: "content" },
    durationMs: 5,
  });
  const records = readTranscript(file).records;
  expect(records.map(({ uuid, parentUuid }) => [uuid, parentUuid])).toEqual([
    [prompt, null],
    [blocks[0], prompt],
    [blocks[1], blocks[0]],
    [done, blocks[1]],
  ]);
  expect(records.slice(1, 3).map(({ message, requestId }) => [message?.id, message?.content, requestId])).toEqual([
    ["m1", [text("x")], "r1"],
    ["m1", [call("t1")], "r1"],
  ]);
  expect(records[3]).toMatchObject({
    toolUseResult: { type: "text" },
    display: { kind: "text", text: "content" },
    durationMs: 5,
    sourceToolAssistantUUID: blocks[1],
  });
  expect(writer.lastUuid()).toBe(done);
});

test("a compaction's boundary starts a new root and remembers what it followed", () => {
  const file = join(tempDir(), "a.jsonl");
  const writer = writerFor(file);
  const prompt = writer.appendUser({ content: "hello" });
  const boundary = writer.appendCompactBoundary({ trigger: "manual", preTokens: 9, postTokens: 3, durationMs: 1 });
  writer.appendUser({ content: "summary", isCompactSummary: true });
  const [, second, third] = readTranscript(file).records;
  expect(second).toMatchObject({
    uuid: boundary,
    parentUuid: null,
    logicalParentUuid: prompt,
    compactMetadata: { trigger: "manual", preTokens: 9, postTokens: 3, durationMs: 1 },
  });
  expect(third).toMatchObject({ parentUuid: boundary, isCompactSummary: true, isVisibleInTranscriptOnly: true });
});

test("F062 new records start on a fresh line behind a torn one, and the file only grows", () => {
  const file = join(tempDir(), "a.jsonl");
  writerFor(file).appendUser({ content: "first" });
  appendFileSync(file, '{"type":"user","message":{"content":"h\xc3');
  const before = readFileSync(file);
  const writer = writerFor(file, { parentUuid: "x" });
  writer.appendUser({ content: "second" });
  writer.appendUser({ content: "third" });
  const after = readFileSync(file);
  expect(after.subarray(0, before.length).equals(before)).toBe(true);
  const { records, problems } = readTranscript(file);
  expect(records.map(({ message }) => message?.content)).toEqual(["first", "second", "third"]);
  expect(problems).toEqual([{ line: 2, kind: "torn" }]);
});

test("a disk that fails is told once, and what could not be written follows with the next record", () => {
  const folder = tempDir();
  const blocker = join(folder, "not-a-folder");
  writeFileSync(blocker, "");
  const told: string[] = [];
  const writer = writerFor(join(blocker, "a.jsonl"), { onProblem: (problem) => told.push(problem) });
  writer.appendUser({ content: "one" });
  writer.appendUser({ content: "two" });
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("cannot be written");
});

test("sync and close can be called without a file", async () => {
  const writer = writerFor(join(tempDir(), "a.jsonl"));
  await writer.sync();
  await writer.close();
});

test("an answer whose lines came with uuids keeps them", () => {
  const file = join(tempDir(), "a.jsonl");
  const writer = writerFor(file);
  writer.appendAssistant({ message: answer("m1", text("x")), uuids: ["u1"], index: 3 });
  expect(readTranscript(file).records[0]).toMatchObject({ uuid: "u1", blockIndex: 3 });
});
