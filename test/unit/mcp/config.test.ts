// Which servers a session has: places, precedence, variables, approvals, and entries that are wrong.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readServers, type ServerPlace } from "../../../src/mcp/config.js";
import { loadSettings } from "../../../src/settings/load.js";

interface World {
  place: ServerPlace;
  project: string;
}

const world = async (
  files: Record<string, unknown>,
  change: Partial<ServerPlace> = {},
  env: Record<string, string> = {},
): Promise<World> => {
  const root = await mkdtemp(join(tmpdir(), "mcp-config-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [home, project] = [join(root, "home"), join(root, "project")];
  const configDir = join(home, ".claude");
  for (const [path, content] of Object.entries({ "project/.git/HEAD": "", "home/.claude/x": "", ...files })) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    const text = typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content);
    await writeFile(file, typeof text === "string" ? text.replaceAll("$ROOT", root) : text);
  }
  const cwd = change.cwd ? join(root, change.cwd) : project;
  await mkdir(cwd, { recursive: true });
  const settings = await loadSettings({
    cwd,
    home,
    configDir,
    env: {},
    isTrusted: true,
    managedPath: join(root, "m.json"),
  });
  const place: ServerPlace = {
    home,
    env,
    state: { file: join(home, ".claude.json"), configDir },
    settings,
    canAsk: true,
    runsProject: true,
    managedFile: join(root, "managed-mcp.json"),
    ...change,
    cwd,
  };
  return { place, project };
};

const run = (command: string, more = {}) => ({ command, ...more });
const rows = async ({ place }: World) =>
  (await readServers(place)).servers.map(({ name, scope, standing, config }) => [
    name,
    scope,
    standing,
    config?.type === "stdio" ? config.command : config?.url,
  ]);

test("local wins over project, project over user, and --mcp-config over all", async () => {
  const files = {
    "home/.claude.json": {
      mcpServers: { a: run("user-a"), b: run("user-b"), c: run("user-c"), d: run("user-d") },
      projects: { "$ROOT/project": { mcpServers: { a: run("local-a"), b: run("local-b") } } },
    },
    "project/.mcp.json": { mcpServers: { a: run("project-a"), c: run("project-c") } },
  };
  const found = await world(files, { flagConfigs: [JSON.stringify({ mcpServers: { a: run("flag-a") } })] });
  expect(await rows(found)).toEqual([
    ["a", "flag", "ready", "flag-a"],
    ["b", "local", "ready", "local-b"],
    ["c", "project", "pending", "project-c"],
    ["d", "user", "ready", "user-d"],
  ]);
  expect(await rows({ ...found, place: { ...found.place, isStrict: true } })).toEqual([
    ["a", "flag", "ready", "flag-a"],
  ]);
});

test("the nearest .mcp.json up to the repository's root wins", async () => {
  const found = await world(
    {
      "project/.mcp.json": { mcpServers: { near: run("root"), far: run("root") } },
      "project/deep/in/.mcp.json": { mcpServers: { near: run("deep") } },
      ".mcp.json": { mcpServers: { outside: run("outside") } },
    },
    { cwd: "project/deep/in" },
  );
  expect(await rows(found)).toEqual([
    ["near", "project", "pending", "deep"],
    ["far", "project", "pending", "root"],
  ]);
});

test.each([
  [{}, true, "pending"],
  [{ enabledMcpjsonServers: ["p"] }, true, "ready"],
  [{ enableAllProjectMcpServers: true }, true, "ready"],
  [{ enableAllProjectMcpServers: true, disabledMcpjsonServers: ["p"] }, true, "rejected"],
  [{}, false, "ready"],
  [{ disabledMcpjsonServers: ["p"] }, false, "rejected"],
])("a project's server with settings %j (can ask: %s) is %s", async (settings, canAsk, standing) => {
  const files = { "home/.claude/settings.json": settings, "project/.mcp.json": { mcpServers: { p: run("x") } } };
  expect(await rows(await world(files, { canAsk }))).toEqual([["p", "project", standing, "x"]]);
});

test("without a person and without leave a project's server stays unapproved", async () => {
  const files = { "project/.mcp.json": { mcpServers: { p: run("x") } } };
  expect(await rows(await world(files, { canAsk: false, runsProject: false }))).toEqual([
    ["p", "project", "pending", "x"],
  ]);
});

test("F142 variables are filled in at all five places, and a missing one stops the server with its name", async () => {
  const env = { HOME: "/h", X: "x" };
  const files = {
    "home/.claude.json": {
      mcpServers: {
        "with all": {
          command: "${HOME}/x",
          args: ["${MISSING:-def}", "$PLAIN", "a${X}b", "${X} ${X}"],
          env: { A: "${X}" },
        },
        remote: { type: "http", url: "https://${X}.example/", headers: { Authorization: "Bearer ${X}" } },
        lacking: { command: "ok", args: ["${MISSING}"] },
        empty: { command: "${NOTHING:-}x" },
      },
    },
  };
  const { servers } = await readServers((await world(files, {}, env)).place);
  expect(servers.map(({ config, problem }) => config ?? problem)).toEqual([
    {
      type: "stdio",
      command: "/h/x",
      args: ["def", "$PLAIN", "axb", "x x"],
      env: { A: "x" },
      timeoutMs: undefined,
      isAlwaysLoaded: false,
    },
    {
      type: "http",
      url: "https://x.example/",
      headers: { Authorization: "Bearer x" },
      headersHelper: undefined,
      oauth: {},
      timeoutMs: undefined,
      isAlwaysLoaded: false,
    },
    "the variable MISSING is not set: set it, or give a default as ${NAME:-value}",
    { type: "stdio", command: "x", args: [], env: {}, timeoutMs: undefined, isAlwaysLoaded: false },
  ]);
});

test("a wrong entry names what is wrong, the others are there", async () => {
  const files = {
    "home/.claude.json": {
      mcpServers: {
        bare: { url: "https://x.example" },
        odd: { type: "carrier-pigeon" },
        text: "npx server",
        args: { command: "x", args: "y" },
        ftp: { type: "sse", url: "ftp://x.example" },
        good: run("good"),
      },
    },
  };
  const { servers } = await readServers((await world(files)).place);
  expect(servers.map(({ name, problem }) => [name, problem])).toEqual([
    ["bare", 'it has a url but no type: add "type": "http" (or "sse")'],
    ["odd", 'its type "carrier-pigeon" is not known here: use stdio, http or sse'],
    ["text", "it must be a JSON object"],
    ["args", expect.stringContaining("args")],
    ["ftp", "its url ftp://x.example is no http address"],
    ["good", undefined],
  ]);
});

test("a file that is no JSON is named with its line, the other lists hold", async () => {
  const found = await world(
    { "project/.mcp.json": '{\n "mcpServers": {', "home/.claude.json": { mcpServers: { u: run("u") } } },
    { flagConfigs: ["missing.json"] },
  );
  const { servers, problems } = await readServers(found.place);
  expect(servers.map(({ name }) => name)).toEqual(["u"]);
  expect(problems).toEqual([
    "--mcp-config missing.json: there is no such file",
    expect.stringMatching(/\.mcp\.json:2:\d+: not valid JSON/),
  ]);
});

test("F146 a byte-order mark in .mcp.json does not matter, UTF-16 is named", async () => {
  const text = JSON.stringify({ mcpServers: { p: run("x") } });
  expect(await rows(await world({ "project/.mcp.json": `\uFEFF${text}` }))).toHaveLength(1);
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
  const { problems } = await readServers((await world({ "project/.mcp.json": utf16 })).place);
  expect(problems).toEqual([expect.stringContaining("it is UTF-16; save it as UTF-8")]);
});

test("F144 a server named __proto__ is one like any other", async () => {
  const files = {
    "project/.mcp.json": '{"mcpServers": {"__proto__": {"command": "x"}, "constructor": {"command": "y"}}}',
  };
  expect((await rows(await world(files))).map(([name]) => name)).toEqual(["__proto__", "constructor"]);
});

test("deny beats allow, an allow list shuts out the rest, and the administrator's list is the only one", async () => {
  const files = {
    "home/.claude/settings.json": {
      allowedMcpServers: [{ serverName: "a" }, { serverCommand: ["b", "1"] }, { serverUrl: "https://*.example/*" }],
      deniedMcpServers: [{ serverName: "denied" }],
    },
    "home/.claude.json": {
      mcpServers: {
        a: run("x"),
        b: run("b", { args: ["1"] }),
        c: { type: "http", url: "https://c.example/mcp" },
        d: { type: "http", url: "https://c.other/mcp" },
        denied: run("b", { args: ["1"] }),
      },
    },
  };
  expect((await rows(await world(files))).map(([name, , standing]) => [name, standing])).toEqual([
    ["a", "ready"],
    ["b", "ready"],
    ["c", "ready"],
    ["d", "blocked"],
    ["denied", "blocked"],
  ]);
  const managed = await world({ ...files, "managed-mcp.json": { mcpServers: { a: run("managed") } } });
  expect(await rows(managed)).toEqual([["a", "managed", "ready", "managed"]]);
});

test("what a project's settings allow never adds to what the person's own allow, it only takes away", async () => {
  const files = {
    "home/.claude/settings.json": { allowedMcpServers: [{ serverName: "a" }, { serverName: "b" }] },
    "project/.claude/settings.json": { allowedMcpServers: [{ serverName: "b" }, { serverName: "c" }] },
    "home/.claude.json": { mcpServers: { a: run("x"), b: run("x"), c: run("x") } },
  };
  expect((await rows(await world(files))).map(([name, , standing]) => [name, standing])).toEqual([
    ["a", "blocked"],
    ["b", "ready"],
    ["c", "blocked"],
  ]);
});

test("a server that was switched off is disabled", async () => {
  const files = {
    "home/.claude.json": {
      mcpServers: { a: run("x") },
      projects: { "$ROOT/project": { disabledMcpServers: ["a"] } },
    },
  };
  expect(await rows(await world(files))).toEqual([["a", "user", "disabled", "x"]]);
});
