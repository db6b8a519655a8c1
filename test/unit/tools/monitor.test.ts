import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createBackgroundShells } from "../../../src/tasks/shells.js";
import { monitor } from "../../../src/tools/monitor.js";
import type { MonitorNews, ToolContext } from "../../../src/tools/tool.js";
import { isAlive } from "../../helpers/processes.js";
import { openWorkspace } from "../../helpers/tool-workspace.js";

/** A workspace whose news can be awaited. */
const open = (more: Partial<ToolContext> = {}) => {
  const news: MonitorNews[] = [];
  const waiters = new Set<() => void>();
  const shells = createBackgroundShells({ now: Date.now });
  const monitored = (one: MonitorNews) => {
    news.push(one);
    for (const wake of waiters) wake();
  };
  const workspace = openWorkspace({ shells, monitored, ...more });
  onTestFinished(async () => {
    await shells.stopAll();
    await workspace.close();
  });
  const until = (fits: (one: MonitorNews) => boolean) =>
    new Promise<MonitorNews>((resolve) => {
      const look = () => {
        const found = news.find(fits);
        if (found) resolve(found);
      };
      waiters.add(look);
      look();
    });
  return { ...workspace, shells, news, until };
};
const idIn = (content: unknown): string => /task (\w+)/.exec(String(content))?.[1] ?? "";
const isEnd = ({ status }: MonitorNews) => status !== "running";

test("each line of stdout is told, stderr is not, and the end comes last", async () => {
  const { run, news, until } = open();
  const { content, structured } = await run(monitor, {
    description: "the log",
    command: "echo one; echo two; echo hidden >&2; exit 3",
  });
  const end = await until(isEnd);
  const id = idIn(content);
  expect(news.map(({ taskId, status, result }) => [taskId, status, result])).toEqual([
    [id, "running", "one\ntwo"],
    [id, "failed", undefined],
  ]);
  expect(end.summary).toContain('Monitor "the log" has ended.');
  expect(end.summary).toContain("failed with exit code 3");
  const { outputFile } = structured as { outputFile: string };
  expect(readFileSync(outputFile, "utf8")).toBe("one\ntwo\n");
  expect(readFileSync(outputFile.replace(/txt$/, "err"), "utf8")).toBe("hidden\n");
});

test("it returns at once, is listed as a monitor, and TaskStop's way ends it with its children", async () => {
  const { run, shells, until, path } = open();
  const { content } = await run(monitor, {
    description: "for ever",
    command: `echo up; (sleep 300 & echo $! > '${path("pid")}'; wait); echo never`,
    persistent: true,
  });
  const id = idIn(content);
  await until(({ result }) => result === "up");
  expect(shells.get(id)).toMatchObject({ status: "running", monitor: { isPersistent: true } });
  await shells.stop(id);
  expect((await until(isEnd)).status).toBe("killed");
  expect(isAlive(Number(readFileSync(path("pid"), "utf8")))).toBe(false);
});

test("its time over is a regular end", async () => {
  const { run, until } = open();
  await run(monitor, { description: "short", command: "echo a; sleep 300", timeout_ms: 600 });
  const end = await until(isEnd);
  expect(end).toMatchObject({ status: "completed" });
  expect(end.summary).toContain("was ended when its time was over");
});

test("what it cannot watch it refuses, and says what to do", async () => {
  const { run } = open();
  const refused = await run(monitor, { description: "x", ws: { url: "ws://localhost" } });
  expect(refused).toMatchObject({ isError: true });
  expect(refused.content).toContain("does not watch WebSockets");
  expect((await run(monitor, { description: "x" })).content).toContain("command is missing");
  expect(monitor.input.safeParse({ description: "x", command: "true", timeout_ms: 1_800_001 }).success).toBe(false);
  expect(monitor.input.parse({ description: "x", command: "true" })).toMatchObject({ timeout_ms: 300_000 });
});

test("without a place in the background it says so", async () => {
  const { run } = open({ shells: undefined });
  expect((await run(monitor, { description: "x", command: "true" })).content).toContain("use Bash");
});

test("the command is what the permission is asked for", async () => {
  const { context, cwd } = open();
  const call = monitor.input.parse({ description: "x", command: "tail -f log" });
  expect(await monitor.checkPermissions(call, context)).toEqual({ reads: [], writes: [], command: "tail -f log", cwd });
});
