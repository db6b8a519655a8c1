// Every setting in one table: defaults, documentation, the merged type and the JSON Schema come from it.
import { z } from "zod";
import { contextSettings } from "./schema/context.js";
import type { Setting } from "./schema/entry.js";
import { extensionSettings, otherKnownKeys, sessionSettings } from "./schema/extensions.js";
import { gitSettings, interfaceSettings } from "./schema/interface.js";
import { modelSettings } from "./schema/model.js";
import { permissionSettings, permissionShape, sandboxShape } from "./schema/permissions.js";

export const settingsTable = {
  ...modelSettings,
  ...permissionSettings,
  ...contextSettings,
  ...interfaceSettings,
  ...gitSettings,
  ...extensionSettings,
  ...sessionSettings,
};

export type SettingKey = keyof typeof settingsTable;
export type Settings = { [K in SettingKey]?: z.infer<(typeof settingsTable)[K]["schema"]> };

/** The entry of a key that may come from a file; undefined when the key is unknown. */
export const settingOf = (key: string): Setting | undefined =>
  Object.hasOwn(settingsTable, key) ? settingsTable[key as SettingKey] : undefined;

/** Whether a top-level key means something, here or in another build. */
export const isKnownKey = (key: string): boolean => settingOf(key) !== undefined || otherKnownKeys.has(key);

/** Known names below a key whose members are fixed; undefined where any name is fine. */
export const knownMembers = (key: string): readonly string[] | undefined => {
  if (key === "permissions") return Object.keys(permissionShape);
  if (key === "sandbox") return Object.keys(sandboxShape);
  return undefined;
};

export const settingNames = (): string[] => [...Object.keys(settingsTable), ...otherKnownKeys];

/** The value of a key, or its default. */
export const settingValue = <K extends SettingKey>(settings: Settings, key: K): Settings[K] =>
  settings[key] ?? (settingsTable[key].default as Settings[K]);

/** JSON Schema of a settings file, for editors. */
export const settingsJsonSchema = (): Record<string, unknown> => {
  const properties: Record<string, unknown> = { $schema: { type: "string" } };
  for (const [key, { schema, doc, default: fallback }] of Object.entries(settingsTable) as [string, Setting][]) {
    const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    properties[key] = { ...shape, description: doc, ...(fallback === undefined ? {} : { default: fallback }) };
  }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Settings",
    type: "object",
    properties,
    additionalProperties: true,
  };
};
