// Merges the layers of settings: the strongest scalar wins, objects merge by key, lists are joined.
import type { Settings } from "./schema.js";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Lists that are taken whole from the strongest layer that has them. */
const wholeLists: ReadonlySet<string> = new Set(["fallbackModel"]);

const joined = (strong: unknown[], weak: unknown[]): unknown[] => {
  const seen = new Set<string>();
  return [...strong, ...weak].filter((entry) => {
    const key = JSON.stringify(entry);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
};

const mergeTwo = (strong: unknown, weak: unknown, key: string): unknown => {
  if (strong === undefined) return weak;
  if (weak === undefined) return strong;
  if (Array.isArray(strong) && Array.isArray(weak)) return wholeLists.has(key) ? strong : joined(strong, weak);
  if (!isObject(strong) || !isObject(weak)) return strong;
  const names = new Set([...Object.keys(strong), ...Object.keys(weak)]);
  return Object.fromEntries([...names].map((name) => [name, mergeTwo(strong[name], weak[name], name)]));
};

/** Merges layers given strongest first. A managed `availableModels` stands alone. */
export const mergeSettings = (layers: readonly { source: string; settings: Settings }[]): Settings => {
  const merged = layers.reduceRight<unknown>((weak, { settings }) => mergeTwo(settings, weak, ""), {}) as Settings;
  const managed = layers.find(({ source, settings }) => source === "managed" && settings.availableModels);
  return managed ? { ...merged, availableModels: managed.settings.availableModels } : merged;
};

/** The value at a dotted path of one layer. */
export const valueAt = (settings: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, step) => (isObject(value) ? value[step] : undefined), settings);
