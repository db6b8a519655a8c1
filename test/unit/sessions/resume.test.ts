import { join } from "node:path";
import { expect, test } from "vitest";
import type { Message } from "../../../src/protocol/messages.js";
import { interruptedText } from "../../../src/sessions/model-messages.js";
import { readTranscript } from "../../../src/sessions/read.js";
import type { TranscriptRecord } from "../../../src/sessions/record.js";
import { loadConversation } from "../../../src/sessions/resume.js";
import { answer, call, result, tempDir, text, writerFor } from "../../helpers/transcript-kit.js";

const start = () => {
  const file = join(tempDir(), "a.jsonl");
  const writer = writerFor(file);
  return { file, writer, load: () => loadConversation(readTranscript(file).records) };
};

test("F050 four parallel calls come back byte for byte, in the order of the calls", () => {
  const { writer, load } = start();
  writer.appendUser({ content: "read four" });
  writer.appendAssistant({ message: answer("m1", text("ok"), call("a"), call("b"), call("c"), call("d")) });
  for (const id of ["c", "a", "d", "b"]) writer.appendToolResult({ block: result(id, `${id}\t\u0000\u2028 é\n`) });
  writer.appendAssistant({ message: answer("m2", text("done")) });
  const { messages, repairs } = load();
  expect(messages).toEqual([
    { role: "user", content: "read four" },
    { role: "assistant", content: [text("ok"), call("a"), call("b"), call("c"), call("d")] },
    { role: "user", content: ["a", "b", "c", "d"].map((id) => result(id, `${id}\t\u0000\u2028 é\n`)) },
    { role: "assistant", content: [text("done")] },
  ]);
  expect(repairs).toEqual([]);
});

test("F050 a result written while its answer still streamed does not split the answer", () => {
  const { writer, load } = start();
  writer.appendUser({ content: "x" });
  writer.appendAssistant({ message: answer("m1", call("a")), index: 0 });
  writer.appendToolResult({ block: result("a", "A") });
  writer.appendAssistant({ message: answer("m1", call("b")), index: 1 });
  writer.appendToolResult({ block: result("b", "B") });
  expect(load().messages.slice(1)).toEqual([
    { role: "assistant", content: [call("a"), call("b")] },
    { role: "user", content: [result("a", "A"), result("b", "B")] },
  ]);
});

test("an answer written block by block without indexes stays one answer", () => {
  const { writer, load } = start();
  writer.appendUser({ content: "x" });
  writer.appendAssistant({ message: answer("m1", text("looking")), requestId: "r1" });
  writer.appendAssistant({ message: answer("m1", call("a")), requestId: "r1" });
  writer.appendToolResult({ block: result("a", "A") });
  writer.appendAssistant({ message: answer("m1", text("done")), requestId: "r2" });
  expect(load().messages).toEqual([
    { role: "user", content: "x" },
    { role: "assistant", content: [text("looking"), call("a")] },
    { role: "user", content: [result("a", "A")] },
    { role: "assistant", content: [text("done")] },
  ]);
});

test("a server that gives every answer the same id does not merge them", () => {
  const { writer, load } = start();
  writer.appendUser({ content: "x" });
  writer.appendAssistant({ message: answer("m1", call("a")), index: 0 });
  writer.appendToolResult({ block: result("a", "A") });
  writer.appendAssistant({ message: answer("m1", text("done")), index: 0 });
  expect(load().messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
});

test("F050 results that hang beside the newest branch, as other writers put them, are found", () => {
  const row = (uuid: string, parentUuid: string | null, message: object, more: object = {}) =>
    ({ type: "role" in message ? message.role : "user", uuid, parentUuid, message, ...more }) as TranscriptRecord;
  const records = [
    row("1", null, { role: "user", content: "x" }),
    row("2", "1", { role: "assistant", id: "m1", content: [call("a")] }),
    row("3", "2", { role: "assistant", id: "m1", content: [call("b")] }),
    row("4", "2", { role: "user", content: [result("a", "A")] }),
    row("5", "3", { role: "user", content: [result("b", "B")] }),
    row("6", "5", { role: "assistant", id: "m2", content: [text("done")] }),
  ];
  expect(loadConversation(records)).toMatchObject({
    repairs: [],
    messages: [
      { role: "user", content: "x" },
      { role: "assistant", content: [call("a"), call("b")] },
      { role: "user", content: [result("a", "A"), result("b", "B")] },
      { role: "assistant", content: [text("done")] },
    ],
  });
});

test("F048 calls without a result get one that says so; it is written back and stays", async () => {
  const { file, writer, load } = start();
  writer.appendUser({ content: "x" });
  const [, second] = writer.appendAssistant({ message: answer("m1", call("a"), call("b"), call("c")) });
  writer.appendToolResult({ block: result("a", "A") });
  writer.appendToolResult({ block: result("c", "C") });
  const interrupted = { ...result("b", interruptedText), is_error: true };
  const expected: Message[] = [
    { role: "user", content: "x" },
    { role: "assistant", content: [call("a"), call("b"), call("c")] },
    { role: "user", content: [result("a", "A"), interrupted, result("c", "C")] },
  ];
  const first = load();
  expect(first.messages).toEqual(expected);
  expect(first.repairs).toHaveLength(1);
  expect(first.repairs[0]).toMatchObject({ parentUuid: first.lastUuid, sourceToolAssistantUUID: second });

  const next = writerFor(file, { parentUuid: first.lastUuid });
  for (const repair of first.repairs) next.appendRaw(repair);
  const again = load();
  expect(again.messages).toEqual(expected);
  expect(again.repairs).toEqual([]);
  next.appendUser({ content: "continue" });
  expect(load().messages).toEqual([...expected, { role: "user", content: "continue" }]);
});

test("F048 a call left open before a later prompt is repaired in its place", () => {
  const { writer, load } = start();
  writer.appendUser({ content: "x" });
  writer.appendAssistant({ message: answer("m1", call("a")) });
  writer.appendUser({ content: "continue" });
  expect(
    load().messages.map(({ role, content }) => [role, typeof content === "string" ? content : content[0]?.type]),
  ).toEqual([
    ["user", "x"],
    ["assistant", "tool_use"],
    ["user", "tool_result"],
    ["user", "continue"],
  ]);
});

test("results of no call and second results are left out", () => {
  const { writer, load } = start();
  writer.appendUser({ content: "x" });
  writer.appendToolResult({ block: result("ghost", "?") });
  writer.appendAssistant({ message: answer("m1", call("a")) });
  writer.appendToolResult({ block: result("a", "A") });
  writer.appendToolResult({ block: result("a", "again") });
  expect(load().messages.slice(1)).toEqual([
    { role: "assistant", content: [call("a")] },
    { role: "user", content: [result("a", "A")] },
  ]);
});

test("F052 thinking goes back as it came; without its signature, or with nothing behind it, it stays out", () => {
  const { writer, load } = start();
  const signed = { type: "thinking" as const, thinking: "hm ", signature: "c2ln" };
  writer.appendUser({ content: "x" });
  writer.appendAssistant({ message: answer("m1", signed, call("a")) });
  writer.appendToolResult({ block: result("a", "A") });
  writer.appendAssistant({ message: answer("m2", { type: "thinking", thinking: "cut off" }) });
  writer.appendUser({ content: "y" });
  writer.appendAssistant({ message: answer("m3", signed) });
  expect(load().messages).toEqual([
    { role: "user", content: "x" },
    { role: "assistant", content: [signed, call("a")] },
    { role: "user", content: [result("a", "A")] },
    { role: "user", content: "y" },
  ]);
});

test("F164 empty texts and errors shown in place of an answer are never sent", () => {
  const { writer, load } = start();
  writer.appendUser({ content: "x" });
  writer.appendAssistant({ message: answer("m1", text(""), text(" \n"), text("yes")) });
  writer.appendAssistant({
    message: { ...answer("m2", text("API Error: 500")), model: "<synthetic>" },
    isApiErrorMessage: true,
  });
  const { messages, model, events } = load();
  expect(messages).toEqual([
    { role: "user", content: "x" },
    { role: "assistant", content: [text("yes")] },
  ]);
  expect(model).toBe("model-a");
  expect(events.filter(({ type }) => type === "assistant_message")).toHaveLength(2);
});

test("after a compaction the model sees the summary and what was kept, the screen everything", () => {
  const { writer, load } = start();
  writer.appendUser({ content: "old" });
  const [kept] = writer.appendAssistant({ message: answer("m1", text("kept")) });
  writer.appendCompactBoundary({
    trigger: "auto",
    preTokens: 100,
    postTokens: 10,
    durationMs: 1,
    preservedSegment: { headUuid: kept!, anchorUuid: "unknown", tailUuid: kept! },
  });
  writer.appendUser({ content: "summary", isCompactSummary: true });
  writer.appendUser({ content: "new" });
  const { messages, events } = load();
  expect(messages).toEqual([
    { role: "user", content: "summary" },
    { role: "assistant", content: [text("kept")] },
    { role: "user", content: "new" },
  ]);
  expect(events.map((event) => (event.type === "user_message" ? event.shown : event.type))).toEqual([
    "old",
    "assistant_message",
    "compact_boundary",
    "new",
  ]);
});

test("the newest leaf wins over an abandoned branch, and sidechains stay out", () => {
  const { writer, load } = start();
  const root = writer.appendUser({ content: "root" });
  writer.appendUser({ content: "abandoned" });
  writer.appendRaw({
    type: "user",
    uuid: "s1",
    parentUuid: root,
    isSidechain: true,
    message: { role: "user", content: "agent" },
  });
  writer.appendRaw({ type: "user", uuid: "n1", parentUuid: root, message: { role: "user", content: "new" } });
  const { messages, lastUuid } = load();
  expect(messages.map(({ content }) => content)).toEqual(["root", "new"]);
  expect(lastUuid).toBe("n1");
});

test("F062 a record whose parent is lost hangs on the one before it", () => {
  const records: TranscriptRecord[] = [
    { type: "user", uuid: "1", parentUuid: null, message: { content: "a" } },
    { type: "user", uuid: "3", parentUuid: "lost", message: { content: "b" } },
    { type: "user", message: { content: "from before uuids" } },
    { type: "user", uuid: "4", parentUuid: "4", message: { content: "its own parent" } },
  ];
  expect(loadConversation(records).messages.map(({ content }) => content)).toEqual([
    "a",
    "b",
    "from before uuids",
    "its own parent",
  ]);
});

test("F060 two session ids in one file: the conversation is whole and the newest id is named", () => {
  const { writer, file, load } = start();
  writer.appendUser({ content: "a" });
  writerFor(file, { parentUuid: writer.lastUuid(), sessionId: "second" }).appendUser({ content: "b" });
  expect(load()).toMatchObject({ sessionId: "second", messages: [{ content: "a" }, { content: "b" }] });
});

test("title, mode and last prompt are the newest ones; a person's title wins over the model's", () => {
  const { writer, load } = start();
  writer.appendUser({ content: "a", permissionMode: "default" });
  writer.appendTitle("By a person", "person");
  writer.appendTitle("By the model", "model");
  writer.appendMode("acceptEdits");
  writer.appendLastPrompt("a");
  expect(load()).toMatchObject({
    title: "By a person",
    permissionMode: "acceptEdits",
    lastPrompt: "a",
    cwd: "/project",
  });
});

test("--resume-session-at cuts behind the named message and refuses an unknown one", () => {
  const { writer, file } = start();
  const first = writer.appendUser({ content: "a" });
  writer.appendUser({ content: "b" });
  const { records } = readTranscript(file);
  expect(loadConversation(records, { upTo: first }).messages).toEqual([{ role: "user", content: "a" }]);
  expect(() => loadConversation(records, { upTo: "nowhere" })).toThrow("No message nowhere in this session");
});

test("10,000 messages load whole", () => {
  const { writer, file } = start();
  for (let index = 0; index < 2500; index += 1) {
    writer.appendUser({ content: `prompt ${index}` });
    writer.appendAssistant({ message: answer(`m${index}`, text("Let me look."), call(`t${index}`)) });
    writer.appendToolResult({ block: result(`t${index}`, "x".repeat(400)) });
  }
  const { messages, events } = loadConversation(readTranscript(file).records);
  expect([messages.length, events.length]).toEqual([7500, 10_000]);
});
