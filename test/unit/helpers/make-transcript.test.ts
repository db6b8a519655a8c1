import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createWorkspace } from "../../helpers/fixtures.js";
import { makeTranscript } from "../../helpers/make-transcript.js";
import { newMemory, refusal } from "../../helpers/strict-rules.js";

test("a made transcript has as many messages as asked for, in one chain that the API would accept", () => {
  const { configDir, project: cwd } = createWorkspace();
  const { file } = makeTranscript({ configDir, cwd, messages: 101 });
  const lines = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.length).toBe(101);
  expect(lines.every(({ parentUuid }, i) => parentUuid === (lines[i - 1]?.uuid ?? null))).toBe(true);
  const messages = lines.map(({ message: { role, content } }) => ({ role, content }));
  if (messages.at(-1)?.role === "assistant") messages.push({ role: "user", content: "go on" });
  expect(refusal({ model: "claude-sonnet-5-5", max_tokens: 10, messages }, { memory: newMemory() })).toBeUndefined();
});
