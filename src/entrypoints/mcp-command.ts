// `claude mcp …`: adds, shows, checks and removes MCP servers.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sanitise } from "../lib/sanitise.js";
import { readServers, type ServerEntry } from "../mcp/config.js";
import { connectTimeoutMs, createMcp, type ServerStatus } from "../mcp/manager.js";
import { parseServer } from "../mcp/server-config.js";
import { configDir, homeDir, stateFile } from "../platform/paths.js";
import { gitRoot } from "../settings/project.js";
import { changeProjectEntry, projectEntry, type StateData, updateState } from "../settings/state-file.js";
import { trustFolder } from "../settings/trust.js";
import { changeFile, updateLocalSettings } from "../settings/write.js";
import { openPlace } from "./permissions/place.js";
import type { SubcommandIo } from "./subcommands.js";
import { version } from "./version.js";

const usage = `Usage: claude mcp <command>
  add [-s local|user|project] [-t stdio|http|sse] [-e NAME=VALUE]… [-H "Name: value"]… NAME COMMAND|URL [-- ARGS…]
  add-json [-s scope] NAME JSON
  list, get NAME           the servers and whether they answer
  remove [-s scope] NAME
  login [--no-browser] NAME, logout NAME
                           logins of http servers
  reset-project-choices    ask again about the servers of .mcp.json`;

const scopes = ["local", "user", "project"] as const;
type Scope = (typeof scopes)[number];

/** What was typed cannot be done; the message is for the person. */
class McpProblem extends Error {}

const options = {
  scope: { type: "string", short: "s" },
  transport: { type: "string", short: "t" },
  env: { type: "string", short: "e", multiple: true },
  header: { type: "string", short: "H", multiple: true },
  "client-id": { type: "string" },
  "callback-port": { type: "string" },
  "no-browser": { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const parse = (args: string[]) => parseArgs({ args, allowPositionals: true, options });
type Values = ReturnType<typeof parse>["values"];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const stateOf = ({ env }: SubcommandIo) => ({ file: stateFile(env), configDir: configDir(env) });

const scopeOf = ({ scope }: Values): Scope | undefined => {
  if (scope === undefined) return undefined;
  const found = scopes.find((one) => one === scope);
  if (!found) throw new McpProblem(`-s ${scope}: use ${scopes.join(", ")}`);
  return found;
};

const projectFile = async ({ cwd }: SubcommandIo): Promise<string> => join((await gitRoot(cwd)) ?? cwd, ".mcp.json");

/** Changes the servers of one scope. `change` gets those that are there; gives the file that was changed. */
const changeServers = async (
  scope: Scope,
  io: SubcommandIo,
  change: (servers: Record<string, unknown>) => Record<string, unknown>,
): Promise<string> => {
  const servers = (owner: StateData): Record<string, unknown> => (isObject(owner.mcpServers) ? owner.mcpServers : {});
  if (scope === "project") {
    const file = await projectFile(io);
    const members = (value: Record<string, unknown>) => [{ path: ["mcpServers"], value: change(servers(value)) }];
    await changeFile(file, members, { isShared: true });
    return file;
  }
  const folder = await trustFolder({ cwd: io.cwd, home: homeDir(io.env) });
  await updateState(stateOf(io), (data) => {
    if (scope === "user") data.mcpServers = change(servers(data));
    else changeProjectEntry(data, folder, { mcpServers: change(servers(projectEntry(data, folder))) });
  });
  return stateOf(io).file;
};

const without = (servers: Record<string, unknown>, name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(servers).filter(([key]) => key !== name));

const addEntry = async (
  name: string,
  raw: Record<string, unknown>,
  scope: Scope,
  io: SubcommandIo,
): Promise<string> => {
  if (!/^[A-Za-z0-9_-]+$/.test(name))
    throw new McpProblem(`The name "${name}" may hold only letters, digits, _ and -.`);
  const parsed = parseServer(raw, io.env);
  // A variable that is not set here may be set where the server will be used.
  if ("problem" in parsed && !parsed.problem.startsWith("the variable"))
    throw new McpProblem(`${name}: ${parsed.problem}`);
  const file = await changeServers(scope, io, (servers) => {
    if (Object.hasOwn(servers, name))
      throw new McpProblem(`There is a server named ${name} in the scope ${scope}: remove it first.`);
    return { ...servers, [name]: raw };
  });
  const type = "problem" in parsed ? String(raw.type ?? "stdio") : parsed.type;
  return `Added ${type} MCP server ${name} (scope ${scope})\nFile modified: ${file}`;
};

/** `NAME=VALUE` or `Name: value` texts as an object. */
const pairs = (texts: readonly string[] = [], separator: string, flag: string): Record<string, string> =>
  Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(separator);
      if (at < 1) throw new McpProblem(`${flag} "${text}": write it as NAME${separator}VALUE`);
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );

const rawOf = (values: Values, target: string, args: string[]): Record<string, unknown> => {
  const { transport = "stdio" } = values;
  if (transport === "stdio") {
    if (/^https?:\/\//.test(target)) throw new McpProblem(`${target} is an address: add -t http (or -t sse).`);
    const env = pairs(values.env, "=", "-e");
    return { type: "stdio", command: target, args, ...(values.env ? { env } : {}) };
  }
  if (args.length > 0) throw new McpProblem(`A server of type ${transport} takes no arguments: ${args.join(" ")}`);
  const { "client-id": clientId, "callback-port": port } = values;
  const oauth = { ...(clientId ? { clientId } : {}), ...(port ? { callbackPort: Number(port) } : {}) };
  return {
    type: transport,
    url: target,
    ...(values.header ? { headers: pairs(values.header, ":", "-H") } : {}),
    ...(Object.keys(oauth).length > 0 ? { oauth } : {}),
  };
};

const add = async ([name, target, ...args]: string[], values: Values, io: SubcommandIo): Promise<string> => {
  if (!name || !target) throw new McpProblem(usage);
  return addEntry(name, rawOf(values, target, args), scopeOf(values) ?? "local", io);
};

const addJson = async ([name, text]: string[], values: Values, io: SubcommandIo): Promise<string> => {
  if (!name || text === undefined) throw new McpProblem(usage);
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    throw new McpProblem(`That is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(raw)) throw new McpProblem("A server is a JSON object.");
  return addEntry(name, raw, scopeOf(values) ?? "local", io);
};

/** The servers of this folder as a person would have them on the screen: those of the project wait for approval. */
const found = async (io: SubcommandIo) => {
  const { settings, isTrusted } = await openPlace({ env: io.env, cwd: io.cwd });
  const place = { cwd: io.cwd, home: homeDir(io.env), env: io.env, state: stateOf(io), settings };
  return readServers({ ...place, canAsk: true, runsProject: isTrusted });
};

const marks: Readonly<Record<ServerStatus["state"], string>> = {
  connected: "✔ Connected",
  pending: "✘ Failed to connect: no answer",
  failed: "✘ Failed to connect",
  "needs-auth": "! Needs authentication",
  waiting: "⏸ Pending approval",
  rejected: "✘ Rejected",
  disabled: "○ Disabled",
  blocked: "✘ Not allowed",
};

const oneLine = (text: string): string => sanitise(text).replace(/\s+/g, " ");

const row = ({ name, target, state, error }: ServerStatus): string =>
  `${oneLine(name)}: ${oneLine(target)} - ${marks[state]}${error ? ` (${oneLine(error)})` : ""}`;

/** Connects to each server once and says how they stand. */
const check = async (entries: readonly ServerEntry[], io: SubcommandIo): Promise<ServerStatus[]> => {
  const { cwd, env } = io;
  const [{ sharedAuth }] = await Promise.all([import("../mcp/auth.js")]);
  const mcp = createMcp({
    entries,
    cwd,
    projectDir: (await gitRoot(cwd)) ?? cwd,
    env: () => env,
    version,
    roots: () => [cwd],
    authFor: sharedAuth(configDir(env), env),
    now: () => Date.now(),
  });
  mcp.start();
  await mcp.settled(connectTimeoutMs(env));
  const statuses = mcp.statuses();
  await mcp.close();
  return statuses;
};

const list = async (io: SubcommandIo): Promise<string> => {
  const { servers, problems } = await found(io);
  const rows = (await check(servers, io)).map(row);
  const told = problems.map((problem) => `! ${oneLine(problem)}`);
  return [...rows, ...told].join("\n") || "No MCP servers are configured. Add one with: claude mcp add NAME COMMAND";
};

const entryNamed = async (name: string | undefined, io: SubcommandIo): Promise<ServerEntry> => {
  if (!name) throw new McpProblem(usage);
  const { servers } = await found(io);
  const entry = servers.find((one) => one.name === name);
  if (entry) return entry;
  const names = servers.map((one) => oneLine(one.name)).join(", ") || "none";
  throw new McpProblem(`There is no MCP server named ${name}. Servers: ${names}.`);
};

const logInTo = async ([name]: string[], values: Values, io: SubcommandIo): Promise<string> => {
  const entry = await entryNamed(name, io);
  const { logIn } = await import("./mcp-logins.js");
  await logIn(entry, values["no-browser"] !== true, io);
  const [status] = await check([entry], io);
  return `Logged in to ${entry.name}.${status ? `\n${row(status)}` : ""}`;
};

const logOutOf = async ([name]: string[], io: SubcommandIo): Promise<string> => {
  const entry = await entryNamed(name, io);
  return (await import("./mcp-logins.js")).logOut(entry, io);
};

const get = async ([name]: string[], io: SubcommandIo): Promise<string> => {
  const entry = await entryNamed(name, io);
  const [status] = await check([entry], io);
  const lines = [`Scope: ${entry.scope}`, `File: ${entry.file}`, `Type: ${status?.type}`, `Runs: ${status?.target}`];
  return [status ? row(status) : name, ...lines.map((line) => `  ${oneLine(line)}`)].join("\n");
};

const remove = async ([name]: string[], values: Values, io: SubcommandIo): Promise<string> => {
  if (!name) throw new McpProblem(usage);
  const wanted = scopeOf(values);
  const { servers } = await found(io);
  const scope = wanted ?? scopes.find((one) => servers.some((entry) => entry.name === name && entry.scope === one));
  if (!scope) throw new McpProblem(`There is no MCP server named ${name} that could be removed here.`);
  const file = await changeServers(scope, io, (before) => {
    if (!Object.hasOwn(before, name))
      throw new McpProblem(`There is no MCP server named ${name} in the scope ${scope}.`);
    return without(before, name);
  });
  return `Removed MCP server ${name} (scope ${scope})\nFile modified: ${file}`;
};

const resetChoices = async (io: SubcommandIo): Promise<string> => {
  const keys = ["enabledMcpjsonServers", "disabledMcpjsonServers", "enableAllProjectMcpServers"];
  const folder = await trustFolder({ cwd: io.cwd, home: homeDir(io.env) });
  const where = { cwd: io.cwd, home: homeDir(io.env), configDir: configDir(io.env) };
  await updateLocalSettings(where, (value) =>
    Object.fromEntries(keys.filter((key) => value[key] !== undefined).map((key) => [key, undefined])),
  );
  await updateState(stateOf(io), (data) =>
    changeProjectEntry(data, folder, { enabledMcpjsonServers: [], disabledMcpjsonServers: [] }),
  );
  return "The choices about servers of .mcp.json are forgotten: each asks again.";
};

const run = (command: string | undefined, rest: string[], values: Values, io: SubcommandIo): Promise<string> => {
  if (command === "add") return add(rest, values, io);
  if (command === "add-json") return addJson(rest, values, io);
  if (command === "list") return list(io);
  if (command === "get") return get(rest, io);
  if (command === "login") return logInTo(rest, values, io);
  if (command === "logout") return logOutOf(rest, io);
  if (command === "remove") return remove(rest, values, io);
  if (command === "reset-project-choices") return resetChoices(io);
  throw new McpProblem(command === undefined ? usage : `There is no command "mcp ${command}".\n${usage}`);
};

/** Runs `claude mcp …` and returns its exit code. */
export const mcpCommand = async (argv: string[], io: SubcommandIo): Promise<number> => {
  try {
    const { values, positionals } = parse(argv);
    const [command, ...rest] = positionals;
    if (values.help) io.out(`${usage}\n`);
    else io.out(`${await run(command, rest, values, io)}\n`);
    return 0;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const hint = /unknown option/i.test(text) ? "\nOptions of the server itself stand behind --" : "";
    io.err(`error: ${text}${hint}\n`);
    return 1;
  }
};
