import { join } from "node:path";
import { expect, test } from "vitest";
import { engineEvent } from "../../../src/protocol/events.js";
import { exportText } from "../../../src/sessions/export.js";
import { readTranscript } from "../../../src/sessions/read.js";
import { loadConversation } from "../../../src/sessions/resume.js";
import { commandOutputTag, commandTags } from "../../../src/sessions/wrappers.js";
import { answer, call, result, tempDir, text, writerFor } from "../../helpers/transcript-kit.js";

const record = () => {
  const file = join(tempDir(), "a.jsonl");
  const writer = writerFor(file, { now: () => 0 });
  writer.appendUser({ content: "date and git state", isMeta: true });
  const prompt = writer.appendUser({ content: "do it with <file>", shown: "do it @file" });
  const [said] = writer.appendAssistant({
    message: answer("m1", text("On it."), call("a"), call("b", "Bash", { command: "ls" })),
  });
  const first = writer.appendToolResult({
    block: result("a", "1\tx"),
    display: { kind: "lines", startLine: 1, lines: ["x"] },
    durationMs: 7,
  });
  writer.appendToolResult({
    block: result("b", "Exit code 1", true),
    toolUseResult: { stdout: "", stderr: "no", interrupted: false },
  });
  writer.appendSystem({ subtype: "local_command", content: commandTags("status", "") });
  writer.appendSystem({ subtype: "local_command", content: commandOutputTag("Version: 3.0.0") });
  writer.appendUser({ content: "[Request interrupted by user]" });
  return { file, prompt, said, first };
};

test("the screen gets prompts, answers, calls with title and display, commands and notices, in order", () => {
  const { file, prompt, said, first } = record();
  const { events } = loadConversation(readTranscript(file).records, {
    describe: (name) => (name === "Read" ? { title: "a (described)", isReadOnly: true } : undefined),
  });
  const timestamp = "1970-01-01T00:00:00.000Z";
  expect(events).toEqual([
    { type: "user_message", uuid: prompt, content: "do it @file", shown: "do it @file", isMeta: false, timestamp },
    {
      type: "assistant_message",
      uuid: said,
      message: answer("m1", text("On it.")),
      index: 0,
      timestamp,
    },
    { type: "tool_call", id: "a", name: "Read", input: { file_path: "/a" }, title: "a (described)", isReadOnly: true },
    { type: "tool_call", id: "b", name: "Bash", input: { command: "ls" }, title: "ls", isReadOnly: false },
    {
      type: "tool_result",
      uuid: first,
      id: "a",
      name: "Read",
      isError: false,
      content: "1\tx",
      display: { kind: "lines", startLine: 1, lines: ["x"] },
      structured: undefined,
      durationMs: 7,
      timestamp,
    },
    {
      type: "tool_result",
      uuid: expect.any(String),
      id: "b",
      name: "Bash",
      isError: true,
      content: "Exit code 1",
      display: { kind: "shell", command: "ls", output: "no", exitCode: null, interrupted: false },
      structured: { stdout: "", stderr: "no", interrupted: false },
      durationMs: 0,
      timestamp,
    },
    expect.objectContaining({ type: "user_message", shown: "/status" }),
    { type: "command_output", command: "/status", text: "Version: 3.0.0", isError: false },
    { type: "notice", level: "info", text: "Interrupted" },
  ]);
  for (const event of events) engineEvent.parse(event);
});

test("an edit recorded by another writer is shown as its diff", () => {
  const file = join(tempDir(), "a.jsonl");
  const writer = writerFor(file);
  const hunks = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-a", "+b"] }];
  writer.appendAssistant({ message: answer("m1", call("a", "Edit")) });
  writer.appendToolResult({ block: result("a", "ok"), toolUseResult: { filePath: "/a", structuredPatch: hunks } });
  const { events } = loadConversation(readTranscript(file).records);
  expect(events[1]).toMatchObject({
    display: { kind: "diff", path: "/a", change: "update", added: 1, removed: 1, hunks },
  });
});

test("an exported conversation reads like one", () => {
  const { file } = record();
  expect(exportText(loadConversation(readTranscript(file).records).events)).toBe(
    [
      "> do it @file",
      "On it.",
      "● Read(/a)",
      "● Bash(ls)",
      "  ⎿ x",
      "  ⎿ Error: no",
      "> /status",
      "  ⎿ Version: 3.0.0",
      "[Interrupted]\n",
    ].join("\n\n"),
  );
  expect(exportText([])).toBe("");
});
