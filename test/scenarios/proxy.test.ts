// The program behind a proxy: where its requests go, and what it says when they cannot.
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createModelServer, createWorkspace } from "../helpers/fixtures.js";

/** A CONNECT proxy on loopback that leads every host to `port` and notes what it was asked for. */
const startProxy = async (port: number, wanted?: string) => {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(501).end());
  server.on("connect", (request: IncomingMessage, client: Socket) => {
    asked.push(String(request.url));
    if (wanted !== undefined && request.headers["proxy-authorization"] !== wanted)
      return client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    const upstream = connect(port, "127.0.0.1", () => client.write("HTTP/1.1 200 Connection established\r\n\r\n"));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { asked, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
};

const portOf = (url: string): number => Number(new URL(url).port);

test.each(["HTTP_PROXY", "http_proxy", "ALL_PROXY"])(
  "F166 %s: the model is asked through the proxy, with its password",
  async (name) => {
    const server = await createModelServer({ answers: [{ say: "Through." }] });
    const proxy = await startProxy(portOf(server.url), `Basic ${Buffer.from("me:secret").toString("base64")}`);
    const workspace = createWorkspace({ server });
    const { stdout, stderr, code } = await workspace.runCli(["-p", "hello"], {
      env: { ANTHROPIC_BASE_URL: "http://model.corp.example", [name]: `http://me:secret@${proxy.host}` },
    });
    expect({ stdout, stderr, code }).toEqual({ stdout: "Through.\n", stderr: "", code: 0 });
    expect(proxy.asked).toEqual(["model.corp.example:80"]);
  },
);

test("F166 NO_PROXY: hosts in it are asked directly", async () => {
  const server = await createModelServer({ answers: [{ say: "Directly." }] });
  const proxy = await startProxy(portOf(server.url));
  const { stdout } = await createWorkspace({ server }).runCli(["-p", "hello"], {
    env: { HTTP_PROXY: `http://${proxy.host}`, NO_PROXY: "127.0.0.1,.corp,::1" },
  });
  expect([stdout, proxy.asked]).toEqual(["Directly.\n", []]);
});

test("F166 a proxy that is down or wants a password is named as what is in the way", async () => {
  const server = await createModelServer({ answers: [] });
  const proxy = await startProxy(portOf(server.url), "Basic other");
  const workspace = createWorkspace({ server });
  const run = (HTTP_PROXY: string) =>
    workspace.runCli(["-p", "hello"], {
      env: { ANTHROPIC_BASE_URL: "http://model.corp.example", HTTP_PROXY, CLAUDE_CODE_MAX_RETRIES: "0" },
    });
  const refused = await run(`http://${proxy.host}`);
  expect(refused.code).toBe(1);
  expect(refused.stdout + refused.stderr).toMatch(/proxy.*407/i);
  const down = await run("http://127.0.0.1:9");
  expect(down.code).toBe(1);
  expect(down.stdout + down.stderr).toMatch(/proxy/i);
});
