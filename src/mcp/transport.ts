// Makes the way to a server: a process with pipes, or http requests. The packages behind it are loaded here only.
import type { OAuthClientProvider, Transport } from "@modelcontextprotocol/client";
import { runHelper } from "../platform/helper-command.js";
import type { Env } from "../platform/paths.js";
import { markVariable } from "../platform/shell/shell-env.js";
import type { RemoteConfig, ServerConfig, StdioConfig } from "./server-config.js";
import { serverFetch } from "./server-fetch.js";
import { parseHeaders } from "./wire.js";

export interface TransportPlace {
  cwd: string;
  /** The project's folder, for CLAUDE_PROJECT_DIR. */
  projectDir: string;
  /** What a server's process inherits. */
  env: Env;
  /** By which its processes are found again. */
  mark: string;
}

export interface OpenTransport {
  transport: Transport;
  /** The end of what the server's process wrote on standard error. */
  stderrTail(): string;
}

const maxLineBytes = 8 * 1024 * 1024; // one message; a server that writes more without a line end is cut off
const stderrChars = 2_000;
const helperTimeoutMs = 10_000;

const inherited = (env: Env): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

const stdioTransport = async (config: StdioConfig, place: TransportPlace): Promise<OpenTransport> => {
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const outer = place.env[markVariable];
  const transport = new StdioClientTransport({
    command: config.command,
    args: config.args,
    cwd: place.cwd,
    env: {
      ...inherited(place.env),
      CLAUDE_PROJECT_DIR: place.projectDir,
      ...config.env,
      [markVariable]: outer ? `${outer}/${place.mark}` : place.mark,
    },
    stderr: "pipe",
    maxBufferSize: maxLineBytes,
  });
  let tail = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    tail = `${tail}${chunk.toString("utf8")}`.slice(-stderrChars);
  });
  return { transport, stderrTail: () => tail.trim() };
};

const helperHeaders = async (name: string, config: RemoteConfig, place: TransportPlace) => {
  if (config.headersHelper === undefined) return {};
  try {
    const env = { ...place.env, CLAUDE_CODE_MCP_SERVER_NAME: name, CLAUDE_CODE_MCP_SERVER_URL: config.url };
    const text = await runHelper({
      command: config.headersHelper,
      cwd: place.cwd,
      env,
      timeoutMs: helperTimeoutMs,
    });
    return parseHeaders(text);
  } catch (error) {
    throw new Error(`its headersHelper failed: ${error instanceof Error ? error.message : String(error)}`);
  }
};

const remoteTransport = async (
  name: string,
  config: RemoteConfig,
  place: TransportPlace,
  auth: OAuthClientProvider | undefined,
): Promise<OpenTransport> => {
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const headers = { ...config.headers, ...(await helperHeaders(name, config, place)) };
  // A fixed Authorization header is the person's own way in: no other one is tried.
  const isFixed = Object.keys(headers).some((header) => header.toLowerCase() === "authorization");
  const send = serverFetch({ url: config.url, headers, env: place.env });
  const options = { fetch: send, ...(auth && !isFixed ? { authProvider: auth } : {}) };
  const url = new URL(config.url);
  const transport =
    config.type === "sse" ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options);
  return { transport, stderrTail: () => "" };
};

/** A transport that has not been started yet. Rejects with an Error for the person. */
export const openTransport = (
  name: string,
  config: ServerConfig,
  place: TransportPlace,
  auth?: OAuthClientProvider,
): Promise<OpenTransport> =>
  config.type === "stdio" ? stdioTransport(config, place) : remoteTransport(name, config, place, auth);
