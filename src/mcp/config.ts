// Which servers a session has: every place they are written in, who wins, and whether each may start.
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Env } from "../platform/paths.js";
import { decodeText, isFailure, parseObject } from "../settings/jsonc.js";
import type { LoadedSettings } from "../settings/load.js";
import { projectFolders } from "../settings/project.js";
import { projectEntry, readState, type StateData, type StateFile } from "../settings/state-file.js";
import { trustFolder } from "../settings/trust.js";
import { parseServer, type ServerConfig } from "./server-config.js";

/** Where an entry is written. */
export type ServerScope = "managed" | "flag" | "local" | "project" | "user" | "settings";

/** `pending`: a person has to approve it; `rejected`: they did not; `disabled`: switched off; `blocked`: settings forbid it. */
export type ServerStanding = "ready" | "pending" | "rejected" | "disabled" | "blocked";

export interface ServerEntry {
  name: string;
  scope: ServerScope;
  /** The file, or the flag. */
  file: string;
  raw: unknown;
  /** Absent when the entry is wrong; then `problem` says why. */
  config?: ServerConfig;
  problem?: string;
  standing: ServerStanding;
}

export interface ServerPlace {
  cwd: string;
  home: string;
  env: Env;
  state: StateFile;
  settings: Pick<LoadedSettings, "get" | "layers">;
  /** Values of `--mcp-config`: files or JSON texts. */
  flagConfigs?: readonly string[];
  /** `--strict-mcp-config`. */
  isStrict?: boolean;
  /** A person can be asked to approve. */
  canAsk: boolean;
  /** Servers of `.mcp.json` that nobody rejected may start without a question. */
  runsProject: boolean;
  /** The administrator's file. */
  managedFile?: string;
}

export interface FoundServers {
  servers: ServerEntry[];
  /** Files that could not be used, for the person. */
  problems: string[];
}

type Entries = { scope: ServerScope; file: string; map: Record<string, unknown> };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const namesAt = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];

/** `/etc/claude-code/managed-mcp.json` or its place on this system. */
export const managedServersFile = (platform: NodeJS.Platform = process.platform): string =>
  platform === "darwin"
    ? "/Library/Application Support/ClaudeCode/managed-mcp.json"
    : "/etc/claude-code/managed-mcp.json";

/** The map of servers in a file's text: below `mcpServers`, or the whole object. A string says what is wrong. */
const mapOf = (text: string | undefined, file: string): Record<string, unknown> | string => {
  if (text === undefined) return `${file}: it is UTF-16; save it as UTF-8`;
  if (text.trim() === "") return {};
  const parsed = parseObject(text);
  if (isFailure(parsed)) return `${file}:${parsed.position.line}:${parsed.position.column}: ${parsed.message}`;
  const { mcpServers, ...rest } = parsed.value;
  if (mcpServers === undefined)
    return Object.values(rest).some(isObject) || Object.keys(rest).length === 0
      ? rest
      : `${file}: it has no "mcpServers"`;
  return isObject(mcpServers) ? mcpServers : `${file}: "mcpServers" must be an object of servers by name`;
};

/** The servers of a file; undefined when there is none. */
const readMap = async (file: string): Promise<Record<string, unknown> | string | undefined> => {
  try {
    return mapOf(decodeText(await readFile(file)), file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : `${file}: it cannot be read (${code})`;
  }
};

const flagEntries = async ({ flagConfigs = [], cwd }: ServerPlace, problems: string[]): Promise<Entries[]> => {
  const found: Entries[] = [];
  for (const value of flagConfigs) {
    const isText = value.trimStart().startsWith("{");
    const file = isText ? "--mcp-config" : resolve(cwd, value);
    const map = isText ? mapOf(value, file) : await readMap(file);
    if (map === undefined) problems.push(`--mcp-config ${value}: there is no such file`);
    else if (typeof map === "string") problems.push(map);
    else found.push({ scope: "flag", file, map });
  }
  return found;
};

const fileEntries = async (scope: ServerScope, file: string, problems: string[]): Promise<Entries[]> => {
  const map = await readMap(file);
  if (typeof map === "string") problems.push(map);
  return isObject(map) ? [{ scope, file, map }] : [];
};

const stateEntries = (scope: ServerScope, file: string, value: unknown): Entries[] =>
  isObject(value) ? [{ scope, file, map: value }] : [];

const settingsEntries = ({ settings }: ServerPlace, source: string): Entries[] =>
  settings.layers
    .filter((layer) => layer.source === source)
    .flatMap(({ file, settings: own }) => stateEntries("settings", file, own.mcpServers));

/** Every list of servers, strongest first. */
const allEntries = async (place: ServerPlace, data: StateData, own: StateData, problems: string[]) => {
  const managed = await fileEntries("managed", place.managedFile ?? managedServersFile(), problems);
  if (managed.length > 0) return managed; // the administrator's list is the only one
  const flags = await flagEntries(place, problems);
  if (place.isStrict) return flags;
  const folders = await projectFolders(place.cwd);
  const project = (
    await Promise.all(folders.map((folder) => fileEntries("project", join(folder, ".mcp.json"), problems)))
  ).flat();
  return [
    ...settingsEntries(place, "managed"),
    ...flags,
    ...settingsEntries(place, "flagSettings"),
    ...stateEntries("local", place.state.file, own.mcpServers),
    ...settingsEntries(place, "local"),
    ...project,
    ...settingsEntries(place, "project"),
    ...stateEntries("user", place.state.file, data.mcpServers),
    ...settingsEntries(place, "user"),
  ];
};

interface Approvals {
  approved: Set<string>;
  rejected: Set<string>;
  isAllApproved: boolean;
}

const approvalsOf = ({ settings }: ServerPlace, own: StateData): Approvals => ({
  approved: new Set([...namesAt(settings.get("enabledMcpjsonServers")), ...namesAt(own.enabledMcpjsonServers)]),
  rejected: new Set([...namesAt(settings.get("disabledMcpjsonServers")), ...namesAt(own.disabledMcpjsonServers)]),
  isAllApproved: settings.get("enableAllProjectMcpServers") === true,
});

interface Policy {
  /** A server must fit each of these lists: what the folder's files allow never adds to what the person's and the administrator's do. */
  allowed: unknown[][];
  denied: unknown[];
}

const policyOf = ({ settings }: ServerPlace): Policy => {
  const listsOf = (key: string, isWanted: (source: string) => boolean): unknown[][] =>
    settings.layers
      .filter(({ source }) => isWanted(source))
      .map(({ raw }) => raw[key])
      .filter(Array.isArray);
  const isLocked = settings.layers.some(
    ({ source, raw }) => source === "managed" && raw.allowManagedMcpServersOnly === true,
  );
  const isOfFolder = (source: string): boolean => source === "project" || source === "local";
  const own = listsOf("allowedMcpServers", (source) => (isLocked ? source === "managed" : !isOfFolder(source)));
  const ofFolder = isLocked ? [] : listsOf("allowedMcpServers", isOfFolder);
  return {
    denied: listsOf("deniedMcpServers", () => true).flat(),
    allowed: [...(own.length > 0 || isLocked ? [own.flat()] : []), ...(ofFolder.length > 0 ? [ofFolder.flat()] : [])],
  };
};

const globPattern = (text: string): RegExp =>
  new RegExp(`^${text.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "i");

const fitsPolicy = (wanted: unknown, name: string, config: ServerConfig | undefined): boolean => {
  if (!isObject(wanted)) return false;
  if (typeof wanted.serverName === "string") return wanted.serverName === name;
  if (config?.type === "stdio" && Array.isArray(wanted.serverCommand))
    return JSON.stringify(wanted.serverCommand) === JSON.stringify([config.command, ...config.args]);
  if (config && config.type !== "stdio" && typeof wanted.serverUrl === "string")
    return globPattern(wanted.serverUrl).test(config.url);
  return false;
};

const isBlocked = ({ allowed, denied }: Policy, name: string, config: ServerConfig | undefined): boolean =>
  denied.some((entry) => fitsPolicy(entry, name, config)) ||
  allowed.some((list) => !list.some((entry) => fitsPolicy(entry, name, config)));

const projectStanding = (place: ServerPlace, name: string, approvals: Approvals): ServerStanding => {
  if (approvals.rejected.has(name)) return "rejected";
  if (approvals.approved.has(name) || approvals.isAllApproved) return "ready";
  return place.runsProject && !place.canAsk ? "ready" : "pending";
};

/** All servers of a place, each name once (the strongest list wins). Never throws for what stands in a file. */
export const readServers = async (place: ServerPlace): Promise<FoundServers> => {
  const problems: string[] = [];
  const { data } = await readState(place.state);
  const folder = await trustFolder(place);
  const own = { ...projectEntry(data, place.cwd), ...projectEntry(data, folder) };
  const approvals = approvalsOf(place, own);
  const disabled = new Set(namesAt(own.disabledMcpServers));
  const policy = policyOf(place);
  const found = new Map<string, ServerEntry>();
  for (const { scope, file, map } of await allEntries(place, data, own, problems))
    for (const [name, raw] of Object.entries(map)) {
      if (found.has(name)) continue;
      const parsed = parseServer(raw, place.env);
      const config = "problem" in parsed ? undefined : parsed;
      const standing = isBlocked(policy, name, config)
        ? "blocked"
        : disabled.has(name)
          ? "disabled"
          : scope === "project"
            ? projectStanding(place, name, approvals)
            : "ready";
      found.set(name, {
        name,
        scope,
        file,
        raw,
        standing,
        ...(config ? { config } : { problem: "problem" in parsed ? parsed.problem : "" }),
      });
    }
  return { servers: [...found.values()], problems };
};
