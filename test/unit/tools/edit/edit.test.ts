// Edit through the tool: bytes on disk, refusals and hints.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProcess } from "../../../../src/platform/process.js";
import { edit } from "../../../../src/tools/edit/index.js";
import { read } from "../../../../src/tools/read.js";
import { openWorkspace, type Workspace } from "../../../helpers/tool-workspace.js";

let space: Workspace;
beforeEach(() => {
  space = openWorkspace();
});
afterEach(() => space.close());

const change = (name: string, old_string: string, new_string: string, more = {}) =>
  space.run(edit, { file_path: space.path(name), old_string, new_string, ...more });
const see = (name: string, more = {}) => space.run(read, { file_path: space.path(name), ...more });
const readAndChange = async (name: string, old: string, now: string, more = {}) => {
  await see(name);
  return change(name, old, now, more);
};

describe("what is written", () => {
  it("replaces one place and returns the lines around it, a diff and the structured output", async () => {
    const path = space.file("a.ts", "let a = 1;\nlet b = 2;\n");
    const result = await readAndChange("a.ts", "b = 2", "b = 3");
    const hunks = [
      { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [" let a = 1;", "-let b = 2;", "+let b = 3;"] },
    ];
    expect(result).toEqual({
      content: `Changed ${path}. The lines now:\n1\tlet a = 1;\n2\tlet b = 3;`,
      display: { kind: "diff", path: "a.ts", change: "update", added: 1, removed: 1, hunks },
      structured: {
        filePath: path,
        oldString: "b = 2",
        newString: "b = 3",
        originalFile: "let a = 1;\nlet b = 2;\n",
        structuredPatch: hunks,
        userModified: false,
        replaceAll: false,
      },
    });
    expect(space.text("a.ts")).toBe("let a = 1;\nlet b = 3;\n");
    expect((await change("a.ts", "b = 3", "b = 4")).isError).toBeUndefined();
  });

  it("an empty old_string creates a file and its folders", async () => {
    const result = await change("new/dir/a.txt", "", "hello\n");
    expect(result.content).toBe(`Created ${space.path("new/dir/a.txt")}.`);
    expect(space.text("new/dir/a.txt")).toBe("hello\n");
    expect((await change("new/dir/a.txt", "", "x")).content).toContain("is not empty");
  });

  it("replace_all changes every copy, whatever its line end", async () => {
    space.file("a.txt", "a\nb\n--\na\r\nb\r\n");
    expect((await readAndChange("a.txt", "a\nb", "c\nd", { replace_all: true })).content).toContain(
      "Replaced 2 occurrences",
    );
    expect(space.text("a.txt")).toBe("c\nd\n--\nc\r\nd\r\n");
  });

  it("F066 legacy bytes survive an edit", async () => {
    space.file("s.txt", Buffer.from("const x = 1;\n// caf\xe9 \xa9 note\n", "latin1"));
    expect((await readAndChange("s.txt", "x = 1", "x = 2")).isError).toBeUndefined();
    expect(space.bytes("s.txt").toString("latin1")).toBe("const x = 2;\n// caf\xe9 \xa9 note\n");
  });

  it("F066 legacy text is matched and written in its own encoding, and refused where it does not fit", async () => {
    space.file("s.txt", Buffer.from("// caf\xe9 note\n", "latin1"));
    expect((await readAndChange("s.txt", "café", "thé")).isError).toBeUndefined();
    expect(space.bytes("s.txt").toString("latin1")).toBe("// th\xe9 note\n");
    const refused = await change("s.txt", "note", "日本");
    expect(refused.content).toContain("has characters that this encoding lacks");
    expect(space.bytes("s.txt").toString("latin1")).toBe("// th\xe9 note\n");
  });

  it("damaged UTF-8 keeps its damage and takes any new text", async () => {
    space.file("d.txt", Buffer.concat([Buffer.from("größe größe\n"), Buffer.from([0xff, 0x0a])]));
    expect((await readAndChange("d.txt", "größe größe", "Länge 日")).isError).toBeUndefined();
    expect(space.bytes("d.txt")).toEqual(Buffer.concat([Buffer.from("Länge 日\n"), Buffer.from([0xff, 0x0a])]));
  });

  it("UTF-16 stays UTF-16", async () => {
    space.file("u.txt", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("one 😀\r\ntwo\r\n", "utf16le")]));
    expect((await readAndChange("u.txt", "one 😀\ntwo", "one 😁\n2")).isError).toBeUndefined();
    expect(space.bytes("u.txt")).toEqual(
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("one 😁\r\n2\r\n", "utf16le")]),
    );
  });

  it("F068 CRLF, tab and byte-order mark files match and stay so", async () => {
    const bom = "\uFEFF";
    space.file("A.java", `${bom}class A {\r\n\tint x;\r\n}\r\n`);
    const result = await readAndChange("A.java", "class A {\n\tint x;", "class A {\n\tlong x;");
    expect(result.display).toMatchObject({ added: 1, removed: 1 });
    expect(space.text("A.java")).toBe(`${bom}class A {\r\n\tlong x;\r\n}\r\n`);
    await change("A.java", "\tlong x;\r\n}", "\tlong x;\r\n\tint y;\r\n}");
    expect(space.text("A.java")).toBe(`${bom}class A {\r\n\tlong x;\r\n\tint y;\r\n}\r\n`);
  });

  it("joining lines of a CRLF file leaves no stray CR", async () => {
    space.file("a.txt", "one\r\ntwo\r\nthree\r\n");
    await readAndChange("a.txt", "\ntwo", " two");
    expect(space.text("a.txt")).toBe("one two\r\nthree\r\n");
  });

  it("in a mixed file each line keeps its end and new lines take that of their neighbours", async () => {
    space.file("m.txt", "a\r\nb\nc\r\nd\n");
    await readAndChange("m.txt", "b\nc", "b\nnew\nc");
    expect(space.text("m.txt")).toBe("a\r\nb\nnew\nc\r\nd\n");
    await change("m.txt", "a", "a1\na2");
    expect(space.text("m.txt")).toBe("a1\r\na2\r\nb\nnew\nc\r\nd\n");
  });

  it("F072 new_string is never re-quoted, and unchanged typographic quotes stay", async () => {
    space.file("q.c", "printf('%s')\n“prose” it’s\n");
    await readAndChange("q.c", "'%s'", "‘%s’");
    expect(space.text("q.c")).toBe("printf(‘%s’)\n“prose” it’s\n");
    await change("q.c", `"prose" it's`, `"prose" it's /["'(]+/`);
    expect(space.text("q.c")).toBe(`printf(‘%s’)\n“prose” it’s /["'(]+/\n`);
  });

  it("F080 trailing blanks in Markdown are kept", async () => {
    space.file("a.md", "one\nthree\n");
    await readAndChange("a.md", "one\n", "one  \ntwo\n");
    expect(space.text("a.md")).toBe("one  \ntwo\nthree\n");
  });
});

describe("links, modes and rights", () => {
  it("F076 an edit through a link changes the target and the link stays", async () => {
    space.file("real", "a\n");
    symlinkSync("real", space.path("link"));
    const result = await readAndChange("link", "a", "b");
    expect(result.content).toContain(`${space.path("link")} (a link to ${space.path("real")})`);
    expect(readlinkSync(space.path("link"))).toBe("real");
    expect(space.text("real")).toBe("b\n");
    expect(
      await edit.checkPermissions(
        edit.input.parse({ file_path: space.path("link"), old_string: "b", new_string: "c" }),
        space.context,
      ),
    ).toEqual({
      reads: [],
      writes: [space.path("link"), space.path("real")],
    });
    expect((await change("real", "b", "c")).isError).toBeUndefined();
  });

  it("hard links stay linked", async () => {
    space.file("one", "a\n");
    linkSync(space.path("one"), space.path("two"));
    await readAndChange("one", "a", "longer than before");
    expect(space.text("two")).toBe("longer than before\n");
    expect(statSync(space.path("one")).ino).toBe(statSync(space.path("two")).ino);
  });

  it("F078 mode and owner are kept, the script still runs", async () => {
    space.file("r.sh", "#!/bin/sh\necho X\n");
    chmodSync(space.path("r.sh"), 0o755);
    await readAndChange("r.sh", "X", "Y");
    expect(statSync(space.path("r.sh")).mode & 0o7777).toBe(0o755);
    expect(execFileSync(space.path("r.sh"), { encoding: "utf8" })).toBe("Y\n");
    space.file("g.txt", "X");
    chmodSync(space.path("g.txt"), 0o640);
    if (process.getuid?.() === 0) chownSync(space.path("g.txt"), 65534, 65534);
    await readAndChange("g.txt", "X", "Y");
    const { mode, uid } = statSync(space.path("g.txt"));
    expect([mode & 0o7777, uid]).toEqual([0o640, process.getuid?.() === 0 ? 65534 : process.getuid?.()]);
    expect(readdirSync(space.cwd).sort()).toEqual(["g.txt", "r.sh"]);
  });

  it.runIf(process.getuid?.() === 0)(
    "F078 without write permission for the folder the file is written in place",
    async () => {
      mkdirSync(space.path("locked"));
      space.file("locked/a.txt", "old content\n");
      space.file("locked/ro.txt", "read only\n");
      chownSync(space.path("locked/a.txt"), 65534, 65534);
      chmodSync(space.path("locked"), 0o555);
      await see("locked/a.txt");
      await see("locked/ro.txt");
      const inode = lstatSync(space.path("locked/a.txt")).ino;
      for (const folder of [space.cwd, `${space.cwd}/..`]) chmodSync(folder, 0o755);
      const refused = await asNobody(async () => {
        expect((await change("locked/a.txt", "old content", "new")).isError).toBeUndefined();
        return change("locked/ro.txt", "read", "write");
      });
      expect(space.text("locked/a.txt")).toBe("new\n");
      expect(lstatSync(space.path("locked/a.txt")).ino).toBe(inode);
      expect(refused.content).toContain("could not be written");
      expect(space.text("locked/ro.txt")).toBe("read only\n");
    },
  );
});

const asNobody = async <T>(work: () => Promise<T>): Promise<T> => {
  process.setegid?.(65534);
  process.seteuid?.(65534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
};

describe("refusals, in the order of the checks", () => {
  it("missing: names similar files", async () => {
    space.file("filter.ts", "x");
    expect((await change("fliter.ts", "a", "b")).content).toBe(
      `${space.path("fliter.ts")} does not exist. Did you mean ${space.path("filter.ts")}? To create it, use Write.`,
    );
  });

  it("folders, pipes and binaries", async () => {
    mkdirSync(space.path("dir"));
    expect((await change("dir", "a", "b")).content).toContain("is a directory");
    await runProcess("mkfifo", [space.path("fifo")]);
    expect((await change("fifo", "a", "b")).content).toContain("is a fifo");
    space.file("bin", Buffer.from([1, 0, 2]));
    expect((await change("bin", "a", "b")).content).toContain("is a binary file");
  });

  it("not read, read in part only, read with offset", async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `line ${index + 1}`);
    space.file("long.txt", `${lines.join("\n")}\n`);
    expect((await change("long.txt", "line 7\n", "x\n")).content).toContain("has not been read yet");
    await see("long.txt");
    expect((await change("long.txt", "line 7\n", "x\n")).content).toContain("Only the first part");
    await see("long.txt", { offset: 5, limit: 10 });
    expect((await change("long.txt", "line 7\n", "x\n")).isError).toBeUndefined();
  });

  it("F074 a touched file is no change, a changed one is refused once and says what changed", async () => {
    space.file("f.txt", "one\ntwo\n");
    await see("f.txt");
    utimesSync(space.path("f.txt"), new Date(), new Date(Date.now() + 60_000));
    expect((await change("f.txt", "two", "2")).isError).toBeUndefined();
    writeFileSync(space.path("f.txt"), "ONE\n2\n");
    const refused = await change("f.txt", "2", "3");
    expect(refused.content).toContain("has changed on disk since it was read");
    expect(refused.content).toContain("-one\n+ONE");
    await see("f.txt");
    expect((await change("f.txt", "2", "3")).isError).toBeUndefined();
  });

  it("same texts, and texts that differ in line ends only", async () => {
    space.file("f.txt", "a\r\nb\r\n");
    expect((await readAndChange("f.txt", "a", "a")).content).toContain("are the same");
    expect((await change("f.txt", "a\r\nb", "a\nb")).content).toContain("line ends only");
  });

  it("not unique: names the lines", async () => {
    space.file("f.txt", "x = 1\ny\nx = 1\n");
    expect((await readAndChange("f.txt", "x = 1", "x = 2")).content).toBe(
      `old_string is in ${space.path("f.txt")} 2 times (lines 1, 3). Add lines around it so that it is unique, or set replace_all.`,
    );
  });

  it("F070 tabs and spaces: the hint says which and shows the line; an ambiguous place names all", async () => {
    space.file("a.go", "func a() {\n\tif x {\n\t\treturn 1\n\t}\n}\n\nfunc b() {\n\tok()\n\tok()\n}\n");
    const seen = await see("a.go");
    expect(seen.content).toContain("indented with tabs");
    const refused = await change("a.go", "    if x {\n        return 1\n    }", "    if y {}");
    expect(refused.content).toContain("This file indents with tabs, old_string with spaces.");
    expect(refused.content).toContain(`line 2: "\\tif x {"`);
    expect((await change("a.go", "    ok()", "    no()")).content).toContain("2 times (lines 8, 9)");
  });

  it.each([
    ["1\tlet a = 1;\n2\tlet b = 2;", "contains the line numbers"],
    ["let a = 1;\\nlet b = 2;", "one backslash escape too many"],
    ["let s = 'x\ny';", "the escape sequences themselves"],
    ["LET B = 2;", "Upper and lower case differ"],
    ["let a =  1;", "differs in the whitespace inside a line"],
    ["let a = 1;  \nlet b = 2;", "whitespace at the end of a line"],
    ["let c = b + 1;", `The closest place is line 3.`],
    ["nothing like it at all", "Nothing in the file looks like it"],
  ])("hint for %j", async (old, hint) => {
    space.file("f.ts", "let a = 1;\nlet b = 2;\nlet cc = a + b + 1;\nlet s = 'x\\ny';\n");
    const result = await readAndChange("f.ts", old, "new");
    expect(result.isError).toBe(true);
    expect(result.content).toContain(hint);
  });
});
