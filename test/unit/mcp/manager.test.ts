// The servers of a session: what they offer, calls to them, and everything that bad servers do.
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Mcp, McpTool } from "../../../src/mcp/manager.js";
import { demoServer, rawServer, startMcp, until } from "./kit.js";

const settleMs = 20_000;
const signal = new AbortController().signal;

const toolOf = (mcp: Mcp, name: string): McpTool => {
  const tool = mcp.tools().find((one) => one.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
};
const textsOf = (answer: Record<string, unknown>): string[] =>
  (answer.content as { text?: string }[]).map(({ text }) => text ?? "");
const stateOf = (mcp: Mcp, name: string) => mcp.statuses().find((one) => one.name === name);

test("a server's tools are listed under their full names and can be called", async () => {
  const mcp = startMcp({ demo: demoServer() });
  await mcp.settled(settleMs);
  expect(stateOf(mcp, "demo")).toMatchObject({ state: "connected", version: "1.2.3", type: "stdio" });
  const echo = toolOf(mcp, "echo.it");
  expect(echo).toMatchObject({ fullName: "mcp__demo__echo_it", isReadOnly: true, description: "Says a text back" });
  expect(textsOf(await mcp.callTool(echo, { text: "hello" }, { signal }))).toEqual(["hello"]);
});

test("F142 a server inherits the environment, its own variables come on top, arguments go through no shell", async () => {
  const server = demoServer({ MCP_OWN: "a b" });
  server.args.push("$(touch /tmp/never)", 'with "quotes"');
  const mcp = startMcp({ demo: server }, { extraEnv: { INHERITED: "yes" } });
  await mcp.settled(settleMs);
  const environment = toolOf(mcp, "environment");
  const value = async (name: string) => textsOf(await mcp.callTool(environment, { name }, { signal }))[0];
  expect([
    await value("MCP_OWN"),
    await value("INHERITED"),
    await value("PATH"),
    await value("CLAUDE_PROJECT_DIR"),
  ]).toEqual(["a b", "yes", process.env.PATH, process.cwd()]);
});

test("F136 a silent, a late and a dying server hold up nothing; one that died says why", {
  timeout: 90_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "mcp-late-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const mcp = startMcp({
    silent: rawServer("silent"),
    good: rawServer("plain"),
    dies: rawServer("exit"),
    late: rawServer("late", join(folder, "now")),
  });
  await until(mcp, () => stateOf(mcp, "good")?.state === "connected" && stateOf(mcp, "dies")?.state === "failed");
  expect([stateOf(mcp, "silent")?.state, stateOf(mcp, "late")?.state]).toEqual(["pending", "pending"]);
  await writeFile(join(folder, "now"), "");
  await until(mcp, () => stateOf(mcp, "late")?.state === "connected");
  expect(stateOf(mcp, "dies")).toMatchObject({
    state: "failed",
    error: "its process ended before it was connected; it wrote: cannot read the configuration",
  });
});

test("F136 a server that never answers fails when its time is over", async () => {
  const mcp = startMcp({ silent: rawServer("silent") }, { extraEnv: { MCP_TIMEOUT: "1000" } });
  await mcp.settled(settleMs);
  expect(stateOf(mcp, "silent")).toMatchObject({ state: "failed", error: "it did not answer within 1 s" });
});

// A megabyte after the other through a pipe takes its time on a machine that is busy.
test("F043 a server that floods its output is cut off with a reason, and memory stays", {
  timeout: 90_000,
}, async () => {
  const before = process.memoryUsage().rss;
  const mcp = startMcp({ flood: rawServer("flood-stdout"), good: rawServer("plain") });
  await until(mcp, () => stateOf(mcp, "flood")?.state === "failed");
  expect(stateOf(mcp, "flood")?.error).toBe("it wrote a message of more than 8 MB");
  await until(mcp, () => stateOf(mcp, "good")?.state === "connected");
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
});

test("lines that are no JSON and noise on standard error do not disturb a connection", async () => {
  const mcp = startMcp({ garbage: rawServer("garbage"), noisy: rawServer("flood-stderr") });
  await mcp.settled(settleMs);
  for (const server of ["garbage", "noisy"]) {
    const tool = mcp.tools().find((one) => one.server === server)!;
    expect(textsOf(await mcp.callTool(tool, {}, { signal }))[0]).toBe("called ok");
  }
});

test("F144 names that collide with object internals are listed, each once, and can be called", async () => {
  const mcp = startMcp({ ["__proto__"]: rawServer("names") });
  await mcp.settled(settleMs);
  const tools = mcp.tools();
  expect(tools.map(({ name }) => name).slice(0, 7)).toEqual([
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "twice",
    "a.b",
    "a_b",
  ]);
  expect(new Set(tools.map(({ fullName }) => fullName)).size).toBe(tools.length);
  expect(tools.every(({ fullName }) => /^[a-zA-Z0-9_-]{1,128}$/.test(fullName))).toBe(true);
  for (const name of ["constructor", "__proto__"])
    expect(textsOf(await mcp.callTool(toolOf(mcp, name), {}, { signal }))[0]).toBe(`called ${name}`);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("F007 escape codes in names, descriptions and errors of servers are gone", async () => {
  const mcp = startMcp({ raw: rawServer("escapes") });
  await mcp.settled(settleMs);
  const [tool] = mcp.tools();
  expect(tool?.description).toBe("wipe  it<U+202E>");
  expect(tool?.fullName).toBe("mcp__raw__red__31m");
});

test("a call ends when its person stops it, and with its own time limit", async () => {
  const mcp = startMcp({ demo: demoServer() });
  await mcp.settled(settleMs);
  const slow = toolOf(mcp, "slow");
  const stop = new AbortController();
  const progress: string[] = [];
  const call = mcp.callTool(
    slow,
    {},
    {
      signal: stop.signal,
      onProgress: (text) => {
        progress.push(text);
        stop.abort();
      },
    },
  );
  await expect(call).rejects.toThrow();
  expect(progress).toEqual(["half way · 1 of 2"]);
  await expect(mcp.callTool(slow, {}, { signal, timeoutMs: 50 })).rejects.toThrow(/timed out/i);
  expect(textsOf(await mcp.callTool(toolOf(mcp, "echo.it"), { text: "on" }, { signal }))).toEqual(["on"]);
});

test("F138 list changes are taken over, and a reconnect lists anew", async () => {
  const mcp = startMcp({ demo: demoServer() });
  await mcp.settled(settleMs);
  await mcp.callTool(toolOf(mcp, "grow"), {}, { signal });
  await until(mcp, () => mcp.tools().some(({ name }) => name === "grown"));
  expect(mcp.tools().some(({ name }) => name === "shrinking")).toBe(false);
  expect(await mcp.reconnect("demo")).toMatchObject({ state: "connected" });
  expect(mcp.tools().some(({ name }) => name === "shrinking")).toBe(true);
});

test("a server that dies in a call fails the call and is started again", async () => {
  const mcp = startMcp({ raw: rawServer("crash") });
  await mcp.settled(settleMs);
  await expect(mcp.callTool(toolOf(mcp, "ok"), {}, { signal })).rejects.toThrow(/closed/i);
  expect(stateOf(mcp, "raw")?.state).toBe("pending");
  await mcp.settled(settleMs);
  expect(stateOf(mcp, "raw")).toMatchObject({ state: "connected" });
});

/** Command lines of living processes that mention a text. */
const processesWith = (text: string): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ");
        return line.includes(text) && Number(pid) !== process.pid ? [line] : [];
      } catch {
        return []; // ended meanwhile
      }
    });

test.runIf(process.platform === "linux")("nothing of a server that ignores its end outlives the session", async () => {
  const mark = `left-over-${process.pid}`;
  const mcp = startMcp({ stays: rawServer("ignore-end", mark) });
  await mcp.settled(settleMs);
  expect(processesWith(mark)).toHaveLength(1);
  await mcp.close();
  expect(processesWith(mark)).toEqual([]);
});

test("a server can be switched off and on, and an unknown one is named", async () => {
  const mcp = startMcp({ demo: demoServer() });
  await mcp.settled(settleMs);
  expect(await mcp.setState("demo", "disabled")).toMatchObject({ state: "disabled", tools: [] });
  expect(mcp.tools()).toEqual([]);
  expect(await mcp.setState("demo", "ready")).toMatchObject({ state: "connected" });
  await expect(mcp.reconnect("nope")).rejects.toThrow("There is no MCP server named nope. Servers: demo.");
});
