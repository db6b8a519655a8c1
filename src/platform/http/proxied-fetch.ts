// A fetch that goes through a proxy: Node's own fetch knows none.
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

const bodyText = (body: RequestInit["body"]): string | undefined => {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string" || body instanceof URLSearchParams) return String(body);
  throw new TypeError("only texts can be sent through a proxy");
};

const headersOf = ({ headers }: IncomingMessage): Headers => {
  const found = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const one of Array.isArray(value) ? value : [value ?? ""]) found.append(name, one);
  return found;
};

const hasNoBody = (status: number): boolean => status === 204 || status === 205 || status === 304;

/** Sends a request with a text body (or none) through `proxy` and gives the answer as it streams. Redirects are answers. */
export const fetchThroughProxy = async (
  url: string | URL,
  init: RequestInit | undefined,
  proxy: string,
): Promise<Response> => {
  const target = new URL(url);
  const { Agent, request } = target.protocol === "https:" ? await import("node:https") : await import("node:http");
  const body = bodyText(init?.body);
  const headers = new Headers(init?.headers);
  headers.set("accept-encoding", "identity");
  if (body !== undefined && !headers.has("content-type") && init?.body instanceof URLSearchParams)
    headers.set("content-type", "application/x-www-form-urlencoded;charset=UTF-8");
  if (body !== undefined) headers.set("content-length", String(Buffer.byteLength(body)));
  // An agent of its own: the connection is closed after the answer and no idle socket stays behind.
  const agent = new Agent({ proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } });
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(
      target,
      {
        method: init?.method ?? "GET",
        agent,
        headers: Object.fromEntries(headers),
        ...(init?.signal ? { signal: init.signal } : {}),
      },
      resolve,
    );
    sent.on("error", reject);
    sent.end(body);
  });
  const status = message.statusCode ?? 0;
  if (hasNoBody(status)) message.resume();
  const answer = new Response(hasNoBody(status) ? null : (Readable.toWeb(message) as ReadableStream), {
    status,
    statusText: message.statusMessage ?? "",
    headers: headersOf(message),
  });
  Object.defineProperty(answer, "url", { value: target.href });
  return answer;
};
