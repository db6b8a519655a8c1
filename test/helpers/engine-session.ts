// The engine itself, without the program around it: for tests that need many runs, another clock or two processes' worth of sessions.
import { onTestFinished } from "vitest";
import type { Clock } from "../../src/platform/clock.js";
import type { EngineEvent, RunOutcome } from "../../src/protocol/events.js";
import type { Request } from "../../src/protocol/requests.js";
import type { EngineOptions, SessionFlags } from "../../src/query/engine-options.js";
import { createQueryEngine, type QueryEngine } from "../../src/query/query-engine.js";
import { type ModelServer, type ModelServerOptions, startModelServer } from "./model-server.js";
import { Workspace, type WorkspaceOptions } from "./workspace.js";

export interface EngineSession {
  engine: QueryEngine;
  /** Everything the engine told, in order. */
  events: EngineEvent[];
  /** Runs a request to its end; permission questions are answered with yes. */
  send(request: Request): Promise<RunOutcome | undefined>;
  prompt(text: string): Promise<RunOutcome | undefined>;
  close(): Promise<void>;
}

/** A clock that stands still until it is moved; sleeping moves it. */
export const handClock = (start = Date.parse("2026-11-30T12:00:00Z")): Clock & { move(ms: number): void } => {
  let now = start;
  return {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
    move: (ms: number) => {
      now += ms;
    },
  } as Clock & { move(ms: number): void };
};

/** A workspace with its model server; both end with the test. */
export const engineWorld = async (
  options: ModelServerOptions = {},
  files: Pick<WorkspaceOptions, "files" | "settings" | "homeFiles"> = {},
): Promise<{ workspace: Workspace; server: ModelServer }> => {
  const server = await startModelServer(options);
  const workspace = new Workspace({ server, ...files });
  onTestFinished(async () => {
    await server.close();
    await workspace.dispose();
  });
  return { workspace, server };
};

/** Opens a session in the workspace. `trusts`: the answer to a trust question; `answers: false`: nobody says yes. */
export const openEngine = async (
  workspace: Workspace,
  options: {
    flags?: SessionFlags;
    clock: Clock;
    env?: Record<string, string>;
    isInteractive?: boolean;
    /** Told also of what happens between requests. */
    onEvent?: (event: EngineEvent) => void;
    trusts?: boolean;
    /** As when the person gave no first prompt. Default false. */
    mayStartTour?: boolean;
    answers?: boolean;
  },
): Promise<EngineSession> => {
  const engineOptions: EngineOptions = {
    env: workspace.env(options.env),
    cwd: workspace.project,
    flags: options.flags ?? {},
    isInteractive: options.isInteractive ?? true,
    mayStartTour: options.mayStartTour ?? false,
    includeStream: false,
    entrypoint: "cli",
    version: "0.0.0-test",
    clock: options.clock,
    random: () => 0.5,
  };
  const engine = await createQueryEngine(engineOptions);
  const events: EngineEvent[] = [];
  const send = async (request: Request): Promise<RunOutcome | undefined> => {
    const stream = engine.submit(request);
    for (;;) {
      const { done, value } = await stream.next();
      if (done) return value;
      events.push(value);
      if (value.type === "question" && value.question.kind === "trust")
        engine.answer(value.question.id, { kind: "trust", trusted: options.trusts === true });
      if (value.type === "question" && value.question.kind === "permission" && options.answers !== false)
        engine.answer(value.question.id, { kind: "permission", outcome: "allow" });
    }
  };
  if (options.onEvent) engine.subscribe(options.onEvent);
  await send({ type: "open" });
  const close = async (): Promise<void> => {
    await send({ type: "close", reason: "test" });
  };
  return { engine, events, send, prompt: (text) => send({ type: "prompt", text }), close };
};
