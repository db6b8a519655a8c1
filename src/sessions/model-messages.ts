// Turns the records of a branch into messages the model's API accepts: answers joined, results in place, gaps filled.
import { newId } from "../protocol/ids.js";
import type { ContentBlock, Message, ToolResultBlock, ToolUseBlock } from "../protocol/messages.js";
import type { Branch } from "./branch.js";
import { type RecordBlock, recordBlocks, type TranscriptRecord } from "./record.js";

export const interruptedText =
  "The call was interrupted before it finished: it has no result. It may have had effects.";

export interface ModelMessages {
  messages: Message[];
  /** Results that were made up for calls without one: append them to the transcript, in order. */
  repairs: TranscriptRecord[];
  /** Changes of the history that the API asked for (records `history_repair`): each holds for the first `upTo` messages. */
  refusals: { upTo: number; repair: unknown }[];
  /** Uuid of the record that a message begins with, for those that came after the newest compaction. */
  sources: Map<Message, string>;
}

interface Answer {
  /** Where its message stands in the list. */
  content: ContentBlock[];
  messageId: string | undefined;
  requestId: string | undefined;
  lastIndex: number;
  /** The record of its first block. */
  source: string | undefined;
  results: Map<string, ToolResultBlock>;
  sources: Map<string, TranscriptRecord>;
}

type Item =
  | { kind: "answer"; answer: Answer }
  | { kind: "user"; content: string | ContentBlock[]; source: string | undefined }
  | { kind: "refusal"; repair: unknown };

/** The conversation since the newest compaction. Every call has its result in the message after it. O(n). */
export const toModelMessages = (branch: Branch): ModelMessages => {
  const items: Item[] = [];
  const open = new Map<string, Answer>(); // call id -> the answer that waits for its result
  let current: Answer | undefined;
  const { records, from } = modelRecords(branch);
  for (const [at, record] of records.entries()) {
    const source = at < from ? undefined : record.uuid;
    if (record.type === "assistant") {
      if (isSynthetic(record)) continue;
      if (current === undefined || !belongsTo(record, current)) {
        current = newAnswer(record);
        items.push({ kind: "answer", answer: current });
      }
      addBlocks(record, source, current, open);
    } else if (record.type === "user" && record.message !== undefined) {
      const rest = takeResults(record, open);
      if (rest === undefined) continue;
      items.push({ kind: "user", content: rest, source });
      current = undefined;
    } else if (record.type === "system" && record.subtype === "history_repair") {
      items.push({ kind: "refusal", repair: record.repair });
    }
  }
  const made: ModelMessages = { messages: [], repairs: [], refusals: [], sources: new Map() };
  for (const item of items) {
    if (item.kind === "refusal") {
      made.refusals.push({ upTo: made.messages.length, repair: item.repair });
      continue;
    }
    const source = item.kind === "user" ? item.source : item.answer.source;
    const messages = toMessages(item, made.repairs);
    if (messages[0] && source !== undefined) made.sources.set(messages[0], source);
    made.messages.push(...messages);
  }
  return made;
};

interface ModelRecords {
  records: TranscriptRecord[];
  /** Place of the first one that no compaction has put there. */
  from: number;
}

/** Records the model sees: from the newest boundary on, with what the compaction kept put behind its summary. */
const modelRecords = ({ records, boundary }: Branch): ModelRecords => {
  if (boundary === -1) return { records, from: 0 };
  const after = records.slice(boundary + 1);
  const segment = records[boundary]?.compactMetadata?.preservedSegment;
  const summaryAt = after.findLastIndex(({ isCompactSummary }) => isCompactSummary === true);
  const whole = { records: after, from: summaryAt + 1 };
  if (segment === undefined) return whole;
  const head = records.findIndex(({ uuid }) => uuid === segment.headUuid);
  const tail = records.findIndex(({ uuid }) => uuid === segment.tailUuid);
  if (head === -1 || tail < head || tail >= boundary) return whole;
  const kept = records.slice(head, tail + 1);
  const anchor = after.findIndex(({ uuid }) => uuid === segment.anchorUuid);
  const summary = anchor === -1 ? summaryAt : anchor;
  return {
    records: [...after.slice(0, summary + 1), ...kept, ...after.slice(summary + 1)],
    from: summary + 1 + kept.length,
  };
};

/** Error texts that stand where an answer would: shown to the person, never sent. */
const isSynthetic = (record: TranscriptRecord): boolean =>
  record.isApiErrorMessage === true || record.message?.model === "<synthetic>";

const newAnswer = (record: TranscriptRecord): Answer => ({
  content: [],
  messageId: record.message?.id,
  requestId: record.requestId,
  lastIndex: -1,
  source: undefined,
  results: new Map(),
  sources: new Map(),
});

/** True when the line is a further block of this answer. Ids alone are not enough: some servers repeat them. */
const belongsTo = (record: TranscriptRecord, answer: Answer): boolean => {
  if (record.message?.id === undefined || record.message.id !== answer.messageId) return false;
  if (record.requestId !== undefined && answer.requestId !== undefined && record.requestId !== answer.requestId)
    return false;
  return record.blockIndex === undefined || record.blockIndex > answer.lastIndex;
};

const addBlocks = (
  record: TranscriptRecord,
  source: string | undefined,
  answer: Answer,
  open: Map<string, Answer>,
): void => {
  if (record.blockIndex !== undefined) answer.lastIndex = record.blockIndex;
  for (const block of recordBlocks(record)) {
    if (!isSendable(block)) continue;
    if (answer.content.length === 0) answer.source = source;
    answer.content.push(block as unknown as ContentBlock);
    if (block.type !== "tool_use") continue;
    const id = String(block.id);
    answer.sources.set(id, record);
    open.set(id, answer);
  }
};

/** The API refuses empty texts, and thinking without the signature it came with (a stream that broke off). */
const isSendable = (block: RecordBlock): boolean => {
  if (block.type === "text") return typeof block.text === "string" && block.text.trim() !== "";
  if (block.type === "thinking") return typeof block.signature === "string" && block.signature !== "";
  return true;
};

/** Hands results to their calls; returns what else the message says, undefined when nothing. */
const takeResults = (record: TranscriptRecord, open: Map<string, Answer>): string | ContentBlock[] | undefined => {
  const content = record.message?.content;
  if (typeof content === "string") return content.trim() === "" ? undefined : content;
  const rest: ContentBlock[] = [];
  for (const block of recordBlocks(record)) {
    if (block.type !== "tool_result") {
      if (isSendable(block)) rest.push(block as unknown as ContentBlock);
      continue;
    }
    const id = String(block.tool_use_id);
    // A result of no open call (a second one, or one whose call is gone) would make every request fail.
    open.get(id)?.results.set(id, block as unknown as ToolResultBlock);
    open.delete(id);
  }
  return rest.length === 0 ? undefined : rest;
};

const toMessages = (item: Exclude<Item, { kind: "refusal" }>, repairs: TranscriptRecord[]): Message[] => {
  if (item.kind === "user") return [{ role: "user", content: item.content }];
  const { answer } = item;
  // Thinking at the end belongs to an answer that broke off; the API takes it only in front of something.
  const end = answer.content.findLastIndex(({ type }) => type !== "thinking" && type !== "redacted_thinking");
  const content = answer.content.slice(0, end + 1);
  if (content.length === 0) return [];
  const calls = content.filter((block): block is ToolUseBlock => block.type === "tool_use");
  const message: Message = { role: "assistant", content };
  if (calls.length === 0) return [message];
  const results = calls.map(({ id }) => {
    const result = answer.results.get(id);
    if (result !== undefined) return result;
    const repair = interruptedResult(id);
    repairs.push(repairRecord(repair, answer.sources.get(id)!));
    return repair;
  });
  return [message, { role: "user", content: results }];
};

/** What stands in for the result of a call that never came back. */
const interruptedResult = (toolUseId: string): ToolResultBlock => ({
  type: "tool_result",
  tool_use_id: toolUseId,
  content: interruptedText,
  is_error: true,
});

const repairRecord = (result: ToolResultBlock, source: TranscriptRecord): TranscriptRecord => ({
  parentUuid: null, // set when all are known
  isSidechain: false,
  type: "user",
  uuid: newId(),
  timestamp: new Date().toISOString(),
  sessionId: source.sessionId,
  cwd: source.cwd,
  version: source.version,
  gitBranch: source.gitBranch,
  userType: "external",
  entrypoint: source.entrypoint,
  message: { role: "user", content: [result as unknown as RecordBlock] },
  toolUseResult: `Error: ${interruptedText}`,
  sourceToolAssistantUUID: source.uuid,
});
