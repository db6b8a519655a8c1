// Grep with real ripgrep: modes, options, odd names, failures.
import { utimesSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { grep } from "../../../../src/tools/grep/index.js";
import { openWorkspace, type Workspace } from "../../../helpers/tool-workspace.js";

let space: Workspace;
beforeEach(() => {
  space = openWorkspace();
});
afterEach(() => space.close());

const search = (input: Record<string, unknown>) => space.run(grep, input);
const text = async (input: Record<string, unknown>) => (await search(input)).content;

describe("modes", () => {
  beforeEach(() => {
    utimesSync(space.file("src/a.ts", "foo one\nbar\nfoo two foo\n"), 100, 100);
    utimesSync(space.file("b.md", "Foo\nbar\n"), 200, 200);
  });

  it("paths by default, newest first", async () => {
    expect(await search({ pattern: "bar" })).toEqual({
      content: "Found 2 files\nb.md\nsrc/a.ts",
      display: { kind: "paths", paths: ["b.md", "src/a.ts"], total: 2, truncated: false },
      structured: { mode: "files_with_matches", numFiles: 2, filenames: [space.path("b.md"), space.path("src/a.ts")] },
    });
  });

  it("content with numbers, context, only matches, without case", async () => {
    expect(await text({ pattern: "foo", output_mode: "content" })).toBe("src/a.ts:1:foo one\nsrc/a.ts:3:foo two foo");
    expect(await text({ pattern: "two", output_mode: "content", "-B": 1 })).toBe(
      "src/a.ts-2-bar\nsrc/a.ts:3:foo two foo",
    );
    expect(await text({ pattern: "one", output_mode: "content", "-A": 1, "-n": false })).toBe(
      "src/a.ts:foo one\nsrc/a.ts:bar",
    );
    expect(await text({ pattern: "bar", path: "src", output_mode: "content", context: 1 })).toBe(
      "src/a.ts-1-foo one\nsrc/a.ts:2:bar\nsrc/a.ts-3-foo two foo",
    );
    expect(await text({ pattern: "fo+", path: "src/a.ts", output_mode: "content", "-o": true })).toBe(
      "src/a.ts:1:foo\nsrc/a.ts:3:foo\nsrc/a.ts:3:foo",
    );
    expect(await text({ pattern: "foo", glob: "*.md", output_mode: "content", "-i": true })).toBe("b.md:1:Foo");
    expect(await text({ pattern: "foo", type: "ts" })).toBe("Found 1 file\nsrc/a.ts");
  });

  it("counts all matches, also beyond the shown files", async () => {
    expect(await search({ pattern: "foo", "-i": true, output_mode: "count" })).toMatchObject({
      content: "b.md:1\nsrc/a.ts:3\nTotal: 4 matches in 2 files",
      structured: { mode: "count", numFiles: 2, numMatches: 4 },
    });
    expect(await text({ pattern: "foo", "-i": true, output_mode: "count", head_limit: 1 })).toContain(
      "Total: 4 matches in 2 files",
    );
  });

  it("multiline", async () => {
    expect(await text({ pattern: "one.*two", multiline: true, output_mode: "content" })).toContain(
      "src/a.ts:1:foo one",
    );
    expect(await text({ pattern: "one.*two" })).toBe("No files found");
    expect(await text({ pattern: "nowhere", output_mode: "content" })).toBe("No matches found");
    expect(await text({ pattern: "nowhere", output_mode: "count" })).toBe("No matches found");
  });
});

describe("F198 edge cases", () => {
  it("odd names are told apart", async () => {
    for (const name of ["-dash.txt", "with space:1:x.txt", "new\nline.txt", "br[x].txt"]) space.file(name, "needle\n");
    expect(
      String(await text({ pattern: "needle", output_mode: "content" }))
        .split("\n")
        .sort(),
    ).toEqual(['"new\\nline.txt":1:needle', "-dash.txt:1:needle", "br[x].txt:1:needle", "with space:1:x.txt:1:needle"]);
    expect(await text({ pattern: "needle", path: space.path("-dash.txt"), output_mode: "content" })).toBe(
      "-dash.txt:1:needle",
    );
  });

  it("a pattern that looks like an option is a pattern", async () => {
    space.file("a.txt", "x -e y --pre=id\n");
    expect(await text({ pattern: "-e y", output_mode: "content" })).toBe("a.txt:1:x -e y --pre=id");
    expect(await text({ pattern: "--pre=id", output_mode: "content" })).toBe("a.txt:1:x -e y --pre=id");
  });

  it("a wrong expression and a wrong type are explained", async () => {
    space.file("a.txt", "x");
    const result = await search({ pattern: "foo(" });
    expect(result.isError).toBe(true);
    expect(result.content).toContain('"foo(" is not a valid regular expression');
    expect(result.content).toContain("unclosed group");
    expect(await text({ pattern: "x", type: "nonsense" })).toContain('no file type "nonsense"');
    expect(await text({ pattern: "x", path: "gone" })).toContain("does not exist");
  });

  it("10,000 hits are cut with the total and can be paged", async () => {
    space.file("many.txt", "hit\n".repeat(10_000));
    const result = await search({ pattern: "hit", output_mode: "content" });
    expect(result.content).toContain("(lines 1-250 of 10000. Go on with offset 250");
    expect(result.structured).toMatchObject({ numLines: 250, appliedLimit: 250 });
    expect(await text({ pattern: "hit", output_mode: "content", offset: 9999 })).toBe("many.txt:10000:hit");
    expect(String(await text({ pattern: "hit", output_mode: "content", head_limit: 0 })).split("\n")).toHaveLength(
      10_000,
    );
  });

  it("hidden files are searched, ignored ones only when asked, .git never", async () => {
    space.file(".hidden", "needle");
    space.file(".gitignore", "out/\n");
    space.file("out/a.txt", "needle");
    space.file(".git/config", "needle");
    expect(await text({ pattern: "needle" })).toBe("Found 1 file\n.hidden");
    expect(await text({ pattern: "needle", path: "out" })).toBe("Found 1 file\nout/a.txt");
  });

  it("long lines are cut, binary files are named", async () => {
    space.file("min.js", `needle${"x".repeat(5000)}`);
    expect(String(await text({ pattern: "needle", output_mode: "content" })).length).toBeLessThan(600);
    space.file("data.bin", Buffer.from("needle\n\0\x01needle\n"));
    expect(await text({ pattern: "needle", path: "data.bin", output_mode: "content" })).toContain(
      "binary file matches",
    );
  });

  it("leaves out files that may not be read, in every mode", async () => {
    space.file(".env", "KEY=1\n");
    space.file("a.txt", "KEY=2\n");
    space.context.mayRead = (path) => !path.endsWith(".env");
    expect(await text({ pattern: "KEY" })).toBe("Found 1 file\na.txt");
    expect(await text({ pattern: "KEY", output_mode: "content" })).toBe("a.txt:1:KEY=2");
    expect(await text({ pattern: "KEY", output_mode: "count" })).toBe("a.txt:1\nTotal: 1 match in 1 file");
  });
});
