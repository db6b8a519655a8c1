// An Engine that plays given events: one script a request, in order.
import type { Engine } from "../../src/protocol/engine.js";
import type { EngineEvent, RunOutcome, SessionInfo } from "../../src/protocol/events.js";
import type { Answer } from "../../src/protocol/questions.js";
import type { Request } from "../../src/protocol/requests.js";

export interface Script {
  events?: EngineEvent[];
  outcome?: RunOutcome;
}

/** A run that went well; `change` overrides parts. */
export const outcomeOf = (change: Partial<RunOutcome> = {}): RunOutcome => ({
  cause: "completed",
  isError: false,
  text: "done",
  turns: 1,
  durationMs: 12.4,
  apiDurationMs: 8,
  usage: { input_tokens: 3, output_tokens: 4 },
  costUsd: 0.5,
  stopReason: "end_turn",
  apiErrorStatus: null,
  permissionDenials: [],
  errors: [],
  isLocal: false,
  ...change,
});

export const fakeEngine = (session: SessionInfo, scripts: Partial<Record<Request["type"], Script>>) => {
  const requests: Request[] = [];
  const answers: [string, Answer][] = [];
  const interrupts: string[] = [];
  const engine: Engine = {
    submit: async function* (request) {
      requests.push(request);
      const script = scripts[request.type];
      for (const event of script?.events ?? []) {
        if (interrupts.length > 0) break;
        yield event;
      }
      return interrupts.length > 0 ? outcomeOf({ cause: "interrupted", isError: true }) : script?.outcome;
    },
    answer: (id, answer) => {
      answers.push([id, answer]);
      return true;
    },
    interrupt: (scope) => {
      interrupts.push(scope);
    },
    subscribe: () => () => {},
    session: () => session,
    close: async () => {},
  };
  return { engine, requests, answers, interrupts };
};
