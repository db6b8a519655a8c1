import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type DraftContent, leftDrafts, removeDraft, writeDraft } from "../../../src/sessions/drafts.js";
import { tempDir } from "../../helpers/transcript-kit.js";

const content: DraftContent = { sessionId: "s", cwd: "/p", at: 5, text: "half a thou", pastes: [], queued: [] };

test("a draft is written whole, for its owner's eyes, and removed when nothing is left of it", () => {
  const folder = join(tempDir(), "drafts");
  writeDraft(folder, content);
  const [name] = readdirSync(folder);
  expect(name).toBe(`${process.pid}.json`);
  expect(statSync(join(folder, name!)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(join(folder, name!), "utf8"))).toMatchObject(content);
  writeDraft(folder, { ...content, text: "", queued: [{ uuid: "u", text: "waits" }] });
  expect(readdirSync(folder)).toHaveLength(1);
  writeDraft(folder, { ...content, text: "" });
  expect(readdirSync(folder)).toEqual([]);
});

test("only drafts of processes that are gone are left ones, newest first; broken files are passed over", () => {
  const folder = join(tempDir(), "drafts");
  writeDraft(folder, content); // ours: alive
  const put = (pid: number, more: object) =>
    writeFileSync(join(folder, `${pid}.json`), JSON.stringify({ ...content, pid, startTime: "1", ...more }));
  put(2 ** 22 + 1, { at: 1, text: "older" });
  put(2 ** 22 + 2, { at: 9, text: "newer" });
  put(1, { startTime: "another process of that number", text: "its pid is used again" });
  put(2 ** 22 + 3, { text: 5 });
  writeFileSync(join(folder, "7.json"), "{torn");
  writeFileSync(join(folder, "notes.txt"), "x");
  const left = leftDrafts(folder);
  expect(left.map(({ draft }) => draft.text)).toEqual(["newer", "its pid is used again", "older"]);
  removeDraft(left[0]!.file);
  removeDraft(left[0]!.file);
  expect(leftDrafts(folder)).toHaveLength(2);
  expect(leftDrafts(join(folder, "missing"))).toEqual([]);
});

test("a folder that cannot be written stops nobody from typing", () => {
  const file = join(tempDir(), "file");
  writeFileSync(file, "");
  writeDraft(file, content);
  mkdirSync(join(tempDir(), "x"));
});
