// Drops the bad entries of one settings file and reports each; everything else stays in force.
import { nearest } from "../lib/nearest.js";
import type { FoundLayer, LayerSource, SettingsProblem } from "./layers.js";
import { parseRuleText } from "./rule-text.js";
import type { SettingScope } from "./schema/entry.js";
import { hookEvents } from "./schema/hooks.js";
import { isKnownKey, knownMembers, type Settings, settingNames, settingOf } from "./schema.js";

type Path = (string | number)[];
type Report = (path: readonly PropertyKey[], message: string) => void;

const allowedSources: Record<SettingScope, readonly LayerSource[]> = {
  any: ["managed", "flagSettings", "local", "project", "user"],
  um: ["managed", "flagSettings", "user"],
  ulm: ["managed", "flagSettings", "local", "user"],
  m: ["managed"],
};

const behaviors = ["allow", "ask", "deny", "sandbox"] as const;
const mapForm = 'write rules as lists, for example "permissions": { "allow": ["Bash(git log *)"] }';

/** Removes what stands at a path; when nothing stands there (a missing member), removes its owner. */
const removeAt = (root: { value: unknown }, path: Path): void => {
  let owner: unknown = root;
  let key: string | number = "value";
  for (const step of path) {
    const next: unknown = (owner as Record<string | number, unknown>)[key];
    if (typeof next !== "object" || next === null || !Object.hasOwn(next, step)) break;
    owner = next;
    key = step;
  }
  if (Array.isArray(owner)) owner.splice(Number(key), 1);
  else delete (owner as Record<string | number, unknown>)[key];
};

const maxRepairs = 200; // a file with more bad entries in one key loses that key

/** What of a value the schema accepts. */
const repair = (key: string, raw: unknown, report: Report): unknown => {
  const schema = settingOf(key)?.schema;
  if (!schema) return raw;
  const box = { value: structuredClone(raw) };
  for (let tries = 0; tries < maxRepairs; tries++) {
    if (box.value === undefined) return undefined;
    const result = schema.safeParse(box.value);
    if (result.success) return result.data;
    // From the end, so that indexes of list entries stay right while entries go.
    for (const issue of result.error.issues.slice().reverse()) {
      report([key, ...issue.path], issue.message);
      removeAt(box, issue.path as Path);
    }
  }
  return undefined;
};

const checkMembers = (key: string, value: unknown, report: Report): void => {
  const known = knownMembers(key);
  if (!known || typeof value !== "object" || value === null || Array.isArray(value)) return;
  for (const [member, entry] of Object.entries(value)) {
    if (known.includes(member)) continue;
    const isMapForm = key === "permissions" && behaviors.some((behavior) => behavior === entry);
    const guess = nearest(member, known);
    const hint = isMapForm ? mapForm : guess ? `did you mean "${guess}"?` : `known: ${known.join(", ")}`;
    report([key, member], `unknown key, it has no effect; ${hint}`);
  }
};

/** A rule list written as one text counts as a list of one: a deny must not get lost over its brackets. */
const listsOf = (permissions: Record<string, unknown>, report: Report): Record<string, unknown> => {
  const copy = { ...permissions };
  for (const behavior of behaviors) {
    const rules = copy[behavior];
    if (typeof rules !== "string") continue;
    report(["permissions", behavior], "must be a list; taken as a list of one");
    copy[behavior] = [rules];
  }
  return copy;
};

const checkRules = (permissions: Record<string, unknown>, report: Report): void => {
  for (const behavior of behaviors) {
    const rules = permissions[behavior];
    if (!Array.isArray(rules)) continue;
    rules.forEach((rule, index) => {
      const parsed = typeof rule === "string" ? parseRuleText(rule) : undefined;
      if (typeof parsed === "string") report(["permissions", behavior, index], `${parsed}; dropped`);
    });
  }
};

const knownEvents: readonly string[] = hookEvents;

const dropUnknownEvents = (hooks: object, report: Report): Record<string, unknown> => {
  const kept = Object.entries(hooks).filter(([event]) => {
    if (knownEvents.includes(event)) return true;
    const guess = nearest(event, knownEvents);
    report(["hooks", event], `unknown event, dropped${guess ? `; did you mean "${guess}"?` : ""}`);
    return false;
  });
  return Object.fromEntries(kept);
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The valid part of one layer, and what was wrong with the rest. */
export const validateLayer = (layer: FoundLayer): { settings: Settings; problems: SettingsProblem[] } => {
  const problems: SettingsProblem[] = [];
  const { parsed, file, source } = layer;
  if (!parsed) return { settings: {}, problems };
  const report: Report = (path, message) => {
    const steps = path.map((step) => (typeof step === "number" ? step : String(step)));
    const position = parsed.positionOf(steps) ?? parsed.positionOf(steps.slice(0, -1));
    problems.push({ file, ...position, path: steps.join("."), message });
  };
  for (const { path, position } of parsed.duplicates)
    problems.push({
      file,
      ...position,
      path: path.join("."),
      message: "written twice; lists are joined, else the last counts",
    });
  const settings: Record<string, unknown> = {};
  for (const [key, raw] of Object.entries(parsed.value)) {
    const entry = settingOf(key);
    if (!entry) {
      if (isKnownKey(key)) continue;
      const guess = nearest(key, settingNames());
      report([key], `unknown key, it has no effect${guess ? `; did you mean "${guess}"?` : ""}`);
      continue;
    }
    if (!allowedSources[entry.scope].includes(source)) {
      report([key], `may not be set in ${source} settings`);
      continue;
    }
    let value = raw;
    if (key === "permissions" && isObject(value)) value = listsOf(value, report);
    if (key === "hooks" && isObject(value)) value = dropUnknownEvents(value, report);
    checkMembers(key, value, report);
    const repaired = repair(key, value, report);
    if (key === "permissions" && isObject(repaired)) checkRules(repaired, report);
    if (repaired !== undefined) settings[key] = repaired;
  }
  return { settings: settings as Settings, problems };
};
