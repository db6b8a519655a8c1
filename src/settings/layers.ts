// Which settings files exist for a session and what each of them says, strongest first.
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { RuleSource } from "../protocol/permission.js";
import { decodeText, isFailure, type ParsedFile, parseObject } from "./jsonc.js";
import { gitRoot } from "./project.js";

export type LayerSource = Extract<RuleSource, "managed" | "flagSettings" | "local" | "project" | "user">;

export interface SettingsProblem {
  /** The file, or `--settings` for JSON given on the command line. */
  file: string;
  line?: number;
  column?: number;
  /** Dotted path of the bad entry; absent when it is about the whole file. */
  path?: string;
  message: string;
  /** The file could not be read at all: headless stops, the screen asks. */
  fatal?: boolean;
}

export interface FoundLayer {
  source: LayerSource;
  file: string;
  /** Folder that `/path` patterns of this layer hang under. */
  root: string;
  parsed?: ParsedFile;
}

export interface LayerOptions {
  cwd: string;
  home: string;
  configDir: string;
  /** Value of `--settings`: a file or JSON text. */
  flagSettings?: string;
  /** Which of user, project and local to read (`--setting-sources`); all by default. */
  sources?: readonly ("user" | "project" | "local")[];
  managedPath?: string;
  platform?: NodeJS.Platform;
}

const managedFolder = (platform: NodeJS.Platform): string =>
  platform === "darwin" ? "/Library/Application Support/ClaudeCode" : "/etc/claude-code";

/** Path of `.claude/settings.local.json`: at the git root unless that is the home folder. */
export const localSettingsFile = async (cwd: string, home: string): Promise<string> => {
  const root = await gitRoot(cwd);
  return join(root && root !== home ? root : cwd, ".claude", "settings.local.json");
};

export const projectSettingsFile = (cwd: string): string => join(cwd, ".claude", "settings.json");
export const userSettingsFile = (configDir: string): string => join(configDir, "settings.json");

const managedFiles = async ({ managedPath, platform }: LayerOptions): Promise<string[]> => {
  const main = managedPath ?? join(managedFolder(platform ?? process.platform), "managed-settings.json");
  const parts = join(dirname(main), "managed-settings.d");
  const names = await readdir(parts).catch(() => []); // the folder is optional
  // Later names win, so they come first here.
  const extra = names
    .filter((name) => name.endsWith(".json"))
    .sort()
    .reverse();
  return [...extra.map((name) => join(parts, name)), main];
};

/** What happened to one file: its bytes, nothing, or a message. */
const readBytes = async (file: string): Promise<Buffer | undefined | string> => {
  try {
    return await readFile(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : `cannot be read (${code})`;
  }
};

/** Parses one file's bytes; returns a problem when they hold no settings. */
const parseBytes = (file: string, bytes: Buffer): ParsedFile | SettingsProblem => {
  const text = decodeText(bytes);
  if (text === undefined) return { file, message: "is UTF-16; save it as UTF-8", fatal: true };
  if (text.trim() === "") return { file, message: "is empty", fatal: true };
  const parsed = parseObject(text);
  return isFailure(parsed) ? { file, ...parsed.position, message: parsed.message, fatal: true } : parsed;
};

const flagLayer = async (value: string, cwd: string): Promise<[FoundLayer, SettingsProblem?]> => {
  if (value.trimStart().startsWith("{")) {
    const parsed = parseBytes("--settings", Buffer.from(value));
    const layer: FoundLayer = { source: "flagSettings", file: "--settings", root: cwd };
    return "message" in parsed ? [layer, parsed] : [{ ...layer, parsed }];
  }
  const file = resolve(cwd, value);
  const [layer, problem] = await fileLayer("flagSettings", file, dirname(file));
  if (!layer.parsed && !problem) return [layer, { file, message: "does not exist (--settings)", fatal: true }];
  return [layer, problem];
};

const fileLayer = async (source: LayerSource, file: string, root: string): Promise<[FoundLayer, SettingsProblem?]> => {
  const bytes = await readBytes(file);
  if (bytes === undefined) return [{ source, file, root }];
  if (typeof bytes === "string")
    return [
      { source, file, root },
      { file, message: bytes, fatal: true },
    ];
  const parsed = parseBytes(file, bytes);
  return "message" in parsed ? [{ source, file, root }, parsed] : [{ source, file, root, parsed }];
};

/** Reads all layers, strongest first; missing files give layers without `parsed`. */
export const readLayers = async (
  options: LayerOptions,
): Promise<{ layers: FoundLayer[]; problems: SettingsProblem[] }> => {
  const { cwd, home, configDir, flagSettings, sources = ["user", "project", "local"] } = options;
  const wanted: Promise<[FoundLayer, SettingsProblem?]>[] = [];
  for (const file of await managedFiles(options)) wanted.push(fileLayer("managed", file, dirname(file)));
  if (flagSettings !== undefined) wanted.push(flagLayer(flagSettings, cwd));
  const project = projectSettingsFile(cwd);
  const user = userSettingsFile(configDir);
  if (sources.includes("local")) wanted.push(fileLayer("local", await localSettingsFile(cwd, home), cwd));
  // Started in the home folder, both names mean the user's own file.
  if (sources.includes("project") && project !== user) wanted.push(fileLayer("project", project, cwd));
  if (sources.includes("user")) wanted.push(fileLayer("user", user, configDir));
  const read = await Promise.all(wanted);
  return { layers: read.map(([layer]) => layer), problems: read.flatMap(([, problem]) => problem ?? []) };
};
