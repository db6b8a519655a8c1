// The shell runner against real bash: bytes, ends, leftovers, memory.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createShellRunner, type LocalShell } from "../../../src/platform/shell/runner.js";
import type { ShellOutcome, ShellRequest } from "../../../src/platform/shell.js";

let dir: string;
let shell: LocalShell;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "shell-test-")));
  shell = createShellRunner({ tmpDir: dir });
});
afterEach(async () => {
  await shell.killAll();
  rmSync(dir, { recursive: true, force: true });
});

const run = (command: string, more: Partial<ShellRequest> = {}): Promise<ShellOutcome> =>
  shell.run({
    command,
    cwd: dir,
    env: { PATH: process.env.PATH, HOME: dir },
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    outputPath: join(dir, "out.txt"),
    ...more,
  });

const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

describe("bytes and results", () => {
  it("merges stdout and stderr in order and reports the exit code", async () => {
    const outcome = await run("echo one; echo two >&2; echo three; exit 7");
    expect({ ...outcome, durationMs: 0 }).toEqual({
      output: "one\ntwo\nthree\n",
      exitCode: 7,
      interrupted: false,
      timedOut: false,
      totalBytes: 14,
      storedBytes: 14,
      cwd: dir,
      durationMs: 0,
    });
    expect(readFileSync(join(dir, "out.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    expect(statSync(join(dir, "out.txt")).mode & 0o777).toBe(0o600);
  });

  it("F090 an exclamation mark and every other byte reach the command unchanged", async () => {
    expect((await run(`printf '%s' 'a!b' | od -An -c`)).output).toBe("   a   !   b\n");
    expect((await run("cat <<'X'\n!!\n#!/bin/sh\n\ttab \\ \u0001\u007f é\nX\n")).output).toBe(
      "!!\n#!/bin/sh\n\ttab \\ \u0001\u007f é\n",
    );
    expect((await run(`echo "$#" "$0"; -nosuch`)).output).toContain("0 bash\n");
  });

  it("writes to /dev/stderr and /dev/stdout like on a terminal", async () => {
    expect((await run("echo a; echo b > /dev/stderr; echo c > /dev/stdout; echo d")).output).toBe("a\nb\nc\nd\n");
  });

  it("F096 a command line of 200 KB runs", async () => {
    const outcome = await run(`echo start; : '${"x".repeat(200_000)}'; echo end`);
    expect(outcome.output).toBe("start\nend\n");
  });

  it("F096 an environment too large for the system is named as the cause", async () => {
    const outcome = await run("echo hi", { env: { PATH: process.env.PATH, BIG: "x".repeat(3_000_000) } });
    expect(outcome.exitCode).toBe(126);
    expect(outcome.output).toContain("environment is too large");
  });

  it("tells the folder the shell ended in, also after exit", async () => {
    expect((await run("mkdir -p 'a b' && cd 'a b' && exit 3")).cwd).toBe(join(dir, "a b"));
    expect((await run("(cd /; pwd)")).cwd).toBe(dir);
  });

  it("says so when the folder is gone", async () => {
    const outcome = await run("echo hi", { cwd: join(dir, "gone") });
    expect(outcome.output).toBe(`The command could not start: the folder ${join(dir, "gone")} does not exist.`);
  });

  it("reports a shell killed by a signal without an exit code", async () => {
    expect((await run("echo x; kill -9 $$")).exitCode).toBeNull();
  });
});

describe("environment", () => {
  it("removes what would change bash and sets what avoids waiting for a person", async () => {
    writeFileSync(join(dir, "evil.sh"), "echo evil\n");
    const outcome = await run(
      'echo "${BASH_ENV-}${PROMPT_COMMAND-}${PS4-}"; type f; echo "$PAGER $GIT_TERMINAL_PROMPT $CLAUDECODE"',
      {
        env: {
          PATH: process.env.PATH,
          BASH_ENV: join(dir, "evil.sh"),
          ENV: join(dir, "evil.sh"),
          SHELLOPTS: "xtrace",
          PROMPT_COMMAND: "echo evil",
          "BASH_FUNC_f%%": "() { echo evil; }",
          PAGER: "less",
        },
      },
    );
    expect(outcome.output).not.toContain("evil");
    expect(outcome.output).toContain("cat 0 1");
  });

  it("F082 editors, prompts and pagers end at once with something to act on", async () => {
    const git = "git -c user.name=a -c user.email=a@b";
    await run("git init -q .; echo a > a; git add a; git -c user.name=a -c user.email=a@b commit -qm one; echo b > a");
    const started = Date.now();
    const commit = await run(`${git} commit -a`);
    expect(commit.exitCode).not.toBe(0);
    expect(commit.output).toContain("There is no editor here");
    await run(`${git} commit -qam two`);
    const rebase = await run(`${git} rebase -i HEAD~1`);
    expect(rebase.exitCode).not.toBe(0);
    expect((await run("git status")).output).not.toContain("rebase in progress");
    expect((await run("read -r x; echo $?")).output).toBe("1\n");
    expect((await run("echo x > /dev/tty")).exitCode).not.toBe(0);
    expect((await run("git log")).exitCode).toBe(0);
    expect(Date.now() - started).toBeLessThan(5000);
  });
});

describe("ends", () => {
  it("F086 returns within a second of the shell's exit although a grandchild holds the pipe", async () => {
    const started = Date.now();
    expect((await run("sleep 300 & echo hi")).output).toBe("hi\n");
    expect((await run("(sleep 300 > /dev/null 2>&1 &) ; echo hi")).output).toBe("hi\n");
    expect(Date.now() - started).toBeLessThan(3000);
  });

  it("F084 leftovers are listed and ended, double-forked and cleaned ones too", async () => {
    await run(
      "sleep 301 & (setsid sleep 302 >/dev/null 2>&1 &) ; env -i setsid -f sleep 303 >/dev/null 2>&1; (while :; do sleep 1; done) & echo started",
    );
    const left = await shell.processes();
    for (const seconds of ["301", "302", "303"])
      expect(left.some(({ command }) => command.includes(`sleep ${seconds}`))).toBe(true);
    await shell.killAll();
    expect(left.filter(({ pid }) => isAlive(pid))).toEqual([]);
    expect(await shell.processes()).toEqual([]);
  });

  it("a timeout ends the whole tree and keeps what was printed", async () => {
    const outcome = await run("trap '' TERM; echo before; setsid sleep 304 & sleep 305", { timeoutMs: 1500 });
    expect(outcome).toMatchObject({ output: "before\n", timedOut: true, interrupted: false, exitCode: null });
    expect(outcome.durationMs).toBeLessThan(6000);
    expect(await shell.processes()).toEqual([]);
  });

  it("what bash says about children that we stopped is no output", async () => {
    const outcome = await run("trap : TERM; echo before; sleep 307; sleep 308", { timeoutMs: 1500 });
    expect(outcome).toMatchObject({ output: "before\n", timedOut: true });
    expect((await run("echo Terminated")).output).toBe("Terminated\n");
  });

  it("an abort ends the command and says interrupted", async () => {
    const abort = new AbortController();
    const running = run("echo x; sleep 306", { signal: abort.signal, onProgress: () => abort.abort() });
    expect(await running).toMatchObject({ output: "x\n", interrupted: true, timedOut: false });
    expect(await shell.processes()).toEqual([]);
    expect(await run("echo never", { signal: abort.signal })).toMatchObject({ output: "", interrupted: true });
  });

  it("F048 F094 when the program itself is killed with -9 its commands end too", async () => {
    const script = `
      import { createShellRunner } from ${JSON.stringify(join(import.meta.dirname, "../../../src/platform/shell/runner.ts"))};
      const shell = createShellRunner({ tmpDir: ${JSON.stringify(dir)} });
      shell.run({ command: "setsid sleep 307 & env -i sleep 308 & echo $$; wait", cwd: "/", env: process.env, timeoutMs: 60000,
        signal: new AbortController().signal, outputPath: ${JSON.stringify(join(dir, "o"))}, onProgress: () => process.stdout.write("ready") });`;
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const pid = Number(readFileSync(join(dir, "o"), "utf8"));
    expect(isAlive(pid)).toBe(true);
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
    const until = Date.now() + 5000;
    while (isAlive(pid) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isAlive(pid)).toBe(false);
  });
});

describe("size", () => {
  it("F092 200 MB of output grow neither memory nor the file beyond their limits", async () => {
    const before = process.memoryUsage().rss;
    const outcome = await run("yes abcdefgh | head -c 200000000", { timeoutMs: 60_000 });
    expect(outcome.totalBytes).toBe(200_000_000);
    expect(outcome.output.length).toBeLessThan(700_000);
    expect(outcome.output).toContain("bytes left out here");
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
    expect(statSync(join(dir, "out.txt")).size).toBe(64 * 1024 * 1024);
  });

  it("progress comes at most every 200 ms with the newest five lines", async () => {
    const seen: { at: number; lastLines: string[]; totalBytes: number }[] = [];
    await run("for i in $(seq 1 60); do echo line $i; sleep 0.01; done", {
      onProgress: (progress) => seen.push({ at: performance.now(), ...progress }),
    });
    expect(seen.length).toBeGreaterThan(1);
    const gaps = seen.slice(1).map(({ at }, index) => at - seen[index]!.at);
    expect(Math.min(...gaps)).toBeGreaterThan(150); // timers may fire a little early or late
    expect(seen.at(-1)!.lastLines).toHaveLength(5);
  });

  it("creates no file without output and leaves nothing in its folder", async () => {
    await run("true");
    expect(existsSync(join(dir, "out.txt"))).toBe(false);
    await shell.killAll();
    expect(await run("echo again")).toMatchObject({ output: "again\n" });
  });
});
