// Loads and merges the settings of a session: files, rules with their places, problems, and where each value came from.
import { type Grant, holdBack } from "./hold-back.js";
import { readLastGood, rememberLastGood } from "./last-good.js";
import { type FoundLayer, type LayerOptions, type LayerSource, readLayers, type SettingsProblem } from "./layers.js";
import { mergeSettings, valueAt } from "./merge.js";
import { parseRuleText } from "./rule-text.js";
import { type SettingKey, type Settings, settingValue } from "./schema.js";
import { validateLayer } from "./validate.js";

export type RuleBehavior = "allow" | "deny" | "ask" | "sandbox";

/** One permission rule of a settings file; the shape that the decision takes. */
export interface SettingsRule {
  text: string;
  tool: string;
  content?: string;
  behavior: RuleBehavior;
  source: LayerSource;
  root: string;
  file: string;
  line?: number;
}

export interface SettingsLayer {
  source: LayerSource;
  file: string;
  exists: boolean;
  /** The valid entries that are in force, after what waits for trust was taken out. */
  settings: Settings;
  /** The file's content as parsed. */
  raw: Record<string, unknown>;
}

export interface Provenance {
  source: LayerSource;
  file: string;
  line?: number;
  value: unknown;
}

export interface LoadedSettings {
  /** Merged, without defaults. */
  settings: Settings;
  /** The merged value or the setting's default. */
  get<K extends SettingKey>(key: K): Settings[K];
  /** Strongest first; files that do not exist are listed too. */
  layers: SettingsLayer[];
  rules: SettingsRule[];
  problems: SettingsProblem[];
  /** What an untrusted folder would have granted. */
  held: Grant[];
  /** Who sets a dotted key, strongest first. */
  provenance(key: string): Provenance[];
}

export interface LoadOptions extends Omit<LayerOptions, "flagSettings"> {
  env: Readonly<Record<string, string | undefined>>;
  /** `--settings`. */
  flags?: { settings?: string };
  isTrusted: boolean;
  /** Nobody can be asked: hooks and harmless variables of an untrusted folder are in force (`CLAUDE_REQUIRE_TRUST=1` ends that). */
  isHeadless?: boolean;
}

const behaviors = ["deny", "ask", "sandbox", "allow"] as const;

type StrictLists = Partial<Record<RuleBehavior, readonly string[]>>;

const rulesOf = (layer: FoundLayer, lists: StrictLists): SettingsRule[] =>
  behaviors.flatMap((behavior) =>
    (lists[behavior] ?? []).flatMap((text) => {
      const parsed = parseRuleText(text);
      if (typeof parsed === "string") return [];
      const line = lineOfRule(layer, behavior, text);
      const { source, root, file } = layer;
      return [{ text, ...parsed, behavior, source, root, file, ...(line ? { line } : {}) }];
    }),
  );

const lineOfRule = (layer: FoundLayer, behavior: RuleBehavior, text: string): number | undefined => {
  const permissions = layer.parsed?.value.permissions as Record<string, unknown> | undefined;
  const list = permissions?.[behavior];
  const index = Array.isArray(list) ? list.indexOf(text) : -1;
  const path = ["permissions", behavior, ...(index === -1 ? [] : [index])];
  return layer.parsed?.positionOf(path)?.line;
};

interface ReadyLayer {
  found: FoundLayer;
  settings: Settings;
  rules: SettingsRule[];
  problems: SettingsProblem[];
  held: Grant[];
}

const prepare = async (found: FoundLayer, isBroken: boolean, options: LoadOptions): Promise<ReadyLayer> => {
  const isFile = found.file !== "--settings";
  if (isBroken) {
    const strict = isFile ? await readLastGood(options.configDir, found.file) : { deny: [], ask: [] };
    return { found, settings: {}, rules: rulesOf(found, strict), problems: [], held: [] };
  }
  const { settings: valid, problems } = validateLayer(found);
  const { deny = [], ask = [] } = valid.permissions ?? {};
  if (isFile && found.parsed) await rememberLastGood(options.configDir, found.file, { deny, ask });
  const isOfFolder = found.source === "project" || found.source === "local";
  const settings = isOfFolder ? withoutFixedLimits(valid) : valid;
  if (!isOfFolder || options.isTrusted)
    return { found, settings, rules: rulesOf(found, settings.permissions ?? {}), problems, held: [] };
  const isHeadless = options.isHeadless === true && options.env.CLAUDE_REQUIRE_TRUST !== "1";
  const waiting = holdBack(settings, { source: found.source, file: found.file, isHeadless });
  return { found, ...waiting, rules: rulesOf(found, waiting.settings.permissions ?? {}), problems };
};

/** What a folder never decides, trusted or not: the auto mode and the place of our own files. */
const withoutFixedLimits = (settings: Settings): Settings => {
  const copy = structuredClone(settings);
  if (copy.permissions?.defaultMode === "auto") delete copy.permissions.defaultMode;
  if (copy.env) delete copy.env.CLAUDE_CONFIG_DIR;
  return copy;
};

/** An empty file is a loss only when it once held strict rules. */
const isHarmlesslyEmpty = async (problem: SettingsProblem, configDir: string): Promise<boolean> => {
  if (problem.message !== "is empty") return false;
  const { deny, ask } = await readLastGood(configDir, problem.file);
  return deny.length + ask.length === 0;
};

/** Loads every layer. Never throws for what stands in a file: that becomes a problem. */
export const loadSettings = async (options: LoadOptions): Promise<LoadedSettings> => {
  const { layers, problems } = await readLayers({ ...options, flagSettings: options.flags?.settings });
  const broken = new Set<string>();
  for (const problem of problems) {
    if (await isHarmlesslyEmpty(problem, options.configDir)) problem.fatal = false;
    else broken.add(problem.file);
  }
  const ready = await Promise.all(layers.map((layer) => prepare(layer, broken.has(layer.file), options)));
  const settings = mergeSettings(ready.map(({ found, settings }) => ({ source: found.source, settings })));
  return {
    settings,
    get: (key) => settingValue(settings, key),
    layers: ready.map(({ found, settings }) => ({
      source: found.source,
      file: found.file,
      exists: found.parsed !== undefined || broken.has(found.file),
      settings,
      raw: found.parsed?.value ?? {},
    })),
    rules: onlyManaged(ready),
    problems: [...problems, ...ready.flatMap(({ problems }) => problems)],
    held: ready.flatMap(({ held }) => held),
    provenance: (key) => provenanceOf(ready, key),
  };
};

/** All rules; under `allowManagedPermissionRulesOnly` other files only keep what restricts. */
const onlyManaged = (ready: readonly ReadyLayer[]): SettingsRule[] => {
  const isLocked = ready.some(
    ({ found, settings }) => found.source === "managed" && settings.allowManagedPermissionRulesOnly,
  );
  const rules = ready.flatMap((layer) => layer.rules);
  return isLocked ? rules.filter(({ source, behavior }) => source === "managed" || behavior !== "allow") : rules;
};

const provenanceOf = (ready: readonly ReadyLayer[], key: string): Provenance[] =>
  ready.flatMap(({ found, settings }) => {
    const value = valueAt(settings, key);
    if (value === undefined) return [];
    const line = found.parsed?.positionOf(key.split("."))?.line;
    return [{ source: found.source, file: found.file, value, ...(line ? { line } : {}) }];
  });
