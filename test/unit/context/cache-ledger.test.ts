import { expect, test } from "vitest";
import { createCacheLedger, type LedgerFacts, ledgerLines } from "../../../src/context/cache-ledger.js";
import type { Message } from "../../../src/protocol/messages.js";
import type { ModelRequest } from "../../../src/providers/provider.js";

const facts = (over: Partial<LedgerFacts> = {}): LedgerFacts => ({
  provider: "anthropic",
  minCached: 1_024,
  ttlMs: 300_000,
  isOff: false,
  hasCache: true,
  ...over,
});

const request = (over: Partial<ModelRequest> & { said?: string[] } = {}): ModelRequest => {
  const { said = ["hi"], ...rest } = over;
  return {
    model: "m1",
    system: [{ type: "text", text: "be kind", cache_control: { type: "ephemeral" } }],
    tools: [{ name: "Read", description: "reads", input_schema: {} }],
    messages: said.map(
      (text, at): Message => ({ role: at % 2 ? "assistant" : "user", content: [{ type: "text", text }] }),
    ),
    maxTokens: 10,
    signal: new AbortController().signal,
    sessionId: "s",
    purpose: "main",
    ...rest,
  };
};

const counted = (read: number, fresh: number) => ({
  input_tokens: 0,
  output_tokens: 1,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: fresh,
});

/** Sends two requests; the second reads `read` tokens of the 5,000 that the first one cached. */
const missOf = (second: {
  request?: ModelRequest;
  facts?: Partial<LedgerFacts>;
  at?: number;
  read?: number;
  note?: string;
  promptTokens?: number;
}) => {
  const ledger = createCacheLedger();
  ledger.sent(request(), facts(), 0)(counted(0, second.promptTokens ?? 5_000));
  if (second.note) ledger.note(second.note);
  return ledger.sent(
    second.request ?? request({ said: ["hi", "yes", "more"] }),
    facts(second.facts),
    second.at ?? 10_000,
  )(counted(second.read ?? 0, 200))?.miss;
};

test("the first request, and one that read what was there, are no misses", () => {
  const ledger = createCacheLedger();
  expect(ledger.sent(request(), facts(), 0)(counted(0, 5_000))?.miss).toBeUndefined();
  expect(missOf({ read: 5_000 })).toBeUndefined();
});

test.each([
  [
    "segment",
    "part 1 of the system prompt changed",
    { request: request({ system: [{ type: "text", text: "be fast" }], said: ["hi", "yes"] }) },
  ],
  [
    "segment",
    "tool Write changed",
    { request: request({ tools: [{ name: "Write", description: "", input_schema: {} }] }) },
  ],
  [
    "segment",
    "block 1 of the messages (text) changed: the conversation was compacted",
    { request: request({ said: ["summary"] }), note: "the conversation was compacted" },
  ],
  ["ttl", "the cache lives 5 min, and the request before was 6 min ago", { at: 360_000 }],
  ["model", "the model changed from m1 to m2", { request: request({ model: "m2" }) }],
  ["effort", "the effort changed from none to high", { request: request({ effort: "high" }) }],
  ["thinking", "the thinking setting changed", { request: request({ thinking: { type: "adaptive" } }) }],
  ["provider_changed", "the provider changed from anthropic to openai", { facts: { provider: "openai" } }],
  ["off", "prompt caching is switched off (DISABLE_PROMPT_CACHING)", { facts: { isOff: true } }],
  ["minimum", "the prompt had 800 tokens, and this model caches from 1024 on", { promptTokens: 800 }],
  ["provider", "the same bytes were sent 10 s before, the endpoint did not use them", {}],
] as const)("a miss names its cause: %s (%s)", (cause, text, second) => {
  expect(missOf(second)).toEqual({ cause, text });
});

test("a mark that moved is no change of a segment", () => {
  const marked = request({ said: ["hi", "yes", "more"] });
  marked.messages[2] = {
    role: "user",
    content: [{ type: "text", text: "more", cache_control: { type: "ephemeral" } } as never],
  };
  expect(missOf({ request: marked })?.cause).toBe("provider");
});

test("a compaction call reads the conversation's prefix, but is not what the next request is measured by", () => {
  const ledger = createCacheLedger();
  ledger.sent(request(), facts(), 0)(counted(0, 5_000));
  ledger.sent(request({ purpose: "compact", said: ["hi", "yes", "summarise"] }), facts(), 1_000)(counted(5_000, 300));
  expect(
    ledger.sent(request({ said: ["hi", "yes", "more"] }), facts(), 2_000)(counted(5_000, 200))?.miss,
  ).toBeUndefined();
  expect(ledger.sent(request({ purpose: "agent" }), facts(), 3_000)(counted(0, 9))).toBeUndefined();
});

test("the lines say how much was cached and list the misses with their times", () => {
  const ledger = createCacheLedger();
  expect(ledgerLines(ledger.entries(), String)).toEqual(["No request was sent yet."]);
  ledger.sent(request(), facts(), 0)(counted(0, 5_000));
  ledger.sent(request({ said: ["hi", "yes", "more"] }), facts(), 7)(counted(5_000, 0));
  expect(ledgerLines(ledger.entries(), String)).toEqual([
    "2 requests, 50 % of 10.0k prompt tokens came from the cache",
    "No request read less than the one before it had left in the cache.",
  ]);
  ledger.sent(request({ model: "m2" }), facts(), 9)(counted(0, 5_000));
  expect(ledgerLines(ledger.entries(), String).at(-1)).toBe("9  read 0 of 5.0k: the model changed from m1 to m2");
});
