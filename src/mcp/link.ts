// One server's life: connecting, trying again, its lists as they change, and its end.

import type { ServerEntry } from "./config.js";
import {
  type Connection,
  type ConnectOptions,
  ConnectProblem,
  connect,
  type ListKind,
  type Offer,
  readOffer,
} from "./connect.js";
import type { ServerConfig } from "./server-config.js";

/** `waiting`: a person has to approve it. */
export type ServerState =
  | "pending"
  | "connected"
  | "needs-auth"
  | "failed"
  | "disabled"
  | "rejected"
  | "waiting"
  | "blocked";

export interface LinkOptions {
  entry: ServerEntry;
  connectOptions(config: ServerConfig): Omit<ConnectOptions, "signal" | "onListChanged" | "onClose" | "onBroken">;
  /** Waits for a place among the servers that connect at the same time; gives it back when called. */
  takeTurn(config: ServerConfig): Promise<() => void>;
  /** Its state or its lists changed. */
  onChange(): void;
  /** Ends every process of this server. */
  endProcesses(): Promise<void>;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  now(): number;
}

export interface Link {
  readonly entry: ServerEntry;
  readonly state: ServerState;
  readonly error: string | undefined;
  readonly offer: Offer;
  readonly connection: Connection | undefined;
  /** Connects, trying again where that may help. Resolves when it is connected or given up. Never rejects. */
  start(): Promise<void>;
  /** Ends it; `state` says why. */
  stop(state: ServerState): Promise<void>;
  /** A request found the connection dead: it is made anew. */
  lost(reason: string): void;
  /** The server does not know this connection any more: another one is made at once. */
  renew(): Promise<void>;
}

const firstTries = 3; // further tries of the first connection
const laterTries = 5; // after a connection was lost
const firstPauseMs = 1_000; // doubled with each try
const stableMs = 60_000; // a connection that held this long starts the count anew
const goodbyeMs = 400; // a server that reads the end of its input leaves by itself
const burstMs = 100; // list changes within this time are one

const noOffer: Offer = { tools: [], prompts: [], resources: [] };
const allKinds: readonly ListKind[] = ["tools", "prompts", "resources"];

const standingStates = {
  ready: "pending",
  pending: "waiting",
  rejected: "rejected",
  disabled: "disabled",
  blocked: "blocked",
} as const;

class ServerLink implements Link {
  state: ServerState;
  error: string | undefined;
  offer = noOffer;
  connection: Connection | undefined;
  #life = new AbortController();
  #connectedAt = 0;
  #losses = 0;
  #changed = new Set<ListKind>();
  #work: Promise<void> | undefined;

  constructor(private readonly options: LinkOptions) {
    const { standing, problem } = options.entry;
    this.state = standing === "ready" && problem !== undefined ? "failed" : standingStates[standing];
    this.error = standing === "blocked" ? "your settings do not allow it" : problem;
  }

  get entry(): ServerEntry {
    return this.options.entry;
  }

  start(): Promise<void> {
    return this.#begin(firstTries);
  }

  async stop(state: ServerState): Promise<void> {
    this.#life.abort();
    this.#life = new AbortController();
    const { connection } = this;
    this.connection = undefined;
    this.#work = undefined;
    this.offer = noOffer;
    this.#set(state, undefined);
    await this.#end(connection);
  }

  lost(reason: string): void {
    const { connection } = this;
    if (!connection || this.#life.signal.aborted) return;
    this.connection = undefined;
    void connection.close().catch(() => undefined); // it is gone already
    const isStable = this.options.now() - this.#connectedAt > stableMs;
    this.#losses = isStable ? 1 : this.#losses + 1;
    const tail = connection.stderrTail().split("\n").slice(-3).join(" / ");
    const text = tail === "" ? reason : `${reason}; it wrote: ${tail}`;
    if (this.#losses > laterTries) {
      this.#set("failed", `${text} (again and again: it is not started any more)`);
      return;
    }
    this.#set("pending", text);
    const pause = firstPauseMs * 2 ** (this.#losses - 1);
    const { signal } = this.#life;
    void this.options.sleep(pause, signal).then(() => (signal.aborted ? undefined : this.#begin(laterTries)));
  }

  async renew(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    this.#set("pending", undefined);
    const { signal } = this.#life;
    // Other calls still wait for their own refusal on it.
    void this.options.sleep(goodbyeMs, signal).then(() => connection?.close().catch(() => undefined)); // gone already
    await this.#begin(laterTries);
  }

  /** No connection will be good: it fails for good, its process is ended at once. */
  async #giveUp(reason: string, connection: Connection | undefined): Promise<void> {
    this.#life.abort();
    this.#life = new AbortController();
    this.connection = undefined;
    this.#work = undefined;
    this.offer = noOffer;
    this.#set("failed", reason);
    void connection?.close().catch(() => undefined); // it is gone already
    await this.options.endProcesses(); // at once: it may still be writing
  }

  /** Closes a connection: a server that reads the end of its input leaves by itself, others are ended. */
  async #end(connection: Connection | undefined): Promise<void> {
    const closed = connection?.close().catch(() => undefined); // it is gone already
    await Promise.race([closed, this.options.sleep(goodbyeMs, new AbortController().signal)]);
    await this.options.endProcesses();
  }

  #begin(tries: number): Promise<void> {
    if (this.#work) return this.#work;
    const work = this.#run(tries).finally(() => {
      if (this.#work === work) this.#work = undefined;
    });
    this.#work = work;
    return work;
  }

  #set(state: ServerState, error: string | undefined): void {
    this.state = state;
    this.error = error;
    this.options.onChange();
  }

  async #run(tries: number): Promise<void> {
    const { entry, sleep } = this.options;
    const { config } = entry;
    const { signal } = this.#life;
    if (!config) return this.#set("failed", entry.problem);
    if (this.state !== "pending") this.#set("pending", undefined);
    for (let attempt = 0; !signal.aborted; attempt++) {
      const problem = await this.#try(config, signal);
      if (!problem || signal.aborted) return;
      const mayTryAgain = problem.isPassing && config.type !== "stdio" && attempt < tries;
      if (!mayTryAgain) return this.#set(problem.kind, problem.message);
      await sleep(firstPauseMs * 2 ** attempt, signal);
    }
  }

  async #try(config: ServerConfig, signal: AbortSignal): Promise<ConnectProblem | undefined> {
    const giveBack = await this.options.takeTurn(config);
    let made: Connection | undefined;
    try {
      if (signal.aborted) return undefined;
      const options = this.options.connectOptions(config);
      const connection = await connect({
        ...options,
        signal,
        onListChanged: (kind) => this.#listChanged(kind),
        onBroken: (reason) => {
          if (made === undefined || this.connection === made) void this.#giveUp(reason, made);
        },
        onClose: () => {
          if (made !== undefined && this.connection === made) this.lost("its connection ended");
        },
      });
      made = connection;
      if (!signal.aborted) this.connection = connection;
      const offer = await readOffer(connection, allKinds, { timeoutMs: options.timeoutMs, signal });
      if (signal.aborted) {
        void connection.close().catch(() => undefined); // nobody waits for it any more
        return undefined;
      }
      if (this.connection !== connection) return new ConnectProblem("its connection ended", "failed", false);
      this.offer = { ...noOffer, ...offer };
      this.#connectedAt = this.options.now();
      this.#set("connected", undefined);
      return undefined;
    } catch (error) {
      if (this.connection === made) this.connection = undefined;
      void made?.close().catch(() => undefined); // half open
      if (error instanceof ConnectProblem) return error;
      const text = error instanceof Error ? error.message : String(error);
      return new ConnectProblem(`its lists could not be read: ${text}`, "failed", false);
    } finally {
      giveBack();
    }
  }

  /** Reads the lists that changed, once for a burst of notifications. A list that cannot be had stays as it was. */
  #listChanged(kind: ListKind): void {
    const isWaiting = this.#changed.size > 0;
    this.#changed.add(kind);
    if (isWaiting) return;
    const { signal } = this.#life;
    void this.options.sleep(burstMs, signal).then(async () => {
      const kinds = [...this.#changed];
      this.#changed.clear();
      const { connection } = this;
      const { config } = this.entry;
      if (!connection || !config || signal.aborted) return;
      const { timeoutMs } = this.options.connectOptions(config);
      const offer = await readOffer(connection, kinds, { timeoutMs, signal }).catch(() => undefined); // the old ones stay
      if (!offer || this.connection !== connection) return;
      this.offer = { ...this.offer, ...offer };
      this.options.onChange();
    });
  }
}

/** A server that is not started yet. */
export const createLink = (options: LinkOptions): Link => new ServerLink(options);
