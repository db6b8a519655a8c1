import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { areFresh, notesDue, notesFile, writeNotes } from "../../../src/memory/session.js";

test("first notes when a compaction comes into sight, then every 5,000 tokens and 3 calls", () => {
  const at = (tokens: number, notedTokens?: number, calls = 9) =>
    notesDue({ tokens, compactAt: 167_000, notedTokens, calls });
  expect(at(83_000)).toBe(false);
  expect(at(84_000)).toBe(true);
  expect(at(88_900, 84_000)).toBe(false);
  expect(at(89_000, 84_000)).toBe(true);
  expect(at(89_000, 84_000, 2)).toBe(false);
});

test("never before 10,000 tokens; in a large window at a like share of it", () => {
  expect(notesDue({ tokens: 9_000, compactAt: 16_000, notedTokens: undefined, calls: 9 })).toBe(false);
  expect(notesDue({ tokens: 600_000, compactAt: 967_000, notedTokens: 590_000, calls: 9 })).toBe(false);
  expect(notesDue({ tokens: 615_000, compactAt: 967_000, notedTokens: 590_000, calls: 9 })).toBe(true);
});

test("notes that miss more than 10,000 tokens are not used", () => {
  expect([areFresh(10_000), areFresh(10_001)]).toEqual([true, false]);
});

test("notes are only for their owner's eyes, and are replaced whole", async () => {
  const folder = mkdtempSync(join(tmpdir(), "notes-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = notesFile(folder, "s1");
  await writeNotes(file, "one\n");
  await writeNotes(file, "two");
  expect(readFileSync(file, "utf8")).toBe("two\n");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
