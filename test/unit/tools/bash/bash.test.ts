// Bash through the tool: result texts, folders, time, size.
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { meaningOfExit } from "../../../../src/tools/bash/exit-meaning.js";
import { createBash } from "../../../../src/tools/bash/index.js";
import { shownFile } from "../../../../src/tools/bash/shell-reads.js";
import { edit } from "../../../../src/tools/edit/index.js";
import { write } from "../../../../src/tools/write.js";
import { openWorkspace, type Workspace } from "../../../helpers/tool-workspace.js";

const bash = createBash();
let space: Workspace;
beforeEach(() => {
  space = openWorkspace();
});
afterEach(() => space.close());

const run = (command: string, more = {}) => space.run(bash, { command, ...more });

describe("results", () => {
  it("success: the output, a display and the structured output; nothing is left on disk", async () => {
    expect(await run("echo; echo hi; echo err >&2")).toEqual({
      content: "hi\nerr",
      isError: false,
      display: {
        kind: "shell",
        command: "echo; echo hi; echo err >&2",
        output: "hi\nerr",
        exitCode: 0,
        interrupted: false,
        timedOut: false,
        totalBytes: 8,
      },
      structured: { stdout: "hi\nerr", stderr: "", interrupted: false, isImage: false },
    });
    expect(existsSync(space.context.resultsDir) ? readdirSync(space.context.resultsDir) : []).toEqual([]);
  });

  it("F164 a command without output gets a short placeholder", async () => {
    expect((await run("true")).content).toBe("(The command printed nothing.)");
  });

  it("failure: the exit code comes first", async () => {
    expect(await run("echo no; exit 3")).toMatchObject({ content: "Exit code 3\nno", isError: true });
  });

  it("exit 1 of a search or comparison is an answer", async () => {
    expect(await run("echo a | grep b")).toMatchObject({
      content: "(No matches found)",
      isError: false,
      structured: { returnCodeInterpretation: "No matches found" },
    });
    expect(await run("false")).toMatchObject({ isError: true });
  });

  it.each([
    ["grep 'a;b' f", "No matches found"],
    ["cd x && git -C y diff --exit-code", "Files differ"],
    ["ls; [ -f x ]", "The condition is false"],
    ["grep x f | wc -l", undefined],
    ["LC_ALL=C /usr/bin/diff a b 2>&1", "Files differ"],
    ["npm test", undefined],
    ["__proto__", undefined],
  ])("exit 1 of %j means %j", (command, meaning) => {
    expect(meaningOfExit(command)).toBe(meaning);
  });

  it("a timeout stops the command and says so", async () => {
    const result = await run("echo before; sleep 300", { timeout: 1500 });
    expect(result).toMatchObject({ isError: true, structured: { timedOutAfterMs: 1500 } });
    expect(result.content).toMatch(
      /^The command was stopped: it did not finish within [\d.]+ s\. What it had printed:\nbefore$/,
    );
  });

  it("an interrupt says so and keeps the output", async () => {
    const abort = new AbortController();
    space.context.signal = abort.signal;
    const running = bash.call(bash.input.parse({ command: "echo x; sleep 300" }), space.context, () => abort.abort());
    expect(await running).toMatchObject({
      isError: true,
      structured: { interrupted: true },
      content: expect.stringContaining("interrupted by the person"),
    });
  });

  it("F092 long output is kept in a file and previewed", async () => {
    const result = await run("seq 1 30000");
    const path = join(space.context.resultsDir, "bash-call-1.txt");
    expect(result.structured).toMatchObject({ persistedOutputPath: path, persistedOutputSize: 168_894 });
    expect(String(result.content).length).toBeLessThan(5000);
    expect(result.content).toMatch(
      /^<persisted-output>\n.*165 KB.*\n.*First part:\n1\n2\n3\n.*…\nLast part:\n.*\n30000\n<\/persisted-output>$/s,
    );
    expect(result.content).toContain(path);
  });

  it("F092 binary output is not decoded into the conversation", async () => {
    const result = await run("head -c 5000 /dev/urandom");
    expect(result.content).toMatch(/^\(The output is binary, 4\.9 KB: it is not shown but kept in .*\)$/);
  });

  it("the limit of shown characters is a setting", async () => {
    space.context.env = { ...space.context.env, BASH_MAX_OUTPUT_LENGTH: "150000" };
    expect(String((await run("seq 1 20000")).content).length).toBe(108_893);
  });
});

describe("working folder", () => {
  it("follows cd inside the project and comes back from outside with a note", async () => {
    await run("mkdir -p sub && cd sub");
    expect((await run("pwd")).content).toBe(space.path("sub"));
    const result = await run("cd / && echo there");
    expect(result.content).toBe(
      `there\n(The working folder is ${space.path("sub")} again: / is outside the folders of this session.)`,
    );
    expect((await run("pwd")).content).toBe(space.path("sub"));
  });

  it("stays put for subagents and where the setting says so", async () => {
    mkdirSync(space.path("sub"));
    space.context.agentId = "agent-1";
    await run("cd sub");
    expect(space.context.cwd).toBe(space.cwd);
    space.context.agentId = undefined;
    space.context.env = { ...space.context.env, CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR: "1" };
    await run("cd sub");
    expect(space.context.cwd).toBe(space.cwd);
  });

  it("F088 when the folder is gone the next command runs in the nearest one and says so", async () => {
    await run("mkdir -p a/w && cd a/w");
    await run(`rm -rf ${space.path("a/w")}`);
    const result = await run("echo hi");
    expect(result.content).toBe(
      `hi\n(The working folder ${space.path("a/w")} no longer exists; the command ran in ${space.path("a")}.)`,
    );
    expect((await run(`cd ${space.cwd} && pwd`)).content).toBe(space.cwd);
    rmSync(space.cwd, { recursive: true });
    const marker = join(space.cwd, "..", "ran.txt");
    const refused = await run(`touch ${marker}`);
    expect(refused).toMatchObject({ isError: true, content: expect.stringContaining("Nothing ran") });
    expect(existsSync(marker)).toBe(false);
    mkdirSync(space.cwd);
    expect((await run("pwd")).content).toBe(space.cwd);
  });

  it("a vanished folder is replaced only by one of the working folders, links followed, and decisions are told which", async () => {
    const { context } = space;
    const other = join(space.cwd, "..", "other");
    const outside = join(space.cwd, "..", "outside");
    for (const folder of [other, outside]) mkdirSync(folder);
    symlinkSync(outside, space.path("out"));
    context.workingDirs = [space.cwd, other];
    context.cwd = space.path("out/gone");
    const facts = await bash.checkPermissions({ command: "pwd" }, context);
    expect(facts).toEqual({ reads: [], writes: [], command: "pwd", cwd: space.cwd });
    rmSync(space.cwd, { recursive: true });
    expect(await bash.checkPermissions({ command: "pwd" }, context)).toMatchObject({ cwd: other });
    context.judgedCwd = space.cwd;
    expect(await run("pwd")).toMatchObject({ isError: true, content: expect.stringContaining("Nothing ran") });
    context.judgedCwd = other;
    expect((await run("pwd")).content).toContain(`ran in ${other}.`);
  });
});

describe("what the gates need", () => {
  it("counts as read-only only where the classifier says so", async () => {
    const input = bash.input.parse({ command: "ls" });
    expect([bash.isReadOnly(input), bash.isConcurrencySafe(input)]).toEqual([false, false]);
    const classified = createBash({ isReadOnlyCommand: (command) => command === "ls" });
    expect(classified.isConcurrencySafe(input)).toBe(true);
    expect(await bash.checkPermissions(input, space.context)).toEqual({
      reads: [],
      writes: [],
      command: "ls",
      cwd: space.cwd,
    });
    expect((await run("echo \0")).isError).toBe(true);
  });

  it("a command that shows one file counts as reading it", async () => {
    space.file("a.txt", "one\n");
    await run("cat a.txt");
    expect(
      (await space.run(edit, { file_path: space.path("a.txt"), old_string: "one", new_string: "two" })).isError,
    ).toBeUndefined();
    space.file("b.txt", "one\ntwo\n");
    await run("head -n 1 b.txt");
    expect(
      (await space.run(edit, { file_path: space.path("b.txt"), old_string: "two", new_string: "2" })).isError,
    ).toBeUndefined();
    expect((await space.run(write, { file_path: space.path("b.txt"), content: "x" })).content).toContain("Only a part");
  });

  it.each([
    ["cat a", { path: "a", isWhole: true }],
    ["sed -n '1,20p' 'b c.ts'", { path: "b c.ts", isWhole: false }],
    ['grep -n "x" src/a.ts', { path: "src/a.ts", isWhole: false }],
    ["tail -n 5 a", { path: "a", isWhole: false }],
    ["cat a b", undefined],
    ["cat a | head", undefined],
    ["cat $X", undefined],
    ["cat < a", undefined],
    ["sed s/a/b/ a", undefined],
    ["rm a", undefined],
  ])("%j shows %j", (command, file) => {
    expect(shownFile(command)).toEqual(file);
  });
});
