import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { allPrompts, type FoundPrompt } from "../../../src/sessions/all-prompts.js";
import { appendPrompt } from "../../../src/sessions/prompt-history.js";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "prompts-"));
  file = join(folder, "history.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = async (signal = new AbortController().signal): Promise<FoundPrompt[]> => {
  const all: FoundPrompt[] = [];
  for await (const batch of allPrompts(file, signal)) all.push(...batch);
  return all;
};

const line = (at: number, text = `prompt ${at}`): string =>
  JSON.stringify({ display: text, pastedContents: {}, timestamp: at, project: "/p", sessionId: "s" });

test("newest first, of all projects, with pastes; torn lines are left out", async () => {
  appendPrompt(file, { display: "one", timestamp: 1, project: "/a", sessionId: "s1" });
  writeFileSync(file, '{"display": "torn', { flag: "a" });
  writeFileSync(file, "\n", { flag: "a" });
  const pastes = [{ id: 1, text: "x\ny\nz" }];
  appendPrompt(file, { display: "look [Pasted text #1 +3 lines]", pastes, timestamp: 2, project: "/b" });
  expect(await read()).toEqual([
    { text: "look [Pasted text #1 +3 lines]", pastes, timestamp: 2, project: "/b", sessionId: undefined },
    { text: "one", pastes: [], timestamp: 1, project: "/a", sessionId: "s1" },
  ]);
});

test("lines that lie across the pieces in which the file is read are whole, also very long ones", async () => {
  const long = "é".repeat(300_000);
  const lines = Array.from({ length: 4_000 }, (_, at) =>
    line(at, at === 2_000 ? long : `prompt ${at} ${"ü".repeat(at % 90)}`),
  );
  writeFileSync(file, `${lines.join("\n")}\n`);
  const found = await read();
  expect(found.length).toBe(4_000);
  expect(found.map(({ timestamp }) => timestamp)).toEqual(Array.from({ length: 4_000 }, (_, at) => 3_999 - at));
  expect(found[1_999]?.text).toBe(long);
});

test("no file is an empty history, and reading ends when nobody wants it any more", async () => {
  expect(await read()).toEqual([]);
  writeFileSync(file, `${line(1)}\n`);
  expect(await read(AbortSignal.abort())).toEqual([]);
});
