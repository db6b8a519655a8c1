// The loop in a test without a session: a provider that plays byte streams, two counting tools, a clock that does not wait.
import { z } from "zod";
import type { ExecutionContext } from "../../src/execution/context.js";
import type { EngineEvent } from "../../src/protocol/events.js";
import type { Message } from "../../src/protocol/messages.js";
import { type AnthropicOptions, createAnthropic } from "../../src/providers/anthropic.js";
import type { ToolSpec } from "../../src/providers/provider.js";
import { retryDelay, shouldRetry } from "../../src/providers/retry.js";
import type { LoopOptions, LoopOutcome } from "../../src/query/loop-options.js";
import { queryLoop } from "../../src/query/query-loop.js";
import { type AnyTool, defineTool, type ToolContext } from "../../src/tools/tool.js";
import { buildMessage, idSource, type ModelAnswer, streamSteps } from "./model-script.js";
import { newMemory, refusal, remember, type SentMemory } from "./strict-rules.js";

/** A body of a request, loosely typed. */
export interface SentBody {
  model: string;
  max_tokens: number;
  messages: { role: string; content: { type: string; [key: string]: unknown }[] }[];
  tools?: { name: string; input_schema: Record<string, unknown>; [key: string]: unknown }[];
  [key: string]: unknown;
}

export type Reply = Response | Error | ((body: SentBody) => Response | Error);

const ids = idSource();
const eventStream = { "content-type": "text/event-stream", "request-id": "req_1" };

/** The bytes of a scripted answer's event stream. */
export const bytesOf = (answer: ModelAnswer, memory?: SentMemory): Buffer => {
  const message = buildMessage(answer, "claude-sonnet-5-5", ids, 10);
  if (memory) remember(memory, message.content, message.stopReason);
  const events = streamSteps(message, answer).flatMap((step) => (step.do === "event" ? [step.event] : []));
  return Buffer.from(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
};

/** An answer of these bytes; `isCut`: the connection then fails, else it is closed cleanly. */
export const streamed = (
  bytes: Uint8Array | string,
  options: { isCut?: boolean; type?: string; status?: number } = {},
): Response => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(typeof bytes === "string" ? Buffer.from(bytes) : bytes);
      if (options.isCut) controller.error(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }));
      else controller.close();
    },
  });
  const headers = { ...eventStream, ...(options.type ? { "content-type": options.type } : {}) };
  return new Response(body, { status: options.status ?? 200, headers });
};

/** An error answer of the API. */
export const apiError = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ type: "error", error: { type: "some_error", message } }), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });

export interface LoopKit {
  /** Bodies of the requests, in order. */
  sent: SentBody[];
  /** Names and inputs of the calls that ran. */
  ran: [string, Record<string, unknown>][];
  /** What a strict API would have refused. */
  refused: string[];
  messages: Message[];
  memory: SentMemory;
  events: EngineEvent[];
  options: LoopOptions;
  run(): Promise<LoopOutcome>;
}

const tool = (name: string, isSafe: boolean, ran: LoopKit["ran"]): AnyTool =>
  defineTool({
    name,
    prompt: name,
    input: z.looseObject({}),
    isReadOnly: () => isSafe,
    isConcurrencySafe: () => isSafe,
    checkPermissions: async () => ({ reads: [], writes: [] }),
    title: () => "",
    call: async (input) => {
      ran.push([name, input as Record<string, unknown>]);
      return { content: `${name} done` };
    },
  });

export const spec = (name: string, input_schema: Record<string, unknown> = { type: "object" }): ToolSpec => ({
  name,
  description: name,
  input_schema,
});

/**
 * A loop over `replies`, one a request (answers are scripts). Without a reply left the test fails with "no reply".
 * Requests are checked by the strict rules; what they refuse is answered with 400 and noted in `refused`.
 */
export const loopKit = (
  replies: (ModelAnswer | Reply)[],
  change: Partial<LoopOptions> = {},
  provider: Partial<AnthropicOptions> = {},
): LoopKit => {
  const left = [...replies];
  const memory = newMemory();
  const kit: Pick<LoopKit, "sent" | "ran" | "refused" | "messages" | "events" | "memory"> = {
    sent: [],
    ran: [],
    refused: [],
    messages: [{ role: "user", content: "go" }],
    events: [],
    memory,
  };
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    const body = JSON.parse(String(init?.body)) as SentBody;
    kit.sent.push(body);
    const fault = refusal(body, { memory });
    if (fault !== undefined) {
      kit.refused.push(fault);
      return apiError(400, fault);
    }
    const next = left.shift();
    if (next === undefined) throw new Error("no reply is left");
    const made = typeof next === "function" ? next(body) : next;
    if (made instanceof Error) throw made;
    return made instanceof Response ? made : streamed(bytesOf(made, memory));
  };
  const tools = [tool("Look", true, kit.ran), tool("Touch", false, kit.ran)];
  let now = 0;
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
  };
  const execution: ExecutionContext = {
    findTool: (name) => tools.find((found) => found.name === name),
    toolNames: tools.map(({ name }) => name),
    toolContext: (_block, signal) =>
      ({ cwd: "/", signal, resultsDir: "/nonexistent", now: clock.now }) as unknown as ToolContext,
    decide: async () => ({ outcome: "allow", reasons: [], suggestions: [], checks: [] }),
    askPermission: undefined,
    applyUpdates: async () => undefined,
    onDenied: () => undefined,
    now: clock.now,
  };
  const options: LoopOptions = {
    provider: createAnthropic({
      apiKey: "sk-test",
      userAgent: "test",
      baseUrl: "http://model.test",
      fetch,
      ...provider,
    }),
    model: "claude-sonnet-5-5",
    contextWindow: 200_000,
    maxOutputTokens: 1000,
    raisedOutputTokens: 4000,
    purpose: "main",
    sessionId: "s",
    system: [],
    tools: tools.map(({ name }) => spec(name)),
    messages: kit.messages,
    execution,
    recorder: { user: () => "u", assistant: () => undefined, result: () => undefined },
    clock,
    signal: new AbortController().signal,
    concurrency: 10,
    maxRetries: 10,
    retryDelayMs: (error, attempt) =>
      shouldRetry(attempt, error, { env: {}, isInteractive: false })
        ? retryDelay(attempt - 1, error, () => 0)
        : undefined,
    includeStream: false,
    cacheTtl: "5m",
    checkLimits: () => undefined,
    onUsage: () => ({ costUsd: 0, inputTokens: 0, outputTokens: 0 }),
    takeReminders: () => [],
    takeQueued: () => [],
    refusedTools: new Set(),
    ...change,
  };
  return {
    ...kit,
    options,
    run: async () => {
      const events = queryLoop(options);
      for (;;) {
        const { done, value } = await events.next();
        if (done) return value;
        kit.events.push(value);
      }
    },
  };
};
