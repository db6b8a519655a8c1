// One GET: checked addresses, limits, compressed bodies, proxies.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, expect, it } from "vitest";
import { type GetOptions, httpGet } from "../../../../src/platform/http/get.js";
import { proxyFor } from "../../../../src/platform/http/proxy.js";
import { startWebServer, type WebServer } from "../../../helpers/web-server.js";

let server: WebServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const get = (url: string, more: Partial<GetOptions> = {}) =>
  httpGet(new URL(url), {
    headers: { "user-agent": "test" },
    maxBytes: 1000,
    timeoutMs: 5000,
    signal: new AbortController().signal,
    env: {},
    mayReach: () => true,
    ...more,
  });

it("gives status, headers and body, and sends no more than it is told", async () => {
  server = await startWebServer({ "/a": { status: 418, headers: { "x-a": "1" }, body: "tea" } });
  expect(await get(`${server.url}/a`)).toMatchObject({
    status: 418,
    statusText: "I'm a Teapot",
    headers: { "x-a": "1" },
    body: Buffer.from("tea"),
    isCut: false,
  });
  expect(Object.keys(server.requests[0]!.headers).sort()).toEqual([
    "accept-encoding",
    "connection",
    "host",
    "user-agent",
  ]);
});

it.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
  ["deflate", deflateSync],
])("unpacks %s and counts the unpacked size", async (encoding, pack) => {
  server = await startWebServer({
    "/": { headers: { "content-encoding": encoding }, body: pack(Buffer.alloc(5000, "x")) },
  });
  const { body, isCut } = await get(server.url);
  expect([body.length, body.toString().replaceAll("x", ""), isCut]).toEqual([1000, "", true]);
});

it("refuses an address before anything is sent, as a literal and behind a name", async () => {
  server = await startWebServer({ "/": "secret" });
  const mayReach = () => false;
  await expect(get(server.url, { mayReach })).rejects.toMatchObject({ kind: "address", address: "127.0.0.1" });
  await expect(get(server.url.replace("127.0.0.1", "localhost"), { mayReach })).rejects.toMatchObject({
    kind: "address",
  });
  expect(server.requests).toEqual([]);
});

it("gives up on an answer that never ends, and at once when it is interrupted", async () => {
  server = await startWebServer({ "/": { body: "start", stalls: true } });
  await expect(get(server.url, { timeoutMs: 100 })).rejects.toMatchObject({
    kind: "timeout",
    message: "no complete answer within 0.1 s",
  });
  await expect(get(server.url, { signal: AbortSignal.abort("stop") })).rejects.toBe("stop");
});

it("says why there is no connection", async () => {
  server = await startWebServer({});
  const { url } = server;
  await server.close();
  await expect(get(url)).rejects.toMatchObject({ kind: "connection", message: "127.0.0.1 refused the connection" });
});

it("goes through the proxy that the variables name", async () => {
  const asked: (string | undefined)[] = [];
  const proxy = createServer((request, response) => {
    asked.push(request.url);
    response.end("from the proxy");
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const answer = await get("http://site.example/page", { env: { http_proxy: address } });
  await new Promise((resolve) => proxy.close(resolve));
  expect([answer.body.toString(), asked]).toEqual(["from the proxy", ["http://site.example/page"]]);
});

it.each([
  ["https://a.example/", { HTTPS_PROXY: "http://p:1" }, "http://p:1"],
  ["https://a.example/", { https_proxy: "p:1" }, "http://p:1"],
  ["https://a.example/", { HTTP_PROXY: "http://p:1" }, undefined],
  ["http://a.example/", { ALL_PROXY: "http://p:1" }, "http://p:1"],
  ["https://a.example/", { HTTPS_PROXY: "http://p:1", NO_PROXY: ".example" }, undefined],
  ["https://a.example/", { HTTPS_PROXY: "http://p:1", NO_PROXY: "127.0.0.1, a.example:443" }, undefined],
  ["https://a.example/", { HTTPS_PROXY: "http://p:1", NO_PROXY: "b.example,le" }, "http://p:1"],
  ["https://[::1]/", { HTTPS_PROXY: "http://p:1", NO_PROXY: "::1" }, undefined],
  ["https://a.example/", { HTTPS_PROXY: "http://p:1", NO_PROXY: "*" }, undefined],
])("the proxy of %s with %j is %s", (url, env, proxy) => {
  expect(proxyFor(new URL(url), env)).toBe(proxy);
});
