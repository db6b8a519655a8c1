// The ordered list of providers, and which of them serves a model.
import type { Clock } from "../platform/clock.js";
import { proxyFor } from "../platform/http/proxy.js";
import type { Env } from "../platform/paths.js";
import { type AnthropicOptions, createAnthropic, defaultBaseUrl } from "./anthropic.js";
import { cachingFor, parseCustomHeaders } from "./anthropic-body.js";
import { offlineModel } from "./models.js";
import { createOffline } from "./offline/offline.js";
import type { Provider } from "./provider.js";

export interface ProviderOptions {
  /** Resolved model id. */
  model: string;
  env: Env;
  /** Version of the product, for the user agent. */
  version: string;
  credentials: NonNullable<AnthropicOptions["credentials"]>;
  renewCredentials?: AnthropicOptions["renewCredentials"];
  /** From `--betas`, added to those of ANTHROPIC_BETAS. */
  betas?: readonly string[];
  userId?: string;
  fetch?: typeof globalThis.fetch;
  clock?: Clock;
}

const product = "claude-terminal-agent";

interface ProviderRow {
  id: string;
  serves(model: string): boolean;
  create(options: ProviderOptions): Provider;
}

const numberFrom = (text: string | undefined): number | undefined => {
  const value = Number(text);
  return text && Number.isFinite(value) && value >= 0 ? value : undefined;
};

const isOn = (text: string | undefined): boolean => /^(1|true|yes|on)$/i.test(text ?? "");

const extraBodyFrom = (text: string | undefined): Record<string, unknown> | undefined => {
  if (!text) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined;
  } catch {
    return undefined; // not JSON: as if it were not set
  }
};

const proxyHostFor = (baseUrl: string, env: Env): string | undefined => {
  const proxy = URL.canParse(baseUrl) ? proxyFor(new URL(baseUrl), env) : undefined;
  return proxy !== undefined && URL.canParse(proxy) ? new URL(proxy).host : undefined; // never its password
};

const anthropicFromEnv = ({ env, betas = [], ...options }: ProviderOptions): Provider =>
  createAnthropic({
    credentials: options.credentials,
    renewCredentials: options.renewCredentials,
    baseUrl: env.ANTHROPIC_BASE_URL || undefined,
    customHeaders: parseCustomHeaders(env.ANTHROPIC_CUSTOM_HEADERS),
    betas: [...(env.ANTHROPIC_BETAS ?? "").split(","), ...betas],
    experimentalBetas: !isOn(env.CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS),
    timeoutMs: numberFrom(env.API_TIMEOUT_MS),
    idleTimeoutMs: numberFrom(env.CLAUDE_STREAM_IDLE_TIMEOUT_MS),
    userAgent: `${product}/${options.version}`,
    caching: (model) => cachingFor(env, model),
    userId: options.userId,
    extraBody: extraBodyFrom(env.CLAUDE_CODE_EXTRA_BODY),
    fetch: options.fetch,
    proxyHost: proxyHostFor(env.ANTHROPIC_BASE_URL || defaultBaseUrl, env),
  });

/** The first row that serves a model makes its provider. */
export const providers: readonly ProviderRow[] = [
  {
    id: "offline",
    serves: (model) => model === offlineModel,
    create: ({ env, clock }) => createOffline({ delayMs: numberFrom(env.CLAUDE_OFFLINE_DELAY_MS), clock }),
  },
  { id: "anthropic", serves: () => true, create: anthropicFromEnv },
];

/** The provider of a model. It connects, and loads its SDK, at the first call only. */
export const createProvider = (options: ProviderOptions): Provider => {
  const row = providers.find(({ serves }) => serves(options.model));
  if (!row) throw new Error(`No provider serves ${options.model}`);
  return row.create(options);
};
