// A small web server on loopback that plays pages by path and remembers what it was asked.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface WebPage {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Writes the body and leaves the answer open. */
  stalls?: boolean;
}

export interface WebServer {
  /** http://127.0.0.1:PORT */
  url: string;
  requests: { path: string; headers: IncomingHttpHeaders; body: string }[];
  close(): Promise<void>;
}

/** Starts the server. A page that is not listed is a 404. */
export const startWebServer = async (pages: Record<string, string | WebPage>): Promise<WebServer> => {
  const requests: WebServer["requests"] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? "/";
    requests.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString() });
    const found = pages[path];
    const page: WebPage =
      typeof found === "string" ? { body: found } : (found ?? { status: 404, body: "nothing here" });
    response.writeHead(page.status ?? 200, { "content-type": "text/html; charset=utf-8", ...page.headers });
    if (page.stalls) response.write(page.body ?? "");
    else response.end(page.body ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
