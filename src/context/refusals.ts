// When the API refuses a history all the same (400): which one change makes it acceptable, from what the error says.
import { createHash } from "node:crypto";
import type { Message } from "../protocol/messages.js";
import { blocksOf } from "../protocol/messages.js";
import type { ProviderError, ToolSpec } from "../providers/provider.js";
import { withoutMedia } from "./repairs/images.js";
import { type AnyBlock, asAny, asBlock, type BlockMessage, isObject, mapBlocks, note } from "./repairs/repair.js";
import { shapeMessages } from "./repairs/shape.js";
import { isThinking } from "./repairs/thinking.js";

/** `subtype` of the transcript's record of a repair. */
export const repairSubtype = "history_repair";

/** A change of the history that the API's error asked for. `what` says it to a person. */
export type Refusal = { what: string } & (
  | { kind: "strip_thinking" }
  /** Images and documents by the hash of their data; absent: all. */
  | { kind: "drop_media"; hashes?: string[] }
  | { kind: "drop_tool"; name: string }
  /** Loaded tools stand in the list like all others. */
  | { kind: "no_references" }
  /** Calls and results told as text: no rule of pairing holds for text. */
  | { kind: "calls_as_text" }
  /** Nothing but text is left. */
  | { kind: "text_only" }
);

/** Tells repairs apart: the same one does not help a second time. */
export const refusalKey = (refusal: Refusal): string => {
  if (refusal.kind === "drop_tool") return `drop_tool ${refusal.name}`;
  return refusal.kind === "drop_media" ? `drop_media ${refusal.hashes?.join() ?? "all"}` : refusal.kind;
};

interface Sent {
  wire: readonly Message[];
  tools: { specs: readonly ToolSpec[]; realName(wire: string): string };
}

const hashOf = (block: AnyBlock): string =>
  createHash("sha256").update(JSON.stringify(block.source)).digest("hex").slice(0, 16);

const isMedia = ({ type }: { type: string }): boolean => type === "image" || type === "document";

/** The block an error's path ("messages.3.content.1.content.0.image") points at. */
const blockAt = (wire: readonly Message[], text: string): AnyBlock | undefined => {
  const path = /messages\.(\d+)\.content\.(\d+)(?:\.(?:tool_result\.)?content\.(\d+))?/.exec(text);
  if (!path) return undefined;
  const outer = blocksOf(wire[Number(path[1])]?.content ?? [])[Number(path[2])];
  if (outer === undefined || path[3] === undefined) return outer && asAny(outer);
  const inner = asAny(outer).content;
  return Array.isArray(inner) ? (inner[Number(path[3])] as AnyBlock | undefined) : undefined;
};

const mostNamed = 3; // one by one; after that all go, or a folder of bad images costs a request each

const mediaRefusal = (wire: readonly Message[], text: string, tried: ReadonlySet<string>): Refusal => {
  const block = blockAt(wire, text);
  const named = [...tried].filter((key) => key.startsWith("drop_media")).length;
  if (block && isMedia(block) && named < mostNamed) {
    const what = `Replaced the ${block.type} the API named by a note.`;
    const refusal: Refusal = { kind: "drop_media", hashes: [hashOf(block)], what };
    if (!tried.has(refusalKey(refusal))) return refusal;
  }
  return { kind: "drop_media", what: "Replaced all images and documents by notes." };
};

const toolRefusal = ({ tools }: Sent, text: string): Refusal | undefined => {
  const spec = tools.specs[Number(/\btools\.(\d+)/.exec(text)?.[1])];
  if (!spec) return undefined;
  const name = tools.realName(spec.name);
  return { kind: "drop_tool", name, what: `Left out the tool ${name}.` };
};

interface Row {
  matches: RegExp;
  make(sent: Sent, text: string, tried: ReadonlySet<string>): Refusal | undefined;
}

/** First row that matches and was not tried for this request. The last rows take more away. */
const rows: readonly Row[] = [
  {
    matches: /defer_loading|tool[_ ]references?\b/i,
    make: () => ({ kind: "no_references", what: "Sent loaded tools in the list, without tool references." }),
  },
  { matches: /\btools\.\d+/, make: toolRefusal },
  {
    matches: /(?:messages\.\d|block)[\s\S]*(?:thinking|signature)|(?:thinking|signature)[\s\S]*block/i,
    make: () => ({ kind: "strip_thinking", what: "Left out the model's earlier thinking." }),
  },
  {
    matches: /image|document|pdf|base64|media_type/i,
    make: ({ wire }, text, tried) => mediaRefusal(wire, text, tried),
  },
  {
    matches: /tool_use|tool_result|\bids? must be unique/,
    make: () => ({ kind: "calls_as_text", what: "Told the earlier calls and their results as text." }),
  },
  {
    matches: /\bmessages\b/,
    make: () => ({ kind: "text_only", what: "Kept only the text of the earlier conversation." }),
  },
];

/** What to change after this error; undefined: it is not about the history, or everything was tried. */
export const refusalOf = (error: ProviderError, sent: Sent, tried: ReadonlySet<string>): Refusal | undefined => {
  if (error.kind !== "invalid_request" || error.status !== 400) return undefined;
  for (const { matches, make } of rows) {
    if (!matches.test(error.message)) continue;
    const refusal = make(sent, error.message, tried);
    if (refusal && !tried.has(refusalKey(refusal))) return refusal;
  }
  return undefined;
};

const withoutThinking = (messages: readonly Message[]): BlockMessage[] =>
  mapBlocks(shapeMessages(messages), (block) => (isThinking(block) ? undefined : block));

/** Whether any answer holds thinking. */
export const hasThinking = (messages: readonly Message[]): boolean =>
  messages.some(({ content }) => typeof content !== "string" && content.some(isThinking));

const lastHasResult = (messages: readonly BlockMessage[]): boolean => {
  const from = messages.findLastIndex(({ role }) => role === "assistant") + 1;
  return messages.slice(from).some(({ content }) => content.some(({ type }) => type === "tool_result"));
};

/** Ends an open round of calls: inside one the API wants the thinking back that has just been taken out. */
const closed = (messages: BlockMessage[]): BlockMessage[] =>
  lastHasResult(messages)
    ? [
        ...messages,
        { role: "assistant", content: [asBlock({ type: "text", text: "I have these results." })] },
        { role: "user", content: [asBlock(note("Go on with the task from here."))] },
      ]
    : messages;

const inWords = (block: AnyBlock): AnyBlock => {
  if (block.type === "tool_use") return note(`Call of ${String(block.name)}: ${JSON.stringify(block.input)}`);
  if (block.type !== "tool_result") return block;
  const { content } = block;
  const parts: unknown[] = Array.isArray(content) ? content : [{ type: "text", text: String(content ?? "") }];
  const texts = parts.map((part) => (isObject(part) && part.type === "text" ? String(part.text) : "(not text)"));
  return note(`Result of the call: ${texts.join("\n") || "(empty)"}`);
};

const onlyText = (block: AnyBlock): AnyBlock => (block.type === "text" ? block : note(`${block.type} left out`));

/** The messages with a refusal's change made. Pure, and the same on resume. */
export const withRepair = (messages: readonly Message[], refusal: Refusal): Message[] => {
  switch (refusal.kind) {
    case "strip_thinking":
      return closed(withoutThinking(messages));
    case "drop_media": {
      const { hashes } = refusal;
      const why = "the API could not take it";
      return withoutMedia(shapeMessages(messages), (block) =>
        hashes === undefined || hashes.includes(hashOf(block)) ? why : undefined,
      );
    }
    case "calls_as_text":
      return mapBlocks(withoutThinking(messages), inWords);
    case "text_only":
      return mapBlocks(withoutThinking(messages), (block) => onlyText(inWords(block)));
    case "drop_tool":
    case "no_references":
      return [...messages];
  }
};

/** Puts other messages into the same list, which several parts of a session hold. */
export const replaceMessages = (list: Message[], messages: readonly Message[]): void => {
  list.length = 0;
  for (const message of messages) list.push(message);
};

/** A repair read back from a transcript; undefined when it is none we know. */
const readRefusal = (value: unknown): Refusal | undefined => {
  if (!isObject(value) || typeof value.what !== "string") return undefined;
  const kinds: readonly string[] = ["strip_thinking", "drop_media", "calls_as_text", "text_only"];
  return kinds.includes(String(value.kind)) ? (value as unknown as Refusal) : undefined;
};

/** The messages of a resumed session with the changes made that the API had asked for, each for the messages before it. */
export const withRecordedRepairs = (
  messages: readonly Message[],
  recorded: readonly { upTo: number; repair: unknown }[],
): Message[] => {
  let list = [...messages];
  let shift = 0;
  for (const { upTo, repair } of recorded) {
    const refusal = readRefusal(repair);
    if (!refusal) continue;
    const head = withRepair(list.slice(0, upTo + shift), refusal);
    list = [...head, ...list.slice(upTo + shift)];
    shift = head.length - upTo;
  }
  return list;
};
