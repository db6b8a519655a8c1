// `claude mcp …` on files of a temporary home.
import { mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { mcpCommand } from "../../../src/entrypoints/mcp-command.js";
import { rawServer } from "../mcp/kit.js";
import { httpServer, loginServer } from "../mcp/remote-kit.js";

const world = async () => {
  const root = await mkdtemp(join(tmpdir(), "mcp-command-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [home, cwd] = [join(root, "home"), join(root, "project")];
  await Promise.all([mkdir(join(home, ".claude"), { recursive: true }), mkdir(join(cwd, ".git"), { recursive: true })]);
  const env = { HOME: home, PATH: process.env.PATH, DBUS_SESSION_BUS_ADDRESS: "disabled:" };
  const run = async (...argv: string[]) => {
    let [out, err] = ["", ""];
    /** A person who opens every login page that is shown. */
    const open = (text: string) => {
      for (const [url] of text.matchAll(/http\S+\/authorize\S+/g)) void fetch(url);
    };
    const io = {
      env,
      cwd,
      stdin: Readable.from([]),
      out: (text: string) => {
        out += text;
        open(text);
      },
      err: (text: string) => {
        err += text;
      },
    };
    const code = await mcpCommand(argv, io);
    return { code, out, err };
  };
  const json = async (path: string) => JSON.parse(await readFile(join(root, path), "utf8"));
  return { run, json, cwd, home };
};

test("add writes each scope into its file, the same name twice is refused", async () => {
  const { run, json, cwd, home } = await world();
  const added = await run("add", "-e", "A=1", "one", "npx", "--", "-y", "server");
  expect(added).toEqual({
    code: 0,
    out: `Added stdio MCP server one (scope local)\nFile modified: ${join(home, ".claude.json")}\n`,
    err: "",
  });
  await run("add", "-s", "user", "-t", "http", "-H", "X-Team: shop", "two", "https://x.example/mcp");
  await run("add-json", "-s", "project", "three", '{"command": "x"}');
  const state = await json("home/.claude.json");
  expect(state.projects[cwd].mcpServers).toEqual({
    one: { type: "stdio", command: "npx", args: ["-y", "server"], env: { A: "1" } },
  });
  expect(state.mcpServers).toEqual({
    two: { type: "http", url: "https://x.example/mcp", headers: { "X-Team": "shop" } },
  });
  expect(await json("project/.mcp.json")).toEqual({ mcpServers: { three: { command: "x" } } });
  expect((await stat(join(cwd, ".mcp.json"))).mode & 0o777).toBe(0o666 & ~process.umask()); // others read it through git
  expect(await run("add", "one", "npx")).toMatchObject({
    code: 1,
    err: "error: There is a server named one in the scope local: remove it first.\n",
  });
});

test("list and get check the servers; those of the project wait for approval; remove takes one away", async () => {
  const { run } = await world();
  const { command, args } = rawServer("plain");
  await run("add", "good", command, "--", ...args);
  await run("add", "dies", command, "--", args[0]!, "exit");
  await run("add", "-s", "project", "mine", "x");
  const { out } = await run("list");
  expect(out.split("\n").map((line) => line.replace(/: .* - /, " - "))).toEqual([
    "good - ✔ Connected",
    expect.stringMatching(/^dies - ✘ Failed to connect \(its process ended/),
    "mine - ⏸ Pending approval",
    "",
  ]);
  expect((await run("get", "good")).out).toContain("Scope: local");
  expect(await run("remove", "good")).toMatchObject({ code: 0 });
  expect(await run("get", "good")).toEqual({
    code: 1,
    out: "",
    err: "error: There is no MCP server named good. Servers: dies, mine.\n",
  });
});

test.each([
  [["add", "a b", "x"], 'The name "a b" may hold only'],
  [["add", "x", "https://x.example"], "is an address: add -t http"],
  [["add", "x", "npx", "-y"], "Options of the server itself stand behind --"],
  [["add", "-s", "planet", "x", "y"], "-s planet: use local, user, project"],
  [["add", "-e", "nothing", "x", "y"], '-e "nothing": write it as NAME=VALUE'],
  [["add-json", "x", "{"], "That is not JSON"],
  [["remove", "x"], "There is no MCP server named x that could be removed here."],
  [["fly"], 'There is no command "mcp fly".'],
])("%j is refused with words that help", async (argv, text) => {
  const { run } = await world();
  const { code, err } = await run(...argv);
  expect([code, err]).toEqual([1, expect.stringContaining(text)]);
});

test("login shows the page, keeps the tokens and says how the server stands; logout forgets them", async () => {
  const { run } = await world();
  const logins = await loginServer();
  const server = await httpServer((authorization) => logins.good.has(authorization?.replace("Bearer ", "") ?? ""), {
    resource: (origin) => ({ resource: `${origin}/mcp`, authorization_servers: [logins.origin] }),
  });
  await run("add", "-t", "http", "shop", server.url);
  expect((await run("list")).out).toBe(`shop: ${server.url} - ! Needs authentication (it wants a login (401))\n`);
  const { code, out } = await run("login", "--no-browser", "shop");
  expect([code, out.split("\n")[0], out.split("\n").slice(2)]).toEqual([
    0,
    "To log in, open",
    ["Logged in to shop.", `shop: ${server.url} - ✔ Connected`, ""],
  ]);
  expect(out).not.toContain("secret-");
  expect((await run("logout", "shop")).out).toBe("The login of shop is forgotten.\n");
  expect((await run("logout", "shop")).out).toBe("There was no login of shop.\n");
});

test("only http servers that may be used can be logged in to", async () => {
  const { run } = await world();
  await run("add", "local", "npx");
  await run("add", "-s", "project", "-t", "http", "theirs", "https://x.example/mcp");
  expect((await run("login", "local")).err).toBe("error: local is no http server: there is nothing to log in to.\n");
  expect((await run("login", "theirs")).err).toBe(
    "error: theirs may not be used here (pending): allow it first, in a session with /mcp.\n",
  );
});
