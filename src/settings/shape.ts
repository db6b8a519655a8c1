// What kind of value a setting takes, and a value from what a person typed.
import { z } from "zod";
import { nearest } from "../lib/nearest.js";
import type { Setting } from "./schema/entry.js";
import { permissionShape } from "./schema/permissions.js";
import { settingOf, settingsTable } from "./schema.js";

/** "choice": one of some values, walked through; "text" and "number": typed; "file": too large for one line. */
export type SettingKind = "choice" | "text" | "number" | "file";

export interface SettingShape {
  kind: SettingKind;
  /** Of a choice, in the order in which they are walked through. */
  values: readonly unknown[];
}

/** Short names for `/config name=value`. */
const shortNames: Readonly<Record<string, string>> = {
  autocompact: "autoCompactEnabled",
  checkpoints: "fileCheckpointingEnabled",
  editor: "editorMode",
  gitignore: "respectGitignore",
  notifchannel: "preferredNotifChannel",
  permissionmode: "permissions.defaultMode",
  progressbar: "terminalProgressBarEnabled",
  reducemotion: "prefersReducedMotion",
  thinking: "alwaysThinkingEnabled",
  tips: "spinnerTipsEnabled",
  turnduration: "showTurnDuration",
};

const modeKey = "permissions.defaultMode";

const entries: Readonly<Record<string, Setting>> = {
  ...(settingsTable as Record<string, Setting>),
  [modeKey]: {
    schema: permissionShape.defaultMode.unwrap(),
    default: "default",
    doc: "Permission mode that sessions start in.",
    scope: "any",
  },
};

const choiceOf = (schema: z.ZodType): readonly unknown[] | undefined => {
  if (schema instanceof z.ZodBoolean) return [true, false];
  if (schema instanceof z.ZodEnum) return schema.options;
  if (schema instanceof z.ZodLiteral) return [...schema.values];
  if (schema instanceof z.ZodUnion) {
    const parts = schema.options as z.ZodType[];
    return parts.flatMap((part) => (part instanceof z.ZodEnum ? (choiceOf(part) ?? []) : []));
  }
  return undefined;
};

/** What kind of value a setting takes. */
export const shapeOf = ({ schema, default: fallback }: Setting): SettingShape => {
  const values = choiceOf(schema) ?? [];
  // Without a default "not set" is a state of its own, which no value brings back.
  if (values.length > 0) return { kind: "choice", values: fallback === undefined ? [...values, undefined] : values };
  if (schema instanceof z.ZodString) return { kind: "text", values };
  if (schema instanceof z.ZodNumber) return { kind: "number", values };
  return { kind: "file", values };
};

/** Every setting a person may change here, by key: of managed ones only the managers decide. */
export const changeable = (): [key: string, setting: Setting][] =>
  Object.entries(entries).filter(([, { scope }]) => scope !== "m");

/** The setting of a name or short name, in any case. Throws an Error for the person. */
export const settingNamed = (name: string): { key: string; setting: Setting } => {
  const wanted = name.trim().toLowerCase();
  const key = Object.keys(entries).find((one) => one.toLowerCase() === wanted) ?? shortNames[wanted];
  const setting = key === undefined ? undefined : entries[key];
  if (key !== undefined && setting) return { key, setting };
  const near = nearest(name, [...Object.keys(entries), ...Object.keys(shortNames)]);
  throw new Error(`There is no setting "${name}"${near ? `. Did you mean ${near}?` : ""} /config lists them.`);
};

const unset = new Set(["", "default", "unset", "null"]);
const truths: Readonly<Record<string, boolean>> = {
  true: true,
  on: true,
  yes: true,
  false: false,
  off: false,
  no: false,
};

/** The value that a person wrote for a setting; undefined takes the setting out of the file. Throws an Error for them. */
export const valueFromText = (key: string, { schema, default: fallback }: Setting, text: string): unknown => {
  const plain = text.trim();
  const { kind, values } = shapeOf({ schema, default: fallback, doc: "", scope: "any" });
  if (kind === "file") throw new Error(`${key} holds more than one value: change it in the settings file.`);
  const word = plain.toLowerCase();
  const isValue =
    (kind === "text" && fallback === word) || values.some((value) => String(value).toLowerCase() === word);
  if (unset.has(word) && !isValue) return undefined;
  const value = typeof values[0] === "boolean" ? truths[word] : kind === "number" ? Number(plain) : plain;
  if (value !== undefined && schema.safeParse(value).success) return value;
  const allowed = values.filter((one) => one !== undefined).map(String);
  throw new Error(
    allowed.length > 0
      ? `${key} cannot be "${plain}". It may be ${allowed.join(", ")}.`
      : `${key} cannot be "${plain}". ${settingOf(key)?.doc ?? ""}`.trim(),
  );
};
