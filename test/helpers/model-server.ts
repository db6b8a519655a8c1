// A scripted Anthropic Messages API on loopback. Answers are matched by turn order, never by comparing whole requests;
// strict-rules.ts refuses what the real API refuses.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { constants, createGzip, type Gzip } from "node:zlib";
import { type Gate, gate } from "./gate.js";
import { type BuiltMessage, buildMessage, errorBody, idSource, type ModelAnswer, streamSteps } from "./model-script.js";
import { newMemory, refusal, remember } from "./strict-rules.js";

/** A request body, loosely typed: tests look into it. */
export interface RequestBody {
  model: string;
  system?: string | { type: string; text: string; [key: string]: unknown }[];
  messages: { role: string; content: string | { type: string; [key: string]: unknown }[] }[];
  tools?: { name: string; description?: string; input_schema?: Record<string, unknown>; [key: string]: unknown }[];
  max_tokens: number;
  thinking?: { type: string; [key: string]: unknown };
  [key: string]: unknown;
}

export interface RecordedRequest {
  /** 0-based among all accepted and refused requests. */
  index: number;
  kind: "main" | "side" | "refused" | "models" | "count";
  method: string;
  path: string;
  headers: Record<string, string>;
  body: RequestBody;
  /** Milliseconds since the epoch, with fractions. */
  at: number;
  /** When message_stop was written, or undefined when it never was. */
  stopSentAt?: number;
  /** The message that was sent back. */
  message?: BuiltMessage;
  /** Status of the answer. */
  status?: number;
  /** The client closed the connection before the answer was complete. */
  aborted?: boolean;
  /** The answer's connection is done with. */
  isOver?: boolean;
}

export type AnswerSource = ModelAnswer | ((request: RecordedRequest) => ModelAnswer);
export interface SideAnswers {
  when: (request: RecordedRequest) => boolean;
  /** Used in order; the last one repeats. */
  answers: AnswerSource[];
}

export interface ModelServerOptions {
  answers?: AnswerSource[];
  /** Requests of another kind (title, summary …), recognised by a predicate, outside the turn order. */
  sideAnswers?: SideAnswers[];
  /** Default true: refuse with 400 what the real API refuses. */
  strict?: boolean;
  acceptUnknownSignatures?: boolean;
  /** Prompts estimated above this many tokens (characters / 4) are refused as too long. */
  promptLimit?: number;
  /** Rows for GET /v1/models/{id}. */
  models?: Record<string, Record<string, unknown>>;
  /** Keys that are accepted; default: any. */
  apiKey?: string;
}

export interface ModelServer {
  url: string;
  /** Every request, in order of arrival. */
  requests: RecordedRequest[];
  /** Requests that took an answer of the script. */
  turns(): RecordedRequest[];
  /** What the strict rules refused, and turns the script had no answer for. A test expects []. */
  violations: string[];
  /** Answers not used yet. */
  remaining(): number;
  push(...answers: AnswerSource[]): void;
  /** Opens a gate that an answer names in its holds. */
  release(name: string): void;
  /** Resolves with the n-th (1-based) turn's request once it has arrived. */
  waitForTurn(n: number, timeoutMs?: number): Promise<RecordedRequest>;
  /** Resolves once the answer to the n-th turn has gone out to its end (or broke off). */
  waitForAnswer(n: number, timeoutMs?: number): Promise<RecordedRequest>;
  close(): Promise<void>;
}

const now = () => performance.timeOrigin + performance.now();

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
};

/** Small reproducible random numbers in [0, 1). */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/** Writes a body with the answer's faults: cuts, resets, compression. */
class BodyWriter {
  private readonly gzip: Gzip | undefined;
  private readonly random: (() => number) | undefined;
  private written = 0;
  isOver = false;
  constructor(
    private readonly response: ServerResponse,
    private readonly answer: ModelAnswer,
  ) {
    if (answer.gzip) {
      this.gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
      this.gzip.pipe(response);
    }
    if (answer.cutSeed !== undefined) this.random = seededRandom(answer.cutSeed);
    response.on("close", () => {
      this.isOver = true;
    });
  }
  async write(text: string): Promise<void> {
    let bytes = Buffer.from(text, "utf8");
    const limit = this.answer.resetAfterBytes;
    if (limit !== undefined && this.written + bytes.length >= limit) {
      bytes = bytes.subarray(0, limit - this.written);
      await this.send(bytes);
      this.response.socket?.resetAndDestroy();
      this.isOver = true;
      return;
    }
    this.written += bytes.length;
    if (!this.random) return this.send(bytes);
    let at = 0;
    while (at < bytes.length && !this.isOver) {
      const size = 1 + Math.floor(this.random() * 12);
      await this.send(bytes.subarray(at, at + size));
      await new Promise(setImmediate);
      at += size;
    }
  }
  private send(bytes: Buffer): Promise<void> {
    if (this.isOver || bytes.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const target = this.gzip ?? this.response;
      target.write(bytes, () => (this.gzip ? this.gzip.flush(() => resolve()) : resolve()));
    });
  }
  end(): Promise<void> {
    if (this.isOver) return Promise.resolve();
    return new Promise((resolve) => {
      this.response.once("close", resolve);
      if (this.gzip) this.gzip.end();
      else this.response.end();
    });
  }
}

/** Starts the server on a free loopback port. */
export const startModelServer = async (options: ModelServerOptions = {}): Promise<ModelServer> => {
  const answers = [...(options.answers ?? [])];
  const sides = (options.sideAnswers ?? []).map((side) => ({ ...side, used: 0 }));
  const requests: RecordedRequest[] = [];
  const violations: string[] = [];
  const memory = newMemory();
  const ids = idSource();
  const gates = new Map<string, Gate>();
  const listeners = new Set<() => void>();
  let requestCount = 0;

  const named = (name: string): Gate => {
    const found = gates.get(name) ?? gate();
    gates.set(name, found);
    return found;
  };
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  const turns = () => requests.filter(({ kind }) => kind === "main");

  /** Waits at a hold, but not longer than the client stays. */
  const pass = async (until: Gate | number | string, response: ServerResponse): Promise<void> => {
    if (response.closed) return;
    const closed = Promise.withResolvers<void>();
    const onClose = () => closed.resolve();
    response.once("close", onClose);
    if (typeof until === "number") {
      let timer: NodeJS.Timeout | undefined;
      const delay = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, until);
      });
      await Promise.race([delay, closed.promise]);
      clearTimeout(timer);
      response.off("close", onClose);
      return;
    }
    await Promise.race([(typeof until === "string" ? named(until) : until).opened, closed.promise]);
    response.off("close", onClose);
  };

  const fail = (
    response: ServerResponse,
    record: RecordedRequest,
    status: number,
    error: ModelAnswer["error"],
    extra: Pick<ModelAnswer, "headers" | "body"> = {},
  ): void => {
    record.status = status;
    const requestId = `req_${String(++requestCount).padStart(3, "0")}`;
    response.writeHead(status, { "content-type": "application/json", "request-id": requestId, ...extra.headers });
    response.end(extra.body ?? errorBody(status, error, requestId));
  };

  const stream = async (record: RecordedRequest, answer: ModelAnswer, response: ServerResponse): Promise<void> => {
    record.status = 200;
    const requestId = answer.requestId ?? `req_${String(++requestCount).padStart(3, "0")}`;
    const inputTokens = Math.ceil(JSON.stringify(record.body).length / 4);
    const message = buildMessage(answer, record.body.model, ids, inputTokens);
    record.message = message;
    const isJson = answer.json || !record.body.stream;
    response.writeHead(200, {
      "content-type": isJson ? "application/json" : "text/event-stream; charset=utf-8",
      "request-id": requestId,
      ...(answer.gzip ? { "content-encoding": "gzip" } : {}),
      ...answer.headers,
    });
    const writer = new BodyWriter(response, answer);
    if (answer.raw !== undefined) {
      for (const piece of [answer.raw].flat()) await writer.write(piece);
      return writer.end();
    }
    if (isJson) {
      remember(memory, message.content, message.stopReason);
      await writer.write(
        JSON.stringify({
          id: message.id,
          type: "message",
          role: "assistant",
          model: message.model,
          content: message.content,
          stop_reason: message.stopReason,
          stop_sequence: null,
          usage: message.usage,
        }),
      );
      record.stopSentAt = now();
      return writer.end();
    }
    response.flushHeaders();
    remember(memory, message.content, message.stopReason);
    for (const step of streamSteps(message, answer)) {
      if (writer.isOver) break;
      if (step.do === "wait") await pass(step.until, response);
      else if (step.do === "stall") await new Promise<void>((resolve) => response.once("close", () => resolve()));
      else if (step.do === "end") return writer.end();
      else {
        if (step.event.type === "message_stop") record.stopSentAt = now();
        await writer.write(`event: ${step.event.type}\ndata: ${JSON.stringify(step.event)}\n\n`);
      }
    }
  };

  const nextAnswer = (record: RecordedRequest): ModelAnswer | undefined => {
    const side = sides.find(({ when }) => when(record));
    if (side) record.kind = "side";
    const source = side ? side.answers[Math.min(side.used++, side.answers.length - 1)] : answers.shift();
    return typeof source === "function" ? source(record) : source;
  };

  const refuse = (record: RecordedRequest): { status: number; message: string } | undefined => {
    const { body, headers } = record;
    const key = headers["x-api-key"] ?? headers.authorization?.replace(/^Bearer /, "");
    if (!key) return { status: 401, message: "x-api-key header is required" };
    if (options.apiKey && key !== options.apiKey) return { status: 401, message: "invalid x-api-key" };
    if (options.strict === false) return undefined;
    if (!headers["anthropic-version"]) return { status: 400, message: "anthropic-version: header is required" };
    const fault = refusal(body, { memory, acceptUnknownSignatures: options.acceptUnknownSignatures });
    return fault === undefined ? undefined : { status: 400, message: fault };
  };

  const messages = async (record: RecordedRequest, response: ServerResponse): Promise<void> => {
    const refused = refuse(record);
    if (refused) {
      record.kind = "refused";
      if (refused.status === 400) violations.push(refused.message);
      return fail(response, record, refused.status, { message: refused.message });
    }
    const tokens = Math.ceil(JSON.stringify(record.body).length / 4);
    if (options.promptLimit && tokens > options.promptLimit) {
      record.kind = "refused";
      return fail(response, record, 400, {
        message: `prompt is too long: ${tokens} tokens > ${options.promptLimit} maximum`,
      });
    }
    const answer = nextAnswer(record);
    if (!answer) {
      const text = `the script has no answer for turn ${turns().length}`;
      violations.push(text);
      return fail(response, record, 400, { message: text });
    }
    for (const { at, until } of answer.holds ?? []) if (at === "start") await pass(until, response);
    if (answer.status && answer.status !== 200)
      return fail(response, record, answer.status, answer.error, { headers: answer.headers, body: answer.body });
    await stream(record, answer, response);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const at = now();
    const text = await readBody(request);
    const url = new URL(request.url ?? "/", "http://loopback");
    const record: RecordedRequest = {
      index: requests.length,
      kind: "main",
      method: request.method ?? "GET",
      path: url.pathname,
      headers: Object.fromEntries(Object.entries(request.headers).map(([k, v]) => [k, String(v)])),
      body: { model: "", messages: [], max_tokens: 0 },
      at,
    };
    try {
      if (text) record.body = JSON.parse(text);
    } catch {
      // Reported as the API would: the body is no JSON.
      violations.push("request body is not JSON");
      return fail(response, record, 400, { message: "The request body is not valid JSON" });
    }
    const isModels = url.pathname.startsWith("/v1/models");
    const isCount = url.pathname === "/v1/messages/count_tokens";
    if (isModels) record.kind = "models";
    if (isCount) record.kind = "count";
    requests.push(record);
    response.on("close", () => {
      if (!response.writableFinished) record.aborted = true;
      record.isOver = true;
      tell();
    });
    response.socket?.setNoDelay(true);
    if (isModels) {
      const model = options.models?.[decodeURIComponent(url.pathname.slice("/v1/models/".length))];
      if (!model) return fail(response, record, 404, { message: "model not found" });
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(model));
      return;
    }
    if (isCount) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ input_tokens: Math.ceil(text.length / 4) }));
      return;
    }
    if (record.method !== "POST" || url.pathname !== "/v1/messages") {
      record.kind = "refused";
      return fail(response, record, 404, { message: `no such path: ${record.method} ${url.pathname}` });
    }
    const answered = messages(record, response);
    tell();
    await answered;
  };

  const waitFor = (what: string, look: () => RecordedRequest | undefined, timeoutMs = 10_000) =>
    new Promise<RecordedRequest>((resolve, reject) => {
      const check = () => {
        const found = look();
        if (!found) return;
        clearTimeout(timer);
        listeners.delete(check);
        resolve(found);
      };
      const timer = setTimeout(() => {
        listeners.delete(check);
        reject(new Error(`${what} did not come in ${timeoutMs} ms; so far ${turns().length} turns`));
      }, timeoutMs);
      listeners.add(check);
      check();
    });

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      violations.push(`the model server failed: ${error instanceof Error ? error.message : String(error)}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    turns,
    violations,
    remaining: () => answers.length,
    push: (...more) => void answers.push(...more),
    release: (name) => named(name).release(),
    waitForTurn: (n, timeoutMs) => waitFor(`turn ${n}`, () => turns()[n - 1], timeoutMs),
    waitForAnswer: (n, timeoutMs) =>
      waitFor(
        `the end of answer ${n}`,
        () => {
          const turn = turns()[n - 1];
          return turn?.isOver ? turn : undefined;
        },
        timeoutMs,
      ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** Whether a request asks for the title of a conversation: for `sideAnswers`. */
export const isTitleRequest = ({ body }: RecordedRequest): boolean =>
  JSON.stringify(body.system ?? "").includes("You find the title of a conversation");
