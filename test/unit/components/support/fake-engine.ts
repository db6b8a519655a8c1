// A scripted engine for tests of the screen: requests are recorded, events are pushed by the test.
import type { Engine } from "../../../../src/protocol/engine.js";
import type { EngineEvent, RunOutcome, SessionInfo } from "../../../../src/protocol/events.js";
import type { Answer } from "../../../../src/protocol/questions.js";
import type { EarlierPrompt, Request } from "../../../../src/protocol/requests.js";

export const sessionFor = (overrides: Partial<SessionInfo> = {}): SessionInfo => ({
  sessionId: "00000000-0000-4000-8000-000000000001",
  cwd: "/home/ada/shop",
  model: "model-1",
  modelLabel: "sonnet",
  provider: "test",
  effort: "high",
  permissionMode: "default",
  modeCycle: ["default", "acceptEdits", "plan"],
  tools: ["Read", "Edit", "Bash"],
  commands: [
    { name: "help", aliases: [], description: "Keys and commands", source: "builtin" },
    { name: "clear", aliases: ["new"], description: "Start anew", source: "builtin" },
    { name: "cost", aliases: [], description: "What the session cost", source: "builtin" },
    {
      name: "compact",
      aliases: [],
      description: "Summarise the conversation",
      argumentHint: "[focus]",
      source: "builtin",
    },
  ],
  gitBranch: "main",
  trusted: true,
  version: "3.0.0",
  apiKeySource: "none",
  contextWindow: 200_000,
  ...overrides,
});

export const outcomeFor = (overrides: Partial<RunOutcome> = {}): RunOutcome => ({
  cause: "completed",
  isError: false,
  text: "",
  turns: 1,
  durationMs: 1,
  apiDurationMs: 1,
  usage: { input_tokens: 0, output_tokens: 0 },
  costUsd: null,
  stopReason: "end_turn",
  apiErrorStatus: null,
  permissionDenials: [],
  errors: [],
  isLocal: false,
  ...overrides,
});

interface Running {
  request: Request;
  push: (...events: EngineEvent[]) => void;
  end: (outcome?: RunOutcome) => void;
}

export interface FakeEngine extends Engine {
  requests: Request[];
  answers: { id: string; answer: Answer }[];
  interrupts: string[];
  /** Waiting prompts that the engine has taken into its run: they cannot be taken back. */
  taken: Set<string>;
  /** What a search of earlier prompts finds. */
  earlier: EarlierPrompt[];
  /** The newest request that is still running. */
  running: () => Running;
  emit: (event: EngineEvent) => void;
}

/** Requests other than prompts end at once; `open` yields a session first. Prompts run until the test ends them. */
export const createFakeEngine = (opened = sessionFor()): FakeEngine => {
  let session = opened;
  const requests: Request[] = [];
  const answers: FakeEngine["answers"] = [];
  const interrupts: string[] = [];
  const taken = new Set<string>();
  const earlier: EarlierPrompt[] = [];
  const listeners = new Set<(event: EngineEvent) => void>();
  const open: Running[] = [];

  async function* submit(request: Request): AsyncGenerator<EngineEvent, RunOutcome | undefined> {
    requests.push(request);
    if (request.type === "open") yield { type: "session", session, reason: "open" };
    if (request.type === "set_mode" && session.modeCycle.includes(request.mode)) {
      session = { ...session, permissionMode: request.mode };
      yield { type: "mode", mode: request.mode };
    }
    if (request.type === "read_prompts") yield { type: "prompts", id: request.id, prompts: earlier };
    if (request.type === "unqueue" && !taken.has(request.uuid)) yield { type: "unqueued", uuid: request.uuid };
    if (request.type !== "prompt") return undefined;
    const waiting: EngineEvent[] = [];
    let wake: () => void = () => undefined;
    let isOver = false;
    let result: RunOutcome | undefined;
    const running: Running = {
      request,
      push: (...events) => {
        waiting.push(...events);
        wake();
      },
      end: (outcome) => {
        isOver = true;
        result = outcome;
        wake();
      },
    };
    open.push(running);
    while (waiting.length > 0 || !isOver) {
      const event = waiting.shift();
      if (event) yield event;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    open.splice(open.indexOf(running), 1);
    return result;
  }

  return {
    requests,
    answers,
    interrupts,
    taken,
    earlier,
    submit,
    running: () => open.at(-1)!,
    emit: (event) => {
      for (const listener of listeners) listener(event);
    },
    answer: (id, answer) => {
      answers.push({ id, answer });
      return true;
    },
    interrupt: (scope) => {
      interrupts.push(scope);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    session: () => session,
    close: async () => undefined,
  };
};
