// The Anthropic Messages API through the official SDK, which is loaded at the first call only.
import type { Anthropic } from "@anthropic-ai/sdk";
import { betasOf, buildBody, type Caching } from "./anthropic-body.js";
import { readAnswer, type SseReader } from "./anthropic-stream.js";
import { abortedFailure, toProviderError } from "./errors.js";
import { type ModelRequest, type ModelStream, type Provider, ProviderError, type StreamEvent } from "./provider.js";

export interface Credentials {
  /** Sent as `x-api-key`. */
  apiKey?: string;
  /** Sent as `Authorization: Bearer`. */
  authToken?: string;
}

export interface AnthropicOptions extends Credentials {
  /** Asked before each call instead of the two fields above: keys that a helper renews. */
  credentials?: () => Promise<Credentials>;
  /** Called when a key was refused: forgets it, so that `credentials` gives a new one. The failed call may then be tried again. */
  renewCredentials?: () => void;
  /** Default https://api.anthropic.com. */
  baseUrl?: string;
  customHeaders?: Readonly<Record<string, string>>;
  betas?: readonly string[];
  /** Betas that we add by ourselves (CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS switches them off). Default true. */
  experimentalBetas?: boolean;
  /** Until the answer's headers are there. Default 600,000 (API_TIMEOUT_MS). */
  timeoutMs?: number;
  /** Longest silence inside an answer. Default 90,000 (CLAUDE_STREAM_IDLE_TIMEOUT_MS). */
  idleTimeoutMs?: number;
  /** Product token and version. */
  userAgent: string;
  caching?: (model: string) => Caching;
  userId?: string;
  extraBody?: Readonly<Record<string, unknown>>;
  fetch?: typeof globalThis.fetch;
  /** Host of the proxy on the way, for texts. */
  proxyHost?: string;
}

/** Where the API is when nothing else is said. */
export const defaultBaseUrl = "https://api.anthropic.com";
const apiVersion = "2023-06-01"; // the version whose shapes this code reads (spec/cli section 10)
const defaultTimeoutMs = 600_000;
const defaultIdleTimeoutMs = 90_000;

const loadSdk = async () => {
  const [{ Anthropic: Client }, { Stream }] = await Promise.all([
    import("@anthropic-ai/sdk"),
    import("@anthropic-ai/sdk/core/streaming"),
  ]);
  const readSse: SseReader = (response, controller) => Stream.rawEvents(response, controller);
  return { Client, readSse };
};
let sdk: ReturnType<typeof loadSdk> | undefined;

const hostOf = (baseUrl: string): string => {
  try {
    return new URL(baseUrl).host;
  } catch {
    throw new ProviderError(`ANTHROPIC_BASE_URL is not a URL: ${baseUrl}`, {
      kind: "invalid_request",
      retryable: false,
    });
  }
};

const newClient = (
  Client: typeof Anthropic,
  options: AnthropicOptions,
  { apiKey, authToken }: Credentials,
): Anthropic => {
  const hasOwnAuth = Object.keys(options.customHeaders ?? {}).some((name) => /^(authorization|x-api-key)$/i.test(name));
  if (!apiKey && !authToken && !hasOwnAuth) {
    throw new ProviderError("No credentials: set ANTHROPIC_API_KEY or store a key with /login.", {
      kind: "authentication_failed",
      retryable: false,
      status: 401,
    });
  }
  return new Client({
    // Credentials travel as the headers below (the SDK would send a key as Bearer, which gateways do not expect);
    // the placeholder only keeps it from looking for credentials of its own.
    apiKey: null,
    authToken: "unused",
    baseURL: options.baseUrl ?? defaultBaseUrl,
    maxRetries: 0, // the loop owns the retry policy
    timeout: options.timeoutMs ?? defaultTimeoutMs,
    logLevel: "off", // its console output would tear the screen
    openTelemetry: false,
    fetch: options.fetch,
    defaultHeaders: {
      "anthropic-version": apiVersion,
      "user-agent": options.userAgent,
      "x-app": "cli",
      "x-api-key": apiKey ?? null,
      authorization: authToken ? `Bearer ${authToken}` : null,
      ...options.customHeaders,
    },
  });
};

const currentOf = async (options: AnthropicOptions): Promise<Credentials> => {
  if (!options.credentials) return options;
  try {
    return await options.credentials();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new ProviderError(text, { kind: "authentication_failed", retryable: false, cause: error });
  }
};

/** A provider that speaks to the Messages API. One call of `stream` is one HTTP request; it never retries. */
export const createAnthropic = (options: AnthropicOptions): Provider => {
  let client: { key: string; value: Anthropic } | undefined;
  const clientFor = (Client: typeof Anthropic, credentials: Credentials): Anthropic => {
    const key = JSON.stringify([credentials.apiKey, credentials.authToken]);
    if (client?.key !== key) client = { key, value: newClient(Client, options, credentials) };
    return client.value;
  };

  // One renewal between two accepted calls: a helper whose keys are all refused must not go round for ever.
  let canRenew = options.renewCredentials !== undefined;
  const afterRefusal = (error: ProviderError): ProviderError => {
    if (error.status !== 401 || error.cause === undefined || !canRenew) return error;
    canRenew = false;
    options.renewCredentials?.();
    const { message, kind, status, requestId, cause } = error;
    return new ProviderError(message, { kind, status, requestId, cause, retryable: true, retryAfterMs: 0 });
  };

  const send = async (request: ModelRequest, controller: AbortController) => {
    sdk ??= loadSdk();
    const { Client, readSse } = await sdk;
    const credentials = await currentOf(options);
    if (request.signal.aborted) throw abortedFailure();
    const betas = betasOf(request, options.betas ?? [], options.experimentalBetas ?? true);
    const response = await clientFor(Client, credentials)
      // Not `messages.create`: it writes deprecation notices to the console.
      .post("/v1/messages", {
        body: buildBody(request, {
          caching: options.caching?.(request.model) ?? "5m",
          userId: options.userId,
          extraBody: options.extraBody,
        }),
        signal: controller.signal,
        stream: true,
        headers: {
          "x-claude-code-session-id": request.sessionId,
          ...(betas.length > 0 && { "anthropic-beta": betas.join(",") }),
        },
      })
      .asResponse();
    return { response, readSse };
  };

  const run = async function* (request: ModelRequest, stream: ModelStream): AsyncGenerator<StreamEvent> {
    const by = options.proxyHost === undefined ? "" : ` through the proxy ${options.proxyHost}`;
    const host = `${hostOf(options.baseUrl ?? defaultBaseUrl)}${by}`;
    if (request.signal.aborted) throw abortedFailure();
    // A controller of our own, so that nothing stays attached to the run's signal.
    const controller = new AbortController();
    const abort = () => controller.abort();
    request.signal.addEventListener("abort", abort, { once: true });
    try {
      const { response, readSse } = await send(request, controller);
      canRenew = options.renewCredentials !== undefined;
      stream.requestId = response.headers.get("request-id") ?? response.headers.get("x-request-id") ?? undefined;
      const idleTimeoutMs = options.idleTimeoutMs ?? defaultIdleTimeoutMs;
      yield* readAnswer(response, { readSse, controller, idleTimeoutMs, host });
    } catch (error) {
      throw afterRefusal(toProviderError(error, { signal: request.signal, host }));
    } finally {
      request.signal.removeEventListener("abort", abort);
      controller.abort();
    }
  };

  return {
    id: "anthropic",
    takesDocuments: true,
    takesToolReferences: options.experimentalBetas ?? true,
    searchesWeb: true,
    stream: (request) => {
      const stream: ModelStream = { [Symbol.asyncIterator]: () => run(request, stream) };
      return stream;
    },
  };
};
