import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { filledHeaders, runHttpHook } from "../../../src/hooks/http.js";

const serve = async (answer: { status?: number; body?: string; location?: string }) => {
  const seen: { body: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk;
    });
    request.on("end", () => {
      seen.push({ body, headers: request.headers });
      response
        .writeHead(answer.status ?? 200, answer.location ? { location: answer.location } : {})
        .end(answer.body ?? "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, seen };
};

const call = (url: string, more: { handler?: object; limits?: object; timeoutMs?: number } = {}) =>
  runHttpHook(
    { type: "http", url, ...more.handler },
    {
      body: '{"a":1}',
      env: { TOKEN: "s3cret", OTHER: "x" },
      timeoutMs: more.timeoutMs ?? 5_000,
      signal: new AbortController().signal,
      limits: more.limits ?? {},
    },
  );

test("the input is posted, headers are filled with the variables that are named", async () => {
  const { url, seen } = await serve({ body: '{"continue":true}' });
  const handler = { headers: { authorization: "Bearer $TOKEN", "x-other": "${OTHER}." }, allowedEnvVars: ["TOKEN"] };
  expect(await call(url, { handler })).toEqual({ exitCode: 0, stdout: '{"continue":true}', stderr: "" });
  expect(seen).toMatchObject([
    {
      body: '{"a":1}',
      headers: { authorization: "Bearer s3cret", "x-other": ".", "content-type": "application/json" },
    },
  ]);
});

test.each([
  [{ body: "" }, { exitCode: 0, stdout: "" }],
  [{ body: "hello" }, { exitCode: 1, stderr: "its answer is no JSON object" }],
  [
    { status: 500, body: "{}" },
    { exitCode: 1, stderr: expect.stringContaining("it answered 500") },
  ],
  [{ status: 302, location: "http://127.0.0.1:1/" }, { exitCode: 1 }],
])("the answer %j means %j", async (answer, expected) => {
  const { url } = await serve(answer);
  expect(await call(url)).toMatchObject(expected);
});

test("only addresses that the settings list are called, and only variables that they list are sent", async () => {
  const { url, seen } = await serve({});
  expect(await call(url, { limits: { urls: ["https://hooks.example.com/*"] } })).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("allowedHttpHookUrls"),
  });
  expect(seen).toEqual([]);
  const handler = { headers: { a: "$TOKEN" }, allowedEnvVars: ["TOKEN"] };
  await call(url, { handler, limits: { urls: ["http://127.0.0.1:*"], envVars: [] } });
  expect(seen[0]?.headers.a).toBe("");
});

test("no address, another protocol and nobody there are failures that block nothing", async () => {
  for (const url of ["nonsense", "file:///etc/passwd", "http://127.0.0.1:1/"])
    expect(await call(url)).toMatchObject({ exitCode: 1 });
});

test("a value cannot break out of its header", () => {
  expect(filledHeaders({ a: "$X" }, ["X"], { X: "1\r\nevil: 2" })).toEqual({ a: "1evil: 2" });
});
