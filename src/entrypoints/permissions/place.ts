// What a decision needs to know of a folder, without a session: settings, trust and rules as they are on disk.
import { parseMode } from "../../permissions/modes.js";
import type { DecisionContext } from "../../permissions/types.js";
import { configDir, type Env, homeDir, stateFile } from "../../platform/paths.js";
import type { PermissionMode } from "../../protocol/permission.js";
import { type LoadedSettings, loadSettings } from "../../settings/load.js";
import { gitRoot } from "../../settings/project.js";
import { isTrusted } from "../../settings/trust.js";

export interface Place {
  context: DecisionContext;
  /** Environment the shell analysis sees. */
  env: Env;
  settings: LoadedSettings;
  isTrusted: boolean;
}

/** Reads settings and trust of `cwd` as `-p` would. Never throws for what stands in a file: see `settings.problems`. */
export const openPlace = async (options: {
  env: Env;
  cwd: string;
  mode?: PermissionMode;
  settingsFlag?: string;
}): Promise<Place> => {
  const { env, cwd } = options;
  const [home, dir] = [homeDir(env), configDir(env)];
  const trusted = await isTrusted({ cwd, home, state: { file: stateFile(env), configDir: dir } });
  const settings = await loadSettings({
    cwd,
    home,
    configDir: dir,
    env,
    flags: { settings: options.settingsFlag },
    isTrusted: trusted,
    isHeadless: true,
  });
  const permissions = settings.get("permissions");
  const context: DecisionContext = {
    mode: options.mode ?? parseMode(permissions?.defaultMode ?? "default") ?? "default",
    rules: settings.rules,
    cwd,
    workingDirs: [...new Set([cwd, ...(permissions?.additionalDirectories ?? [])])],
    projectRoot: (await gitRoot(cwd)) ?? cwd,
    home,
    configDir: dir,
    freeWriteDirs: [],
    freeReadDirs: [],
    platform: process.platform,
  };
  return { context, env: { ...env, ...settings.get("env") }, settings, isTrusted: trusted };
};
