// Rules as the permissions dialog adds and deletes them: text to update and back, and the list afterwards.
import type { PermissionUpdate, RuleDestination, RuleSource } from "../../src/protocol/permission.js";
import type { Picker } from "../../src/protocol/pickers.js";

export type PermissionsData = Extract<Picker, { kind: "permissions" }>;
type RuleRow = PermissionsData["rules"][number];
type Behavior = RuleRow["behavior"];

/** Where a new rule may be kept, in the order of the choice. */
export const destinations: readonly { id: RuleDestination; source: RuleSource; label: string; detail: string }[] = [
  { id: "localSettings", source: "local", label: "This project, for me", detail: ".claude/settings.local.json" },
  { id: "projectSettings", source: "project", label: "This project, for all", detail: ".claude/settings.json" },
  { id: "userSettings", source: "user", label: "All my projects", detail: "~/.claude/settings.json" },
  { id: "session", source: "session", label: "This session", detail: "forgotten at the end" },
];

/** A rule's text in its two parts; null when it is no rule. `Bash(npm run *)` → `Bash`, `npm run *`. */
export const parseRule = (text: string): { toolName: string; ruleContent?: string } | null => {
  const match = /^\s*([A-Za-z_][\w-]*)\s*(?:\(([\s\S]*)\))?\s*$/.exec(text);
  if (!match) return null;
  const [, toolName, ruleContent] = match;
  return { toolName: toolName!, ...(ruleContent === undefined || ruleContent === "" ? {} : { ruleContent }) };
};

const update = (
  type: "addRules" | "removeRules",
  rule: string,
  behavior: Behavior,
  destination: RuleDestination,
): PermissionUpdate | null => {
  const parsed = parseRule(rule);
  return parsed ? { type, rules: [parsed], behavior, destination } : null;
};

export interface RuleChange {
  updates: PermissionUpdate[];
  /** The list as it is after the change. */
  data: PermissionsData;
}

/** Adds a rule; null when the text is no rule. */
export const addRule = (
  data: PermissionsData,
  rule: string,
  behavior: Behavior,
  destination: RuleDestination,
): RuleChange | null => {
  const added = update("addRules", rule.trim(), behavior, destination);
  const source = destinations.find(({ id }) => id === destination)?.source;
  if (!added || !source) return null;
  const isKnown = data.rules.some(
    (row) => row.rule === rule.trim() && row.behavior === behavior && row.source === source,
  );
  const rules = isKnown ? data.rules : [...data.rules, { rule: rule.trim(), behavior, source }];
  return { updates: [added], data: { ...data, rules } };
};

/** Deletes a rule; null when its source cannot be changed from here (managed settings, flags). */
export const removeRule = (data: PermissionsData, row: RuleRow): RuleChange | null => {
  const destination = destinations.find(({ source }) => source === row.source)?.id;
  const removed = destination ? update("removeRules", row.rule, row.behavior, destination) : null;
  return removed ? { updates: [removed], data: { ...data, rules: data.rules.filter((one) => one !== row) } } : null;
};
