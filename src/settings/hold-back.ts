// What the files of a folder may not decide until a person has trusted the folder.
import type { LayerSource } from "./layers.js";
import type { Settings } from "./schema.js";

export interface Grant {
  source: LayerSource;
  file: string;
  /** Dotted path of what is held back. */
  path: string;
  /** One line for the trust dialog. */
  line: string;
}

interface HoldBackOptions {
  source: LayerSource;
  file: string;
  /** Headless: hooks and harmless variables of the folder run; rights, credentials and hosts still wait. */
  isHeadless: boolean;
}

/** Programs of the settings that run by themselves, and what decides about credentials, rights and sources. */
const keysAlwaysHeld = [
  "apiKeyHelper",
  "awsAuthRefresh",
  "awsCredentialExport",
  "gcpAuthRefresh",
  "otelHeadersHelper",
  "extraKnownMarketplaces",
  "enabledPlugins",
  "skipDangerousModePermissionPrompt",
] as const;
const keysHeldOnScreen = [
  "statusLine",
  "fileSuggestion",
  "enableAllProjectMcpServers",
  "enabledMcpjsonServers",
  "mcpServers",
] as const;
const sandboxWidening = [
  "enabled",
  "excludedCommands",
  "allowUnsandboxedCommands",
  "autoAllowBashIfSandboxed",
] as const;

/** Variables that choose hosts, credentials, proxies, code loaded into programs, or our own folders. */
const isDangerousVariable = (name: string): boolean =>
  /^(ANTHROPIC_|CLAUDE_|NODE_|AWS_|GOOGLE_|VERTEX|BEDROCK|LD_|DYLD_|GIT_|SSL_|npm_config_)/i.test(name) ||
  /(_PROXY|_TOKEN|_KEY|_SECRET|_PASSWORD)$/i.test(name) ||
  /^(PATH|HOME|SHELL|BASH_ENV|ENV|IFS|PS4|PROMPT_COMMAND|PYTHONPATH|PYTHONSTARTUP|PERL5OPT|RUBYOPT|EDITOR|PAGER|TMPDIR)$/.test(
    name,
  );

const quote = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 200);

/** The settings of an untrusted folder without what waits for trust, and the list of what waits. */
export const holdBack = (settings: Settings, options: HoldBackOptions): { settings: Settings; held: Grant[] } => {
  const kept = structuredClone(settings) as Record<string, unknown>;
  const held: Grant[] = [];
  const hold = (path: string, line: string) => {
    held.push({ source: options.source, file: options.file, path, line });
  };
  holdPermissions(kept, hold);
  holdEnvironment(kept, hold, options.isHeadless);
  if (!options.isHeadless && kept.hooks) {
    for (const event of Object.keys(kept.hooks))
      hold(`hooks.${event}`, `hook on ${event}: ${hookCommands(kept.hooks, event)}`);
    delete kept.hooks;
  }
  for (const key of options.isHeadless ? keysAlwaysHeld : [...keysAlwaysHeld, ...keysHeldOnScreen]) {
    if (kept[key] === undefined) continue;
    hold(key, `${key}: ${quote(kept[key])}`);
    delete kept[key];
  }
  holdSandbox(kept, hold);
  return { settings: kept as Settings, held };
};

type Hold = (path: string, line: string) => void;

const holdPermissions = (kept: Record<string, unknown>, hold: Hold): void => {
  const permissions = kept.permissions as Record<string, unknown> | undefined;
  if (!permissions) return;
  for (const rule of (permissions.allow as string[] | undefined) ?? []) hold("permissions.allow", `allow ${rule}`);
  for (const rule of (permissions.sandbox as string[] | undefined) ?? [])
    hold("permissions.sandbox", `sandbox ${rule}`);
  for (const folder of (permissions.additionalDirectories as string[] | undefined) ?? [])
    hold("permissions.additionalDirectories", `work in ${folder}`);
  const widens = permissions.defaultMode === "bypassPermissions" || permissions.defaultMode === "acceptEdits";
  if (widens) hold("permissions.defaultMode", `start in mode ${permissions.defaultMode}`);
  delete permissions.allow;
  delete permissions.sandbox;
  delete permissions.additionalDirectories;
  if (widens) delete permissions.defaultMode;
};

const holdEnvironment = (kept: Record<string, unknown>, hold: Hold, isHeadless: boolean): void => {
  const env = kept.env as Record<string, string> | undefined;
  if (!env) return;
  for (const name of Object.keys(env)) {
    if (isHeadless && !isDangerousVariable(name)) continue;
    hold(`env.${name}`, `environment ${name}=${quote(env[name])}`);
    delete env[name];
  }
};

const holdSandbox = (kept: Record<string, unknown>, hold: Hold): void => {
  const sandbox = kept.sandbox as Record<string, unknown> | undefined;
  if (!sandbox) return;
  for (const key of sandboxWidening) {
    if (sandbox[key] === undefined || (key === "enabled" && sandbox[key] === true)) continue;
    hold(`sandbox.${key}`, `sandbox ${key}: ${quote(sandbox[key])}`);
    delete sandbox[key];
  }
  for (const [group, keys] of [
    ["filesystem", ["allowWrite", "allowRead", "disabled"]],
    ["network", ["allowedDomains", "allowUnixSockets", "allowAllUnixSockets", "allowLocalBinding", "httpProxyPort"]],
  ] as const) {
    const members = sandbox[group] as Record<string, unknown> | undefined;
    for (const key of keys) {
      if (members?.[key] === undefined) continue;
      hold(`sandbox.${group}.${key}`, `sandbox ${group}.${key}: ${quote(members[key])}`);
      delete members[key];
    }
  }
};

const hookCommands = (hooks: unknown, event: string): string => {
  const groups = (hooks as Record<string, { hooks: Record<string, unknown>[] }[]>)[event] ?? [];
  const handlers = groups.flatMap((group) => group.hooks);
  return handlers.map((handler) => quote(handler.command ?? handler.url ?? handler.prompt ?? handler.type)).join(" · ");
};
