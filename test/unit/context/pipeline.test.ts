import fc from "fast-check";
import { expect, test } from "vitest";
import { stageCollapses } from "../../../src/context/collapse.js";
import { estimateMessages } from "../../../src/context/count.js";
import { wireMessages } from "../../../src/context/history.js";
import {
  advance,
  type ContextState,
  freshContext,
  type PipelineFacts,
  prepared,
} from "../../../src/context/pipeline.js";
import { resultFacts } from "../../../src/context/results.js";
import { blocksOf, type Message, type ToolResultBlock, textOf } from "../../../src/protocol/messages.js";
import { conversations, round } from "./support.js";

const titleOf = ({ name, input }: { name: string; input: Record<string, unknown> }): string =>
  `${name} ${input.file_path}`;
const facts = (over: Partial<PipelineFacts> = {}): PipelineFacts => ({
  prefixTokens: 0,
  ratio: 1,
  window: 100_000,
  idleMs: 0,
  ttlMs: 300_000,
  titleOf,
  ...over,
});

const resultTexts = (messages: readonly Message[]): Map<string, string> =>
  new Map(
    messages.flatMap(({ content }) =>
      blocksOf(content)
        .filter((block): block is ToolResultBlock => block.type === "tool_result")
        .map((block): [string, string] => [block.tool_use_id, textOf(block.content as string)]),
    ),
  );

/** Every call has exactly one result, in the message after it. */
const isPaired = (messages: readonly Message[]): boolean => {
  const wire = wireMessages(messages);
  return wire.every((message, at) => {
    const calls = blocksOf(message.content).flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    const results = blocksOf(wire[at + 1]?.content ?? []).flatMap((block) =>
      block.type === "tool_result" ? [block.tool_use_id] : [],
    );
    return message.role === "assistant" ? JSON.stringify(calls) === JSON.stringify(results) : true;
  });
};

test("below 50 % nothing is touched: the very same messages go out", () => {
  const messages = [
    { role: "user" as const, content: "go" },
    ...round("a", { chars: 100_000 }),
    ...round("b"),
    ...round("c"),
    ...round("d"),
  ];
  const state = advance(messages, freshContext, facts({ window: 60_000 }));
  expect(state).toBe(freshContext);
  expect(prepared(messages, state, titleOf)).toEqual(messages);
});

test("from 50 % old results above 10,000 characters become head and tail; the last three stay whole", () => {
  const messages: Message[] = [
    { role: "user", content: "go" },
    ...["a", "b", "c", "d", "e"].flatMap((id) => round(id, { chars: id === "b" ? 9_000 : 40_000 })),
  ];
  const state = advance(messages, freshContext, facts({ window: 70_000 }));
  expect([...state.shrinks.keys()]).toEqual(["a"]);
  const texts = resultTexts(prepared(messages, state, titleOf));
  expect(texts.get("a")?.length).toBeLessThan(4_200);
  expect(texts.get("a")).toMatch(/^a line\n[\s\S]*\[… \d+ characters left out …\][\s\S]*line\n$/);
});

test("from 60 % superseded reads and old searches become one line", () => {
  const read = (id: string) => round(id, { input: { file_path: "/p/same" }, chars: 4_000 });
  const grep = (id: string) => round(id, { tool: "Grep", input: { pattern: id }, chars: 4_000 });
  const messages: Message[] = [
    { role: "user", content: "go" },
    ...["r1", "r2"].flatMap(read),
    ...["g1", "g2", "g3", "g4"].flatMap(grep),
    ...["x", "y", "z"].flatMap((id) => round(id)),
  ];
  const state = advance(messages, freshContext, facts({ window: 9_500 }));
  expect([...state.shrinks]).toEqual([
    ["r1", { kind: "line", text: "[Left out: /p/same was read again later, see there]" }],
    ["g1", { kind: "line", text: "[Left out: result of an older Grep; run it again if it matters]" }],
  ]);
});

test("a part of a file is not superseded by another part", () => {
  const read = (id: string, offset?: number) =>
    round(id, { input: { file_path: "/p/same", ...(offset ? { offset, limit: 10 } : {}) }, chars: 4_000 });
  const messages: Message[] = [
    { role: "user", content: "go" },
    ...read("a", 1),
    ...read("b", 50),
    ...read("c", 1),
    ...["x", "y", "z"].flatMap((id) => round(id)),
  ];
  expect([...advance(messages, freshContext, facts({ window: 5_000 })).shrinks.keys()]).toEqual(["a"]);
});

test("after a pause longer than the cache lives, all but the last three results are cleared, when that is worth it", () => {
  const messages: Message[] = [
    { role: "user", content: "go" },
    ...["a", "b", "c", "d", "e"].flatMap((id) => round(id, { chars: 50_000 })),
  ];
  const state = advance(messages, freshContext, facts({ window: 1_000_000, idleMs: 300_001 }));
  const texts = resultTexts(prepared(messages, state, titleOf));
  expect([...texts.values()].filter((text) => text === "[Old result cleared]")).toHaveLength(2);
  const small: Message[] = [
    { role: "user", content: "go" },
    ...["a", "b", "c", "d", "e"].flatMap((id) => round(id, { chars: 5_000 })),
  ];
  expect(advance(small, freshContext, facts({ idleMs: 300_001 }))).toBe(freshContext);
});

test("between two steps nothing changes, also when the conversation grows a little", () => {
  const messages: Message[] = [
    { role: "user", content: "go" },
    ...["a", "b", "c", "d", "e"].flatMap((id) => round(id, { chars: 40_000 })),
  ];
  const state = advance(messages, freshContext, facts({ window: 80_000 }));
  const grown = [...messages, ...round("f", { chars: 100 })];
  expect(advance(grown, state, facts({ window: 80_000 }))).toBe(state);
  const before = prepared(messages, state, titleOf);
  expect(prepared(grown, state, titleOf).slice(0, before.length)).toEqual(before);
});

const steps = fc.array(
  fc.record({ window: fc.integer({ min: 5_000, max: 400_000 }), idleMs: fc.constantFrom(0, 400_000) }),
  { minLength: 1, maxLength: 8 },
);

/** A session: the conversation grows, each request advances the state. */
const play = (
  messages: Message[],
  plan: { window: number; idleMs: number }[],
  look: (seen: { part: Message[]; before: ContextState; state: ContextState; facts: PipelineFacts }) => void,
): void => {
  let state = freshContext;
  for (const [at, over] of plan.entries()) {
    let end = Math.ceil((messages.length * (at + 1)) / plan.length);
    while (end < messages.length && messages[end - 1]!.role === "assistant") end += 1;
    const part = messages.slice(0, end);
    const before = state;
    state = advance(part, before, facts(over));
    look({ part, before, state, facts: facts(over) });
  }
};

test("pairing stays valid, whatever was shrunk and folded", () => {
  fc.assert(
    fc.property(conversations, steps, (messages, plan) => {
      play(messages, plan, ({ part, state }) => {
        expect(isPaired(prepared(part, state, titleOf))).toBe(true);
        const collapses = stageCollapses(part, new Set());
        const folded = prepared(part, { ...state, collapses }, titleOf);
        expect(isPaired(folded)).toBe(true);
        expect(wireMessages(folded)[0]?.role).toBe("user");
      });
    }),
    { seed: 4, numRuns: 60 },
  );
});

test("monotonic: a shrunk result never grows back, and no stage makes a request larger", () => {
  fc.assert(
    fc.property(conversations, steps, (messages, plan) => {
      const smallest = new Map<string, number>();
      play(messages, plan, ({ part, state }) => {
        const out = prepared(part, state, titleOf);
        expect(estimateMessages(out)).toBeLessThanOrEqual(estimateMessages(part) + resultFacts(part).length);
        for (const [id, text] of resultTexts(out)) {
          const limit = smallest.get(id);
          if (limit !== undefined) expect(text.length).toBeLessThanOrEqual(limit);
          if (state.shrinks.has(id)) smallest.set(id, text.length);
        }
      });
    }),
    { seed: 5, numRuns: 60 },
  );
});

test("idempotent: the same request asked for twice is the same, byte for byte", () => {
  fc.assert(
    fc.property(conversations, steps, (messages, plan) => {
      play(messages, plan, ({ part, state, facts: same }) => {
        expect(advance(part, state, { ...same, idleMs: 0 })).toBe(state);
        expect(JSON.stringify(prepared(part, state, titleOf))).toBe(JSON.stringify(prepared(part, state, titleOf)));
      });
    }),
    { seed: 6, numRuns: 60 },
  );
});

test("the stages never change the messages they are given", () => {
  fc.assert(
    fc.property(conversations, steps, (messages, plan) => {
      const bytes = JSON.stringify(messages);
      play(
        messages,
        plan,
        ({ part, state }) => void prepared(part, { ...state, collapses: stageCollapses(part, new Set()) }, titleOf),
      );
      expect(JSON.stringify(messages)).toBe(bytes);
    }),
    { seed: 7, numRuns: 30 },
  );
});
