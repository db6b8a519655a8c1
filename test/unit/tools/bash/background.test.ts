// Commands in the background: started there, moved there, read, stopped, reported.
import { existsSync, readFileSync, statSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createShellRunner } from "../../../../src/platform/shell/runner.js";
import { settleTasks } from "../../../../src/query/background-tasks.js";
import { type BackgroundShell, createBackgroundShells, shellState } from "../../../../src/tasks/shells.js";
import { createTools, findTool } from "../../../../src/tools/index.js";
import { openWorkspace, type Workspace } from "../../../helpers/tool-workspace.js";

const tools = createTools({ hasBackground: true });
let space: Workspace;
let ended: BackgroundShell[];
beforeEach(() => {
  space = openWorkspace();
  ended = [];
  space.context.shells = createBackgroundShells({ now: () => 1000, onEnd: (shell) => ended.push(shell) });
});
afterEach(() => space.close());

const call = (name: string, input: Record<string, unknown>) => space.run(findTool(name, tools)!, input);
const idOf = (result: { structured?: unknown }) => (result.structured as { backgroundTaskId: string }).backgroundTaskId;

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe("run_in_background", () => {
  it("returns at once with id and file; the end is reported once", async () => {
    const result = await call("Bash", { command: "echo one; sleep 0.2; echo two; exit 3", run_in_background: true });
    const id = idOf(result);
    expect(result.content).toContain(`The command runs in the background as task ${id}.`);
    expect(ended).toEqual([]);
    const output = await call("TaskOutput", { task_id: id });
    expect(output.content).toMatch(
      new RegExp(`^Background command ${id} \\(echo one.*\\) failed with exit code 3\\. .*\\none\\ntwo$`),
    );
    expect(output.structured).toMatchObject({
      retrieval_status: "success",
      task: { status: "failed", exitCode: 3, output: "one\ntwo" },
    });
    expect(ended).toEqual([
      expect.objectContaining({ id, status: "failed", exitCode: 3, totalBytes: 8, endedAt: 1000 }),
    ]);
    expect(readFileSync(ended[0]!.outputPath, "utf8")).toBe("one\ntwo\n");
  });

  it("TaskOutput without block or after its timeout shows what is there", async () => {
    const id = idOf(await call("Bash", { command: "echo one; sleep 300", run_in_background: true }));
    expect((await call("TaskOutput", { task_id: id, timeout: 150 })).content).toContain("is still running");
    await until(() => space.context.shells!.get(id)!.totalBytes > 0);
    expect(await call("TaskOutput", { task_id: id, block: false })).toMatchObject({
      content: expect.stringMatching(/is still running\. .*\none$/),
      structured: { retrieval_status: "not_ready" },
    });
    expect((await call("TaskOutput", { task_id: "nope" })).isError).toBe(true);
  });

  it("TaskStop ends it with its children; a second time says so", async () => {
    const id = idOf(await call("Bash", { command: "setsid sleep 311 & sleep 312", run_in_background: true }));
    expect(await call("TaskStop", { task_id: id })).toMatchObject({
      structured: { task_id: id, task_type: "local_bash" },
    });
    expect(ended).toEqual([expect.objectContaining({ id, status: "stopped", exitCode: null })]);
    expect(shellState(ended[0]!)).toContain("was stopped");
    expect((await call("KillShell", { shell_id: id })).content).toContain("has already ended");
    expect((await call("TaskStop", {})).content).toBe("task_id is missing.");
  });

  it("ends the commands of one agent only", async () => {
    space.context.agentId = "a";
    const first = idOf(await call("Bash", { command: "sleep 313", run_in_background: true }));
    space.context.agentId = undefined;
    const second = idOf(await call("Bash", { command: "sleep 314", run_in_background: true }));
    await space.context.shells!.stopAll("a");
    expect(space.context.shells!.list().map(({ id, status }) => [id, status])).toEqual([
      [first, "stopped"],
      [second, "running"],
    ]);
    await space.context.shells!.stopAll();
    expect(space.context.shells!.get(second)!.status).toBe("stopped");
  });
});

describe("limits", () => {
  it("the file keeps the beginning, a command that prints too much is ended, and both are said", async () => {
    const limits = { maxFileBytes: 100_000, maxTotalBytes: 1_000_000 };
    space.context.shells = createBackgroundShells({ now: () => 1000, onEnd: (shell) => ended.push(shell), ...limits });
    const shell = createShellRunner({ maxFileBytes: 50_000 });
    space.context.shell = shell;
    const id = idOf(await call("Bash", { command: "yes abcdefg", run_in_background: true }));
    const { content } = await call("TaskOutput", { task_id: id });
    expect(ended[0]).toMatchObject({ status: "stopped", hasPrintedTooMuch: true, storedBytes: 100_000 });
    expect(ended[0]!.totalBytes).toBeGreaterThan(1_000_000);
    expect(statSync(ended[0]!.outputPath).size).toBe(100_000);
    expect(shellState(ended[0]!)).toMatch(
      /was stopped because it printed [\d.]+ MB\. The first 98 KB of its output \([\d.]+ MB\) are in .*, the rest was not stored$/,
    );
    expect(content).toContain("Only its first 98 KB are in");
    expect(content).not.toContain("The whole is in");
    await shell.killAll();
  });
});

describe("the end of a session", () => {
  it("names each command that still runs, and none that ended in time", async () => {
    const shells = space.context.shells!;
    const id = idOf(await call("Bash", { command: "sleep 315", run_in_background: true }));
    await call("Bash", { command: "true", run_in_background: true });
    const lines = await settleTasks({ shells, closing: new AbortController() }, 1500);
    const { outputPath } = shells.get(id)!;
    expect(lines).toEqual([
      `Stopped, because the session ends: the background command sleep 315 (${id}). Its output so far is in ${outputPath}`,
    ]);
    await shells.stopAll();
    expect(await settleTasks({ shells, closing: new AbortController() }, 1500)).toEqual([]);
  });
});

describe("moving there", () => {
  it("its time counts from the command's start", async () => {
    let time = 5000;
    space.context.now = () => time;
    const move = new AbortController();
    space.context.moveToBackground = move.signal;
    const bash = findTool("Bash", tools)!;
    const input = { command: "echo a; while :; do sleep 0.1; done" };
    const result = await bash.call(input, space.context, () => {
      time = 9000;
      move.abort();
    });
    expect(space.context.shells!.get(idOf(result))).toMatchObject({ startedAt: 5000 });
    await space.context.shells!.stopAll();
  });

  it("a timeout moves the command instead of ending it", async () => {
    const command = "echo a; until [ -e go ]; do read -t 0.05 <> <(:); done; echo b";
    const result = await call("Bash", { command, timeout: 1500 });
    expect(result.content).toMatch(
      /^The command did not finish within 1\.5 s and goes on in the background as task b\w+\. .*It has printed 2 B so far\./,
    );
    expect(result.structured).toMatchObject({ timedOutAfterMs: 1500 });
    space.file("go", "");
    await space.context.shells!.wait(idOf(result), 10_000, space.context.signal);
    expect(ended[0]).toMatchObject({ status: "completed", totalBytes: 4 });
  });

  it.each(["sleep 300", "git --version; sleep 300"])("a timeout ends %j", async (command) => {
    const result = await call("Bash", { command, timeout: 100 });
    expect(result.content).toContain("The command was stopped");
    expect(space.context.shells!.list()).toEqual([]);
  });

  it("the person's key moves it", async () => {
    const move = new AbortController();
    space.context.moveToBackground = move.signal;
    const running = call("Bash", { command: "while :; do sleep 0.1; done" });
    setTimeout(() => move.abort(), 50);
    const result = await running;
    expect(result.structured).toMatchObject({ backgroundedByUser: true });
    await space.context.shells!.stopAll();
  });

  it("an interrupt of the call ends a foreground command, not one that has moved", async () => {
    const abort = new AbortController();
    space.context.signal = abort.signal;
    const id = idOf(await call("Bash", { command: "sleep 315", run_in_background: true }));
    const running = call("Bash", { command: "sleep 316" });
    setTimeout(() => abort.abort(), 50);
    expect((await running).structured).toMatchObject({ interrupted: true });
    expect(space.context.shells!.get(id)!.status).toBe("running");
    await space.context.shells!.stopAll();
  });

  it("the setting that forbids it keeps everything in the foreground", async () => {
    space.context.env = { ...space.context.env, CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" };
    expect((await call("Bash", { command: "echo hi", run_in_background: true })).content).toBe("hi");
    expect(existsSync(space.context.resultsDir)).toBe(true);
  });
});

it("without a place for background commands the option and the task tools are not offered", () => {
  expect(findTool("TaskOutput")).toBeUndefined();
  expect(findTool("Bash")!.prompt).not.toContain("run_in_background");
  expect(findTool("BashOutput", tools)!.name).toBe("TaskOutput");
});
