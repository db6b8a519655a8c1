// One entry of a server list: its shape, the variables in it, and what is wrong with it.
import { z } from "zod";
import type { Env } from "../platform/paths.js";

interface CommonConfig {
  /** Of its tool calls. */
  timeoutMs?: number;
  /** Its tools are never left to be searched for, and the first request waits for it. */
  isAlwaysLoaded: boolean;
}

export interface StdioConfig extends CommonConfig {
  type: "stdio";
  command: string;
  args: string[];
  env: Record<string, string>;
}

export interface OAuthConfig {
  clientId?: string;
  callbackPort?: number;
  authServerMetadataUrl?: string;
  scopes?: string;
}

export interface RemoteConfig extends CommonConfig {
  type: "http" | "sse";
  url: string;
  headers: Record<string, string>;
  /** A command that prints more headers as a JSON object. */
  headersHelper?: string;
  oauth: OAuthConfig;
}

export type ServerConfig = StdioConfig | RemoteConfig;

const texts = z.record(z.string(), z.string());
const common = { timeout: z.number().min(1000).optional(), alwaysLoad: z.boolean().optional() };
const stdio = z.looseObject({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: texts.default({}),
  ...common,
});
const scopes = z.union([z.string(), z.array(z.string()).transform((list) => list.join(" "))]);
const remote = z.looseObject({
  url: z.string().min(1),
  headers: texts.default({}),
  headersHelper: z.string().optional(),
  oauth: z
    .looseObject({
      clientId: z.string().optional(),
      callbackPort: z.number().int().min(1).max(65_535).optional(),
      authServerMetadataUrl: z.string().optional(),
      scopes: scopes.optional(),
    })
    .default({}),
  ...common,
});

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** Replaces `${NAME}` and `${NAME:-default}`; names that are unset and have no default are collected in `missing`. */
export const expandVariables = (text: string, env: Env, missing: Set<string>): string =>
  text.replace(variable, (whole, name: string, fallback: string | undefined) => {
    const value = env[name] ?? fallback;
    if (value === undefined) missing.add(name);
    return value ?? whole;
  });

/** The names of the variables that an entry would have filled in. */
export const variablesIn = (raw: unknown): string[] => [
  ...new Set([...(JSON.stringify(raw) ?? "").matchAll(variable)].map(([, name]) => name ?? "")),
];

const types = new Map<string, "stdio" | "http" | "sse">([
  ["stdio", "stdio"],
  ["http", "http"],
  ["streamable-http", "http"],
  ["sse", "sse"],
]);

const firstProblem = (error: z.ZodError): string => {
  const [issue] = error.issues;
  const at = issue && issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
  return `${at}${issue?.message ?? "it has the wrong shape"}`;
};

const typeOf = (raw: Record<string, unknown>): "stdio" | "http" | "sse" | { problem: string } => {
  if (raw.type === undefined)
    return raw.url === undefined || raw.command !== undefined
      ? "stdio"
      : { problem: 'it has a url but no type: add "type": "http" (or "sse")' };
  const type = typeof raw.type === "string" ? types.get(raw.type) : undefined;
  return type ?? { problem: `its type ${JSON.stringify(raw.type)} is not known here: use stdio, http or sse` };
};

/** The configuration behind an entry, its variables filled in; or what is wrong with it, for the person. */
export const parseServer = (raw: unknown, env: Env): ServerConfig | { problem: string } => {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return { problem: "it must be a JSON object" };
  const type = typeOf(raw as Record<string, unknown>);
  if (typeof type !== "string") return type;
  const missing = new Set<string>();
  const fill = (text: string): string => expandVariables(text, env, missing);
  const fillAll = (map: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(map).map(([key, value]) => [key, fill(value)]));
  const finish = <T extends ServerConfig>(config: T): T | { problem: string } =>
    missing.size === 0
      ? config
      : { problem: `the variable ${[...missing].join(", ")} is not set: set it, or give a default as \${NAME:-value}` };
  if (type === "stdio") {
    const parsed = stdio.safeParse(raw);
    if (!parsed.success) return { problem: firstProblem(parsed.error) };
    const { command, args, env: own, timeout, alwaysLoad } = parsed.data;
    return finish({
      type,
      command: fill(command),
      args: args.map(fill),
      env: fillAll(own),
      timeoutMs: timeout,
      isAlwaysLoaded: alwaysLoad === true,
    });
  }
  const parsed = remote.safeParse(raw);
  if (!parsed.success) return { problem: firstProblem(parsed.error) };
  const { url, headers, headersHelper, oauth, timeout, alwaysLoad } = parsed.data;
  const address = fill(url);
  if (missing.size === 0 && !/^https?:\/\//i.test(address)) return { problem: `its url ${address} is no http address` };
  if (missing.size === 0 && !URL.canParse(address)) return { problem: `its url ${address} is no address` };
  const isAlwaysLoaded = alwaysLoad === true;
  return finish({
    type,
    url: address,
    headers: fillAll(headers),
    headersHelper,
    oauth,
    timeoutMs: timeout,
    isAlwaysLoaded,
  });
};

/** One line that says what a server runs or asks, for lists and dialogs. Values of headers and variables stay out. */
export const serverTarget = (config: ServerConfig): string =>
  config.type === "stdio" ? [config.command, ...config.args].join(" ") : config.url;
