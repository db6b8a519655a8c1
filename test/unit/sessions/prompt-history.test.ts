import { appendFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { appendPrompt, readPrompts } from "../../../src/sessions/prompt-history.js";
import { tempDir } from "../../helpers/transcript-kit.js";

const add = (file: string, display: string, project = "/p") =>
  appendPrompt(file, { display, project, timestamp: 1, sessionId: "s" });

test("F031 submitted prompts come back in order, per project, repeats collapsed", () => {
  const file = join(tempDir(), "history.jsonl");
  for (const prompt of ["first", "second", "second", "", "  ", "first"]) add(file, prompt);
  add(file, "elsewhere", "/other");
  add(file, "first");
  expect(readPrompts(file, "/p")).toEqual(["first", "second", "first"]);
  expect(readPrompts(file, "/other")).toEqual(["elsewhere"]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("F062 a torn line costs only itself", () => {
  const file = join(tempDir(), "history.jsonl");
  add(file, "first");
  appendFileSync(file, '{"display":"tor');
  add(file, "second");
  appendFileSync(file, '[]\n"x"\n{"display":5,"project":"/p"}\n');
  expect(readPrompts(file, "/p")).toEqual(["first", "second"]);
});

test("a missing file is an empty history, and one that cannot be written is no error", () => {
  const folder = tempDir();
  expect(readPrompts(join(folder, "none"), "/p")).toEqual([]);
  add(folder, "the file is a folder");
});

test("F064 prompts of several lines and writers are whole lines", async () => {
  const file = join(tempDir(), "history.jsonl");
  const big = "line\n".repeat(20_000);
  for (let index = 0; index < 5; index += 1) {
    add(file, `${index}${big}`);
    add(file, `${index}`, "/other");
  }
  expect(readPrompts(file, "/p").map((prompt) => prompt.length)).toEqual(Array(5).fill(big.length + 1));
});
