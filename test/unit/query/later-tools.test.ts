// Deferred tools on the wire: what the list of a request holds, how tools are loaded, join a running session, and survive.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { toolSearchSetting } from "../../../src/query/later-tools.js";
import { type AnyTool, defineTool } from "../../../src/tools/tool.js";
import { type EngineSession, engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";
import type { ModelAnswer } from "../../helpers/model-script.js";
import type { ModelServer, ModelServerOptions, RecordedRequest } from "../../helpers/model-server.js";
import { createPrefixCache } from "../../helpers/prefix-cache.js";

const mcpTool = (name: string, deferred = true): AnyTool =>
  defineTool({
    name,
    prompt: `Does ${name}. ${"It says a lot about that. ".repeat(20)}`,
    input: z.object({ text: z.string() }),
    deferred,
    isReadOnly: () => true,
    checkPermissions: async () => ({ reads: [], writes: [] }),
    title: () => "",
    call: async ({ text }) => ({ content: `${name} says ${text}` }),
  });

const select = (...names: string[]): ModelAnswer => ({
  calls: [{ ToolSearch: { query: `select:${names.join(",")}` } }],
});

const world = async (env: Record<string, string> = {}, options: ModelServerOptions = {}) => {
  const { workspace, server } = await engineWorld(options, { settings: { permissions: { allow: ["mcp__demo"] } } });
  const clock = handClock();
  const open = (flags: Parameters<typeof openEngine>[1]["flags"] = {}): Promise<EngineSession> =>
    openEngine(workspace, { clock, env, flags });
  return { workspace, server, clock, open };
};

const bodies = (server: ModelServer) => server.turns().map(({ body }) => body);
const names = ({ body }: Pick<RecordedRequest, "body">) =>
  (body.tools ?? []).map(({ name, defer_loading }) => (defer_loading ? `${name} (deferred)` : name));
const last = (server: ModelServer) => server.turns().at(-1) as RecordedRequest;
const textOf = (value: unknown) => JSON.stringify(value);
/** Tools in full and the system prompt: what the API caches first. */
const prefix = ({ body }: RecordedRequest) =>
  textOf([(body.tools ?? []).filter(({ defer_loading }) => defer_loading !== true), body.system]);

test("ENABLE_TOOL_SEARCH says whether tools are deferred", () => {
  const on = { kind: "on" };
  const off = { kind: "off" };
  expect([undefined, "", "true", "1", "nonsense"].map(toolSearchSetting)).toEqual([on, on, on, on, on]);
  expect(["false", "0", "OFF"].map(toolSearchSetting)).toEqual([off, off, off]);
  expect(["auto", "auto:3", "AUTO:900"].map(toolSearchSetting)).toEqual([
    { kind: "auto", percent: 10 },
    { kind: "auto", percent: 3 },
    { kind: "auto", percent: 100 },
  ]);
});

test("rarely used tools are sent by name only, in the first reminder", async () => {
  const { server, open } = await world();
  const session = await open();
  server.push({ say: "ok" });
  await session.prompt("hello");
  await session.close();
  const offered = names(last(server));
  expect(offered).toContain("ToolSearch");
  for (const name of ["NotebookEdit", "WebSearch", "EnterPlanMode", "ExitPlanMode"]) {
    expect(offered).not.toContain(name);
    expect(textOf(last(server).body.messages[0])).toContain(`\\n${name}`);
  }
  expect(session.engine.session().tools).toContain("NotebookEdit"); // the session has it all the same
});

test("a tool that is used often is sent in full", async () => {
  const { workspace, server, clock, open } = await world();
  const state = join(workspace.configDir, ".claude.json");
  const data = JSON.parse(readFileSync(state, "utf8"));
  const toolUsage = { WebSearch: { usageCount: 600, lastUsedAt: clock.now() } };
  writeFileSync(state, JSON.stringify({ ...data, toolUsage }));
  const session = await open();
  server.push({ say: "ok" });
  await session.prompt("hello");
  await session.close();
  expect(names(last(server))).toContain("WebSearch");
  expect(names(last(server))).not.toContain("NotebookEdit");
});

test("in plan mode the plan tools are there from the start; a mode that changes later changes nothing in the list", async () => {
  const { server, open } = await world();
  const session = await open({ permissionMode: "plan" });
  server.push({ say: "ok" }, { say: "ok" });
  await session.prompt("hello");
  await session.send({ type: "set_mode", mode: "default" });
  await session.prompt("again");
  await session.close();
  expect(names(server.turns()[0]!)).toEqual(expect.arrayContaining(["EnterPlanMode", "ExitPlanMode"]));
  expect(names(server.turns()[1]!)).toEqual(names(server.turns()[0]!));
});

test("plan mode that begins later says to load ExitPlanMode first", async () => {
  const { server, open } = await world();
  const session = await open();
  server.push({ say: "ok" }, { say: "ok" });
  await session.prompt("hello");
  await session.send({ type: "set_mode", mode: "plan" });
  await session.prompt("plan it");
  await session.close();
  expect(textOf(last(server).body.messages)).toContain("select:ExitPlanMode");
});

test("ToolSearch gives references, the next request defines the tool deferred, and the prefix stays", async () => {
  const { server, open } = await world();
  const session = await open();
  server.push(select("NotebookEdit"), { say: "ok" });
  await session.prompt("edit the notebook");
  await session.close();
  expect(server.violations).toEqual([]);
  const [first, second] = server.turns() as [RecordedRequest, RecordedRequest];
  expect(names(second)).toEqual([...names(first), "NotebookEdit (deferred)"]);
  expect(prefix(second)).toBe(prefix(first));
  expect(second.body.messages.at(-1)?.content).toMatchObject([
    { type: "tool_result", content: [{ type: "tool_reference", tool_name: "NotebookEdit" }] },
  ]);
});

test("loading EnterPlanMode brings ExitPlanMode along", async () => {
  const { server, open } = await world();
  const session = await open();
  server.push(select("EnterPlanMode"), { say: "ok" });
  await session.prompt("go");
  await session.close();
  expect(names(last(server)).slice(-2)).toEqual(["EnterPlanMode (deferred)", "ExitPlanMode (deferred)"]);
});

test("a tool that was not loaded runs all the same; a wrong input is answered with its schema", async () => {
  const { server, open } = await world();
  const session = await open();
  session.engine.addTools([mcpTool("mcp__demo__echo")]);
  server.push(
    { calls: [{ mcp__demo__echo: { text: "hi" } }] },
    { calls: [{ mcp__demo__echo: { wrong: 1 } }] },
    { say: "ok" },
  );
  await session.prompt("go");
  await session.close();
  expect(textOf(bodies(server)[1]?.messages.at(-1))).toContain("mcp__demo__echo says hi");
  const refused = textOf(last(server).body.messages.at(-1));
  expect(refused).toContain("was not loaded yet");
  expect(refused).toContain("Its input: ");
});

describe("tools that arrive later", () => {
  /** Answers with the usage of a real prompt cache; `shares` says how much of each request was read from it. */
  const cached = () => {
    const cache = createPrefixCache();
    const shares: number[] = [];
    const answer =
      (say: ModelAnswer) =>
      ({ body }: RecordedRequest): ModelAnswer => {
        const { share, usage } = cache.take(body);
        shares.push(share);
        return { ...say, usage };
      };
    return { answer, shares };
  };

  test("are told by name, loaded by reference, and the cached prefix stays identical", async () => {
    const { answer, shares } = cached();
    const { server, open } = await world();
    const session = await open();
    server.push(answer({ say: "one" }), answer({ say: "two" }), answer(select("mcp__demo__a")));
    server.push(answer({ calls: [{ mcp__demo__a: { text: "hi" } }] }), answer({ say: "four" }));
    await session.prompt("first");
    session.engine.addTools([mcpTool("mcp__demo__a"), mcpTool("mcp__demo__b", false)]);
    await session.prompt("second");
    await session.prompt("third");
    const why = await cacheReport(session);
    await session.close();
    expect(server.violations).toEqual([]);
    const turns = server.turns() as RecordedRequest[];
    expect(new Set(turns.map(prefix)).size).toBe(1);
    expect(names(turns[1]!)).toEqual(names(turns[0]!)); // arrival alone changes nothing
    expect(textOf(turns[1]!.body.messages.slice(-1))).toContain("mcp__demo__a\\nmcp__demo__b");
    expect(names(turns[3]!)).toEqual([...names(turns[0]!), "mcp__demo__a (deferred)"]);
    expect(textOf(turns[4]!.body.messages.at(-1))).toContain("mcp__demo__a says hi");
    expect(shares.slice(1).filter((share) => share < 0.9)).toEqual([]);
    expect(why).toContain("No request read less");
  });

  test("are told once; one that goes is told to be gone, and its reference becomes words", async () => {
    const { server, open } = await world();
    const session = await open();
    session.engine.addTools([mcpTool("mcp__demo__a")]);
    server.push(select("mcp__demo__a"), { say: "ok" }, { say: "ok" }, { say: "ok" });
    await session.prompt("first");
    await session.prompt("second");
    expect(textOf(last(server).body.messages.at(-1))).not.toContain("deferredTools");
    session.engine.removeTools(["mcp__demo__a"]);
    await session.prompt("third");
    await session.close();
    expect(server.violations).toEqual([]);
    expect(textOf(last(server).body.messages.at(-1))).toContain(
      "These tools are gone, do not call them:\\nmcp__demo__a",
    );
    // Its definition stays, because the conversation refers to it.
    expect(names(last(server)).at(-1)).toBe("mcp__demo__a (deferred)");
  });

  test("that a rule denies are neither told nor loaded", async () => {
    const { workspace, server, clock } = await world();
    const session = await openEngine(workspace, { clock, flags: { disallowedTools: ["mcp__demo__b"] } });
    session.engine.addTools([mcpTool("mcp__demo__a"), mcpTool("mcp__demo__b")]);
    server.push(select("mcp__demo__a", "mcp__demo__b"), { say: "ok" });
    await session.prompt("go");
    await session.close();
    expect(names(last(server)).at(-1)).toBe("mcp__demo__a (deferred)");
    expect(textOf(last(server).body.messages.at(-1))).toContain("no tool named mcp__demo__b");
  });

  test("are appended as one generation where deferring is off, and the ledger names the miss", async () => {
    const { answer } = cached();
    const { server, open } = await world({ ENABLE_TOOL_SEARCH: "false" });
    const session = await open();
    server.push(answer({ say: "one" }), answer({ say: "two" }), answer({ say: "three" }));
    await session.prompt("first");
    session.engine.addTools([mcpTool("mcp__demo__a"), mcpTool("mcp__demo__b")]);
    await session.prompt("second");
    await session.prompt("third");
    const why = await cacheReport(session);
    await session.close();
    const [first, second, third] = server.turns() as [RecordedRequest, RecordedRequest, RecordedRequest];
    expect(names(first)).toEqual(expect.arrayContaining(["NotebookEdit", "WebSearch", "ExitPlanMode"]));
    expect(names(first)).not.toContain("ToolSearch");
    expect(names(second)).toEqual([...names(first), "mcp__demo__a", "mcp__demo__b"]);
    expect(names(third)).toEqual(names(second));
    expect(why).toContain("tools were added to the list: mcp__demo__a, mcp__demo__b");
  });
});

const cacheReport = async (session: EngineSession): Promise<string> => {
  const from = session.events.length;
  await session.prompt("/why cache");
  return textOf(session.events.slice(from).filter(({ type }) => type === "command_output"));
};

test("auto defers nothing while the definitions are small, and later ones all the same", async () => {
  const { server, open } = await world({ ENABLE_TOOL_SEARCH: "auto" });
  const session = await open();
  server.push({ say: "ok" }, { say: "ok" });
  await session.prompt("hello");
  session.engine.addTools([mcpTool("mcp__demo__a")]);
  await session.prompt("again");
  await session.close();
  const [first, second] = server.turns() as [RecordedRequest, RecordedRequest];
  expect(names(first)).toEqual(expect.arrayContaining(["NotebookEdit", "ToolSearch"]));
  expect(names(second)).toEqual(names(first));
  expect(textOf(second.body.messages.at(-1))).toContain("mcp__demo__a");
});

test("auto:0 always defers", async () => {
  const { server, open } = await world({ ENABLE_TOOL_SEARCH: "auto:0" });
  const session = await open();
  server.push({ say: "ok" });
  await session.prompt("hello");
  await session.close();
  expect(names(last(server))).not.toContain("NotebookEdit");
});

test("tools that --tools names are there in full", async () => {
  const { server, open } = await world();
  const session = await open({ tools: ["Read", "NotebookEdit"] });
  server.push({ say: "ok" });
  await session.prompt("hello");
  await session.close();
  expect(names(last(server))).toEqual(["Read", "NotebookEdit"]);
});

test("an endpoint that refuses references gets the tools appended, once asked again, and stays with that", async () => {
  const refuse = ({ body }: RecordedRequest): ModelAnswer =>
    textOf(body).includes("defer_loading")
      ? {
          status: 400,
          error: {
            type: "invalid_request_error",
            message: "tools.16.custom.defer_loading: Extra inputs are not permitted",
          },
        }
      : { say: "done" };
  const { server, open } = await world();
  const session = await open();
  server.push(select("WebSearch"), refuse, refuse, select("NotebookEdit"), refuse);
  await session.prompt("search");
  await session.prompt("edit");
  await session.close();
  expect(server.violations).toEqual([]);
  expect(names(last(server)).slice(-2)).toEqual(["WebSearch", "NotebookEdit"]);
  expect(textOf(last(server).body.messages)).not.toContain("tool_reference");
  expect(textOf(last(server).body.messages.at(-1))).toContain("NotebookEdit is loaded");
  expect(session.events.filter(({ type }) => type === "run_end")).toMatchObject([
    { outcome: { cause: "completed" } },
    { outcome: { cause: "completed" } },
  ]);
});

test("with CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS no reference is ever sent", async () => {
  const { server, open } = await world({ CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS: "1" });
  const session = await open();
  server.push(select("WebSearch"), { say: "ok" });
  await session.prompt("search");
  await session.close();
  expect(textOf(last(server).body)).not.toMatch(/defer_loading|tool_reference/);
  expect(names(last(server)).at(-1)).toBe("WebSearch");
});

test("loaded tools survive a compaction and a resume", async () => {
  const { server, open } = await world();
  let session = await open();
  server.push(select("WebSearch"), { say: "ok" }, { say: "## State\nall fine" }, { say: "after" });
  await session.prompt("search");
  await session.prompt("/compact");
  await session.prompt("go on");
  const wire = () => textOf(last(server).body.messages);
  expect(names(last(server)).at(-1)).toBe("WebSearch (deferred)");
  expect(wire()).toContain('{"type":"tool_reference","tool_name":"WebSearch"}');
  expect(wire()).toContain("# Loaded tools\\n\\nWebSearch");
  const { sessionId } = session.engine.session();
  await session.close();
  session = await open({ resume: sessionId });
  server.push({ say: "resumed" });
  await session.prompt("and on");
  expect(names(last(server)).at(-1)).toBe("WebSearch (deferred)");
  expect(wire()).toContain('{"type":"tool_reference","tool_name":"WebSearch"}');
  server.push({ say: "fresh" });
  await session.prompt("/clear");
  await session.prompt("new");
  await session.close();
  expect(textOf(last(server).body)).not.toContain("defer_loading");
  expect(server.violations).toEqual([]);
});

test("a resume tells only what has come since", async () => {
  const { server, open } = await world();
  let session = await open();
  server.push({ say: "ok" });
  await session.prompt("hello");
  const { sessionId } = session.engine.session();
  await session.close();
  session = await open({ resume: sessionId });
  session.engine.addTools([mcpTool("mcp__demo__a")]);
  server.push({ say: "ok" });
  await session.prompt("again");
  await session.close();
  const news = textOf(last(server).body.messages.at(-1));
  expect(news).toContain("mcp__demo__a");
  expect(news).not.toContain("NotebookEdit");
  expect(news).not.toContain("gone");
});

test("an agent's list: what it names is in full, the rest is deferred for it too", async () => {
  const { workspace, server, clock } = await world();
  const agents = {
    writer: { description: "w", prompt: "You write.", tools: ["Read", "NotebookEdit", "ToolSearch"] },
    all: { description: "a", prompt: "You do all." },
  };
  const session = await openEngine(workspace, { clock, flags: { agents: JSON.stringify(agents) } });
  for (const subagent_type of ["writer", "all"])
    server.push(
      { calls: [{ Agent: { description: "d", prompt: "p", subagent_type } }] },
      ...(subagent_type === "all" ? [select("WebSearch")] : []),
      { say: "report" },
      { say: "ok" },
    );
  await session.prompt("one");
  await session.prompt("two");
  await session.close();
  expect(server.violations).toEqual([]);
  const turns = server.turns() as RecordedRequest[];
  expect(names(turns[1]!)).toEqual(["Read", "NotebookEdit", "ToolSearch"]);
  expect(names(turns[4]!)).not.toContain("NotebookEdit");
  expect(textOf(turns[4]!.body.messages[0])).toContain("\\nNotebookEdit");
  expect(names(turns[5]!).at(-1)).toBe("WebSearch (deferred)");
  expect(names(turns[6]!)).toEqual(names(turns[0]!)); // what an agent loads is its own
});

test("uses are counted in the state file when a run ends", async () => {
  const { workspace, server, open } = await world();
  const session = await open();
  server.push({ calls: [{ TaskList: {} }, { TaskList: {} }] }, { say: "ok" });
  await session.prompt("go");
  await session.close();
  const state = JSON.parse(readFileSync(join(workspace.configDir, ".claude.json"), "utf8"));
  expect(state.toolUsage).toMatchObject({ TaskList: { usageCount: 2 } });
});
