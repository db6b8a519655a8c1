// Writes settings files: one member at a time, so that comments, order and unknown keys stay as they are.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { applyEdits, modify } from "jsonc-parser";
import type { Env } from "../platform/paths.js";
import { writeFileWhole } from "../platform/write-file.js";
import type { PermissionUpdate } from "../protocol/permission.js";
import { excludeLocalSettings } from "./git-excludes.js";
import { decodeText, isFailure, parseObject } from "./jsonc.js";
import { localSettingsFile, projectSettingsFile, userSettingsFile } from "./layers.js";
import { withFileLock } from "./lock.js";
import { gitRoot } from "./project.js";
import { formatRule } from "./rule-text.js";

export interface SettingsPlaces {
  cwd: string;
  home: string;
  configDir: string;
  /** Environment for git, which is told to leave a new local file out of commits; absent: it is not told. */
  env?: Env;
}

const formatting = { formattingOptions: { tabSize: 2, insertSpaces: true, eol: "\n" } };

const readText = async (file: string): Promise<string> => {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return Buffer.from("{}\n");
    throw error;
  });
  const text = decodeText(bytes);
  if (text === undefined) throw new Error(`${file} is UTF-16: save it as UTF-8 first. Nothing was written.`);
  return text.trim() === "" ? "{}\n" : text;
};

type Change = (value: Record<string, unknown>) => { path: string[]; value: unknown }[];

/**
 * Changes members of a settings file under its lock. A new file is for its owner only, one that is shared through git has
 * the usual mode. Throws an Error for the person when the file cannot be parsed or written.
 */
export const changeFile = (file: string, change: Change, { isShared = false } = {}): Promise<void> =>
  withFileLock(file, async () => {
    let text = await readText(file);
    const parsed = parseObject(text);
    if (isFailure(parsed))
      throw new Error(
        `${file}:${parsed.position.line}:${parsed.position.column}: ${parsed.message}. Fix the file first; nothing was written.`,
      );
    for (const { path, value } of change(parsed.value)) text = applyEdits(text, modify(text, path, value, formatting));
    const bytes = Buffer.from(text.endsWith("\n") ? text : `${text}\n`);
    await writeFileWhole(file, bytes, isShared ? {} : { mode: 0o600 });
  });

/** Sets top-level members of the user's settings; undefined removes one. */
export const updateUserSettings = (configDir: string, members: Record<string, unknown>): Promise<void> =>
  changeFile(userSettingsFile(configDir), () =>
    Object.entries(members).map(([key, value]) => ({ path: [key], value })),
  );

/**
 * Sets the member at a dotted path in one of the settings files; undefined removes it. Gives the file.
 * Throws an Error for the person; the file is untouched then.
 */
export const writeSetting = async (
  destination: "userSettings" | "localSettings",
  path: string,
  value: unknown,
  places: SettingsPlaces,
): Promise<string> => {
  const isLocal = destination === "localSettings";
  const file = isLocal ? await localSettingsFile(places.cwd, places.home) : userSettingsFile(places.configDir);
  const isNewLocal = isLocal && !existsSync(file);
  await changeFile(file, () => [{ path: path.split("."), value }]);
  if (isNewLocal && places.env && (await gitRoot(places.cwd))) await excludeLocalSettings(places.home, places.env);
  return file;
};

const fileOf = async (update: PermissionUpdate, { cwd, home, configDir }: SettingsPlaces): Promise<string> => {
  if (update.destination === "userSettings") return userSettingsFile(configDir);
  if (update.destination === "projectSettings") return projectSettingsFile(cwd);
  if (update.destination === "localSettings") return localSettingsFile(cwd, home);
  throw new Error(`"${update.destination}" is not a settings file.`);
};

const textsAt = (value: unknown, key: string): string[] => {
  const list = (value as Record<string, unknown> | undefined)?.[key];
  return Array.isArray(list) ? list.filter((entry) => typeof entry === "string") : [];
};

const changed = (before: readonly string[], items: readonly string[], how: "add" | "replace" | "remove"): string[] => {
  if (how === "replace") return [...new Set(items)];
  if (how === "remove") return before.filter((item) => !items.includes(item));
  return [...new Set([...before, ...items])];
};

const howOf = (type: string): "add" | "replace" | "remove" =>
  type.startsWith("add") ? "add" : type.startsWith("remove") ? "remove" : "replace";

/**
 * Writes an update into the settings file its destination names, creating file and folder when missing.
 * Throws an Error for the person; the file is untouched then.
 */
export const writePermissionUpdate = async (update: PermissionUpdate, places: SettingsPlaces): Promise<void> => {
  const file = await fileOf(update, places);
  const isNewLocal = update.destination === "localSettings" && !existsSync(file);
  const isShared = update.destination === "projectSettings";
  const change: Change = ({ permissions }) => {
    if (update.type === "setMode") return [{ path: ["permissions", "defaultMode"], value: update.mode }];
    const key = "rules" in update ? update.behavior : "additionalDirectories";
    const items =
      "rules" in update
        ? update.rules.map(({ toolName, ruleContent }) => formatRule({ tool: toolName, content: ruleContent }))
        : update.directories;
    return [{ path: ["permissions", key], value: changed(textsAt(permissions, key), items, howOf(update.type)) }];
  };
  await changeFile(file, change, { isShared });
  if (isNewLocal && places.env && (await gitRoot(places.cwd))) await excludeLocalSettings(places.home, places.env);
};

/**
 * Changes members of the local settings file: `change` gets what it holds now and gives the members to set.
 * Throws an Error for the person; the file is untouched then.
 */
export const updateLocalSettings = async (
  places: SettingsPlaces,
  change: (value: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> => {
  const file = await localSettingsFile(places.cwd, places.home);
  const isNew = !existsSync(file);
  await changeFile(file, (value) =>
    Object.entries(change(value)).map(([key, member]) => ({ path: [key], value: member })),
  );
  if (isNew && places.env && (await gitRoot(places.cwd))) await excludeLocalSettings(places.home, places.env);
};
