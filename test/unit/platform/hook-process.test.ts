import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runHookProcess } from "../../../src/platform/hook-process.js";
import { isAlive } from "../../helpers/processes.js";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "hook-process-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (command: string, more: Partial<Parameters<typeof runHookProcess>[0]> = {}) =>
  runHookProcess({
    argv: ["/bin/sh", "-c", command],
    cwd: folder,
    env: { PATH: process.env.PATH },
    input: '{"a":1}\n',
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    ...more,
  });

test("it gets the input and gives both outputs and its exit code", async () => {
  expect(await run("cat; echo wrong >&2; exit 3")).toMatchObject({
    exitCode: 3,
    stdout: '{"a":1}\n',
    stderr: "wrong\n",
    timedOut: false,
  });
});

test("F131 at its timeout it is ended with its children, also those in a session of their own", async () => {
  const outcome = await run("sleep 9999 & echo $! > one; setsid sleep 9999 & echo $! > two; wait", { timeoutMs: 600 });
  expect(outcome).toMatchObject({ timedOut: true, aborted: false });
  for (const name of ["one", "two"]) expect(isAlive(Number(readFileSync(join(folder, name), "utf8")))).toBe(false);
});

test("F131 a daemon that holds its output open does not hold us up, and lives on", async () => {
  const outcome = await run("sleep 9999 & echo $! > pid; echo started");
  expect(outcome).toMatchObject({ exitCode: 0, stdout: "started\n", timedOut: false });
  const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
  expect(isAlive(pid)).toBe(true);
  process.kill(pid, "SIGKILL");
});

test("F131 it has no terminal to wait on", async () => {
  expect(await run("cat > /dev/null; (read line < /dev/tty) 2> /dev/null || echo none")).toMatchObject({
    stdout: "none\n",
  });
});

test("an abort ends it", async () => {
  const stop = new AbortController();
  const running = run("touch begun; sleep 9999", { signal: stop.signal });
  while (!existsSync(join(folder, "begun"))) await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  expect(await running).toMatchObject({ aborted: true, timedOut: false });
});

test("F133 50 MB of output are read to the end and not kept", async () => {
  const outcome = await run("head -c 52428800 /dev/zero; echo end >&2");
  expect(outcome).toMatchObject({ exitCode: 0, isCut: true, stderr: "end\n" });
  expect(outcome.stdout.length).toBe(1024 * 1024);
});

test("a program that is not there is an outcome, and a folder that is gone gives way to the one above", async () => {
  expect(await run("", { argv: ["/nowhere/at-all"] })).toMatchObject({
    exitCode: 127,
    stderr: expect.stringContaining("ENOENT"),
  });
  expect(await run("pwd", { cwd: join(folder, "gone", "deeper") })).toMatchObject({ stdout: `${folder}\n` });
});
