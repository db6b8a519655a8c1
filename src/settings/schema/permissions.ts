// Settings of permissions, modes and the sandbox.
import { z } from "zod";
import { flag, setting, texts } from "./entry.js";

const modeName = z.enum(["default", "manual", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"]);
const proseLists = z.looseObject({
  environment: texts.optional(),
  allow: texts.optional(),
  soft_deny: texts.optional(),
  hard_deny: texts.optional(),
  classifyAllShell: flag.optional(),
});
const credential = z.looseObject({
  path: z.string().optional(),
  name: z.string().optional(),
  mode: z.enum(["deny", "mask"]),
});

export const permissionShape = {
  allow: texts.optional(),
  ask: texts.optional(),
  deny: texts.optional(),
  sandbox: texts.optional(),
  additionalDirectories: texts.optional(),
  defaultMode: modeName.optional(),
  disableBypassPermissionsMode: z.literal("disable").optional(),
  disableAutoMode: z.literal("disable").optional(),
};

export const sandboxShape = {
  enabled: flag.optional(),
  failIfUnavailable: flag.optional(),
  autoAllowBashIfSandboxed: flag.optional(),
  allowUnsandboxedCommands: flag.optional(),
  excludedCommands: texts.optional(),
  filesystem: z
    .looseObject({
      allowWrite: texts.optional(),
      denyWrite: texts.optional(),
      denyRead: texts.optional(),
      allowRead: texts.optional(),
      disabled: flag.optional(),
    })
    .optional(),
  network: z.looseObject({ allowedDomains: texts.optional(), deniedDomains: texts.optional() }).optional(),
  credentials: z
    .looseObject({ files: z.array(credential).optional(), envVars: z.array(credential).optional() })
    .optional(),
  ignoreViolations: z.unknown().optional(),
  enableWeakerNestedSandbox: flag.optional(),
  enableWeakerNetworkIsolation: flag.optional(),
  allowAppleEvents: z.unknown().optional(),
  ripgrep: z.unknown().optional(),
  bwrapPath: z.string().optional(),
  socatPath: z.string().optional(),
};

export const permissionSettings = {
  permissions: setting(
    z.looseObject(permissionShape),
    undefined,
    "Rules (allow, ask, deny, sandbox), further working folders and the starting mode.",
  ),
  disableAutoMode: setting(z.literal("disable"), undefined, "Takes the auto mode away."),
  skipDangerousModePermissionPrompt: setting(flag, false, "The warning of the bypass mode was accepted.", "ulm"),
  skipAutoPermissionPrompt: setting(flag, false, "The notice of the auto mode was accepted.", "um"),
  autoMode: setting(proseLists, undefined, "What the classifier of the auto mode is told, as lists of prose.", "um"),
  allowManagedPermissionRulesOnly: setting(flag, undefined, "Only managed permission rules count.", "m"),
  sandbox: setting(z.looseObject(sandboxShape), undefined, "The sandbox that shell commands run in."),
};
