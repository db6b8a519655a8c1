// The place benchmarks run in: temporary folders, the stream server, and targets (us and, where named, a peer).
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { makeTranscript } from "../../test/helpers/make-transcript.js";
import { Workspace } from "../../test/helpers/workspace.js";
import { Session, type Target } from "./session.js";
import type { Report } from "./stream-server.js";

export class Bed {
  readonly reports: Report[] = [];
  readonly workspace: Workspace;
  private readonly listeners = new Set<() => void>();
  private readonly sessions = new Set<Session>();

  private constructor(
    private readonly server: ChildProcess,
    url: string,
  ) {
    this.workspace = new Workspace({ server: { url } });
    server.on("message", (report: Report) => {
      this.reports.push(report);
      for (const listener of [...this.listeners]) listener();
    });
  }

  static async make(): Promise<Bed> {
    const server = fork(join(import.meta.dirname, "stream-server.ts"), [], { execArgv: ["--import", "tsx"] });
    const url = await new Promise<string>((resolve, reject) => {
      server.once("message", (report: Report) =>
        report.kind === "listening" ? resolve(report.url) : reject(new Error("the stream server said something odd")),
      );
      server.once("exit", () => reject(new Error("the stream server did not start")));
    });
    return new Bed(server, url);
  }

  /** First report that fits, at index `from` or later; waits for it. */
  waitFor<K extends Report["kind"]>(kind: K, from = 0, limitMs = 30_000): Promise<Extract<Report, { kind: K }>> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const found = this.reports.slice(from).find((report) => report.kind === kind);
        if (!found) return;
        clearTimeout(timer);
        this.listeners.delete(check);
        resolve(found as Extract<Report, { kind: K }>);
      };
      const timer = setTimeout(() => {
        this.listeners.delete(check);
        reject(new Error(`no ${kind} in ${limitMs} ms`));
      }, limitMs);
      this.listeners.add(check);
      check();
    });
  }

  /** Resolves once there were `count` reports of this kind at index `from` or later. */
  waitForCount(kind: Report["kind"], count: number, from = 0, limitMs = 30_000): Promise<void> {
    return new Promise((resolve, reject) => {
      let [found, at] = [0, from];
      const check = () => {
        for (; at < this.reports.length; at += 1) if (this.reports[at]?.kind === kind) found += 1;
        if (found < count) return;
        clearTimeout(timer);
        this.listeners.delete(check);
        resolve();
      };
      const timer = setTimeout(() => {
        this.listeners.delete(check);
        reject(new Error(`${found} of ${count} ${kind} in ${limitMs} ms`));
      }, limitMs);
      this.listeners.add(check);
      check();
    });
  }

  get env(): Record<string, string> {
    return this.workspace.env();
  }

  /** Writes a session of this many messages; returns its id. */
  transcript(messages: number): string {
    const { configDir, project: cwd } = this.workspace;
    const sessionId = `00000000-0000-4000-9000-${String(messages).padStart(12, "0")}`;
    return makeTranscript({ configDir, cwd, messages, sessionId }).sessionId;
  }

  /** Starts a target in a pty of 120x40. */
  start(target: Target, args: string[] = [], env: Record<string, string> = {}): Session {
    const session = new Session(target, args, { cwd: this.workspace.project, env: { ...this.env, ...env } });
    this.sessions.add(session);
    return session;
  }

  /** Starts a target and waits until it takes keys. */
  async startReady(target: Target, args: string[] = [], env: Record<string, string> = {}): Promise<Session> {
    const session = this.start(target, args, env);
    await session.firstEcho();
    await session.rest();
    await session.clearPrompt();
    return session;
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.sessions].map((session) => session.end()));
    this.server.kill("SIGKILL");
    await this.workspace.dispose();
  }
}
