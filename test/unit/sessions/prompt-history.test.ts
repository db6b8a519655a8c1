import { appendFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { appendPrompt, readHistory, readPrompts } from "../../../src/sessions/prompt-history.js";
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

test("this session's prompts come first, then the project's; repeats are collapsed where the two meet", () => {
  const file = join(tempDir(), "history.jsonl");
  const from = (sessionId: string, display: string, project = "/p") =>
    appendPrompt(file, { display, project, timestamp: 1, sessionId });
  from("mine", "one");
  from("other", "build");
  from("mine", "two");
  from("mine", "elsewhere", "/q");
  from("other", "one");
  expect(readHistory(file, "/p", "mine").prompts).toEqual(["build", "one", "two"]);
  expect(readHistory(file, "/p", "other").prompts).toEqual(["one", "two", "build", "one"]);
  expect(readHistory(file, "/p", "new").prompts).toEqual(["one", "build", "two", "one"]);
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

test("pastes come back with their prompts, long ones from files that only the user reads", () => {
  const folder = tempDir();
  const file = join(folder, "history.jsonl");
  const long = "log line\n".repeat(400);
  const base = { project: "/p", timestamp: 1, sessionId: "s" };
  const short = { id: 1, text: "a\nb\nc" };
  const big = { id: 2, text: long };
  const display = "why [Pasted text #1 +3 lines] and [Pasted text #2 +401 lines]?";
  appendPrompt(file, { ...base, display, pastes: [{ id: 1, text: "x\ny\nz" }, big] });
  appendPrompt(file, { ...base, display: "[Image #1]" });
  appendPrompt(file, { ...base, display, pastes: [short, big] });
  expect(readHistory(file, "/p")).toEqual({
    prompts: [`why x\ny\nz and ${long}?`, display],
    pastes: { [display]: [short, big] },
  });
  const cache = join(folder, "paste-cache");
  const [name, ...others] = readdirSync(cache);
  expect([others, statSync(join(cache, name ?? "")).mode & 0o777]).toEqual([[], 0o600]);
  rmSync(cache, { recursive: true });
  expect(readHistory(file, "/p").prompts.at(-1)).toBe("why [Pasted text #1 +3 lines] and ?");
});
