// Small platform helpers: processes, git, ripgrep, the debug log.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gitBranch, gitSnapshot } from "../../../src/platform/git.js";
import { maskSecrets, openLog } from "../../../src/platform/log.js";
import { runProcess } from "../../../src/platform/process.js";
import { ripgrepPath, runRipgrep } from "../../../src/platform/ripgrep.js";

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "platform-")));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe("runProcess", () => {
  it("returns output, code and input", async () => {
    expect(await runProcess("sh", ["-c", "cat; echo err >&2; exit 3"], { input: "in" })).toEqual({
      exitCode: 3,
      stdout: "in",
      stderr: "err\n",
      timedOut: false,
      aborted: false,
      truncated: false,
    });
  });

  it("says why a program could not start, and stops on time, signal and size", async () => {
    expect((await runProcess("no-such-program", [])).error?.code).toBe("ENOENT");
    expect(await runProcess("sleep", ["300"], { timeoutMs: 50 })).toMatchObject({ timedOut: true, exitCode: null });
    expect(await runProcess("sleep", ["300"], { signal: AbortSignal.timeout(20) })).toMatchObject({ aborted: true });
    expect(await runProcess("yes", [], { maxBytes: 10 })).toMatchObject({ truncated: true, stdout: "y\n".repeat(5) });
  });

  it("F113 a program of that name in the folder is not started through a relative PATH entry", async () => {
    writeFileSync(join(dir, "git"), "#!/bin/sh\necho evil\n");
    chmodSync(join(dir, "git"), 0o755);
    const outcome = await runProcess("git", ["--version"], { cwd: dir, env: { PATH: `.:bin::${process.env.PATH}` } });
    expect(outcome.stdout).toContain("git version");
  });
});

describe("git", () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: dir,
      env: { PATH: process.env.PATH, HOME: dir },
    });
  const options = () => ({ cwd: dir, env: { PATH: process.env.PATH, HOME: dir } });

  it("tells branch, main branch, status and newest commits", async () => {
    git("init", "-q", "-b", "main");
    writeFileSync(join(dir, "a"), "1");
    git("add", "a");
    git("commit", "-qm", "First one");
    git("checkout", "-qb", "feature");
    writeFileSync(join(dir, "a"), "2");
    const snapshot = await gitSnapshot(options());
    expect(snapshot).toEqual({
      branch: "feature",
      mainBranch: "main",
      status: " M a",
      isStatusCut: false,
      recentCommits: [expect.stringMatching(/^[0-9a-f]{7} First one$/)],
    });
    expect(await gitBranch(options())).toBe("feature");
  });

  it("is undefined outside a repository and works before the first commit", async () => {
    expect(await gitSnapshot(options())).toBeUndefined();
    expect(await gitBranch(options())).toBeUndefined();
    git("init", "-q", "-b", "trunk");
    expect(await gitSnapshot(options())).toEqual({
      branch: "trunk",
      status: "",
      isStatusCut: false,
      recentCommits: [],
    });
  });

  it("F113 nothing that the repository configures is started", async () => {
    git("init", "-q");
    writeFileSync(join(dir, "a"), "1");
    git("add", "a");
    git("commit", "-qm", "one");
    writeFileSync(join(dir, "a"), "2");
    const proof = join(dir, "pwned");
    for (const name of ["core.fsmonitor", "core.pager", "diff.external", "core.sshCommand", "core.editor"])
      git("config", name, `touch ${proof}`);
    git("config", "user.email", `$(touch ${proof})`);
    git("config", "core.hooksPath", dir);
    for (const hook of ["post-index-change", "fsmonitor-watchman"]) {
      writeFileSync(join(dir, hook), `#!/bin/sh\ntouch ${proof}\n`);
      chmodSync(join(dir, hook), 0o755);
    }
    expect((await gitSnapshot(options()))?.status).toContain(" M a");
    expect(existsSync(proof)).toBe(false);
  });
});

describe("ripgrep", () => {
  it("uses the bundled binary, or the system's where that is asked for", async () => {
    expect(ripgrepPath({})).toMatch(/@vscode\/ripgrep-[a-z0-9-]+\/bin\/rg$/);
    expect(ripgrepPath({ USE_BUILTIN_RIPGREP: "0" })).toBe("rg");
    expect((await runRipgrep(["--version"], { env: { PATH: process.env.PATH } })).stdout).toContain("ripgrep");
    expect((await runRipgrep(["x"], { env: { PATH: dir, USE_BUILTIN_RIPGREP: "0" } })).error?.code).toBe("ENOENT");
  });
});

describe("debug log", () => {
  it("is off unless enabled, then appends masked lines to a private file", () => {
    const env = { CLAUDE_CONFIG_DIR: dir };
    openLog({ env, sessionId: "s", enabled: false }).write("api", "hello");
    expect(existsSync(join(dir, "debug"))).toBe(false);
    const log = openLog({ env, sessionId: "s", enabled: true });
    log.write("api", "key sk-ant-REDACTED done");
    expect(log.path).toBe(join(dir, "debug", "s.txt"));
    expect(readFileSync(log.path!, "utf8")).toMatch(/^\S+Z \[api\] key sk-\*\*\* done\n$/);
    expect(statSync(log.path!).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["Authorization: Bearer abcdefghijkl", "abcdefghijkl"],
    ['{"api_key":"abc12345"}', "abc12345"],
    ["ANTHROPIC_API_KEY=abc12345", "abc12345"],
    ["https://me:hunter22@host/x", "hunter22"],
    ["ghp_abcdefghijklmnop", "abcdefghijklmnop"],
    ["x-api-key: abc12345", "abc12345"],
  ])("masks %j", (text, secret) => {
    expect(maskSecrets(text)).not.toContain(secret);
  });

  it("leaves ordinary text alone", () => {
    const text = "read src/token.ts (12 tokens), password policy, https://host/x:y";
    expect(maskSecrets(text)).toBe(text);
  });
});
