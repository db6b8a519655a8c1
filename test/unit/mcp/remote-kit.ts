// Servers over http for tests: real ones on loopback, made with the official package, and a login server written by hand.
import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import {
  type JSONRPCMessage,
  McpServer,
  type Transport,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";
import { z } from "zod";

type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> | void;

/** A server on loopback that ends with the test; gives its origin. */
export const listen = async (handler: Handler): Promise<string> => {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    void Promise.resolve(handler(request, response, url)).catch((error: Error) => {
      response.writeHead(500).end(error.message);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

export const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
};

const makeServer = (): McpServer => {
  const server = new McpServer({ name: "remote", version: "2.0.0" });
  server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  server.registerTool("grow", {}, () => {
    server.registerTool("grown", {}, () => ({ content: [{ type: "text", text: "new" }] }));
    return { content: [{ type: "text", text: "done" }] };
  });
  return server;
};

const sendWeb = async (answer: Response, response: ServerResponse): Promise<void> => {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) return void response.end();
  response.flushHeaders();
  Readable.fromWeb(answer.body as import("node:stream/web").ReadableStream)
    .on("error", () => response.destroy())
    .pipe(response);
};

export interface RemoteWorld {
  url: string;
  /** Headers of each request that arrived. */
  seen: Record<string, string>[];
  /** Forgets all sessions, as a server that was started anew. */
  forgetSessions(): void;
  /** Answers in place of the server while it is set. */
  instead?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** A server with sessions at `/mcp`. `mayPass`: who may come in; others get 401 with `challenge`. */
export const httpServer = async (
  mayPass: (authorization: string | undefined) => boolean = () => true,
  more: { resource?: (origin: string) => Record<string, unknown> } = {},
): Promise<RemoteWorld> => {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const open = async () => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await makeServer().connect(transport);
    return transport;
  };
  const world: RemoteWorld = { url: "", seen: [], forgetSessions: () => sessions.clear() };
  const origin = await listen(async (request, response, url) => {
    world.seen.push({ ...(request.headers as Record<string, string>), method: request.method ?? "" });
    if (world.instead?.(request, response)) return;
    if (url.pathname.startsWith("/.well-known/oauth-protected-resource") && more.resource) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(more.resource(origin)));
      return;
    }
    if (url.pathname !== "/mcp") return void response.writeHead(404).end();
    if (!mayPass(request.headers.authorization)) {
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      const challenge = more.resource ? { "www-authenticate": `Bearer resource_metadata="${metadata}"` } : {};
      return void response.writeHead(401, challenge).end();
    }
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    if (id !== undefined && !known) return void response.writeHead(404).end("gone");
    const text = request.method === "POST" ? await bodyOf(request) : undefined;
    const web = new Request(url.href, {
      method: request.method,
      headers: request.headers as Record<string, string>,
      ...(text === undefined ? {} : { body: text }),
    });
    await sendWeb(await (known ?? (await open())).handleRequest(web), response);
  });
  world.url = `${origin}/mcp`;
  return world;
};

/** A server that speaks the older way: events at `/sse`, messages to an address it names. */
export const sseServer = async (): Promise<RemoteWorld & { cut(): void }> => {
  const streams = new Map<string, { response: ServerResponse; transport: Transport }>();
  const world = {
    url: "",
    seen: [] as Record<string, string>[],
    forgetSessions: () => streams.clear(),
    cut: () => {
      for (const { response } of streams.values()) response.destroy();
      streams.clear();
    },
  };
  const origin = await listen(async (request, response, url) => {
    world.seen.push({ ...(request.headers as Record<string, string>), method: request.method ?? "" });
    if (url.pathname === "/sse") {
      const id = randomUUID();
      const write = (event: string, data: string) => response.write(`event: ${event}\ndata: ${data}\n\n`);
      const transport: Transport = {
        start: async () => undefined,
        close: async () => undefined,
        send: async (message: JSONRPCMessage) => void write("message", JSON.stringify(message)),
      };
      response.writeHead(200, { "content-type": "text/event-stream" });
      streams.set(id, { response, transport });
      await makeServer().connect(transport);
      write("endpoint", `/messages?id=${id}`);
      return;
    }
    const stream = streams.get(url.searchParams.get("id") ?? "");
    if (!stream) return void response.writeHead(404).end("gone");
    const message = JSON.parse(await bodyOf(request)) as JSONRPCMessage;
    response.writeHead(202).end();
    stream.transport.onmessage?.(message);
  });
  world.url = `${origin}/sse`;
  return world;
};

export interface LoginServer {
  origin: string;
  /** What each endpoint was asked, in order. */
  asked: { path: string; params: Record<string, unknown> }[];
  /** Access tokens that are good now. */
  good: Set<string>;
  /** Whether a refresh is granted. */
  canRefresh: boolean;
}

const json = (response: ServerResponse, value: unknown, status = 200): void =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

/** A login server: discovery, registration, code with PKCE (S256), refresh with rotation. */
export const loginServer = async (): Promise<LoginServer> => {
  const codes = new Map<string, { challenge: string; redirect: string; client: string }>();
  const clients = new Map<string, string[]>();
  let refresh = "";
  let count = 0;
  const world: LoginServer = { origin: "", asked: [], good: new Set(), canRefresh: true };
  const grant = (response: ServerResponse) => {
    count += 1;
    refresh = `secret-refresh-${count}`;
    const access = `secret-access-${count}`;
    world.good = new Set([access]);
    json(response, { access_token: access, token_type: "Bearer", expires_in: 3600, refresh_token: refresh });
  };
  const token = (params: URLSearchParams, response: ServerResponse) => {
    const refused = (error: string) => json(response, { error }, 400);
    if (params.get("grant_type") === "refresh_token")
      return world.canRefresh && params.get("refresh_token") === refresh ? grant(response) : refused("invalid_grant");
    const code = codes.get(params.get("code") ?? "");
    codes.delete(params.get("code") ?? "");
    const hash = createHash("sha256")
      .update(params.get("code_verifier") ?? "")
      .digest("base64url");
    const isFit =
      code?.challenge === hash &&
      code.redirect === params.get("redirect_uri") &&
      code.client === params.get("client_id");
    return isFit ? grant(response) : refused("invalid_grant");
  };
  world.origin = await listen(async (request, response, url) => {
    const text = request.method === "POST" ? await bodyOf(request) : url.search.slice(1);
    const note = (params: Record<string, unknown>) => world.asked.push({ path: url.pathname, params });
    if (url.pathname === "/.well-known/oauth-authorization-server") {
      note({});
      return json(response, {
        issuer: world.origin,
        authorization_endpoint: `${world.origin}/authorize`,
        token_endpoint: `${world.origin}/token`,
        registration_endpoint: `${world.origin}/register`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
      });
    }
    if (url.pathname === "/register") {
      const wish = JSON.parse(text) as { redirect_uris: string[] };
      note({ ...wish });
      const id = `client-${clients.size + 1}`;
      clients.set(id, wish.redirect_uris);
      return json(response, { ...wish, client_id: id }, 201);
    }
    const params = new URLSearchParams(text);
    if (url.pathname === "/token") {
      note(Object.fromEntries(params));
      return token(params, response);
    }
    if (url.pathname !== "/authorize") return void response.writeHead(404).end();
    note(Object.fromEntries(params));
    const redirect = params.get("redirect_uri") ?? "";
    const client = params.get("client_id") ?? "";
    if (clients.has(client) && !clients.get(client)?.includes(redirect))
      return json(response, { error: "redirect" }, 400);
    const code = randomUUID();
    codes.set(code, { challenge: params.get("code_challenge") ?? "", redirect, client });
    const back = new URL(redirect);
    back.searchParams.set("code", code);
    back.searchParams.set("state", params.get("state") ?? "");
    response.writeHead(302, { location: back.href }).end();
  });
  return world;
};
