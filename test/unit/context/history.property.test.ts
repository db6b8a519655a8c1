import fc from "fast-check";
import { expect, test } from "vitest";
import { wireMessages } from "../../../src/context/history.js";
import { refusalKey, refusalOf, withRepair } from "../../../src/context/refusals.js";
import { wireTools } from "../../../src/context/repairs/tool-schemas.js";
import type { ContentBlock, Message } from "../../../src/protocol/messages.js";
import { ProviderError } from "../../../src/providers/provider.js";
import {
  alternates,
  assistant,
  call,
  complaint,
  image,
  memoryOf,
  png,
  result,
  text,
  thinking,
  user,
} from "../../helpers/history-kit.js";
import { newMemory, type SentMemory } from "../../helpers/strict-rules.js";

const runs = process.env.LONG === "1" ? 10_000 : 400;
const seed = process.env.LONG === "1" ? Number(process.env.SEED ?? Date.now() % 2 ** 31) : 4;

type Loose = Record<string, unknown>;

/** A conversation as it really comes about: prompts, thinking, parallel calls with their results, answers. */
const rounds = fc.array(
  fc.record({
    thinks: fc.boolean(),
    says: fc.boolean(),
    calls: fc.integer({ min: 0, max: 3 }),
    resultKind: fc.constantFrom("text", "image", "error", "empty"),
    prompt: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);

const content = (kind: string): unknown =>
  kind === "image" ? [text("a picture"), image()] : kind === "empty" ? "" : "some output";

const conversation = (
  shape: readonly { thinks: boolean; says: boolean; calls: number; resultKind: string; prompt: boolean }[],
): Message[] => {
  const messages: Message[] = [user("Background."), user("The first prompt.", image(png(20, 20)))];
  let n = 0;
  for (const { thinks, says, calls, resultKind, prompt } of shape) {
    n++;
    const ids = Array.from({ length: calls }, (_, at) => `toolu_${n}_${at}`);
    const blocks = [
      ...(thinks ? [thinking(String(n))] : []),
      ...(says || calls === 0 ? [text(`Answer ${n}.`)] : []),
      ...ids.map((id) => call(id, "Read", { file_path: "/a" })),
    ];
    messages.push(assistant(...blocks));
    if (calls > 0) messages.push(user(...ids.map((id) => result(id, content(resultKind), resultKind === "error"))));
    if (calls === 0 || prompt) messages.push(user(`Prompt ${n}.`));
  }
  return messages;
};

/** Picks reproducibly from what fast-check drew. */
interface Pick {
  message: number;
  block: number;
}

const at = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];
const isBlockList = (content: unknown): content is Loose[] => Array.isArray(content);
const blocksAt = (messages: Message[], pick: Pick): Loose[] => {
  const found: unknown = at(messages, pick.message)?.content;
  return isBlockList(found) ? found : []; // another mutation may have made it something else;
};
const blockAt = (messages: Message[], pick: Pick): Loose | undefined => at(blocksAt(messages, pick), pick.block);
const ofType = (messages: Message[], type: string, index: number): Loose | undefined =>
  at(
    messages
      .flatMap(({ content }) => (isBlockList(content) ? (content as unknown as Loose[]) : []))
      .filter((block) => block?.type === type),
    index,
  );
const insert = (messages: Message[], pick: Pick, ...blocks: unknown[]) =>
  void blocksAt(messages, pick).splice(pick.block % 4, 0, ...(blocks as Loose[]));
const set = (target: Loose | undefined, fields: Loose) => void (target && Object.assign(target, fields));

/** What may have happened to a transcript. Each changes the messages in place. */
const mutations: Record<string, (messages: Message[], pick: Pick) => void> = {
  "a message is gone": (messages, { message }) => void messages.splice(message % messages.length, 1),
  "a message is there twice": (messages, { message }) =>
    void messages.splice(message % messages.length, 0, structuredClone(at(messages, message)!)),
  "two messages changed places": (messages, { message }) => {
    const from = message % messages.length;
    const [taken] = messages.splice(from, 1);
    messages.splice(Math.min(from + 1, messages.length), 0, taken!);
  },
  "a role is wrong": (messages, { message }) => {
    const found = at(messages, message);
    if (found) found.role = found.role === "user" ? "assistant" : "user";
  },
  "a message is empty": (messages, { message }) => set(at(messages, message) as unknown as Loose, { content: [] }),
  "a content is no content": (messages, { message, block }) =>
    set(at(messages, message) as unknown as Loose, { content: at([null, 7, {}, "", "  ", "words"], block) }),
  "a block is gone": (messages, pick) => void blocksAt(messages, pick).splice(pick.block % 4, 1),
  "a block is there twice": (messages, pick) =>
    insert(messages, pick, structuredClone(blockAt(messages, pick) ?? text("x"))),
  "blocks are in another order": (messages, pick) => void blocksAt(messages, pick).reverse(),
  "an empty text": (messages, pick) => insert(messages, pick, text(at(["", " ", "\n\t"], pick.block) ?? "")),
  "half a character": (messages, pick) =>
    insert(
      messages,
      pick,
      at<unknown>(
        [text("a\ud800b"), call("sur", "Read", { "\udfff": ["\ud800"] }), result("sur", "\udc00")],
        pick.block,
      ),
    ),
  "thinking lost its signature": (messages, { block }) => delete ofType(messages, "thinking", block)?.signature,
  "thinking is changed": (messages, { block }) => set(ofType(messages, "thinking", block), { thinking: "forged" }),
  "thinking of another account": (messages, pick) =>
    insert(messages, pick, thinking("foreign"), { type: "redacted_thinking", data: "x" }),
  "an id is there twice": (messages, { message, block }) =>
    set(ofType(messages, "tool_use", message), { id: ofType(messages, "tool_use", block)?.id ?? "x" }),
  "an id or name is odd": (messages, { message, block }) =>
    set(
      ofType(messages, "tool_use", message),
      at([{ id: "a b:c" }, { name: "my tool" }, { name: "n".repeat(200) }, { name: "" }], block) ?? {},
    ),
  "an input is no object": (messages, { message, block }) =>
    set(ofType(messages, "tool_use", message), { input: at([null, "text", [1], undefined], block) }),
  "a result of no call": (messages, pick) => insert(messages, pick, result("nobody"), { type: "tool_result" }),
  "a bad image": (messages, pick) =>
    insert(
      messages,
      pick,
      at<unknown>(
        [
          image("###"),
          image(""),
          image(png(9000, 1)),
          image(png(1, 1), "image/webp"),
          { type: "image" },
          image("aGVsbG8="),
        ],
        pick.block,
      ),
    ),
  "many images": (messages, pick) =>
    insert(messages, pick, ...Array.from({ length: pick.block % 2 ? 120 : 25 }, () => image(png(2500, 5)))),
  "unknown fields and kinds": (messages, pick) => {
    set(blockAt(messages, pick), { odd: true });
    insert(messages, pick, 7, null, { no: "type" });
  },
};

const failure = (message: string) =>
  new ProviderError(`API error 400 (invalid_request_error): ${message}`, {
    kind: "invalid_request",
    retryable: false,
    status: 400,
  });

/** Sends until the API takes it, as the loop does: repaired in front, and once more for each thing the API names. */
const send = (messages: Message[], memory: SentMemory): { wire: Message[]; faults: string[] } => {
  const tried = new Set<string>();
  const faults: string[] = [];
  let history: readonly Message[] = messages;
  for (;;) {
    const tools = wireTools([]);
    const wire = wireMessages(history, { tools });
    const fault = complaint(wire, memory);
    if (fault === undefined) return { wire, faults };
    faults.push(fault);
    const refusal = refusalOf(failure(fault), { wire, tools }, tried);
    if (!refusal) throw new Error(`stuck at: ${faults.join("\n")}`);
    tried.add(refusalKey(refusal));
    history = withRepair(history, refusal);
  }
};

test("there are at least 20 mutations", () => {
  expect(Object.keys(mutations).length).toBeGreaterThanOrEqual(20);
});

test("F048 F052 F054 F164 from any prefix of any conversation, mutated in any way, the next request is one the API takes", () => {
  const picks = fc.record({ kind: fc.constantFrom(...Object.keys(mutations)), message: fc.nat(40), block: fc.nat(40) });
  const property = fc.property(
    rounds,
    fc.nat(40),
    fc.array(picks, { maxLength: 4 }),
    fc.boolean(),
    (shape, cut, changes, isLive) => {
      const whole = conversation(shape);
      // The server remembers what it sent; after a restart with another account it knows nothing of it.
      const memory = isLive ? memoryOf(whole) : newMemory();
      const messages = structuredClone(whole.slice(0, 1 + (cut % whole.length)));
      for (const { kind, ...pick } of changes) if (messages.length > 0) mutations[kind]?.(messages, pick);
      messages.push(user("The next prompt."));
      const { wire, faults } = send(messages, memory);
      expect(alternates(wire)).toBe(true);
      expect(JSON.stringify(wire)).toContain("The next prompt.");
      // Only thinking that is not what the server sent needs its answer: all else is known beforehand.
      expect(faults.filter((fault) => !/thinking/.test(fault))).toEqual([]);
      expect(faults.length).toBeLessThan(3);
    },
  );
  if (process.env.LONG === "1") console.log(`mutated histories: ${runs} runs, seed ${seed}`);
  fc.assert(property, { numRuns: runs, seed });
}, 600_000);

test("a conversation that nothing happened to is sent as it is", () => {
  fc.assert(
    fc.property(rounds, (shape) => {
      const whole = conversation(shape);
      const { wire, faults } = send(whole, memoryOf(whole));
      expect(faults).toEqual([]);
      const texts = (messages: readonly Message[]) => messages.flatMap(({ content }) => content as ContentBlock[]);
      const kept = texts(wire).filter(({ type }) => type !== "text");
      expect(kept.filter(({ type }) => type === "tool_use")).toEqual(
        texts(whole).filter(({ type }) => type === "tool_use"),
      );
    }),
    { numRuns: 100, seed },
  );
});
