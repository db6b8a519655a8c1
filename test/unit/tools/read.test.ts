// Read: numbering, parts, notes and refusals on real files.
import { closeSync, mkdirSync, openSync, symlinkSync, writeSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProcess } from "../../../src/platform/process.js";
import { read } from "../../../src/tools/read.js";
import { openWorkspace, type Workspace } from "../../helpers/tool-workspace.js";

let space: Workspace;
beforeEach(() => {
  space = openWorkspace();
});
afterEach(() => space.close());

const see = (name: string, more = {}) => space.run(read, { file_path: space.path(name), ...more });
const extentOf = (name: string) => space.context.fileState.get(space.path(name))?.extent;

it("numbers lines with a tab and gives the structured output and the display", async () => {
  const path = space.file("a.txt", "one\n\n  three\n");
  expect(await see("a.txt")).toEqual({
    content: "1\tone\n2\t\n3\t  three",
    display: {
      kind: "lines",
      path: "a.txt",
      startLine: 1,
      lines: ["one", "", "  three"],
      totalLines: 3,
      summary: "3 lines",
    },
    structured: {
      type: "text",
      file: { filePath: path, content: "one\n\n  three", numLines: 3, startLine: 1, totalLines: 3 },
    },
  });
  expect(extentOf("a.txt")).toBe("whole");
});

it("shows CRLF files without the CR, UTF-16 and legacy files as text with a note", async () => {
  space.file("crlf.txt", "a\r\nb\r\n");
  expect((await see("crlf.txt")).content).toBe("1\ta\n2\tb");
  space.file("u16.txt", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("né\n", "utf16le")]));
  expect((await see("u16.txt")).content).toBe(
    "1\tné\n\n(This file is not UTF-8; it is shown as utf-16le. Edits keep that encoding.)",
  );
  space.file("latin.txt", Buffer.from("caf\xe9\n", "latin1"));
  expect((await see("latin.txt")).content).toContain("1\tcafé\n");
});

describe("F196 what does not fit in one read", () => {
  it("gives the first 2000 lines, marked PARTIAL with total, size and the next offset", async () => {
    const text = Array.from({ length: 2500 }, (_, index) => `line ${index + 1}\n`).join("");
    space.file("long.txt", text);
    const result = await see("long.txt");
    expect(result.content).toContain(
      `(PARTIAL: lines 1-2000 of 2500, the whole file has ${text.length} bytes. Go on with offset 2001`,
    );
    expect(extentOf("long.txt")).toBe("partial");
    const rest = await see("long.txt", { offset: 2001 });
    expect(String(rest.content).split("\n")).toHaveLength(500);
    expect(extentOf("long.txt")).toBe("part");
  });

  it("stops at 25,000 tokens, and at the number a variable sets", async () => {
    space.file("wide.txt", `${"x".repeat(999)}\n`.repeat(160)); // 40,000 tokens
    const result = await see("wide.txt");
    expect(String(result.content).length).toBeLessThanOrEqual(100_300);
    expect(result.content).toContain("PARTIAL: lines 1-99 of 160");
    space.context.env = { ...space.context.env, CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS: "1000" };
    expect((await see("wide.txt")).content).toContain("PARTIAL: lines 1-3 of 160");
  });

  it("cuts a 2 MB line with a mark", async () => {
    space.file("one.json", `{"a":"${"y".repeat(2_000_000)}"}`);
    const { content } = await see("one.json");
    expect(String(content).length).toBeLessThan(2500);
    expect(content).toContain("… [line cut here: 2000008 characters in all]");
    expect(content).toContain("1 long line was cut");
    expect(extentOf("one.json")).toBe("part");
  });

  it("reads a 200 MB log by parts in bounded memory", async () => {
    const fd = openSync(space.path("big.log"), "w");
    const block = Buffer.from("0123456789 a line of a log that says nothing at all\n".repeat(20_000));
    for (let written = 0; written < 200_000_000; written += block.length) writeSync(fd, block);
    closeSync(fd);
    const before = process.memoryUsage().rss;
    const { content } = await see("big.log", { offset: 3_000_000, limit: 2 });
    expect(content).toMatch(
      /^3000000\t0123456789 a line.*\n3000001\t0123456789.*\n\n\(Part: lines 3000000-3000001 of \d+/,
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
  });

  it("an empty file, an offset beyond the end, limit 0", async () => {
    space.file("empty.txt", "");
    expect((await see("empty.txt")).content).toBe("(The file exists but is empty.)");
    space.file("a.txt", "one\ntwo\n");
    expect((await see("a.txt", { offset: 9 })).content).toBe("(There is no line 9: the file has 2 lines.)");
    expect((await see("a.txt", { limit: 0 })).content).toBe("1\tone\n2\ttwo");
  });
});

describe("refusals", () => {
  it("F196 a directory gives a listing hint, a missing file similar names", async () => {
    mkdirSync(space.path("src"));
    expect(await see("src")).toMatchObject({ isError: true, content: expect.stringContaining("List it with Glob") });
    space.file("src/Button.tsx", "x");
    expect((await see("src/Button.ts")).content).toContain(`Did you mean ${space.path("src/Button.tsx")}?`);
  });

  it("devices, pipes and links in a circle are refused without hanging", async () => {
    await runProcess("mkfifo", [space.path("fifo")]);
    expect((await see("fifo")).content).toContain("named pipe");
    expect((await space.run(read, { file_path: "/dev/zero" })).content).toContain("device file");
    symlinkSync("b", space.path("a"));
    symlinkSync("a", space.path("b"));
    expect((await see("a")).content).toContain("leads back to itself");
  });

  it("binary files are named for what they are", async () => {
    space.file("a.zip", Buffer.from("PK\x03\x04\0\0", "latin1"));
    expect((await see("a.zip")).content).toContain("is a zip archive (or a document in one), not text");
    space.file("a.bin", Buffer.from([1, 2, 0, 3]));
    expect((await see("a.bin")).content).toContain("is a binary file");
  });
});

it("names both paths of a link for the decision and remembers the target", async () => {
  space.file("real.txt", "x\n");
  symlinkSync("real.txt", space.path("link.txt"));
  expect(await read.checkPermissions({ file_path: space.path("link.txt") }, space.context)).toEqual({
    reads: [space.path("link.txt"), space.path("real.txt")],
    writes: [],
  });
  await see("link.txt");
  expect(extentOf("real.txt")).toBe("whole");
});
