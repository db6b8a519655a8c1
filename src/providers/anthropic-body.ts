// Builds the body and headers of one Messages API request from our neutral request: pure, byte-stable for the same input.
import type { Env } from "../platform/paths.js";
import type { CacheControl, ModelRequest } from "./provider.js";

const longContextSuffix = /\[1m\]$/i;
const longContextBeta = "context-1m-2025-08-07";
const interleavedBeta = "interleaved-thinking-2025-05-14";

export type Caching = "5m" | "1h" | "off";

/** How prompts are cached, from DISABLE_PROMPT_CACHING[_FAMILY], FORCE_PROMPT_CACHING_5M and ENABLE_PROMPT_CACHING_1H. */
export const cachingFor = (env: Env, model: string): Caching => {
  const isOn = (name: string): boolean => /^(1|true|yes|on)$/i.test(env[name] ?? "");
  const family = /(fable|opus|sonnet|haiku)/.exec(model)?.[1];
  if (isOn("DISABLE_PROMPT_CACHING") || (family && isOn(`DISABLE_PROMPT_CACHING_${family.toUpperCase()}`)))
    return "off";
  return isOn("ENABLE_PROMPT_CACHING_1H") && !isOn("FORCE_PROMPT_CACHING_5M") ? "1h" : "5m";
};

/** ANTHROPIC_CUSTOM_HEADERS: one `Name: Value` a line. Lines without a colon are ignored. */
export const parseCustomHeaders = (text: string | undefined): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const line of (text ?? "").split(/\r?\n/)) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).trim();
    if (colon > 0 && name) headers[name] = line.slice(colon + 1).trim();
  }
  return headers;
};

/** Strings without lone surrogates (the API refuses them); everything well-formed keeps its identity. */
export const wellFormed = <T>(value: T): T => {
  if (typeof value === "string") return (value.isWellFormed() ? value : value.toWellFormed()) as T;
  if (Array.isArray(value)) {
    const items = value.map(wellFormed);
    return items.some((item, index) => item !== value[index]) ? (items as T) : value;
  }
  if (typeof value !== "object" || value === null) return value;
  let changed: Record<string, unknown> | undefined;
  for (const [key, item] of Object.entries(value)) {
    const clean = wellFormed(item);
    if (clean === item) continue;
    changed ??= { ...value } as Record<string, unknown>;
    changed[key] = clean;
  }
  return (changed as T | undefined) ?? value;
};

type Marked = { cache_control?: CacheControl };

const remark = <T extends object>(block: T, caching: Caching): T => {
  const mark = (block as Marked).cache_control;
  if (!mark || caching === "5m") return block;
  const { cache_control: _, ...rest } = block as T & Marked;
  return (caching === "off" ? rest : { ...rest, cache_control: { ttl: "1h", ...mark } }) as T;
};

const remarkMessages = (messages: ModelRequest["messages"], caching: Caching): ModelRequest["messages"] =>
  caching === "5m"
    ? messages
    : messages.map((message) =>
        typeof message.content === "string"
          ? message
          : { ...message, content: message.content.map((block) => remark(block, caching)) },
      );

export interface BodyOptions {
  caching: Caching;
  /** `metadata.user_id`: an opaque id, never a name or address. */
  userId?: string;
  /** CLAUDE_CODE_EXTRA_BODY: fields that are added to, or win over, ours. */
  extraBody?: Readonly<Record<string, unknown>>;
}

/** The JSON body of POST /v1/messages. */
export const buildBody = (request: ModelRequest, options: BodyOptions): Record<string, unknown> => {
  const { caching, userId, extraBody } = options;
  const system = request.system.filter(({ text }) => text !== "").map((block) => remark(block, caching));
  const tools = [...request.tools.map((tool) => remark(tool, caching)), ...(request.serverTools ?? [])];
  return wellFormed({
    model: request.model.replace(longContextSuffix, ""),
    max_tokens: request.maxTokens,
    ...(system.length > 0 && { system }),
    messages: remarkMessages(request.messages, caching),
    ...(tools.length > 0 && { tools }),
    ...(request.thinking && { thinking: request.thinking }),
    ...(request.effort && { output_config: { effort: request.effort } }),
    ...(userId && { metadata: { user_id: userId } }),
    stream: true,
    ...extraBody,
  });
};

/** The beta names a request needs, wanted ones first, each once. */
export const betasOf = (request: ModelRequest, wanted: readonly string[], experimental: boolean): string[] => {
  const needed = [...wanted];
  if (longContextSuffix.test(request.model)) needed.push(longContextBeta);
  if (experimental && request.thinking?.type === "enabled") needed.push(interleavedBeta);
  return [...new Set(needed.map((name) => name.trim()).filter(Boolean))];
};
