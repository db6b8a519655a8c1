// Transcripts as the compatible product writes them, made by hand: read whole, listed, gone on with, and ours are readable there.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { textOf } from "../../../src/protocol/messages.js";
import { exportText } from "../../../src/sessions/export.js";
import { listSessions } from "../../../src/sessions/list.js";
import { readTranscript } from "../../../src/sessions/read.js";
import { loadConversation } from "../../../src/sessions/resume.js";
import { answer, call, result, tempDir, text, writerFor } from "../../helpers/transcript-kit.js";

const id = "6b1f2b1e-0000-4000-8000-000000000001";
let count = 0;
const uuid = (): string => {
  count += 1;
  return `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
};

/** Lines with the common fields, each hanging on the one before unless it says otherwise. */
const builder = () => {
  const lines: string[] = [];
  let last: string | null = null;
  const raw = (record: object): void => void lines.push(JSON.stringify(record));
  const chain = (type: string, fields: Record<string, unknown>, isSidechain = false): string => {
    const own = uuid();
    const common = {
      cwd: "/project",
      sessionId: id,
      version: "2.1.197",
      gitBranch: "main",
      userType: "external",
      entrypoint: "cli",
    };
    raw({
      parentUuid: last,
      isSidechain,
      type,
      uuid: own,
      timestamp: "2026-11-30T10:00:00.000Z",
      ...common,
      ...fields,
    });
    if (!isSidechain) last = own;
    return own;
  };
  const user = (content: unknown, more: object = {}) => chain("user", { message: { role: "user", content }, ...more });
  const assistant = (messageId: string, block: object, more: object = {}) =>
    chain("assistant", {
      message: {
        id: messageId,
        type: "message",
        role: "assistant",
        model: "claude-sonnet-4-5",
        content: [block],
        stop_reason: null,
        usage: { input_tokens: 10, output_tokens: 5 },
      },
      requestId: `req_${messageId}`,
      ...more,
    });
  return { lines, raw, chain, user, assistant };
};

const transcript = (): string => {
  const { lines, raw, chain, user, assistant } = builder();
  raw({ type: "summary", summary: "An old summary", leafUuid: "gone" });
  raw({ type: "mode", mode: "default", sessionId: id });
  raw({
    type: "file-history-snapshot",
    messageId: "x",
    snapshot: { messageId: "x", trackedFileBackups: {}, timestamp: "2026-11-30T10:00:00.000Z" },
    isSnapshotUpdate: false,
  });
  user("<local-command-caveat>the messages below are local</local-command-caveat>", { isMeta: true });
  chain("system", {
    subtype: "local_command",
    level: "info",
    content:
      "<command-name>/status</command-name>\n<command-message>status</command-message>\n<command-args></command-args>",
  });
  chain("system", {
    subtype: "local_command",
    level: "info",
    content: "<local-command-stdout>all well</local-command-stdout>",
  });
  user("look at the tests", { promptId: "p1", permissionMode: "default" });
  chain("attachment", { attachment: { type: "skill_listing", content: "…" } });
  assistant("m1", { type: "thinking", thinking: "where are they", signature: "sig" });
  assistant("m1", { type: "text", text: "I look." });
  const called = assistant("m1", { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } });
  chain(
    "assistant",
    { agentId: "a1", message: { id: "side", role: "assistant", content: [{ type: "text", text: "of a subagent" }] } },
    true,
  );
  user([{ type: "tool_result", tool_use_id: "t1", content: "a.test.ts" }], {
    toolUseResult: { stdout: "a.test.ts", stderr: "", interrupted: false, isImage: false },
    sourceToolAssistantUUID: called,
  });
  assistant("m2", { type: "text", text: "One test." });
  const ended = chain("system", { subtype: "turn_duration", durationMs: 1200, messageCount: 4, isMeta: true });
  raw({
    type: "queue-operation",
    operation: "enqueue",
    content: "later",
    timestamp: "2026-11-30T10:00:01.000Z",
    sessionId: id,
  });
  raw({ type: "of-the-future", anything: [1, 2], sessionId: id });
  chain("system", {
    subtype: "compact_boundary",
    parentUuid: null,
    logicalParentUuid: ended,
    level: "info",
    content: "compacted",
    compactMetadata: { trigger: "auto", preTokens: 900, postTokens: 90 },
  });
  user("This session goes on from an earlier one. Summary: tests were looked at.", {
    isCompactSummary: true,
    isVisibleInTranscriptOnly: true,
  });
  user("now run them");
  assistant("m3", { type: "text", text: "They pass." });
  raw({ type: "ai-title", aiTitle: "Looking at tests", sessionId: id });
  raw({ type: "agent-name", agentName: "looker", sessionId: id });
  raw({ type: "last-prompt", lastPrompt: "now run them", leafUuid: "x", sessionId: id });
  return `${lines.join("\n")}\n`;
};

const put = () => {
  const folder = tempDir();
  const file = join(folder, `${id}.jsonl`);
  writeFileSync(file, transcript());
  return { folder, file };
};

test("F060 a session of the compatible product is listed with its title, prompts and branch", async () => {
  const { folder } = put();
  expect(await listSessions({ projectDir: folder, cwd: "/project" })).toMatchObject([
    {
      sessionId: id,
      title: "Looking at tests",
      firstPrompt: "look at the tests",
      lastPrompt: "now run them",
      branch: "main",
    },
  ]);
});

test("the model goes on from its compaction, the screen shows all of it, and no subagent's line is in either", () => {
  const { file } = put();
  const { records, problems } = readTranscript(file);
  expect(problems).toEqual([]);
  const conversation = loadConversation(records);
  expect(conversation.messages.map(({ role, content }) => [role, textOf(content as never)])).toEqual([
    ["user", "This session goes on from an earlier one. Summary: tests were looked at."],
    ["user", "now run them"],
    ["assistant", "They pass."],
  ]);
  const shown = exportText(conversation.events);
  for (const part of ["/status", "all well", "> look at the tests", "I look.", "a.test.ts", "One test.", "They pass."])
    expect(shown).toContain(part);
  expect(shown).not.toMatch(/subagent|caveat|of-the-future/);
  expect(conversation).toMatchObject({
    title: "Looking at tests",
    titleBy: "model",
    lastPrompt: "now run them",
    repairs: [],
  });
});

test("going on appends lines and changes none of those that were there", () => {
  const { file } = put();
  const before = readFileSync(file, "utf8");
  const conversation = loadConversation(readTranscript(file).records);
  const writer = writerFor(file, { sessionId: id, parentUuid: conversation.lastUuid });
  writer.appendUser({ content: "and now" });
  expect(readFileSync(file, "utf8").startsWith(before)).toBe(true);
  expect(loadConversation(readTranscript(file).records).messages.at(-1)).toEqual({ role: "user", content: "and now" });
});

test("what viewers of that product need is in every line of ours", () => {
  const file = join(tempDir(), `${id}.jsonl`);
  const writer = writerFor(file);
  writer.appendUser({ content: "hello" });
  writer.appendAssistant({ message: answer("m1", text("hi"), call("t1")), requestId: "r1" });
  writer.appendToolResult({ block: result("t1", "x"), toolUseResult: "x" });
  writer.appendSystem({ subtype: "local_command", content: "<local-command-stdout>x</local-command-stdout>" });
  const common = [
    "parentUuid",
    "isSidechain",
    "type",
    "uuid",
    "timestamp",
    "sessionId",
    "cwd",
    "version",
    "gitBranch",
    "userType",
    "entrypoint",
  ];
  let parent: string | null = null;
  for (const record of readTranscript(file).records) {
    for (const field of common) expect(Object.hasOwn(record, field), `${record.type}: ${field}`).toBe(true);
    expect(record.parentUuid).toBe(parent);
    parent = record.uuid ?? null;
    if (record.type === "assistant")
      expect(record.message).toMatchObject({ role: "assistant", content: [{}], usage: {} });
    if (record.type === "user") expect(record.message?.role).toBe("user");
  }
});

test("of a long run title and prompt stand at the file's end again, so that lists find them", async () => {
  const folder = tempDir();
  const file = join(folder, `${id}.jsonl`);
  const writer = writerFor(file);
  writer.appendUser({ content: "begin" });
  for (let at = 0; at < 100; at += 1) writer.appendAssistant({ message: answer(`a${at}`, text("y".repeat(1_000))) });
  writer.appendTitle("In the middle", "person");
  writer.appendLastPrompt("the prompt of a long run");
  for (let at = 0; at < 200; at += 1) writer.appendAssistant({ message: answer(`b${at}`, text("y".repeat(1_000))) });
  const row = async () => (await listSessions({ projectDir: folder }))[0];
  expect((await row())?.title).toBe("begin");
  await writer.sync();
  expect(await row()).toMatchObject({ title: "In the middle", lastPrompt: "the prompt of a long run" });
  const size = readFileSync(file).length;
  await writer.sync();
  expect(readFileSync(file).length).toBe(size);
});
