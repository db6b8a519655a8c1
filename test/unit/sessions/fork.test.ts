import { appendFileSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { forkTranscript } from "../../../src/sessions/fork.js";
import { readTranscript } from "../../../src/sessions/read.js";
import { loadConversation } from "../../../src/sessions/resume.js";
import { tempDir, writerFor } from "../../helpers/transcript-kit.js";

test("a fork has the same conversation under its own id, and the original is untouched", () => {
  const folder = tempDir();
  const from = join(folder, "from.jsonl");
  const to = join(folder, "to.jsonl");
  const writer = writerFor(from);
  const first = writer.appendUser({ content: "a" });
  writer.appendUser({ content: "b" });
  appendFileSync(from, "{torn");
  const before = readFileSync(from, "utf8");

  forkTranscript(from, to, "new-id");
  const fork = loadConversation(readTranscript(to).records);
  expect(fork).toMatchObject({ sessionId: "new-id", messages: [{ content: "a" }, { content: "b" }] });
  expect(fork.lastUuid).toBe(writer.lastUuid());
  expect(statSync(to).mode & 0o777).toBe(0o600);
  expect(readFileSync(from, "utf8")).toBe(before);

  forkTranscript(from, to, "new-id", first);
  expect(loadConversation(readTranscript(to).records).messages).toEqual([{ role: "user", content: "a" }]);
  expect(readdirSync(folder).sort()).toEqual(["from.jsonl", "to.jsonl"]);
});
