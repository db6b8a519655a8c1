// Servers over http and sse, real ones on loopback: calls, sessions that end, refusals, redirects, proxies.
import { createServer } from "node:http";
import { type AddressInfo, connect as connectTcp } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Mcp, McpTool } from "../../../src/mcp/manager.js";
import { serverFetch } from "../../../src/mcp/server-fetch.js";
import { startMcp, until } from "./kit.js";
import { httpServer, sseServer } from "./remote-kit.js";

const settleMs = 20_000;
const signal = new AbortController().signal;

const toolOf = (mcp: Mcp, name: string): McpTool => mcp.tools().find((one) => one.name === name)!;
const echo = async (mcp: Mcp, text: string): Promise<unknown> =>
  (await mcp.callTool(toolOf(mcp, "echo"), { text }, { signal })).content;
const said = (text: string) => [{ type: "text", text }];

test("an http server is connected, called and told of in headers", async () => {
  const world = await httpServer();
  const mcp = startMcp({ remote: { type: "http", url: world.url, headers: { "X-Team": "shop" } } });
  await mcp.settled(settleMs);
  expect(mcp.statuses()).toMatchObject([{ state: "connected", version: "2.0.0", type: "http", target: world.url }]);
  expect(await echo(mcp, "over http")).toEqual(said("over http"));
  expect(world.seen.every((headers) => headers["x-team"] === "shop")).toBe(true);
});

test("an http server's list changes arrive on its stream", async () => {
  const world = await httpServer();
  const mcp = startMcp({ remote: { type: "http", url: world.url } });
  await mcp.settled(settleMs);
  await mcp.callTool(toolOf(mcp, "grow"), {}, { signal });
  await until(mcp, () => toolOf(mcp, "grown") !== undefined);
});

test("a session that the server forgot is opened anew, and the calls that met it are made once more", async () => {
  const world = await httpServer();
  const mcp = startMcp({ remote: { type: "http", url: world.url } });
  await mcp.settled(settleMs);
  world.forgetSessions();
  expect(await Promise.all([echo(mcp, "one"), echo(mcp, "two")])).toEqual([said("one"), said("two")]);
  expect(mcp.statuses()).toMatchObject([{ state: "connected" }]);
});

test("an sse server is connected and called, and connected anew when its stream ends", async () => {
  const world = await sseServer();
  const mcp = startMcp({ remote: { type: "sse", url: world.url, headers: { "X-Team": "shop" } } });
  await mcp.settled(settleMs);
  expect(await echo(mcp, "over sse")).toEqual(said("over sse"));
  expect(world.seen.every((headers) => headers["x-team"] === "shop")).toBe(true);
  world.cut();
  await mcp.reconnect("remote");
  expect(await echo(mcp, "again")).toEqual(said("again"));
});

test("a server that answers 401 needs a login and is not asked again and again", async () => {
  const world = await httpServer(() => false);
  const mcp = startMcp({ remote: { type: "http", url: world.url } });
  await mcp.settled(settleMs);
  expect(mcp.statuses()).toMatchObject([{ state: "needs-auth", error: "it wants a login (401)" }]);
  expect(world.seen).toHaveLength(1);
});

test("a server that stops to let us in during a session needs a login from then on", async () => {
  let isOpen = true;
  const world = await httpServer(() => isOpen);
  const mcp = startMcp({ remote: { type: "http", url: world.url } });
  await mcp.settled(settleMs);
  const tool = toolOf(mcp, "echo");
  isOpen = false;
  await expect(mcp.callTool(tool, { text: "x" }, { signal })).rejects.toThrow(
    "remote wants a login: /mcp login remote",
  );
  expect(mcp.statuses()).toMatchObject([{ state: "needs-auth" }]);
});

test("a server that is not ready yet (503) is tried again", async () => {
  const world = await httpServer();
  let refusals = 1;
  world.instead = (_request, response) => {
    if (refusals === 0) return false;
    refusals -= 1;
    response.writeHead(503).end();
    return true;
  };
  const mcp = startMcp({ remote: { type: "http", url: world.url } });
  await mcp.settled(settleMs);
  expect(mcp.statuses()).toMatchObject([{ state: "connected" }]);
});

test("a redirect to another place is not followed and says so", async () => {
  const world = await httpServer();
  const other = await httpServer();
  world.instead = (_request, response) => {
    response.writeHead(307, { location: other.url }).end();
    return true;
  };
  const mcp = startMcp({ remote: { type: "http", url: world.url } });
  await mcp.settled(settleMs);
  const [status] = mcp.statuses();
  expect(status?.state).toBe("failed");
  expect(status?.error).toContain(`Redirect to ${other.url} not followed`);
  expect(other.seen).toEqual([]);
});

const fetchWith = (url: string, answers: Record<string, Response>, addresses: Record<string, string> = {}) => {
  const sent: { url: string; headers: Record<string, string> }[] = [];
  const send = serverFetch({
    url,
    headers: { "X-Key": "k" },
    env: {},
    addressesOf: async (host) => [addresses[host] ?? "93.184.216.34"],
    send: async (target, init) => {
      sent.push({ url: String(target), headers: Object.fromEntries(new Headers(init?.headers)) });
      return answers[String(target)] ?? new Response("ok");
    },
  });
  return { send, sent };
};
const redirect = (location: string) => new Response(null, { status: 302, headers: { location } });

test.each([
  ["http://169.254.169.254/latest/meta-data", {}],
  ["http://localhost:8080/x", {}],
  ["http://[::1]/x", {}],
  ["http://harmless.example/x", { "harmless.example": "10.0.0.5" }],
])("a public server cannot lead us to %s", async (target, addresses) => {
  const { send, sent } = fetchWith(
    "http://mcp.example/mcp",
    { "http://mcp.example/meta": redirect(target) },
    addresses,
  );
  await expect(send("http://mcp.example/meta")).rejects.toThrow("a private network: refused");
  await expect(send(target)).rejects.toThrow("a private network: refused");
  expect(sent).toHaveLength(1);
});

test("a server in the private network may name its neighbours, but not the address of cloud credentials", async () => {
  const { send } = fetchWith("http://10.0.0.1/mcp", {});
  expect(await (await send("http://10.0.0.2/token")).text()).toBe("ok");
  await expect(send("http://169.254.169.254/token")).rejects.toThrow("refused");
});

test("headers of an entry and its token go to its own server only", async () => {
  const start = "https://mcp.example/a";
  const { send, sent } = fetchWith("https://mcp.example/mcp", { [start]: redirect("https://login.example/b") });
  await send(start, { headers: { authorization: "Bearer t" } });
  expect(sent).toEqual([
    { url: start, headers: { authorization: "Bearer t", "x-key": "k" } },
    { url: "https://login.example/b", headers: {} },
  ]);
});

test("F166 requests to a server go through the proxy, except where NO_PROXY names it", async () => {
  const world = await httpServer();
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(request.url ?? "");
    const target = new URL(request.url ?? "");
    const onward = connectTcp(Number(target.port), target.hostname, () => {
      const head = Object.entries({ ...request.headers, connection: "close" }).map(
        ([name, value]) => `${name}: ${value}`,
      );
      onward.write(`${request.method} ${target.pathname} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n`);
      request.pipe(onward);
      response.socket && onward.pipe(response.socket);
    });
    onward.on("error", () => response.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  const HTTP_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const through = startMcp({ remote: { type: "http", url: world.url } }, { extraEnv: { HTTP_PROXY } });
  await through.settled(settleMs);
  expect(through.statuses()).toMatchObject([{ state: "connected" }]);
  expect(await echo(through, "by proxy")).toEqual(said("by proxy"));
  expect(new Set(asked)).toEqual(new Set([world.url]));
  const before = asked.length;
  const direct = startMcp(
    { remote: { type: "http", url: world.url } },
    { extraEnv: { HTTP_PROXY, NO_PROXY: "127.0.0.1" } },
  );
  await direct.settled(settleMs);
  expect(await echo(direct, "direct")).toEqual(said("direct"));
  expect(asked).toHaveLength(before);
});
