// MCP servers in a session: approval, what the model is offered and when, results, reminders, questions of servers.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/platform/clock.js";
import type { EngineEvent } from "../../../src/protocol/events.js";
import { textOf } from "../../../src/protocol/messages.js";
import type { Answer, Question } from "../../../src/protocol/questions.js";
import type { EngineOptions, SessionFlags } from "../../../src/query/engine-options.js";
import { createQueryEngine } from "../../../src/query/query-engine.js";
import { engineWorld } from "../../helpers/engine-session.js";
import type { ModelServer, ModelServerOptions } from "../../helpers/model-server.js";
import type { Workspace } from "../../helpers/workspace.js";
import { demoServer, rawServer } from "../mcp/kit.js";

interface Options {
  flags?: SessionFlags;
  env?: Record<string, string>;
  isInteractive?: boolean;
  answer?(question: Question): Answer | undefined;
  /** Waits until every server is there. Default true. */
  isReady?: boolean;
}

const yes = (question: Question): Answer | undefined =>
  question.kind === "permission" ? { kind: "permission", outcome: "allow" } : undefined;

const openSession = async (
  workspace: Workspace,
  { flags, env, isInteractive = true, answer = yes, isReady = true }: Options = {},
) => {
  const options: EngineOptions = {
    env: workspace.env({ ENABLE_TOOL_SEARCH: "false", ...env }),
    cwd: workspace.project,
    flags: flags ?? {},
    isInteractive,
    mayStartTour: false,
    includeStream: false,
    entrypoint: "cli",
    version: "0.0.0-test",
    clock: systemClock,
    random: () => 0.5,
  };
  const engine = await createQueryEngine(options);
  onTestFinished(() => engine.close());
  const events: EngineEvent[] = [];
  const see = (event: EngineEvent): void => {
    events.push(event);
    if (event.type !== "question") return;
    const reply = answer(event.question);
    if (reply) engine.answer(event.question.id, reply);
  };
  engine.subscribe(see);
  const send = async (request: Parameters<typeof engine.submit>[0]) => {
    const stream = engine.submit(request);
    for (;;) {
      const { done, value } = await stream.next();
      if (done) return value;
      see(value);
    }
  };
  await send({ type: "open" });
  const hasPending = () => engine.session().mcpServers?.some(({ status }) => status === "pending");
  while (isReady && hasPending()) await new Promise((resolve) => setTimeout(resolve, 20));
  return { engine, events, prompt: (text: string) => send({ type: "prompt", text }) };
};

const toolNames = (server: ModelServer, at: number): string[] =>
  ((server.requests[at]?.body.tools ?? []) as { name: string }[]).map(({ name }) => name);
const mcpNames = (server: ModelServer, at: number): string[] =>
  toolNames(server, at).filter((name) => name.startsWith("mcp__"));
const call = (name: string, input: Record<string, unknown> = {}) => ({ calls: [{ [name]: input }] });
const resultsOf = (events: EngineEvent[]) =>
  events.flatMap((event) =>
    event.type === "tool_result" ? [{ text: textOf(event.content), isError: event.isError }] : [],
  );
const noticesOf = (events: EngineEvent[]) => events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
const questionsOf = (events: EngineEvent[]) =>
  events.flatMap((event) => (event.type === "question" ? [event.question] : []));
const userServers = (servers: Record<string, unknown>) => ({ servers });

/** A workspace whose user has these servers. */
const mcpWorld = async (
  model: ModelServerOptions,
  { servers = {}, ...files }: Parameters<typeof engineWorld>[1] & { servers?: Record<string, unknown> },
) => {
  const made = await engineWorld(model, files);
  const file = join(made.workspace.configDir, ".claude.json");
  await writeFile(file, JSON.stringify({ ...made.workspace.readState(), mcpServers: servers }));
  return made;
};
const projectServers = (mcpServers: Record<string, unknown>) => ({
  files: { ".mcp.json": JSON.stringify({ mcpServers }) },
});

test("a server's tool is offered behind the built-in ones, asks, runs, and its result comes back", async () => {
  const { workspace, server } = await mcpWorld(
    { answers: [call("mcp__demo__echo_it", { text: "hello" }), { say: "done" }] },
    userServers({ demo: demoServer({ MCP_TEST_INSTRUCTIONS: "Echo gently." }) }),
  );
  const session = await openSession(workspace);
  await session.prompt("go");
  expect(mcpNames(server, 0)[0]).toBe("mcp__demo__echo_it");
  expect(toolNames(server, 0).indexOf("mcp__demo__echo_it")).toBeGreaterThan(toolNames(server, 0).indexOf("Agent"));
  expect(questionsOf(session.events)).toMatchObject([
    {
      kind: "permission",
      tool: "mcp__demo__echo_it",
      title: "text: hello",
      reasons: [{ text: "it sends this input to the MCP server demo" }],
      suggestions: [
        { updates: [{ type: "addRules", rules: [{ toolName: "mcp__demo__echo_it" }], destination: "localSettings" }] },
      ],
    },
  ]);
  expect(resultsOf(session.events)).toEqual([{ text: "hello", isError: false }]);
  const sent = JSON.stringify(server.requests[0]?.body.messages);
  expect(sent).toContain("Echo gently.");
  expect(server.violations).toEqual([]);
});

test.each([
  ["mcp__demo", []],
  ["mcp__demo__*", []],
  ["mcp__demo__echo_it", ["mcp__demo__environment"]],
])("the deny rule %s takes tools away", async (rule, some) => {
  const { workspace, server } = await mcpWorld(
    { answers: [{ say: "done" }] },
    { ...userServers({ demo: demoServer() }), settings: { permissions: { deny: [rule] } } },
  );
  await (await openSession(workspace)).prompt("go");
  expect(mcpNames(server, 0).slice(0, 1)).toEqual(some);
});

test("an allow rule for the server lets its tools run without a question", async () => {
  const { workspace } = await mcpWorld(
    { answers: [call("mcp__demo__echo_it", { text: "hi" }), { say: "done" }] },
    { ...userServers({ demo: demoServer() }), settings: { permissions: { allow: ["mcp__demo__*"] } } },
  );
  const session = await openSession(workspace, { isInteractive: false });
  await session.prompt("go");
  expect(resultsOf(session.events)).toEqual([{ text: "hi", isError: false }]);
});

test("F190 in plan mode a tool that is not marked read-only asks in spite of an allow rule", async () => {
  const { workspace } = await mcpWorld(
    { answers: [call("mcp__demo__environment", { name: "HOME" }), { say: "done" }] },
    { ...userServers({ demo: demoServer() }), settings: { permissions: { allow: ["mcp__demo__*"] } } },
  );
  const session = await openSession(workspace, { flags: { permissionMode: "plan" } });
  await session.prompt("go");
  expect(questionsOf(session.events)).toMatchObject([{ kind: "permission", tool: "mcp__demo__environment" }]);
});

test("F134 odd schemas reach the API in a form that it takes, and the calls reach the server", async () => {
  const { workspace, server } = await mcpWorld(
    { answers: [call("mcp__raw__odd", { a_b: "x" }), { say: "done" }] },
    userServers({ raw: rawServer("schemas") }),
  );
  const session = await openSession(workspace);
  await session.prompt("go");
  expect(mcpNames(server, 0)).toEqual(
    ["one", "all", "ref", "untyped", "odd", "none"].map((name) => `mcp__raw__${name}`),
  );
  expect(server.violations).toEqual([]);
  expect(resultsOf(session.events)).toEqual([{ text: 'called odd\n{"type":"mystery","data":1}', isError: false }]);
});

test("F136 the first request does not wait for a slow server; its tools join at the end of the list", async () => {
  const { workspace, server } = await mcpWorld(
    { answers: [call("Glob", { pattern: "*" }), { say: "done" }, { say: "again" }] },
    userServers({ quick: rawServer("plain"), slow: rawServer("late", "now.txt") }),
  );
  const session = await openSession(workspace, { isReady: false });
  const isConnected = (name: string) =>
    session.engine.session().mcpServers?.some((one) => one.name === name && one.status === "connected");
  while (!isConnected("quick")) await new Promise((resolve) => setTimeout(resolve, 20));
  await session.prompt("go");
  expect(mcpNames(server, 0)).toEqual(["mcp__quick__ok"]);
  expect(noticesOf(session.events)).toContain(
    "Going on without slow: still connecting. What they offer comes when they are there.",
  );
  workspace.write("now.txt", "");
  while (!isConnected("slow")) await new Promise((resolve) => setTimeout(resolve, 20));
  await session.prompt("more");
  expect(mcpNames(server, 2)).toEqual(["mcp__quick__ok", "mcp__slow__ok"]);
  const [first, last] = [0, 2].map((at) => JSON.stringify(server.requests[at]?.body.tools?.slice(0, -2)));
  expect(last?.startsWith(first!.slice(0, -1))).toBe(true);
});

test("F138 a tool that goes away answers that it is gone; a new one joins; the model is told", async () => {
  const { workspace, server } = await mcpWorld(
    {
      answers: [
        call("mcp__demo__grow"),
        call("mcp__demo__environment", { name: "HOME" }),
        call("mcp__demo__shrinking"),
        call("mcp__demo__grown"),
        { say: "done" },
      ],
    },
    userServers({ demo: demoServer() }),
  );
  const changed = (question: Question): Answer | undefined => {
    if (question.kind === "permission" && question.tool === "mcp__demo__environment") return undefined;
    return yes(question);
  };
  const session = await openSession(workspace, { answer: changed });
  const run = session.prompt("go");
  const asked = async (): Promise<Question> => {
    for (;;) {
      const found = questionsOf(session.events).find(
        (one) => one.kind === "permission" && one.tool === "mcp__demo__environment",
      );
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const question = await asked();
  await new Promise((resolve) => setTimeout(resolve, 400)); // the burst of changes and its one refresh
  session.engine.answer(question.id, { kind: "permission", outcome: "allow" });
  await run;
  expect(mcpNames(server, 4).at(-1)).toBe("mcp__demo__grown");
  expect(mcpNames(server, 4)).toContain("mcp__demo__shrinking");
  expect(resultsOf(session.events).slice(2)).toEqual([
    { text: expect.stringContaining("There is no tool named mcp__demo__shrinking here."), isError: true },
    { text: "I am new", isError: false },
  ]);
  expect(JSON.stringify(server.requests[4]?.body.messages)).toContain("These tools are not there any more");
});

test("F140 a large result goes to a file with a preview, a picture stays a picture", async () => {
  const { workspace, server } = await mcpWorld(
    { answers: [call("mcp__demo__large"), call("mcp__demo__picture"), { say: "done" }] },
    userServers({ demo: demoServer() }),
  );
  const session = await openSession(workspace);
  await session.prompt("go");
  const [large] = resultsOf(session.events);
  expect(large?.text).toContain("<persisted-output>");
  expect(large?.text.length).toBeLessThan(10_000);
  const path = /All of it is in (\S+)/.exec(large?.text ?? "")?.[1] ?? "";
  expect((await readFile(path, "utf8")).length).toBe("line of text\n".repeat(20_000).length);
  const picture = server.requests[2]?.body.messages.at(-1)?.content;
  expect(picture).toMatchObject([
    { type: "tool_result", content: [{ type: "text", text: "here" }, { type: "image" }] },
  ]);
});

test("an error of a tool is an error result; a limit of its own is honoured", async () => {
  const { workspace } = await mcpWorld(
    { answers: [call("mcp__demo__fail"), call("mcp__demo__large"), { say: "done" }] },
    userServers({ demo: demoServer() }),
  );
  const session = await openSession(workspace, { env: { MAX_MCP_OUTPUT_TOKENS: "100000" } });
  await session.prompt("go");
  const [failed, large] = resultsOf(session.events);
  expect(failed).toEqual({ text: "it broke", isError: true });
  expect(large?.text.length).toBe("line of text\n".repeat(20_000).length);
});

test.each([
  ["use", { enabledMcpjsonServers: ["demo"] }, "connected"],
  ["all", { enableAllProjectMcpServers: true }, "connected"],
  ["refuse", { disabledMcpjsonServers: ["demo"] }, "disabled"],
] as const)("a server of the project asks first; the answer %s is kept", async (choice, kept, status) => {
  const { workspace } = await mcpWorld({ answers: [{ say: "done" }] }, projectServers({ demo: demoServer() }));
  const session = await openSession(workspace, {
    answer: (question) => (question.kind === "mcp_server" ? { kind: "mcp_server", choice } : undefined),
  });
  expect(questionsOf(session.events)).toMatchObject([
    { kind: "mcp_server", server: "demo", detail: expect.stringContaining("mcp-server.mjs") },
  ]);
  const file = join(workspace.project, ".claude/settings.local.json");
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual(kept);
  await session.prompt("go");
  expect(session.engine.session().mcpServers).toEqual([{ name: "demo", status }]);
  const again = await openSession(workspace);
  expect(questionsOf(again.events)).toEqual([]);
});

test("/context shows the tools of servers as a part of their own", async () => {
  const { workspace } = await mcpWorld({ answers: [{ say: "done" }] }, userServers({ raw: rawServer("plain") }));
  const session = await openSession(workspace);
  await session.prompt("/context");
  const [picker] = session.events.flatMap((event) => (event.type === "picker" ? [event.picker] : []));
  const labels = picker?.kind === "context" ? picker.categories.map(({ label }) => label) : [];
  expect(labels.slice(0, 3)).toEqual(["system prompt", "tools", "MCP tools"]);
});

test("a server of the project that is put off does not start, and is asked about again", async () => {
  const { workspace } = await mcpWorld({ answers: [{ say: "done" }] }, projectServers({ demo: demoServer() }));
  const answer = (question: Question): Answer | undefined =>
    question.kind === "mcp_server" ? { kind: "mcp_server", choice: "later" } : undefined;
  const session = await openSession(workspace, { answer, isReady: false });
  expect(session.engine.session().mcpServers).toEqual([{ name: "demo", status: "pending" }]);
  await expect(readFile(join(workspace.project, ".claude/settings.local.json"))).rejects.toThrow("ENOENT");
  const again = await openSession(workspace, { answer, isReady: false });
  expect(questionsOf(again.events)).toMatchObject([{ kind: "mcp_server", server: "demo" }]);
});

test("headless, a server of --mcp-config is waited for, and a wrong one is told", async () => {
  const config = JSON.stringify({ mcpServers: { slow: rawServer("plain"), bad: { url: "x" } } });
  const { workspace, server } = await mcpWorld({ answers: [{ say: "done" }] }, {});
  const session = await openSession(workspace, {
    flags: { mcpConfig: [config] },
    isInteractive: false,
    isReady: false,
  });
  await session.prompt("go");
  expect(mcpNames(server, 0)).toEqual(["mcp__slow__ok"]);
  expect(session.engine.session().mcpServers).toEqual([
    { name: "slow", status: "connected" },
    { name: "bad", status: "failed", error: 'it has a url but no type: add "type": "http" (or "sse")' },
  ]);
  expect(session.engine.session().mcpProblems).toEqual([
    'bad (--mcp-config): it has a url but no type: add "type": "http" (or "sse")',
  ]);
});

test("a server may ask the person: its form is a question, what is typed goes back", async () => {
  const { workspace } = await mcpWorld(
    { answers: [call("mcp__demo__ask"), { say: "done" }] },
    userServers({ demo: demoServer() }),
  );
  const forms: Question[] = [];
  const session = await openSession(workspace, {
    answer: (question) => {
      if (question.kind !== "choice") return yes(question);
      forms.push(question);
      const age = forms.length === 1 ? "old" : "42";
      const answers = question.questions.map(({ question: text }, at) => [text, at === 0 ? "Ada" : age]);
      return { kind: "choice", answers: Object.fromEntries(answers) };
    },
  });
  await session.prompt("go");
  expect(forms).toHaveLength(2);
  expect(JSON.stringify(forms[1])).toContain("Not accepted: this must be a number.");
  expect(JSON.parse(resultsOf(session.events)[0]?.text ?? "")).toEqual({
    action: "accept",
    content: { name: "Ada", age: 42 },
  });
});

test("a server's prompt is a command, its resource a mention", async () => {
  const { workspace, server } = await mcpWorld(
    { answers: [{ say: "one" }, { say: "two" }] },
    userServers({ demo: demoServer({ MCP_TEST_MORE: "1" }) }),
  );
  const session = await openSession(workspace);
  expect(session.engine.session().commands.filter(({ source }) => source === "mcp demo")).toEqual([
    {
      name: "mcp__demo__greet_me",
      aliases: [],
      description: "Greets",
      argumentHint: "<who> <how>",
      source: "mcp demo",
    },
  ]);
  await session.prompt('/mcp__demo__greet_me "Ada L" warmly');
  expect(JSON.stringify(server.requests[0]?.body.messages.at(-1))).toContain("Greet Ada L warmly");
  const offered: string[] = [];
  for await (const event of session.engine.submit({ type: "complete_path", id: "c", query: "note", of: "mention" }))
    if (event.type === "completions") offered.push(...event.paths);
  expect(offered).toContain("demo:note://one");
  await session.prompt("what does @demo:note://one say?");
  expect(JSON.stringify(server.requests[1]?.body.messages.at(-1))).toContain("remember the milk");
  expect(toolNames(server, 0)).toContain("ReadMcpResourceTool");
});

test("a server is switched off and on by name, and stays off in the next session", async () => {
  const { workspace } = await mcpWorld({}, userServers({ raw: rawServer("plain") }));
  const session = await openSession(workspace);
  const act = async (action: "enable" | "disable" | "reconnect") => {
    for await (const event of session.engine.submit({ type: "mcp", action, server: "raw" }))
      if (event.type === "notice") return event.text;
    return undefined;
  };
  expect(await act("reconnect")).toBe("raw is connected: 1 tool.");
  expect(await act("disable")).toBe("raw is switched off in this folder.");
  const again = await openSession(workspace);
  expect(again.engine.session().mcpServers).toEqual([{ name: "raw", status: "disabled" }]);
  expect(await act("enable")).toBe("raw is connected: 1 tool.");
});

test("with ToolSearch a server's tools are told by name and loaded when they are needed", async () => {
  const { workspace, server } = await mcpWorld(
    {
      answers: [call("ToolSearch", { query: "select:mcp__raw__ok" }), call("mcp__raw__ok"), { say: "done" }],
    },
    userServers({ raw: rawServer("plain") }),
  );
  const session = await openSession(workspace, { env: { ENABLE_TOOL_SEARCH: "true" } });
  await session.prompt("go");
  expect(mcpNames(server, 0)).toEqual([]);
  expect(JSON.stringify(server.requests[0]?.body.messages)).toContain("mcp__raw__ok");
  expect(mcpNames(server, 1)).toEqual(["mcp__raw__ok"]);
  expect(resultsOf(session.events)[1]?.text).toContain("called ok");
  expect(server.violations).toEqual([]);
});
