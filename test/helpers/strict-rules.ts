// Everything the real Messages API refuses with 400, in one file. Each rule answers with the API's kind of sentence.
// Kept apart from src/ on purpose: it must not share a mistake with the product.
import { imageSize } from "./image-size.js";

type Json = Record<string, unknown>;
interface Message {
  role: string;
  content: Json[];
  /** Index of the message in the request where this (merged) message began. */
  at: number;
}

/** What the server has sent so far, by tool_use id and signature: the memory behind the thinking rules. */
export interface SentMemory {
  /** tool_use id → thinking blocks sent before it in the same answer. */
  thinkingBefore: Map<string, Json[]>;
  /** signature → thinking text. */
  signatures: Map<string, string>;
  redacted: Set<string>;
  /** Last blocks of paused answers (pause_turn): a request may end with one of these. */
  paused: Set<string>;
}

export const newMemory = (): SentMemory => ({
  thinkingBefore: new Map(),
  signatures: new Map(),
  redacted: new Set(),
  paused: new Set(),
});

const isThinking = (block: Json) => block.type === "thinking" || block.type === "redacted_thinking";

const endKey = ({ cache_control: _, ...block }: Json): string => JSON.stringify(block);

/** Remembers the blocks of an answer that was sent. */
export const remember = (memory: SentMemory, content: readonly Json[], stopReason?: string): void => {
  if (stopReason === "pause_turn" && content.length > 0) memory.paused.add(endKey(content.at(-1) ?? {}));
  const thinking = content.filter(isThinking);
  for (const block of content) {
    if (block.type === "tool_use") memory.thinkingBefore.set(String(block.id), thinking);
    if (block.type === "thinking") memory.signatures.set(String(block.signature), String(block.thinking));
    if (block.type === "redacted_thinking") memory.redacted.add(String(block.data));
  }
};

export interface StrictContext {
  memory: SentMemory;
  /** Thinking of sessions that were not made by this server (resumed fixtures) is taken as it is. */
  acceptUnknownSignatures?: boolean;
}

interface ModelFacts {
  maxOutput: number;
  thinking: "adaptive" | "both" | "budget" | "none";
  alwaysThinks?: boolean;
  effort: boolean;
}

/** Limits by model (November 2026). Unknown ids get the safe row. */
const modelFacts = (model: string): ModelFacts => {
  const id = model.replace(/\[1m\]$/, "");
  if (/^claude-(fable-5|opus-5-5)/.test(id))
    return { maxOutput: 128_000, thinking: "adaptive", alwaysThinks: true, effort: true };
  if (/^claude-(opus|sonnet|haiku)-5/.test(id) || /^claude-opus-4-[78]/.test(id))
    return { maxOutput: 128_000, thinking: "adaptive", effort: true };
  if (id.startsWith("claude-opus-4-6")) return { maxOutput: 128_000, thinking: "both", effort: true };
  if (id.startsWith("claude-sonnet-4-6")) return { maxOutput: 64_000, thinking: "both", effort: true };
  if (id.startsWith("claude-haiku-4-5")) return { maxOutput: 64_000, thinking: "budget", effort: false };
  if (/^claude-(opus|sonnet)-4-5/.test(id)) return { maxOutput: 64_000, thinking: "budget", effort: true };
  return { maxOutput: 128_000, thinking: "both", effort: true };
};

const topLevel = new Set(
  (
    "model messages max_tokens system tools tool_choice stop_sequences stream metadata thinking output_config " +
    "temperature top_p top_k service_tier container context_management cache_control inference_geo mcp_servers " +
    "diagnostics speed user_profile_id workspace_id fallbacks output_format compaction"
  ).split(" "),
);
const blockFields: Record<string, Set<string>> = {
  text: new Set(["type", "text", "cache_control", "citations"]),
  tool_use: new Set(["type", "id", "name", "input", "cache_control", "caller", "toolset_name"]),
  tool_result: new Set(["type", "tool_use_id", "content", "is_error", "cache_control", "toolset_name"]),
  thinking: new Set(["type", "thinking", "signature"]),
  redacted_thinking: new Set(["type", "data"]),
  image: new Set(["type", "source", "cache_control", "transformations"]),
  document: new Set(["type", "source", "cache_control", "citations", "context", "title"]),
  tool_reference: new Set(["type", "tool_name", "cache_control"]),
};
const toolFields = new Set(
  "name description input_schema type cache_control strict defer_loading allowed_callers eager_input_streaming input_examples".split(
    " ",
  ),
);

const object = (value: unknown): Json | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map((v) => object(v) ?? {}) : []);
const toBlocks = (content: unknown): Json[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : list(content);

/** The API joins neighbours of one role; rules look at the joined messages. */
const merged = (messages: Json[]): Message[] => {
  const out: Message[] = [];
  for (const [at, { role, content }] of messages.entries()) {
    const last = out.at(-1);
    if (last && last.role === role) last.content.push(...toBlocks(content));
    else out.push({ role: String(role), content: [...toBlocks(content)], at });
  }
  return out;
};

type Rule = (body: Json, context: StrictContext) => string | undefined;

const unknownFields: Rule = (body) => {
  for (const key of Object.keys(body)) if (!topLevel.has(key)) return `${key}: Extra inputs are not permitted`;
  for (const [i, message] of list(body.messages).entries()) {
    for (const key of Object.keys(message))
      if (key !== "role" && key !== "content") return `messages.${i}.${key}: Extra inputs are not permitted`;
    for (const [j, block] of list(message.content).entries()) {
      const known = blockFields[String(block.type)];
      for (const key of Object.keys(block))
        if (known && !known.has(key))
          return `messages.${i}.content.${j}.${block.type}.${key}: Extra inputs are not permitted`;
    }
  }
  for (const [i, tool] of list(body.tools).entries())
    for (const key of Object.keys(tool))
      if ((tool.type === undefined || tool.type === "custom") && !toolFields.has(key))
        return `tools.${i}.custom.${key}: Extra inputs are not permitted`;
  return undefined;
};

const required: Rule = (body) => {
  if (typeof body.model !== "string" || !body.model) return "model: Field required";
  if (body.max_tokens === undefined) return "max_tokens: Field required";
  if (!Array.isArray(body.messages)) return "messages: Field required";
  if (body.messages.length === 0) return "messages: at least one message is required";
  return undefined;
};

const surrogates: Rule = (body) => {
  const walk = (value: unknown, path: string): string | undefined => {
    if (typeof value === "string") return value.isWellFormed() ? undefined : path;
    if (typeof value !== "object" || value === null) return undefined;
    for (const [key, item] of Object.entries(value)) {
      const found = key.isWellFormed() ? walk(item, path ? `${path}.${key}` : key) : `${path}.${key}`;
      if (found) return found;
    }
    return undefined;
  };
  const at = walk(body, "");
  return at && `The request body is not valid JSON: no low surrogate in string: ${at}`;
};

const maxTokens: Rule = (body) => {
  const max = body.max_tokens;
  if (typeof max !== "number" || !Number.isInteger(max) || max < 1)
    return "max_tokens: Input should be a valid integer greater than or equal to 1";
  const limit = modelFacts(String(body.model)).maxOutput;
  if (max > limit)
    return `max_tokens: ${max} > ${limit}, which is the maximum allowed number of output tokens for ${body.model}`;
  return undefined;
};

const roles: Rule = (body, { memory }) => {
  const messages = list(body.messages);
  for (const [i, message] of messages.entries()) {
    if (!["user", "assistant", "system"].includes(String(message.role)))
      return `messages.${i}.role: Input should be 'user' or 'assistant'`;
    if (typeof message.content !== "string" && !Array.isArray(message.content))
      return `messages.${i}.content: Field required`;
  }
  if (messages[0]?.role !== "user") return 'messages: first message must use the "user" role';
  const last = messages.at(-1);
  if (last?.role === "assistant" && !memory.paused.has(endKey(toBlocks(last.content).at(-1) ?? {})))
    return "This model does not support assistant message prefill. The conversation must end with a user message.";
  return undefined;
};

const emptyContent: Rule = (body) => {
  for (const [i, message] of list(body.messages).entries()) {
    if (message.content === "" || (Array.isArray(message.content) && message.content.length === 0))
      return `messages.${i}: all messages must have non-empty content except for the optional final assistant message`;
    for (const block of toBlocks(message.content)) {
      if (block.type === "text" && block.text === "") return "messages: text content blocks must be non-empty";
      if (block.type === "text" && String(block.text).trim() === "")
        return "messages: text content blocks must contain non-whitespace text";
      if (block.type === "tool_result")
        for (const inner of list(block.content))
          if (inner.type === "text" && inner.text === "") return "messages: text content blocks must be non-empty";
    }
  }
  for (const block of toBlocks(body.system ?? []))
    if (!block.text) return "system: text content blocks must be non-empty";
  return undefined;
};

const toolPairs: Rule = (body) => {
  const messages = merged(list(body.messages).filter(({ role }) => role !== "system"));
  const seen = new Set<string>();
  for (const [i, message] of messages.entries()) {
    const uses = message.content.filter(({ type }) => type === "tool_use").map(({ id }) => String(id));
    if (uses.length && message.role !== "assistant")
      return `messages.${message.at}: \`tool_use\` blocks can only be in \`assistant\` messages`;
    for (const id of uses) {
      if (!/^[a-zA-Z0-9_-]+$/.test(id))
        return `messages.${message.at}.content: tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
      if (seen.has(id)) return `messages.${message.at}: \`tool_use\` ids must be unique`;
      seen.add(id);
    }
    const next = messages[i + 1];
    const answered = new Set<string>();
    // Results must come first in the next message: whatever stands before them separates them from their calls.
    for (const block of next?.content ?? []) {
      if (block.type !== "tool_result") break;
      answered.add(String(block.tool_use_id));
    }
    const missing = uses.filter((id) => !answered.has(id));
    if (missing.length)
      return `messages.${message.at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
    const before = new Set(
      (messages[i - 1]?.content ?? []).filter(({ type }) => type === "tool_use").map(({ id }) => String(id)),
    );
    const results = new Set<string>();
    for (const [j, block] of message.content.entries()) {
      if (block.type !== "tool_result") continue;
      const id = String(block.tool_use_id);
      if (message.role !== "user")
        return `messages.${message.at}: \`tool_result\` blocks can only be in \`user\` messages`;
      if (!before.has(id))
        return `messages.${message.at}.content.${j}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
      if (results.has(id))
        return `messages.${message.at}.content.${j}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`;
      results.add(id);
      if (block.is_error === true && list(block.content).some(({ type }) => type !== "text"))
        return `messages.${message.at}.content.${j}: all content must be type \`text\` if \`is_error\` is true`;
    }
  }
  return undefined;
};

const toolUseShape: Rule = (body) => {
  for (const [i, message] of list(body.messages).entries())
    for (const [j, block] of list(message.content).entries()) {
      if (block.type !== "tool_use") continue;
      if (!toolName.test(String(block.name)))
        return `messages.${i}.content.${j}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
      if (!object(block.input)) return `messages.${i}.content.${j}.tool_use.input: Input should be a valid dictionary`;
    }
  return undefined;
};

const thinkingBlocks: Rule = (body, { memory, acceptUnknownSignatures }) => {
  const messages = merged(list(body.messages).filter(({ role }) => role !== "system"));
  for (const { role, content, at } of messages)
    if (role === "assistant" && content.length > 0 && isThinking(content.at(-1) ?? {}))
      return `messages.${at}: The final block in an assistant message cannot be \`thinking\`.`;
  for (const message of messages)
    for (const [j, block] of message.content.entries()) {
      if (!isThinking(block)) continue;
      const at = `messages.${message.at}.content.${j}`;
      if (message.role !== "assistant") return `${at}: \`thinking\` blocks can only be in \`assistant\` messages`;
      if (block.type === "redacted_thinking") {
        if (!acceptUnknownSignatures && !memory.redacted.has(String(block.data)))
          return `${at}: Invalid \`data\` in \`redacted_thinking\` block`;
        continue;
      }
      if (typeof block.signature !== "string") return `${at}.thinking.signature: Field required`;
      const known = memory.signatures.get(block.signature);
      if (known === undefined ? !acceptUnknownSignatures : known !== block.thinking)
        return `${at}: Invalid \`signature\` in \`thinking\` block`;
    }
  // Inside the tool loop that is still open, every answer keeps its thinking, unchanged and in front of its calls.
  const loopStart = messages.findLastIndex(
    ({ role, content }) => role === "user" && !content.some(({ type }) => type === "tool_result"),
  );
  for (const message of messages.slice(loopStart + 1)) {
    if (message.role !== "assistant") continue;
    const fault = thinkingKept(message, memory);
    if (fault) return fault;
  }
  return undefined;
};

const thinkingKept = (message: Message, memory: SentMemory): string | undefined => {
  const first = message.content.find(({ type, id }) => type === "tool_use" && memory.thinkingBefore.has(String(id)));
  if (!first) return undefined;
  const expected = memory.thinkingBefore.get(String(first.id)) ?? [];
  if (!expected.length) return undefined;
  const upTo = message.content.indexOf(first);
  const given = message.content.slice(0, upTo).filter(isThinking);
  if (!given.length)
    return `messages.${message.at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${message.content[0]?.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`;
  const text = (blocks: Json[]) =>
    blocks.map((b) => JSON.stringify([b.type, b.thinking ?? b.data, b.signature ?? null]));
  // An answer that continues a paused one has that one's thinking before its own.
  if (text(given).slice(-expected.length).join() !== text(expected).join())
    return `messages.${message.at}.content: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`;
  return undefined;
};

const toolName = /^[a-zA-Z0-9_-]{1,128}$/;
const propertyName = /^[a-zA-Z0-9_.-]{1,64}$/;

const toolSpecs: Rule = (body) => {
  const names = new Set<string>();
  for (const [i, tool] of list(body.tools).entries()) {
    const name = String(tool.name);
    if (!toolName.test(name)) return `tools.${i}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
    if (names.has(name)) return "tools: Tool names must be unique.";
    names.add(name);
    if (tool.type !== undefined && tool.type !== "custom") continue;
    const schema = object(tool.input_schema);
    if (!schema) return `tools.${i}.custom.input_schema: Field required`;
    if (schema.type !== "object") return `tools.${i}.custom.input_schema.type: Input should be 'object'`;
    for (const key of ["anyOf", "oneOf", "allOf"])
      if (key in schema)
        return `tools.${i}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`;
    for (const key of Object.keys(object(schema.properties) ?? {}))
      if (!propertyName.test(key))
        return `tools.${i}.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`;
  }
  return undefined;
};

/** Deferred tools are no part of the prompt's prefix; references in results put them into the conversation. */
const deferredTools: Rule = (body) => {
  const tools = list(body.tools);
  for (const [i, tool] of tools.entries()) {
    if (tool.defer_loading !== undefined && typeof tool.defer_loading !== "boolean")
      return `tools.${i}.custom.defer_loading: Input should be a valid boolean`;
    if (tool.defer_loading === true && tool.cache_control)
      return `tools.${i}: Tool '${tool.name}' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching.`;
  }
  if (tools.length > 0 && tools.every(({ defer_loading }) => defer_loading === true))
    return "At least one tool must have defer_loading=false. All tools have defer_loading set.";
  const names = new Set(tools.map(({ name }) => String(name)));
  for (const [i, message] of list(body.messages).entries())
    for (const [j, block] of list(message.content).entries()) {
      if (block.type === "tool_reference")
        return `messages.${i}.content.${j}: Input tag 'tool_reference' found using 'type' does not match any of the expected tags`;
      for (const [k, inner] of (block.type === "tool_result" ? list(block.content) : []).entries()) {
        if (inner.type !== "tool_reference") continue;
        const at = `messages.${i}.content.${j}.tool_result.content.${k}.tool_reference`;
        if (typeof inner.tool_name !== "string") return `${at}.tool_name: Field required`;
        for (const key of Object.keys(inner))
          if (!blockFields.tool_reference?.has(key)) return `${at}.${key}: Extra inputs are not permitted`;
        if (!names.has(inner.tool_name))
          return `${at}: Tool reference '${inner.tool_name}' not found in available tools`;
      }
    }
  return undefined;
};

const cacheMarks: Rule = (body) => {
  const marks: { ttl: unknown; emptyText: boolean }[] = [];
  const visit = (block: Json) => {
    const mark = object(block.cache_control);
    if (mark) marks.push({ ttl: mark.ttl ?? "5m", emptyText: block.type === "text" && block.text === "" });
  };
  for (const tool of list(body.tools)) visit(tool);
  for (const block of toBlocks(body.system ?? [])) visit(block);
  for (const message of list(body.messages))
    for (const block of list(message.content)) {
      for (const inner of list(block.content)) visit(inner);
      visit(block);
    }
  if (marks.length > 4) return `A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`;
  if (marks.some(({ emptyText }) => emptyText)) return "cache_control cannot be set for empty text blocks";
  const firstShort = marks.findIndex(({ ttl }) => ttl === "5m");
  if (firstShort >= 0 && marks.slice(firstShort).some(({ ttl }) => ttl === "1h"))
    return "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block";
  return undefined;
};

const thinkingSetting: Rule = (body) => {
  const thinking = object(body.thinking);
  const model = String(body.model);
  const facts = modelFacts(model);
  const effort = object(body.output_config)?.effort;
  if (effort !== undefined) {
    if (!["low", "medium", "high", "xhigh", "max"].includes(String(effort)))
      return "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'";
    if (!facts.effort) return "This model does not support the effort parameter.";
  }
  if (!thinking) return undefined;
  const { type, budget_tokens: budget } = thinking;
  if (type !== "enabled" && type !== "adaptive" && type !== "disabled")
    return `thinking: Input tag '${type}' found using 'type' does not match any of the expected tags: 'adaptive', 'disabled', 'enabled'`;
  if (type === "enabled") {
    if (facts.thinking === "adaptive")
      return `"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`;
    if (typeof budget !== "number") return "thinking.enabled.budget_tokens: Field required";
    if (budget < 1024) return "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
    if (budget >= Number(body.max_tokens)) return "`max_tokens` must be greater than `thinking.budget_tokens`";
  }
  if (type === "adaptive" && facts.thinking === "budget") return "adaptive thinking is not supported on this model";
  if (type === "disabled" && facts.alwaysThinks)
    return `"thinking.type.disabled" is not supported for this model, which always thinks.`;
  if (type === "disabled") return undefined;
  if (body.temperature !== undefined && body.temperature !== 1)
    return "`temperature` may only be set to 1 when thinking is enabled.";
  if (body.top_k !== undefined) return "`top_k` must be unset when thinking is enabled.";
  const choice = object(body.tool_choice)?.type;
  if (choice === "any" || choice === "tool") return "Thinking may not be enabled when tool_choice forces tool use.";
  return undefined;
};

const maxImageBytes = 5 * 1024 * 1024; // the API's limit for the decoded image
const images: Rule = (body) => {
  const found: { at: string; source: Json }[] = [];
  for (const [i, message] of list(body.messages).entries())
    for (const [j, block] of list(message.content).entries()) {
      const at = `messages.${i}.content.${j}`;
      if (block.type === "image") found.push({ at, source: object(block.source) ?? {} });
      for (const [k, inner] of list(block.content).entries())
        if (inner.type === "image") found.push({ at: `${at}.content.${k}`, source: object(inner.source) ?? {} });
    }
  if (found.length > 100) return `messages: at most 100 images may be provided. Found ${found.length}.`;
  const largest = found.length > 20 ? 2000 : 8000;
  for (const { at, source } of found) {
    if (source.type !== "base64") continue;
    const data = String(source.data ?? "");
    if (!data || !/^[A-Za-z0-9+/]*={0,2}$/.test(data)) return `${at}.image.source.base64.data: Invalid base64 data`;
    const bytes = Buffer.from(data, "base64");
    if (bytes.length > maxImageBytes)
      return `${at}.image.source.base64: image exceeds 5 MB maximum: ${bytes.length} bytes > ${maxImageBytes} bytes`;
    const media = String(source.media_type);
    if (!["image/jpeg", "image/png", "image/gif", "image/webp"].includes(media))
      return `${at}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`;
    const size = imageSize(bytes);
    if (!size) return `${at}.image.source.base64: Could not process image`;
    if (size.mediaType !== media)
      return `${at}.image.source.base64: Image does not match the provided media type ${media}`;
    if (Math.max(size.width, size.height) > largest)
      return largest === 8000
        ? `${at}.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels`
        : `${at}.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels`;
  }
  return undefined;
};

/** All rules, in the order the API would complain. */
const rules: Rule[] = [
  surrogates,
  required,
  unknownFields,
  maxTokens,
  thinkingSetting,
  toolSpecs,
  deferredTools,
  roles,
  emptyContent,
  toolUseShape,
  toolPairs,
  thinkingBlocks,
  cacheMarks,
  images,
];

/** The API's complaint about this request, or undefined when it would be accepted. */
export const refusal = (body: unknown, context: StrictContext): string | undefined => {
  const request = object(body);
  if (!request) return "The request body is not valid JSON";
  for (const rule of rules) {
    const fault = rule(request, context);
    if (fault) return fault;
  }
  return undefined;
};
