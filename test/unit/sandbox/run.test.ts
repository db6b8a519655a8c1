// Commands really run inside the sandbox here, as whoever runs the tests (root too).
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ripgrepPath } from "../../../src/platform/ripgrep.js";
import { createShellRunner } from "../../../src/platform/shell/runner.js";
import { sandboxPolicy } from "../../../src/sandbox/policy.js";
import { checkSandbox, createSandbox, type Sandbox } from "../../../src/sandbox/run.js";
import { noSandbox, sandboxTitle } from "../../helpers/sandbox.js";

test("a machine without a sandbox says what is missing and how to get it", async () => {
  const state = await checkSandbox({ bwrapPath: undefined }, "rg");
  if (state.isAvailable) expect(state.problems).toEqual([]);
  else expect(state.problems.length).toBeGreaterThan(0);
});

describe.skipIf(noSandbox !== undefined)(sandboxTitle("in the sandbox"), () => {
  let base: string;
  let project: string;
  let sandbox: Sandbox;
  let server: Server;
  const asked: string[] = [];
  const shell = createShellRunner();
  const run = async (command: string) => {
    const outcome = await shell.run({
      command,
      cwd: project,
      env: { ...process.env, HOME: join(base, "home") },
      timeoutMs: 60_000,
      signal: new AbortController().signal,
      outputPath: join(base, "output.txt"),
      confine: sandbox.confine,
    });
    return { output: outcome.output.trim(), exitCode: outcome.exitCode, cwd: outcome.cwd };
  };

  beforeAll(async () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), "sandbox-")));
    project = join(base, "project");
    for (const dir of ["project", "home", "tmp"]) mkdirSync(join(base, dir));
    writeFileSync(join(base, "home", "secret"), "s3cret");
    server = createServer((_, response) => response.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const policy = () =>
      sandboxPolicy({
        workingDirs: [project],
        home: join(base, "home"),
        tmpDir: join(base, "tmp"),
        layers: [],
        network: {},
        rules: {
          allowWrite: [],
          denyWrite: [],
          denyRead: [join(base, "home", "secret")],
          allowedHosts: [],
          deniedHosts: [],
        },
        ownFiles: [],
      });
    sandbox = createSandbox({
      settings: {},
      policy,
      ripgrep: ripgrepPath(process.env),
      tmpDir: join(base, "tmp"),
      askHost: async (host) => {
        asked.push(host);
        return host === "yes.invalid";
      },
    });
  });
  afterAll(async () => {
    await shell.killAll();
    await sandbox.close();
    server.close();
    rmSync(base, { recursive: true, force: true });
  });

  test("the analysed bytes run unchanged, and the folder the shell ended in is known", async () => {
    const command = "printf '%s|' 'a  b' \"it's\" $'x\\ty'; mkdir -p sub && cd sub; exit 3";
    expect(await run(command)).toEqual({ output: "a  b|it's|x\ty|", exitCode: 3, cwd: join(project, "sub") });
  });

  test("it writes in the working folder and its own temporary folder, nowhere else", async () => {
    const { output } = await run(
      `echo in > in.txt; echo t > "$TMPDIR/t"; echo out > ${base}/out.txt; echo h > ${base}/home/.bashrc`,
    );
    expect(readFileSync(join(project, "in.txt"), "utf8")).toBe("in\n");
    expect(readFileSync(join(base, "tmp", "t"), "utf8")).toBe("t\n");
    expect([existsSync(join(base, "out.txt")), existsSync(join(base, "home", ".bashrc"))]).toEqual([false, false]);
    expect(output).toContain("Read-only file system");
  });

  test("what starts programs cannot be planted, although it does not exist yet", async () => {
    await run(
      "mkdir -p .git/hooks .claude .vscode; echo x > .git/hooks/pre-commit; echo {} > .claude/settings.json; echo {} > .mcp.json; git init -q . ; true",
    );
    expect(
      [".git/hooks/pre-commit", ".claude/settings.json", ".mcp.json", ".vscode"].filter((name) =>
        existsSync(join(project, name)),
      ),
    ).toEqual([]);
  });

  test("what a rule denies cannot be read in any way", async () => {
    const { output } = await run(
      `python3 -c "print(open('${base}/home/secret').read())" 2>&1; cat ${base}/home/secret; true`,
    );
    expect(output).not.toContain("s3cret");
  });

  test("the network is closed: a new host is asked about once, a local port is out of reach", async () => {
    const { port } = server.address() as AddressInfo;
    const { output } = await run(
      `curl -sS -m 10 http://no.invalid/ 2>&1; curl -sS -m 10 http://no.invalid/x 2>&1; curl -sS --noproxy '*' -m 5 http://127.0.0.1:${port}/ 2>&1; true`,
    );
    expect(asked).toEqual(["no.invalid"]);
    expect(output).not.toContain("reached");
  });

  test("new Unix sockets are refused", async () => {
    const { output } = await run(`python3 -c "import socket; socket.socket(socket.AF_UNIX)" 2>&1; true`);
    expect(output).toContain("Operation not permitted");
  });

  test("an interrupt ends everything inside", async () => {
    const controller = new AbortController();
    const done = shell.run({
      command: "echo started; sleep 300",
      cwd: project,
      env: process.env,
      timeoutMs: 60_000,
      signal: controller.signal,
      outputPath: join(base, "output2.txt"),
      confine: sandbox.confine,
      onProgress: () => controller.abort(),
    });
    expect((await done).interrupted).toBe(true);
    expect(await shell.processes()).toEqual([]);
  });
});
