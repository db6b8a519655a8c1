// Finds the agents of a session: built-in, managed, --agents, the project's and the user's. The stronger source wins a name.
import { readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { readTextFile } from "../platform/text-file.js";
import { builtinAgents } from "./builtin/index.js";
import type { AgentDefinition, AgentSource } from "./definition.js";

export interface AgentOptions {
  cwd: string;
  /** ~/.claude or $CLAUDE_CONFIG_DIR. */
  configDir: string;
  /** The project's own agents count: its folder is trusted, or nobody is there to ask. */
  withProject: boolean;
  /** Which of user and project to read (`--setting-sources`); both by default. */
  sources?: readonly ("user" | "project" | "local")[];
  /** Value of `--agents`: a JSON map of names to definitions. */
  flag?: string;
  /** Folder of managed agents. */
  managedDir?: string;
}

export interface AgentProblem {
  file: string;
  text: string;
}

export interface LoadedAgents {
  /** In the order they are listed; names are unique. */
  agents: AgentDefinition[];
  /** Files and entries that gave no agent, and names taken twice. */
  problems: AgentProblem[];
  /** What could be better in files that did load: for the debug log and /doctor. */
  hints: AgentProblem[];
}

const maxFileBytes = 1_000_000; // a prompt, not a book
const defaultManagedDir = "/etc/claude-code/.claude/agents";

/** Markdown files below a folder, sorted by path; none when it is not there. */
const markdownFiles = async (dir: string): Promise<string[]> => {
  const found = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []); // most folders have none
  return found
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
};

/** `.claude/agents` of the folder and those above it, nearest first; the user's own folder is not among them. */
const projectDirs = ({ cwd, configDir }: AgentOptions): string[] => {
  const dirs: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    const dir = join(folder, ".claude", "agents");
    if (dir !== join(configDir, "agents")) dirs.push(dir);
    if (folder === dirname(folder)) return dirs;
  }
};

interface Place {
  source: AgentSource;
  dir: string;
}

/** Folders to read, strongest first. */
const placesOf = (options: AgentOptions): Place[] => {
  const wants = (source: "user" | "project") => options.sources?.includes(source) ?? true;
  const project = options.withProject && wants("project") ? projectDirs(options) : [];
  return [
    { source: "managed", dir: options.managedDir ?? defaultManagedDir },
    ...project.map((dir): Place => ({ source: "project", dir })),
    ...(wants("user") ? [{ source: "user" as const, dir: join(options.configDir, "agents") }] : []),
  ];
};

type Found = LoadedAgents;
const nothing = (): Found => ({ agents: [], problems: [], hints: [] });

/** Agents of one folder. Two files with one name: the later path wins. */
const readPlace = async ({ source, dir }: Place): Promise<Found> => {
  const files = await markdownFiles(dir);
  const found = nothing();
  if (files.length === 0) return found;
  const { parseAgentFile } = await import("./definition.js"); // brings the YAML reader: only where there are files
  const byName = new Map<string, AgentDefinition>();
  for (const file of files) {
    const read = await readTextFile(file, maxFileBytes);
    if (read.state === "skipped") found.problems.push({ file, text: `not loaded: ${read.reason}` });
    if (read.state !== "ok") continue;
    const parsed = parseAgentFile(read.text, { source, file });
    if (parsed.kind === "problem") found.problems.push({ file, text: `not loaded: ${parsed.text}` });
    if (parsed.kind !== "agent") continue;
    const earlier = byName.get(parsed.agent.name);
    if (earlier)
      found.problems.push({
        file,
        text: `takes the name ${parsed.agent.name} from ${relative(dir, earlier.file ?? "")}: give one of them another name`,
      });
    found.hints.push(...parsed.hints.map((text) => ({ file, text })));
    byName.set(parsed.agent.name, parsed.agent);
  }
  found.agents.push(...byName.values());
  return found;
};

const flagFile = "--agents";

/** Agents of the command line. Throws an Error for the person when the value is no JSON map. */
const readFlag = async (flag: string | undefined): Promise<Found> => {
  const found = nothing();
  if (flag === undefined) return found;
  let map: unknown;
  try {
    map = JSON.parse(flag);
  } catch (error) {
    throw new Error(`--agents is not JSON: ${(error as Error).message}`);
  }
  if (typeof map !== "object" || map === null || Array.isArray(map))
    throw new Error('--agents must be a JSON object: {"name": {"description": "…", "prompt": "…"}}');
  const { agentFrom } = await import("./definition.js");
  for (const [name, entry] of Object.entries(map as Record<string, unknown>)) {
    const data = typeof entry === "object" && entry !== null ? (entry as Record<string, unknown>) : {};
    const prompt = typeof data.prompt === "string" ? data.prompt : "";
    const parsed = agentFrom({ ...data, name }, prompt, { source: "flag" });
    if (parsed.kind === "agent") found.agents.push(parsed.agent);
    else if (parsed.kind === "problem") found.problems.push({ file: flagFile, text: `${name}: ${parsed.text}` });
  }
  return found;
};

/**
 * All agents of a session. A name belongs to the strongest source that has it: managed, flag, project (nearest folder
 * first), user, built-in. Throws only when `--agents` is no JSON map.
 */
export const loadAgents = async (options: AgentOptions): Promise<LoadedAgents> => {
  const [flag, ...places] = await Promise.all([readFlag(options.flag), ...placesOf(options).map(readPlace)]);
  const managed = places.shift() ?? nothing();
  const found = [managed, flag, ...places];
  const byName = new Map<string, AgentDefinition>();
  for (const agent of [...found.flatMap(({ agents }) => agents), ...builtinAgents])
    if (!byName.has(agent.name)) byName.set(agent.name, agent);
  const rank = (agent: AgentDefinition) => (agent.source === "built-in" ? builtinAgents.indexOf(agent) : 1000);
  return {
    agents: [...byName.values()].sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1)),
    problems: found.flatMap(({ problems }) => problems),
    hints: found.flatMap(({ hints }) => hints),
  };
};
