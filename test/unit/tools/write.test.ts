// Write: what is stored, what is refused.
import { existsSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { read } from "../../../src/tools/read.js";
import { write } from "../../../src/tools/write.js";
import { openWorkspace, type Workspace } from "../../helpers/tool-workspace.js";

let space: Workspace;
beforeEach(() => {
  space = openWorkspace();
});
afterEach(() => space.close());

const put = (name: string, content: string) => space.run(write, { file_path: space.path(name), content });
const see = (name: string, more = {}) => space.run(read, { file_path: space.path(name), ...more });

it("creates a file with its folders and may write it again at once", async () => {
  const result = await put("a/b/c.txt", "one\n");
  expect(result).toEqual({
    content: `Created ${space.path("a/b/c.txt")}.`,
    display: {
      kind: "diff",
      path: "a/b/c.txt",
      change: "create",
      added: 1,
      removed: 0,
      hunks: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: ["+one"] }],
    },
    structured: {
      type: "create",
      filePath: space.path("a/b/c.txt"),
      content: "one\n",
      structuredPatch: [],
      originalFile: null,
    },
  });
  expect((await put("a/b/c.txt", "two\n")).structured).toMatchObject({ type: "update", originalFile: "one\n" });
});

it("refuses an existing file that was not read as a whole or that changed since", async () => {
  space.file("a.txt", "one\ntwo\n");
  expect((await put("a.txt", "x")).content).toContain("has not been read yet");
  await see("a.txt", { offset: 2 });
  expect((await put("a.txt", "x")).content).toContain("Only a part");
  await see("a.txt");
  writeFileSync(space.path("a.txt"), "three\n");
  expect((await put("a.txt", "x")).content).toContain("-one");
  expect(space.text("a.txt")).toBe("three\n");
});

it("refuses folders, paths that end in a slash and system files", async () => {
  expect((await space.run(write, { file_path: space.cwd, content: "x" })).content).toContain("is a directory");
  expect((await space.run(write, { file_path: `${space.cwd}/x/`, content: "x" })).content).toContain("names a folder");
  expect((await space.run(write, { file_path: "/proc/self/comm", content: "x" })).isError).toBe(true);
});

it("F080 stores line ends as given", async () => {
  space.file("a.txt", "one\r\ntwo\r\n");
  await see("a.txt");
  await put("a.txt", "one  \ntwo\n");
  expect(space.text("a.txt")).toBe("one  \ntwo\n");
  await put("a.txt", "one\r\ntwo\r\n");
  expect(space.text("a.txt")).toBe("one\r\ntwo\r\n");
});

it("F066 keeps the encoding of an existing file or refuses", async () => {
  space.file("l.txt", Buffer.from("caf\xe9\n", "latin1"));
  await see("l.txt");
  await put("l.txt", "thé\n");
  expect(space.bytes("l.txt").toString("latin1")).toBe("th\xe9\n");
  expect((await put("l.txt", "日本\n")).content).toContain("this encoding lacks");
  space.file("b.txt", "\uFEFFone\n");
  await see("b.txt");
  await put("b.txt", "two\n");
  expect(space.text("b.txt")).toBe("\uFEFFtwo\n");
});

it("F076 follows links, also one whose target is missing", async () => {
  symlinkSync("not/there.txt", space.path("link"));
  expect((await put("link", "x\n")).content).toBe(
    `Created ${space.path("link")} (a link to ${space.path("not/there.txt")}).`,
  );
  expect(readlinkSync(space.path("link"))).toBe("not/there.txt");
  expect(space.text("not/there.txt")).toBe("x\n");
});

it("shows the change beforehand without writing", async () => {
  const preview = await write.preview?.({ file_path: space.path("new.txt"), content: "x\n" }, space.context);
  expect(preview).toMatchObject({ kind: "diff", change: "create", added: 1 });
  expect(existsSync(space.path("new.txt"))).toBe(false);
});

it("below a file nothing is written, and the text names that file", async () => {
  space.file("f", "x");
  expect(await put("f/a/b.txt", "one")).toEqual({
    content: `${space.path("f/a/b.txt")} cannot be created: ${space.path("f")} is a file, not a folder.`,
    isError: true,
  });
});

it("F080 says so when the content changes the line ends of the whole file", async () => {
  space.file("a.txt", "one\r\ntwo\r\n");
  await see("a.txt");
  expect((await put("a.txt", "1\n2\n")).content).toContain("Its line ends were CRLF and are LF now");
  expect(space.text("a.txt")).toBe("1\n2\n");
  expect((await put("a.txt", "1\n3\n")).content).toBe(`Replaced the content of ${space.path("a.txt")}.`);
});
