// All servers of a session: starts them side by side, knows what they offer, takes calls to them, ends them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ElicitRequest, ElicitResult, OAuthClientProvider, RequestOptions } from "@modelcontextprotocol/client";
import type { Env } from "../platform/paths.js";
import { endMarked } from "../platform/shell/ledger.js";
import { startWatchdog, type Watchdog } from "../platform/shell/watchdog.js";
import { newId } from "../protocol/ids.js";
import { isForgotten, isLost, wantsLogin } from "./call-errors.js";
import type { ServerEntry } from "./config.js";
import type { Connection } from "./connect.js";
import { createLink, type Link, type ServerState } from "./link.js";
import { fullName, uniqueNames } from "./names.js";
import { type ServerConfig, serverTarget } from "./server-config.js";
import { anyAnswer, type ListedPrompt, type ListedResource, type ListedTool } from "./wire.js";

export interface McpTool extends ListedTool {
  server: string;
  /** `mcp__server__tool`. */
  fullName: string;
  timeoutMs?: number;
}

export interface McpPrompt extends ListedPrompt {
  server: string;
  fullName: string;
}

export interface McpResource extends ListedResource {
  server: string;
}

export interface ServerStatus {
  name: string;
  scope: ServerEntry["scope"];
  file: string;
  type: string;
  /** The command or address. */
  target: string;
  state: ServerState;
  error?: string;
  version?: string;
  tools: string[];
  prompts: number;
  resources: number;
}

export interface McpOptions {
  entries: readonly ServerEntry[];
  cwd: string;
  projectDir: string;
  env(): Env;
  version: string;
  roots(): readonly string[];
  /** Asks the person on a server's behalf; absent: nobody can be asked. */
  elicit?(server: string, request: ElicitRequest["params"], signal: AbortSignal): Promise<ElicitResult>;
  authFor?(server: string, config: ServerConfig): OAuthClientProvider | undefined;
  now(): number;
}

export interface CallOptions {
  signal: AbortSignal;
  timeoutMs?: number;
  onProgress?(text: string): void;
}

export interface Mcp {
  /** Starts every server that may start; returns at once. */
  start(): void;
  statuses(): ServerStatus[];
  /** In a stable order: by server as configured, then as the server lists them. */
  tools(): McpTool[];
  prompts(): McpPrompt[];
  resources(): McpResource[];
  /** What servers say about themselves. */
  instructions(): { server: string; text: string }[];
  onChange(listener: () => void): void;
  /** Resolves when none of these servers (all by default) is being connected, or after `ms`. */
  settled(ms: number, names?: readonly string[]): Promise<void>;
  /** Calls a tool by the server's name and the tool's own. Rejects with an Error for the model. */
  callTool(tool: McpTool, input: Record<string, unknown>, options: CallOptions): Promise<Record<string, unknown>>;
  readResource(server: string, uri: string, options: CallOptions): Promise<Record<string, unknown>>;
  getPrompt(prompt: McpPrompt, args: Record<string, string>, options: CallOptions): Promise<Record<string, unknown>>;
  /** Ends the connection and makes it anew; says how it stands then. */
  reconnect(name: string): Promise<ServerStatus>;
  /** Starts a server that waited or was off, or ends one. */
  setState(name: string, state: "ready" | "disabled" | "rejected"): Promise<ServerStatus>;
  entry(name: string): ServerEntry | undefined;
  /** Ends all servers and every process they started. */
  close(): Promise<void>;
}

/** Longest a connection may take to come about: MCP_TIMEOUT, 30 s by default. */
export const connectTimeoutMs = (env: Env): number => positive(env.MCP_TIMEOUT) ?? 30_000;

const callTimeoutMs = 100_000_000; // about 28 hours: people stop calls, clocks should not
const longestTimerMs = 2_147_483_647; // what a timer can hold

const positive = (text: string | undefined): number | undefined => {
  const value = Number.parseInt(text ?? "", 10);
  return Number.isInteger(value) && value > 0 ? value : undefined;
};

/** How many servers connect at the same time (spec/extensions.md section 5). */
const atOnce = { stdio: 3, remote: 20 } as const;

/** A waiting line with so many places. */
const createLine = (places: number) => {
  let free = places;
  const waiting: (() => void)[] = [];
  return async (): Promise<() => void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return () => {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    };
  };
};

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    timer.unref();
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });

const startGuard = (mark: string) => {
  const folder = mkdtempSync(join(tmpdir(), "claude-mcp-"));
  return { watchdog: startWatchdog(mark, folder), folder };
};

class Manager implements Mcp {
  readonly #links = new Map<string, Link>();
  readonly #listeners = new Set<() => void>();
  readonly #mark = newId();
  readonly #lines = { stdio: createLine(atOnce.stdio), remote: createLine(atOnce.remote) };
  /** Ends what our processes leave behind when we are killed. */
  #guard: { watchdog: Watchdog; folder: string } | undefined;
  #isClosed = false;

  constructor(private readonly options: McpOptions) {
    for (const entry of options.entries) this.#links.set(entry.name, this.#link(entry));
  }

  #link(entry: ServerEntry): Link {
    const { options } = this;
    const mark = `${this.#mark}.${newId()}`;
    return createLink({
      entry,
      endProcesses: async () => {
        if (entry.config?.type === "stdio" && this.#guard) await endMarked(mark);
      },
      now: options.now,
      sleep,
      onChange: () => this.#changed(),
      takeTurn: (config) => {
        if (config.type === "stdio") this.#guard ??= startGuard(this.#mark);
        return this.#lines[config.type === "stdio" ? "stdio" : "remote"]();
      },
      connectOptions: (config) => ({
        name: entry.name,
        config,
        cwd: options.cwd,
        projectDir: options.projectDir,
        env: options.env(),
        mark,
        version: options.version,
        timeoutMs: connectTimeoutMs(options.env()),
        auth: options.authFor?.(entry.name, config),
        roots: options.roots,
        elicit: options.elicit && ((request, signal) => options.elicit!(entry.name, request, signal)),
        onLog: () => undefined,
      }),
    });
  }

  #changed(): void {
    if (!this.#isClosed) for (const listener of this.#listeners) listener();
  }

  start(): void {
    for (const link of this.#links.values()) if (link.state === "pending") void link.start();
  }

  statuses(): ServerStatus[] {
    return [...this.#links.values()].map(statusOf);
  }

  entry(name: string): ServerEntry | undefined {
    return this.#links.get(name)?.entry;
  }

  tools(): McpTool[] {
    // A connection that is being made anew keeps its tools: a call waits for it.
    const links = [...this.#links.values()].filter(({ state }) => state === "connected" || state === "pending");
    return links.flatMap(({ entry, offer }) => {
      const { name: server, config } = entry;
      const names = uniqueNames(
        server,
        offer.tools.map(({ name }) => name),
      );
      const seen = new Set<string>();
      return offer.tools.flatMap((tool) => {
        if (seen.has(tool.name)) return []; // listed twice: one tool
        seen.add(tool.name);
        const full = names.get(tool.name) ?? fullName(server, tool.name);
        const isAlwaysLoaded = tool.isAlwaysLoaded || config?.isAlwaysLoaded === true;
        return [{ ...tool, server, fullName: full, isAlwaysLoaded, timeoutMs: config?.timeoutMs }];
      });
    });
  }

  prompts(): McpPrompt[] {
    return this.#each(({ entry, offer }) =>
      offer.prompts.map((prompt) => ({ ...prompt, server: entry.name, fullName: fullName(entry.name, prompt.name) })),
    );
  }

  resources(): McpResource[] {
    return this.#each(({ entry, offer }) => offer.resources.map((resource) => ({ ...resource, server: entry.name })));
  }

  instructions(): { server: string; text: string }[] {
    return this.#each(({ entry, connection }) =>
      connection && connection.instructions !== "" ? [{ server: entry.name, text: connection.instructions }] : [],
    );
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  settled(ms: number, names?: readonly string[]): Promise<void> {
    const isDone = (): boolean =>
      ![...this.#links.values()].some(
        ({ entry, state }) => state === "pending" && (names === undefined || names.includes(entry.name)),
      );
    return new Promise((resolve) => {
      if (isDone()) return resolve();
      const finish = (): void => {
        clearTimeout(timer);
        this.#listeners.delete(look);
        resolve();
      };
      const look = (): void => {
        if (isDone()) finish();
      };
      const timer = setTimeout(finish, ms);
      this.#listeners.add(look);
    });
  }

  callTool(tool: McpTool, input: Record<string, unknown>, options: CallOptions): Promise<Record<string, unknown>> {
    return this.#request(tool.server, "tools/call", { name: tool.name, arguments: input }, options);
  }

  readResource(server: string, uri: string, options: CallOptions): Promise<Record<string, unknown>> {
    return this.#request(server, "resources/read", { uri }, options);
  }

  getPrompt(prompt: McpPrompt, args: Record<string, string>, options: CallOptions): Promise<Record<string, unknown>> {
    return this.#request(prompt.server, "prompts/get", { name: prompt.name, arguments: args }, options);
  }

  async reconnect(name: string): Promise<ServerStatus> {
    const link = this.#known(name);
    if (["disabled", "rejected", "waiting", "blocked"].includes(link.state)) return statusOf(link);
    await link.stop("pending");
    await link.start();
    return statusOf(link);
  }

  async setState(name: string, state: "ready" | "disabled" | "rejected"): Promise<ServerStatus> {
    const link = this.#known(name);
    if (link.state === "blocked") return statusOf(link);
    if (state === "ready") {
      if (link.state !== "connected" && link.state !== "pending") await link.stop("pending");
      await link.start();
    } else await link.stop(state);
    return statusOf(link);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#links.values()].map((link) => link.stop("disabled")));
    if (!this.#guard) return;
    this.#guard.watchdog.stop();
    rmSync(this.#guard.folder, { recursive: true, force: true });
  }

  #each<T>(pick: (link: Link) => readonly T[]): T[] {
    return [...this.#links.values()].flatMap((link) => (link.state === "connected" ? [...pick(link)] : []));
  }

  #known(name: string): Link {
    const link = this.#links.get(name);
    if (link) return link;
    const names = [...this.#links.keys()].join(", ") || "none";
    throw new Error(`There is no MCP server named ${name}. Servers: ${names}.`);
  }

  async #request(
    server: string,
    method: "tools/call" | "resources/read" | "prompts/get",
    params: Record<string, unknown>,
    { signal, timeoutMs, onProgress }: CallOptions,
  ): Promise<Record<string, unknown>> {
    const link = this.#known(server);
    const env = this.options.env();
    const timeout = timeoutMs ?? positive(env.MCP_TOOL_TIMEOUT) ?? callTimeoutMs;
    const options: RequestOptions = {
      signal,
      timeout: Math.min(timeout, longestTimerMs),
      ...(onProgress
        ? { onprogress: ({ message, progress, total }) => onProgress(progressText(message, progress, total)) }
        : {}),
    };
    const connection = await this.#connected(link);
    const send = (to: Connection) => to.client.request({ method, params }, anyAnswer, options);
    try {
      return await send(connection);
    } catch (error) {
      if (signal.aborted) throw error;
      const { config } = link.entry;
      if (wantsLogin(error, config)) {
        if (link.connection === connection) await link.stop("needs-auth");
        throw new Error(`${server} wants a login: /mcp login ${server}. Nothing was done.`);
      }
      if (isForgotten(error, config)) {
        if (link.connection === connection) await link.renew();
        return send(await this.#connected(link));
      }
      if (isLost(error) && link.connection === connection) link.lost("its connection broke during a call");
      throw error;
    }
  }

  /** The connection of a server, waited for while it is being made. Rejects with an Error for the model. */
  async #connected(link: Link): Promise<Connection> {
    if (!link.connection && link.state === "pending")
      await this.settled(connectTimeoutMs(this.options.env()), [link.entry.name]);
    if (!link.connection) throw new Error(notThere(statusOf(link)));
    return link.connection;
  }
}

const progressText = (message: string | undefined, progress: number, total: number | undefined): string =>
  [message ?? "", total === undefined ? `${progress}` : `${progress} of ${total}`].filter(Boolean).join(" · ");

const notThere = ({ name, state, error }: ServerStatus): string =>
  `The MCP server ${name} is not connected (${state}${error ? `: ${error}` : ""}). Nothing was done.`;

const statusOf = ({ entry, state, error, offer, connection }: Link): ServerStatus => ({
  name: entry.name,
  scope: entry.scope,
  file: entry.file,
  type: entry.config?.type ?? "",
  target: entry.config ? serverTarget(entry.config) : "",
  state,
  ...(error === undefined ? {} : { error }),
  ...(connection ? { version: connection.serverInfo.version } : {}),
  tools: [...new Set(offer.tools.map(({ name }) => name))],
  prompts: offer.prompts.length,
  resources: offer.resources.length,
});

/** The servers of a session; none is started yet. */
export const createMcp = (options: McpOptions): Mcp => new Manager(options);
