// Shapes of permissions that cross the engine/UI border.
import { z } from "zod";

export const permissionMode = z.enum(["default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"]);
export type PermissionMode = z.infer<typeof permissionMode>;

export const ruleSource = z.enum([
  "managed",
  "user",
  "project",
  "local",
  "flagSettings",
  "cliArg",
  "command",
  "session",
]);
export type RuleSource = z.infer<typeof ruleSource>;

/** One reason of a decision. `rule` names the rule text, `source` where it came from, `check` the id of a safety check. */
export const decisionReason = z.object({
  kind: z.enum(["rule", "mode", "check", "path", "readOnly", "hook", "tool", "sandbox", "classifier"]),
  text: z.string(),
  rule: z.string().optional(),
  source: ruleSource.optional(),
  check: z.string().optional(),
});
export type DecisionReason = z.infer<typeof decisionReason>;

export const ruleDestination = z.enum(["session", "localSettings", "projectSettings", "userSettings", "cliArg"]);
export type RuleDestination = z.infer<typeof ruleDestination>;

const toolRule = z.object({ toolName: z.string(), ruleContent: z.string().optional() });
export const permissionUpdate = z.discriminatedUnion("type", [
  z.object({
    type: z.enum(["addRules", "replaceRules", "removeRules"]),
    rules: z.array(toolRule),
    behavior: z.enum(["allow", "deny", "ask"]),
    destination: ruleDestination,
  }),
  z.object({ type: z.literal("setMode"), mode: permissionMode, destination: ruleDestination }),
  z.object({
    type: z.enum(["addDirectories", "removeDirectories"]),
    directories: z.array(z.string()),
    destination: ruleDestination,
  }),
]);
export type PermissionUpdate = z.infer<typeof permissionUpdate>;

/** A "don't ask again" offer: the label says exactly what `updates` would cover. */
export const suggestion = z.object({ label: z.string(), updates: z.array(permissionUpdate) });
export type Suggestion = z.infer<typeof suggestion>;
