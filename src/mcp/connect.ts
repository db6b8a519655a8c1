// One connection: handshake, the server's lists, what it may ask of us, and what its failures mean.
import { pathToFileURL } from "node:url";
import type { Client, ElicitRequest, ElicitResult, OAuthClientProvider } from "@modelcontextprotocol/client";
import type { ServerConfig } from "./server-config.js";
import { openTransport, type TransportPlace } from "./transport.js";
import {
  anyAnswer,
  entriesOf,
  type ListedPrompt,
  type ListedResource,
  type ListedTool,
  listedPrompt,
  listedResource,
  listedTool,
  nextCursor,
  serverText,
} from "./wire.js";

export type ListKind = "tools" | "prompts" | "resources";

/** What a server offers. */
export interface Offer {
  tools: ListedTool[];
  prompts: ListedPrompt[];
  resources: ListedResource[];
}

export interface ConnectOptions extends TransportPlace {
  name: string;
  config: ServerConfig;
  version: string;
  timeoutMs: number;
  signal: AbortSignal;
  auth?: OAuthClientProvider;
  /** Folders the server is told of. */
  roots(): readonly string[];
  /** Asks the person for the server; absent: nobody can be asked. */
  elicit?(request: ElicitRequest["params"], signal: AbortSignal): Promise<ElicitResult>;
  onListChanged(kind: ListKind): void;
  onClose(): void;
  /** It does something that cannot go on; the connection is of no use any more. */
  onBroken(reason: string): void;
  /** A message of the server's log. */
  onLog(level: string, text: string): void;
}

export interface Connection {
  client: Client;
  serverInfo: { name: string; version: string };
  instructions: string;
  stderrTail(): string;
  close(): Promise<void>;
}

/** A connection did not come about; the message is for the person. */
export class ConnectProblem extends Error {
  override name = "ConnectProblem";
  constructor(
    message: string,
    readonly kind: "failed" | "needs-auth",
    /** Trying again may help. */
    readonly isPassing: boolean,
  ) {
    super(message);
  }
}

const statusOf = (error: unknown): number | undefined => {
  const { status, code, data } = error as { status?: unknown; code?: unknown; data?: { status?: unknown } };
  return [status, data?.status, code].find((value): value is number => typeof value === "number" && value >= 100);
};

const causes = (error: unknown): { message: string; code?: string }[] => {
  const found: { message: string; code?: string }[] = [];
  for (let at: unknown = error; at instanceof Error && found.length < 5; at = at.cause)
    found.push({ message: at.message, code: (at as NodeJS.ErrnoException).code });
  return found;
};

const passingCodes = new Set(["ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EAI_AGAIN", "EPIPE", "UND_ERR_SOCKET"]);

/** What a failure to connect means, in words. */
export const connectProblem = (error: unknown, { config, timeoutMs }: ConnectOptions, stderr: string) => {
  if (error instanceof ConnectProblem) return error;
  const status = statusOf(error);
  const chain = causes(error);
  const isUnauthorized = chain.some(({ message }) => /unauthorized/i.test(message)) || status === 401;
  if (config.type !== "stdio" && (isUnauthorized || status === 403))
    return new ConnectProblem(`it wants a login (${status ?? 401})`, "needs-auth", false);
  const code = chain.map((one) => one.code).find((one) => typeof one === "string" && /^[A-Z_]+$/.test(one));
  const words = chain.map(({ message }) => message).join(": ");
  const text =
    code === "ENOENT" && config.type === "stdio"
      ? `there is no program ${config.command}`
      : /timed? ?out/i.test(words)
        ? `it did not answer within ${Math.round(timeoutMs / 1000)} s`
        : config.type === "stdio" && /closed/i.test(words)
          ? "its process ended before it was connected"
          : words || String(error);
  const tail = stderr === "" ? "" : `; it wrote: ${stderr.split("\n").slice(-5).join(" / ")}`;
  const isPassing = (code !== undefined && passingCodes.has(code)) || (status !== undefined && status >= 500);
  return new ConnectProblem(
    serverText(`${text}${tail}`).slice(0, 1000),
    "failed",
    isPassing || /timed? ?out/i.test(text),
  );
};

const serve = (client: Client, options: ConnectOptions): void => {
  client.setRequestHandler("roots/list", () => ({
    roots: options.roots().map((folder) => ({ uri: pathToFileURL(folder).href })),
  }));
  const { elicit } = options;
  if (elicit)
    client.setRequestHandler("elicitation/create", ({ params }, context) => elicit(params, context.mcpReq.signal));
  const kinds = ["tools", "prompts", "resources"] as const;
  for (const kind of kinds)
    client.setNotificationHandler(`notifications/${kind}/list_changed`, () => options.onListChanged(kind));
  client.setNotificationHandler("notifications/message", ({ params }) =>
    options.onLog(
      params.level,
      serverText(typeof params.data === "string" ? params.data : JSON.stringify(params.data)),
    ),
  );
};

const inTime = <T>(work: Promise<T>, { timeoutMs, signal }: ConnectOptions): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("timed out")), timeoutMs);
    const onAbort = () => reject(new ConnectProblem("the session ended", "failed", false));
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    });
  });

/** Connects and shakes hands. Rejects with a ConnectProblem; nothing is left running then. */
export const connect = async (options: ConnectOptions): Promise<Connection> => {
  const { name, config, timeoutMs, signal } = options;
  let stderrTail = () => "";
  let client: Client | undefined;
  try {
    const { Client: McpClient } = await import("@modelcontextprotocol/client");
    const opened = await openTransport(name, config, options, options.auth);
    stderrTail = opened.stderrTail;
    const capabilities = { roots: {}, ...(options.elicit ? { elicitation: { form: {}, url: {} } } : {}) };
    const made = new McpClient({ name: "claude-terminal-agent", version: options.version }, { capabilities });
    client = made;
    serve(made, options);
    made.onerror = ({ message }) => {
      // A bad message does not matter: the next one may be good. One without an end does.
      if (/maximum size|exceed/i.test(message)) options.onBroken("it wrote a message of more than 8 MB");
    };
    await inTime(made.connect(opened.transport, { timeout: timeoutMs, signal }), options);
    made.onclose = options.onClose;
    const info = made.getServerVersion();
    return {
      client: made,
      serverInfo: { name: serverText(info?.name), version: serverText(info?.version) },
      instructions: serverText(made.getInstructions()),
      stderrTail,
      close: () => made.close(),
    };
  } catch (error) {
    void client?.close().catch(() => undefined); // its process is ended through the ledger
    throw connectProblem(error, options, stderrTail());
  }
};

const maxPages = 64; // a server whose list never ends is cut off here
const methods = { tools: "tools/list", prompts: "prompts/list", resources: "resources/list" } as const;

const listAll = async (client: Client, kind: ListKind, timeoutMs: number, signal: AbortSignal): Promise<unknown[]> => {
  const found: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: methods[kind], params }, anyAnswer, { timeout: timeoutMs, signal });
    found.push(...entriesOf(answer, kind));
    cursor = nextCursor(answer);
    if (cursor === undefined) break;
  }
  return found;
};

const readers = {
  tools: (list: unknown[]) => list.flatMap((one) => listedTool(one) ?? []),
  prompts: (list: unknown[]) => list.flatMap((one) => listedPrompt(one) ?? []),
  resources: (list: unknown[]) => list.flatMap((one) => listedResource(one) ?? []),
};

/** Asks for some of a server's lists; kinds that it does not have are empty. Rejects when a list cannot be had. */
export const readOffer = async (
  { client }: Connection,
  kinds: readonly ListKind[],
  options: { timeoutMs: number; signal: AbortSignal },
): Promise<Partial<Offer>> => {
  const capabilities = client.getServerCapabilities() ?? {};
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      if (!capabilities[kind]) return [kind, []] as const;
      return [kind, readers[kind](await listAll(client, kind, options.timeoutMs, options.signal))] as const;
    }),
  );
  return Object.fromEntries(lists);
};
