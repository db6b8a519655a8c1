// Turns whatever the SDK, the transport or the API reports into one ProviderError with a text a person can act on.
import { type ErrorKind, ProviderError } from "./provider.js";

interface Mapped {
  kind: ErrorKind;
  retryable: boolean;
}

const byStatus: Record<number, Mapped> = {
  400: { kind: "invalid_request", retryable: false },
  401: { kind: "authentication_failed", retryable: false },
  402: { kind: "billing_error", retryable: false },
  403: { kind: "permission", retryable: false },
  404: { kind: "model_not_found", retryable: false },
  408: { kind: "connection", retryable: true },
  409: { kind: "server_error", retryable: true },
  413: { kind: "request_too_large", retryable: false },
  429: { kind: "rate_limit", retryable: true },
  529: { kind: "overloaded", retryable: true },
};

/** The status each error type of the API stands for: events in mid-stream carry the type only. */
const statusOfType: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

const mappedStatus = (status: number): Mapped =>
  byStatus[status] ??
  (status >= 500 ? { kind: "server_error", retryable: true } : { kind: "invalid_request", retryable: false });

const tooLong =
  /prompt is too long|exceed(?:s|ed)? (?:the )?(?:model'?s )?(?:maximum )?context|context[ _](?:window|length)/i;
const noMoney = /credit balance|billing/i;

const hints: Partial<Record<ErrorKind, string>> = {
  authentication_failed: "The API key was refused.",
  billing_error: "Check the account's credit.",
  permission: "This key may not use that model or feature.",
  model_not_found: "Check the model's name (/model) and ANTHROPIC_BASE_URL.",
  request_too_large: "An attachment or a result in the conversation is too large: remove it, or use /compact.",
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const stringAt = (value: unknown, key: string): string | undefined => {
  const found = isRecord(value) ? value[key] : undefined;
  return typeof found === "string" ? found : undefined;
};

const maxQuoted = 200; // cases P32: enough to recognise a proxy's page

/** The start of a body that is no API answer, as one line without control characters. */
export const quoteBody = (text: string): string =>
  text
    .slice(0, maxQuoted)
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ")
    .trim();

interface HeadersLike {
  get(name: string): string | null;
}
const headersOf = (error: unknown): HeadersLike | undefined => {
  const headers = isRecord(error) ? error.headers : undefined;
  return isRecord(headers) && typeof headers.get === "function" ? (headers as unknown as HeadersLike) : undefined;
};

/** Milliseconds a server asks to wait, from `retry-after-ms` or `retry-after` (seconds or an HTTP date). */
export const retryAfterMs = (headers: HeadersLike | undefined, now = Date.now()): number | undefined => {
  const exact = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const value = headers?.get("retry-after");
  if (!value) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};

const kindOf = (status: number, message: string): Mapped => {
  if (status === 400 && tooLong.test(message)) return { kind: "prompt_too_long", retryable: false };
  if (status === 400 && noMoney.test(message)) return { kind: "billing_error", retryable: false };
  return mappedStatus(status);
};

interface ApiFailure {
  status: number;
  type?: string;
  message: string;
  headers?: HeadersLike;
  requestId?: string;
  cause?: unknown;
}

/** A failure the API itself reported, by status or by an error event in the stream. */
export const apiFailure = ({ status, type, message, headers, requestId, cause }: ApiFailure): ProviderError => {
  const { kind, retryable } = kindOf(status, message);
  const id = requestId ?? headers?.get("request-id") ?? undefined;
  const text = [
    `API error ${status}${type ? ` (${type})` : ""}: ${message || "no details"}`,
    hints[kind],
    id ? `Request id: ${id}` : undefined,
  ];
  return new ProviderError(text.filter(Boolean).join("\n"), {
    kind,
    retryable,
    status,
    retryAfterMs: retryAfterMs(headers),
    requestId: id,
    cause,
  });
};

/** An `error` event that came after a 200. `body` is the event's parsed data. */
export const streamFailure = (body: unknown, headers?: HeadersLike): ProviderError => {
  const error = isRecord(body) ? body.error : undefined;
  const type = stringAt(error, "type") ?? "api_error";
  const message = stringAt(error, "message") ?? (typeof body === "string" ? quoteBody(body) : "");
  const requestId = stringAt(body, "request_id");
  return apiFailure({ status: statusOfType[type] ?? 500, type, message, headers, requestId });
};

const certificateCodes =
  /^(UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|CERT_|ERR_TLS_CERT|ERR_SSL|INVALID_CA|HOSTNAME_MISMATCH)/;
const plainWords: Record<string, string> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  ENOTFOUND: "the host name is not known",
  EAI_AGAIN: "the host name could not be looked up",
  ETIMEDOUT: "the connection timed out",
  EPIPE: "the connection broke",
  UND_ERR_SOCKET: "the connection broke",
  UND_ERR_CONNECT_TIMEOUT: "the connection timed out",
  UND_ERR_HEADERS_TIMEOUT: "the server sent no answer in time",
  UND_ERR_BODY_TIMEOUT: "the server stopped sending",
};

/** The innermost error that carries a system code, looking down the chain of causes. */
const coded = (error: unknown, depth = 0): { code: string; message: string; issuer?: string } | undefined => {
  if (!isRecord(error) || depth > 6) return undefined;
  const inner =
    coded(error.cause, depth + 1) ?? coded(Array.isArray(error.errors) ? error.errors[0] : undefined, depth + 1);
  if (inner) return inner;
  const code = stringAt(error, "code");
  if (!code) return undefined;
  const issuer = isRecord(error.cert) ? stringAt(error.cert.issuer, "CN") : undefined;
  return { code, message: stringAt(error, "message") ?? "", issuer };
};

/** A failure of the transport: nothing, or not all, of an answer arrived. `host` is named in the text. */
export const connectionFailure = (error: unknown, host: string): ProviderError => {
  const found = coded(error);
  const timedOut =
    stringAt(error, "name")?.includes("Timeout") || /timed? ?out/i.test(stringAt(error, "message") ?? "");
  if (found && certificateCodes.test(found.code)) {
    const issuer = found.issuer ? `, issued by ${found.issuer}` : "";
    return new ProviderError(
      `The certificate of ${host} cannot be verified (${found.code}${issuer}). ` +
        "If a company proxy or private authority issued it, set NODE_EXTRA_CA_CERTS to the file with its certificate.",
      { kind: "connection", retryable: false, cause: error },
    );
  }
  const what = found
    ? (plainWords[found.code] ?? (quoteBody(found.message) || found.code))
    : timedOut
      ? "no answer in time"
      : "the connection failed";
  return new ProviderError(`Cannot reach ${host}: ${what}${found ? ` (${found.code})` : ""}.`, {
    kind: "connection",
    retryable: true,
    cause: error,
  });
};

/** The run was stopped by its own signal. */
export const abortedFailure = (cause?: unknown): ProviderError =>
  new ProviderError("The request was stopped.", { kind: "aborted", retryable: false, cause });

const isTransport = (error: unknown): boolean =>
  coded(error) !== undefined ||
  /Connection|Timeout|Abort/.test(stringAt(error, "name") ?? "") ||
  /fetch failed|terminated|socket|network/i.test(stringAt(error, "message") ?? "");

/** Anything thrown on the way to or from the API as a ProviderError. `host` is the API's host, for the text. */
export const toProviderError = (error: unknown, context: { signal: AbortSignal; host: string }): ProviderError => {
  if (error instanceof ProviderError) return error;
  if (context.signal.aborted) return abortedFailure(error);
  const status = isRecord(error) && typeof error.status === "number" ? error.status : undefined;
  if (status === undefined) {
    if (isTransport(error)) return connectionFailure(error, context.host);
    const why = quoteBody(stringAt(error, "message") ?? String(error));
    return new ProviderError(`The request failed: ${why}`, { kind: "unknown", retryable: false, cause: error });
  }
  const headers = headersOf(error);
  const body = isRecord(error) ? error.error : undefined;
  const inner = isRecord(body) ? body.error : undefined;
  const message =
    stringAt(inner, "message") ?? stringAt(body, "message") ?? quoteBody(stringAt(error, "message") ?? "");
  return apiFailure({
    status,
    type: stringAt(inner, "type"),
    message,
    headers,
    requestId: stringAt(body, "request_id"),
    cause: error,
  });
};
