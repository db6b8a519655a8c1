// A temporary project with its own home and configuration folder, and the built program run in it.
import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { ModelServer } from "./model-server.js";
import { Pty, type PtyOptions } from "./pty.js";

/** The launcher of this repository. */
export const launcher = resolve(import.meta.dirname, "../../bin/claude");

/** Content of a file, or a link / executable script. */
export type FileSpec = string | { link: string } | { content: string; mode: number } | { base64: string };

export interface WorkspaceOptions {
  /** Files of the project, by relative path. */
  files?: Record<string, FileSpec>;
  /** Files of the home folder. */
  homeFiles?: Record<string, FileSpec>;
  /** User settings (settings.json of the configuration folder). */
  settings?: Record<string, unknown>;
  /** Settings shared in the project (.claude/settings.json). */
  projectSettings?: Record<string, unknown>;
  /** Local settings (.claude/settings.local.json). */
  localSettings?: Record<string, unknown>;
  /** Marks the folder as trusted. Default true. */
  trusted?: boolean;
  /** `git init` with a first commit of all files. Default false. */
  git?: boolean;
  /** Points the program at this server, with an approved key. */
  server?: Pick<ModelServer, "url">;
  /** Added to (or, with undefined, taken from) the environment of all programs. */
  env?: Record<string, string | undefined>;
  /** The program that runCli and startCli run; default: this repository's launcher. */
  program?: string;
}

export interface RunOptions {
  stdin?: string | Buffer;
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** Default 20 s; then SIGKILL and an error that shows the output. */
  timeoutMs?: number;
  /** Sees stdout as it comes; may kill the child. */
  onStdout?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
}

export interface RunResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  durationMs: number;
}

/** The key that tests use; its end is what the approval record holds. */
export const testKey = "sk-ant-test-0123456789abcdefghij";

const writeTree = (root: string, files: Record<string, FileSpec>): void => {
  for (const [path, spec] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    if (typeof spec === "string") writeFileSync(file, spec);
    else if ("link" in spec) symlinkSync(spec.link, file);
    else if ("base64" in spec) writeFileSync(file, Buffer.from(spec.base64, "base64"));
    else {
      writeFileSync(file, spec.content);
      chmodSync(file, spec.mode);
    }
  }
};

const writeJson = (file: string, value: unknown): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
};

export class Workspace {
  readonly root: string;
  readonly project: string;
  readonly home: string;
  readonly configDir: string;
  private readonly program: string;
  private readonly baseEnv: Record<string, string | undefined>;
  private readonly ptys = new Set<Pty>();

  constructor(options: WorkspaceOptions = {}) {
    this.program = options.program ?? launcher;
    this.root = realpathSync(mkdtempSync(join(tmpdir(), "claude-test-")));
    this.project = join(this.root, "project");
    this.home = join(this.root, "home");
    this.configDir = join(this.home, ".claude");
    for (const folder of [this.project, this.configDir, join(this.root, "tmp")]) mkdirSync(folder, { recursive: true });
    this.populate(options);
    this.writeState({});
    if (options.trusted !== false) this.trust();
    this.baseEnv = {
      PATH: process.env.PATH,
      HOME: this.home,
      CLAUDE_CONFIG_DIR: this.configDir,
      TMPDIR: join(this.root, "tmp"),
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      SHELL: "/bin/bash",
      GIT_CONFIG_GLOBAL: "/dev/null",
      // A script's turns are the conversation's: titles are asked for where a test says so.
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      // The machine's own keychain is none of a test's business.
      DBUS_SESSION_BUS_ADDRESS: "disabled:",
      ...(process.getuid?.() === 0 ? { IS_SANDBOX: "1" } : {}),
      ...(options.server ? { ANTHROPIC_BASE_URL: options.server.url, ANTHROPIC_API_KEY: testKey } : {}),
      ...options.env,
    };
  }

  /** Writes files and settings, then makes the first commit where asked. */
  populate(
    options: Pick<WorkspaceOptions, "files" | "homeFiles" | "settings" | "projectSettings" | "localSettings" | "git">,
  ): void {
    writeTree(this.home, options.homeFiles ?? {});
    writeTree(this.project, options.files ?? {});
    if (options.settings) writeJson(join(this.configDir, "settings.json"), options.settings);
    if (options.projectSettings) writeJson(join(this.project, ".claude/settings.json"), options.projectSettings);
    if (options.localSettings) writeJson(join(this.project, ".claude/settings.local.json"), options.localSettings);
    if (options.git) this.initGit();
  }

  private initGit(): void {
    this.git("init", "-q", "-b", "main");
    this.git("add", "-A");
    this.git("commit", "-q", "--allow-empty", "-m", "start");
  }

  /** Runs git in the project with a fixed author and date; returns its output. */
  git(...args: string[]): string {
    const who = { NAME: "Test", EMAIL: "test@example.org", DATE: "2026-01-01T00:00:00Z" };
    const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: this.home, GIT_CONFIG_GLOBAL: "/dev/null" };
    for (const role of ["AUTHOR", "COMMITTER"])
      for (const [key, value] of Object.entries(who)) env[`GIT_${role}_${key}`] = value;
    return execFileSync("git", args, { cwd: this.project, env, encoding: "utf8" });
  }

  /** Path of a project file. */
  path(relative: string): string {
    return join(this.project, relative);
  }
  read(relative: string): string {
    return readFileSync(this.path(relative), "utf8");
  }
  exists(relative: string): boolean {
    return existsSync(this.path(relative));
  }
  write(relative: string, content: FileSpec): void {
    writeTree(this.project, { [relative]: content });
  }

  private get stateFile(): string {
    return join(this.configDir, ".claude.json");
  }
  readState(): Record<string, unknown> {
    return JSON.parse(readFileSync(this.stateFile, "utf8"));
  }
  private writeState(projects: Record<string, unknown>): void {
    const approvals = { approved: [testKey.slice(-20)], rejected: [] };
    writeJson(this.stateFile, { hasCompletedOnboarding: true, customApiKeyResponses: approvals, projects });
  }
  /** Takes the trust back. */
  distrust(): void {
    this.writeState({});
  }
  /** Answers the trust question beforehand. */
  trust(): void {
    this.writeState({ [this.project]: { hasTrustDialogAccepted: true } });
  }

  /** Environment of a child, without undefined entries. */
  env(extra: Record<string, string | undefined> = {}): Record<string, string> {
    const all = { ...this.baseEnv, ...extra };
    return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
  }

  /** Runs the built program to its end, stdin closed (or fed). */
  runCli(args: string[], options: RunOptions = {}): Promise<RunResult> {
    return this.run(this.program, args, options);
  }

  /** Runs any program in the project. */
  run(command: string, args: string[], options: RunOptions = {}): Promise<RunResult> {
    const started = performance.now();
    const child = spawn(command, args, {
      cwd: options.cwd ?? this.project,
      env: this.env(options.env),
      stdio: [options.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString("utf8");
    child.stdout?.on("data", (chunk: Buffer) => {
      out.push(chunk);
      options.onStdout?.(text(out), (signal) => void child.kill(signal));
    });
    child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
    // A program that does not read its stdin to the end closes the pipe: no error of ours.
    child.stdin?.on("error", () => {});
    if (options.stdin !== undefined) child.stdin?.end(options.stdin);
    const timeoutMs = options.timeoutMs ?? 20_000;
    return new Promise((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        child.kill("SIGKILL");
      }, timeoutMs);
      child.on("error", reject);
      child.on("close", (code, signal) => {
        clearTimeout(timer);
        const [stdout, stderr] = [text(out), text(err)];
        if (isLate)
          reject(new Error(`${args.join(" ")}: not done in ${timeoutMs} ms\nstdout: ${stdout}\nstderr: ${stderr}`));
        else resolve({ code, signal, stdout, stderr, durationMs: performance.now() - started });
      });
    });
  }

  /** Starts the built program in a pty of the project; it ends with the workspace. */
  startCli(args: string[] = [], options: Partial<PtyOptions> = {}): Pty {
    return this.startPty(this.program, args, options);
  }

  startPty(command: string, args: string[] = [], options: Partial<PtyOptions> = {}): Pty {
    const pty = new Pty({ command, args, cwd: this.project, ...options, env: this.env(options.env) });
    this.ptys.add(pty);
    return pty;
  }

  /** Ends what still runs and removes everything. */
  async dispose(): Promise<void> {
    await Promise.all([...this.ptys].map((pty) => pty.dispose()));
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}
