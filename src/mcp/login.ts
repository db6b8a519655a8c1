// Logs in to an http server: the page in the person's browser, a listener on loopback for what comes back, the tokens.
import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Env } from "../platform/paths.js";
import { authProvider, type LoginStore } from "./auth.js";
import type { RemoteConfig } from "./server-config.js";
import { type ServerFetch, serverFetch } from "./server-fetch.js";

export interface LoginOptions {
  config: RemoteConfig;
  /** For the proxy variables. */
  env: Env;
  store: LoginStore;
  /** Shows the page's address to the person and tries to open it. */
  show(url: string): void;
  signal: AbortSignal;
  timeoutMs?: number;
}

const patienceMs = 5 * 60_000; // for the person in the browser
const answerMs = 30_000; // for each answer of the login server

interface Returned {
  params: URLSearchParams;
}

interface Listener {
  redirectUrl: string;
  /** What the browser brought back. */
  returned: Promise<Returned>;
  close(): void;
}

const page = (text: string): string =>
  `<!doctype html><meta charset="utf-8"><title>${text}</title><p style="font-family:sans-serif">${text}`;

const bind = (server: Server, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });

/** Listens on the wished port, on any other when it is taken (never in place of a fixed one). */
const listen = async (state: string, wished: number | undefined, isFixed: boolean): Promise<Listener> => {
  const { createServer } = await import("node:http");
  let settle: (returned: Returned) => void = () => undefined;
  const returned = new Promise<Returned>((resolve) => {
    settle = resolve;
  });
  const make = () =>
    createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://127.0.0.1");
      const isOurs = url.pathname === "/callback" && url.searchParams.get("state") === state;
      response.writeHead(isOurs ? 200 : 404, { "content-type": "text/html; charset=utf-8", connection: "close" });
      response.end(page(isOurs ? "You can close this page and go back to the terminal." : "Nothing is here."));
      if (isOurs) settle({ params: url.searchParams });
    });
  let server = make();
  let isBound = await bind(server, wished ?? 0);
  if (!isBound && !isFixed) {
    server = make();
    isBound = await bind(server, 0);
  }
  if (!isBound) throw new Error(`the port ${wished ?? ""} for the way back is taken by another program`);
  const { port } = server.address() as AddressInfo;
  return {
    redirectUrl: `http://127.0.0.1:${port}/callback`,
    returned,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

const inTime = <T>(work: Promise<T>, signal: AbortSignal, ms: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("nobody came back from the browser in time")), ms);
    const onAbort = () => reject(new Error("it was cancelled"));
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    });
  });

/** Logs in and keeps the tokens. Rejects with an Error for the person. */
export const login = async ({
  config,
  env,
  store,
  show,
  signal,
  timeoutMs = patienceMs,
}: LoginOptions): Promise<void> => {
  const { auth } = await import("@modelcontextprotocol/client");
  const state = randomBytes(16).toString("hex");
  const { redirectUrl } = await store.read();
  const earlier = redirectUrl === undefined ? undefined : Number(new URL(redirectUrl).port);
  const fixed = config.oauth.callbackPort;
  const listener = await listen(state, fixed ?? earlier, fixed !== undefined);
  try {
    await store.write({ tokens: undefined }); // else the old ones would be tried again
    const provider = authProvider({
      config,
      store,
      env,
      login: { redirectUrl: listener.redirectUrl, state, show: (url) => show(url.href) },
    });
    const send = serverFetch({ url: config.url, headers: config.headers, env });
    const fetchFn: ServerFetch = (url, init) =>
      send(url, { ...init, signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]) });
    const { scopes } = config.oauth;
    const options = { serverUrl: config.url, fetchFn, ...(scopes ? { scope: scopes } : {}) };
    if ((await auth(provider, options)) === "AUTHORIZED") return;
    const { params } = await inTime(listener.returned, signal, timeoutMs);
    const error = params.get("error");
    if (error) throw new Error(`the server refused it: ${params.get("error_description") ?? error}`);
    const iss = params.get("iss");
    await auth(provider, {
      ...options,
      authorizationCode: params.get("code") ?? "",
      ...(iss === null ? {} : { iss }),
    });
  } finally {
    listener.close();
  }
};
