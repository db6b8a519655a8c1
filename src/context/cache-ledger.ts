// The cache ledger: a hash of each segment of each request, and why the API read less from its cache than the request before had left there.
import { createHash } from "node:crypto";
import { blocksOf, type ContentBlock, type Usage } from "../protocol/messages.js";
import type { ModelRequest } from "../providers/provider.js";

export type MissCause =
  | "first"
  | "off"
  | "minimum"
  | "provider_changed"
  | "model"
  | "effort"
  | "thinking"
  | "segment"
  | "ttl"
  | "provider";

export interface LedgerEntry {
  /** Milliseconds since the epoch, when it was sent. */
  at: number;
  purpose: string;
  /** Tokens of the whole prompt, as counted. */
  promptTokens: number;
  /** Tokens that the request before had put into the cache. */
  expected: number;
  read: number;
  written: number;
  /** Set where clearly less was read than expected. */
  miss?: { cause: MissCause; text: string };
}

export interface LedgerFacts {
  provider: string;
  /** Tokens of the shortest prefix that this model caches. */
  minCached: number;
  ttlMs: number;
  isOff: boolean;
  /** False: this provider has no prompt cache, nothing can be missed. */
  hasCache: boolean;
}

interface Sent {
  at: number;
  facts: LedgerFacts;
  model: string;
  effort: string | undefined;
  thinking: string;
  hashes: number[];
  names: (at: number) => string;
  /** Filled in when the API has counted. */
  promptTokens: number;
}

const enough = 0.9; // less than this share of what was expected is a miss: counts of marks are estimates
const keptEntries = 200;

const hash48 = (text: string): number => createHash("sha1").update(text).digest().readUIntBE(0, 6);

/** Blocks never change once they are in a conversation: each is hashed once. */
const known = new WeakMap<object, number>();

const hashOf = (value: object): number => {
  const before = known.get(value);
  if (before !== undefined) return before;
  const { cache_control: _, ...rest } = value as Record<string, unknown>;
  const hash = hash48(JSON.stringify(rest));
  known.set(value, hash);
  return hash;
};

const blockName = (block: ContentBlock): string => {
  if (block.type === "tool_use") return `call of ${block.name}`;
  if (block.type === "tool_result") return "a tool result";
  return block.type;
};

/** Segments in the order of the cache: tools, system prompt, the messages' blocks. */
const segmentsOf = (request: ModelRequest): Pick<Sent, "hashes" | "names"> => {
  const { system, messages } = request;
  const tools = request.tools.filter(({ defer_loading }) => !defer_loading); // the others are no part of the prefix
  const blocks = messages.flatMap(({ content }) => blocksOf(content));
  const names = (at: number): string => {
    if (at < tools.length) return `tool ${tools[at]?.name}`;
    if (at < tools.length + system.length) return `part ${at - tools.length + 1} of the system prompt`;
    const index = at - tools.length - system.length;
    const block = blocks[index];
    return block ? `block ${index + 1} of the messages (${blockName(block)})` : "the end of the messages";
  };
  return { hashes: [...tools, ...system, ...blocks].map(hashOf), names };
};

const commonPrefix = (a: readonly number[], b: readonly number[]): number => {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) at += 1;
  return at;
};

const seconds = (ms: number): string =>
  ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;

/** Why the request after `before` could not, or did not, read what that one had left in the cache. */
const causeOf = (before: Sent, now: Sent, note: string | undefined): NonNullable<LedgerEntry["miss"]> => {
  const miss = (cause: MissCause, text: string) => ({ cause, text });
  if (now.facts.isOff) return miss("off", "prompt caching is switched off (DISABLE_PROMPT_CACHING)");
  if (before.facts.provider !== now.facts.provider)
    return miss("provider_changed", `the provider changed from ${before.facts.provider} to ${now.facts.provider}`);
  if (before.model !== now.model) return miss("model", `the model changed from ${before.model} to ${now.model}`);
  if (before.effort !== now.effort)
    return miss("effort", `the effort changed from ${before.effort ?? "none"} to ${now.effort ?? "none"}`);
  if (before.thinking !== now.thinking) return miss("thinking", "the thinking setting changed");
  const common = commonPrefix(before.hashes, now.hashes);
  if (common < before.hashes.length) return miss("segment", `${now.names(common)} changed${note ? `: ${note}` : ""}`);
  const idle = now.at - before.at;
  if (idle > now.facts.ttlMs)
    return miss("ttl", `the cache lives ${seconds(now.facts.ttlMs)}, and the request before was ${seconds(idle)} ago`);
  if (before.promptTokens < now.facts.minCached)
    return miss(
      "minimum",
      `the prompt had ${before.promptTokens} tokens, and this model caches from ${now.facts.minCached} on`,
    );
  return miss("provider", `the same bytes were sent ${seconds(idle)} before, the endpoint did not use them`);
};

/** Calls that share the conversation's prefix; others have prompts of their own and nothing to lose. */
const sharesPrefix = new Set(["main", "compact", "summary", "side"]);

export interface CacheLedger {
  /** A request leaves; the function takes what the API counted. */
  sent(request: ModelRequest, facts: LedgerFacts, at: number): (usage: Usage) => LedgerEntry | undefined;
  /** What the next request will differ in, and why: a compaction, results that were shrunk. */
  note(text: string): void;
  entries(): readonly LedgerEntry[];
}

/** An empty ledger. */
export const createCacheLedger = (): CacheLedger => {
  const entries: LedgerEntry[] = [];
  let last: Sent | undefined;
  let pendingNote: string | undefined;
  return {
    entries: () => entries,
    note: (text) => {
      pendingNote = text;
    },
    sent: (request, facts, at) => {
      if (!sharesPrefix.has(request.purpose)) return () => undefined;
      const { model, effort, thinking } = request;
      const sent: Sent = {
        at,
        facts,
        model,
        effort,
        thinking: JSON.stringify(thinking ?? null),
        ...segmentsOf(request),
        promptTokens: 0,
      };
      const before = last;
      const note = pendingNote;
      // Side calls read the conversation's prefix; what they add to it at the end is not the next request's.
      if (request.purpose === "main") {
        last = sent;
        pendingNote = undefined;
      }
      return (usage) => {
        const read = usage.cache_read_input_tokens ?? 0;
        const written = usage.cache_creation_input_tokens ?? 0;
        sent.promptTokens = usage.input_tokens + read + written;
        const expected = before?.promptTokens ?? 0;
        const entry: LedgerEntry = {
          at,
          purpose: request.purpose,
          promptTokens: sent.promptTokens,
          expected,
          read,
          written,
        };
        if (facts.hasCache && before && read < expected * enough) entry.miss = causeOf(before, sent, note);
        entries.push(entry);
        if (entries.length > keptEntries) entries.shift();
        return entry;
      };
    },
  };
};

const thousands = (tokens: number): string => (tokens < 1_000 ? String(tokens) : `${(tokens / 1_000).toFixed(1)}k`);
const shownMisses = 10;

/** The ledger in words, for /why cache: the share that was cached, then the newest misses. `clockText` shows a time. */
export const ledgerLines = (entries: readonly LedgerEntry[], clockText: (at: number) => string): string[] => {
  if (entries.length === 0) return ["No request was sent yet."];
  const total = entries.reduce((sum, { promptTokens }) => sum + promptTokens, 0);
  const read = entries.reduce((sum, entry) => sum + entry.read, 0);
  const misses = entries.filter(({ miss }) => miss);
  return [
    `${entries.length} requests, ${total === 0 ? 0 : Math.round((read * 100) / total)} % of ${thousands(total)} prompt tokens came from the cache`,
    ...(misses.length === 0 ? ["No request read less than the one before it had left in the cache."] : []),
    ...misses
      .slice(-shownMisses)
      .map(
        (entry) =>
          `${clockText(entry.at)}  read ${thousands(entry.read)} of ${thousands(entry.expected)}: ${entry.miss?.text}`,
      ),
  ];
};
