// Headless runs: one prompt in, its outcome on stdout as text, one JSON object, or a stream of JSON lines.
import { sanitise } from "../lib/sanitise.js";
import { shortReason } from "../lib/short-reason.js";
import type { Engine } from "../protocol/engine.js";
import type { EngineEvent, RunOutcome } from "../protocol/events.js";
import type { Answer, Question } from "../protocol/questions.js";
import type { Request } from "../protocol/requests.js";
import { createLineWriter, type LineWriter, type Output } from "./line-writer.js";
import { exitCodeOf } from "./outcome-table.js";
import { errorsOf, type SessionTotals } from "./result-message.js";
import { createStreamJsonWriter, type Line, type StreamJsonWriter } from "./stream-json-writer.js";

export interface PrintOptions {
  engine: Engine;
  prompt: string;
  format: "text" | "json" | "stream-json";
  includePartial?: boolean;
  /** Also write the words of subagents, not only their calls. */
  forwardSubagentText?: boolean;
  /** Also tell of every hook. */
  includeHookEvents?: boolean;
  /** In text: also says on stderr which tools run. */
  verbose?: boolean;
  stdout: Output;
  /** Gets one line at a time, for people. */
  warn(text: string): void;
  /** Cumulative cost and tokens of the session. */
  totals(): SessionTotals;
  /** Further fields of the init line. */
  init?(): Line;
  /** True when the session has been opened already. */
  isOpen?: boolean;
}

/**
 * Runs the prompt to its end, writes it, flushes, and returns the exit code. The engine is not closed.
 * A reader that goes away ends the run quietly. Rejects only for bugs: what the run does wrong is its outcome.
 */
export const runPrint = async (options: PrintOptions): Promise<number> => {
  const { engine } = options;
  const out = createLineWriter(options.stdout, () => engine.interrupt("all"));
  const report = reports[options.format](options, out);
  let exitCode: number | undefined;
  const run = async (request: Request): Promise<RunOutcome | undefined> => {
    const events = engine.submit(request);
    let last: RunOutcome | undefined;
    for (let next = await events.next(); ; next = await events.next()) {
      if (next.done === true) return next.value ?? last;
      const event = next.value;
      if (event.type === "run_end") last = event.outcome;
      else if (event.type === "exit") {
        exitCode = event.code;
        if (event.message !== undefined) options.warn(event.message);
      } else if (event.type === "question") engine.answer(event.question.id, refusal(event.question));
      if (request.type !== "open" || !isReplay(event)) await report.event(event);
    }
  };
  const outcome =
    (options.isOpen === true ? undefined : await run({ type: "open" })) ??
    (exitCode === undefined ? await run({ type: "prompt", text: options.prompt }) : undefined);
  if (outcome !== undefined) await report.end(outcome);
  await out.flush();
  return exitCode ?? (outcome === undefined || out.isClosed() ? 1 : exitCodeOf(outcome));
};

const replayed = new Set<EngineEvent["type"]>([
  "user_message",
  "assistant_message",
  "tool_call",
  "tool_result",
  "command_output",
  "compact_boundary",
]);

/** Earlier messages of a resumed session: a screen draws them again, a host has had them. */
const isReplay = ({ type }: EngineEvent): boolean => replayed.has(type);

/** Nobody is there to answer: everything is refused. */
const refusal = (question: Question): Answer => {
  switch (question.kind) {
    case "permission":
      return { kind: "permission", outcome: "deny", comment: "Nobody can be asked in a headless run" };
    case "plan":
      return { kind: "plan", choice: 4 };
    case "choice":
      return { kind: "choice" };
    case "trust":
      return { kind: "trust", trusted: false };
    case "start":
      return { kind: "start", choice: "leave" };
    case "go_on":
      return { kind: "go_on", goOn: false };
    case "mcp_server":
      return { kind: "mcp_server", choice: "later" };
  }
};

interface Report {
  event(event: EngineEvent): Promise<void>;
  end(outcome: RunOutcome): Promise<void>;
}

const streamJson = (options: PrintOptions): StreamJsonWriter =>
  createStreamJsonWriter({
    session: () => options.engine.session(),
    totals: options.totals,
    includePartial: options.includePartial === true,
    forwardSubagentText: options.forwardSubagentText === true,
    includeHookEvents: options.includeHookEvents === true,
    init: options.init,
  });

const writeLines = async (out: LineWriter, lines: readonly Line[]): Promise<void> => {
  for (const line of lines) await out.write(`${JSON.stringify(line)}\n`);
};

const reports: Record<PrintOptions["format"], (options: PrintOptions, out: LineWriter) => Report> = {
  text: (options, out) => ({
    event: async (event) => {
      const text = remark(event, options.verbose === true);
      if (text !== undefined) options.warn(sanitise(text, { tabSize: 0 }));
    },
    end: (outcome) => out.write(`${forReader(finalText(outcome), options)}\n`),
  }),
  json: (options, out) => {
    const writer = streamJson(options);
    return {
      event: async (event) => {
        writer.lines(event); // counts what the result tells
      },
      end: (outcome) => writeLines(out, writer.end(outcome).slice(-1)),
    };
  },
  "stream-json": (options, out) => {
    const writer = streamJson(options);
    return {
      event: (event) => writeLines(out, writer.lines(event)),
      end: (outcome) => writeLines(out, writer.end(outcome)),
    };
  },
};

/** A pipe gets the answer as it is; on a terminal nothing of it may steer the terminal. */
const forReader = (text: string, { stdout }: PrintOptions): string =>
  stdout.isTTY === true ? sanitise(text, { tabSize: 0 }) : text;

/** What text mode says on stderr while it runs. */
const remark = (event: EngineEvent, isVerbose: boolean): string | undefined => {
  if (event.type === "notice" && event.level !== "info") return event.text;
  if (event.type === "retry" && event.parentToolUseId === undefined) {
    const tries = event.maxAttempts === null ? `${event.attempt}` : `${event.attempt}/${event.maxAttempts}`;
    return `${shortReason(event.reason)}. Trying again in ${Math.ceil(event.delayMs / 1000)} s (${tries})`;
  }
  if (isVerbose && event.type === "tool_call") return `${event.name} ${event.title}`.trimEnd();
  return undefined;
};

/** The answer; a run that was stopped says so in one line, in place of an answer. */
const finalText = (outcome: RunOutcome): string => {
  const wasStopped = ["max_turns", "budget_exhausted", "interrupted", "internal_error"].includes(outcome.cause);
  if (outcome.cause === "refusal") return `Declined: ${outcome.text}`;
  return wasStopped ? `Error: ${errorsOf(outcome).join("; ")}` : outcome.text;
};
