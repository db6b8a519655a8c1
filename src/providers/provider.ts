// The neutral stream interface of all model providers. Events have the shape of the Messages API's stream.
import type { ContentBlock, Message, StopReason, Usage } from "../protocol/messages.js";

export interface CacheControl {
  type: "ephemeral";
  ttl?: "5m" | "1h";
}
export interface SystemBlock {
  type: "text";
  text: string;
  cache_control?: CacheControl;
}
export interface ToolSpec {
  name: string;
  description: string;
  input_schema: Record<string, unknown>;
  cache_control?: CacheControl;
  /** Not part of the prompt's prefix: the model sees it where a tool reference names it. */
  defer_loading?: true;
}
export type Effort = "low" | "medium" | "high" | "xhigh" | "max";
export type Thinking = { type: "adaptive" } | { type: "enabled"; budget_tokens: number } | { type: "disabled" };

/** What a call is for. Only the offline model looks at it; the others see the messages alone. */
export type Purpose = "main" | "agent" | "compact" | "title" | "classifier" | "recall" | "summary" | "hook" | "side";

export interface ModelRequest {
  /** Model id as the provider knows it. */
  model: string;
  system: SystemBlock[];
  messages: Message[];
  tools: ToolSpec[];
  /** Names of tools the model knows by name only. Only the offline model looks at it: the others read the reminder. */
  deferredTools?: readonly string[];
  /** Tools the server runs itself, in its own form. Only for providers that say they have them. */
  serverTools?: readonly Record<string, unknown>[];
  maxTokens: number;
  thinking?: Thinking;
  effort?: Effort;
  signal: AbortSignal;
  sessionId: string;
  purpose: Purpose;
}

export type StreamEvent =
  | {
      type: "message_start";
      message: { id: string; model: string; role: "assistant"; usage: Usage; [key: string]: unknown };
    }
  | {
      type: "content_block_start";
      index: number;
      content_block: ContentBlock | { type: string; [key: string]: unknown };
    }
  | { type: "content_block_delta"; index: number; delta: { type: string; [key: string]: unknown } }
  | { type: "content_block_stop"; index: number }
  | {
      type: "message_delta";
      delta: { stop_reason?: StopReason; stop_sequence?: string | null; [key: string]: unknown };
      usage?: Partial<Usage>;
    }
  | { type: "message_stop" }
  | { type: "ping" };

export interface ModelStream extends AsyncIterable<StreamEvent> {
  /** Response header `request-id`, known once the first event has come. */
  requestId?: string;
}

export interface Provider {
  /** "anthropic", "offline", … */
  id: string;
  /** PDF documents may be sent as they are. */
  takesDocuments?: boolean;
  /** It takes `defer_loading` and tool references. */
  takesToolReferences?: boolean;
  /** It has a server tool that searches the web. */
  searchesWeb?: boolean;
  /** One model call. Throws ProviderError before or while streaming; never retries by itself. */
  stream(request: ModelRequest): ModelStream;
}

export type ErrorKind =
  | "connection"
  | "idle"
  | "cut_stream"
  | "rate_limit"
  | "overloaded"
  | "server_error"
  | "authentication_failed"
  | "billing_error"
  | "permission"
  | "model_not_found"
  | "prompt_too_long"
  | "request_too_large"
  | "invalid_request"
  | "aborted"
  | "unknown";

/** A provider's failure. Only query/recovery.ts acts on it. */
export class ProviderError extends Error {
  override name = "ProviderError";
  readonly kind: ErrorKind;
  readonly retryable: boolean;
  readonly status: number | null;
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  constructor(
    message: string,
    options: {
      kind: ErrorKind;
      retryable: boolean;
      status?: number | null;
      retryAfterMs?: number;
      requestId?: string;
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.kind = options.kind;
    this.retryable = options.retryable;
    this.status = options.status ?? null;
    this.retryAfterMs = options.retryAfterMs;
    this.requestId = options.requestId;
  }
}
