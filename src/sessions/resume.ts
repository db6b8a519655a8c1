// Brings a conversation back from its transcript: for the model, for the screen, and what is missing on disk.
import type { EngineEvent } from "../protocol/events.js";
import type { Message, Usage } from "../protocol/messages.js";
import { type PermissionMode, permissionMode } from "../protocol/permission.js";
import { newestBranch } from "./branch.js";
import { type ModelMessages, toModelMessages } from "./model-messages.js";
import { isChainRecord, type TranscriptRecord } from "./record.js";
import { type DescribeCall, toEvents } from "./replay.js";

export interface Conversation {
  /** For the model: since the newest compaction, every call answered. */
  messages: Message[];
  /** Changes the API had asked for; see `toModelMessages`. */
  refusals: ModelMessages["refusals"];
  /** The records that messages begin with; see `toModelMessages`. */
  sources: ModelMessages["sources"];
  /** For the screen: the whole branch, also what a compaction replaced. */
  events: EngineEvent[];
  /** Results of interrupted calls. Append them with `appendRaw`, in order, before anything else. */
  repairs: TranscriptRecord[];
  /** The record the repairs (or the next record) hang on. */
  lastUuid: string | null;
  sessionId: string | undefined;
  /** As recorded last; the caller decides which modes a resume may restore (not plan, not bypassPermissions). */
  permissionMode: PermissionMode | undefined;
  /** Model of the newest answer. */
  model: string | undefined;
  title: string | undefined;
  titleBy: "person" | "model" | undefined;
  /** Where the newest record was written. */
  cwd: string | undefined;
  lastPrompt: string | undefined;
  /** Size of the context as it was counted last; 0 when nothing was. */
  contextTokens: number;
}

export interface LoadOptions {
  describe?: DescribeCall;
  /** Cut behind the record with this uuid (--resume-session-at); unknown: Error. */
  upTo?: string;
}

/**
 * Loads the newest branch of a transcript. O(n) in the number of records; never throws for what is in them,
 * only for an unknown `upTo`.
 */
export const loadConversation = (all: readonly TranscriptRecord[], options: LoadOptions = {}): Conversation => {
  const records = options.upTo === undefined ? all : cutAt(all, options.upTo);
  const branch = newestBranch(records);
  const { messages, repairs, refusals, sources } = toModelMessages(branch);
  let parentUuid = branch.lastUuid;
  for (const repair of repairs) {
    repair.parentUuid = parentUuid;
    parentUuid = repair.uuid ?? null;
  }
  return {
    messages,
    refusals,
    sources,
    events: toEvents([...branch.records, ...repairs], options.describe),
    repairs,
    lastUuid: branch.lastUuid,
    sessionId: newest(records, ({ sessionId }) => sessionId),
    permissionMode: newestMode(records),
    model: newest(branch.records, modelOf),
    title: titleOf(records),
    titleBy: titleBy(records),
    cwd: newest(branch.records, ({ cwd }) => cwd),
    lastPrompt: newest(records, ({ type, lastPrompt }) => (type === "last-prompt" ? stringOf(lastPrompt) : undefined)),
    contextTokens: newest(branch.records, contextTokensOf) ?? 0,
  };
};

const givenTitle = (records: readonly TranscriptRecord[]): string | undefined =>
  newest(records, ({ type, customTitle }) => (type === "custom-title" ? stringOf(customTitle) : undefined));

/** Who gave the title that `titleOf` finds. */
export const titleBy = (records: readonly TranscriptRecord[]): "person" | "model" | undefined => {
  if (givenTitle(records) !== undefined) return "person";
  return titleOf(records) === undefined ? undefined : "model";
};

/** Title given by a person, else by the model, else an old summary line. */
export const titleOf = (records: readonly TranscriptRecord[]): string | undefined =>
  givenTitle(records) ??
  newest(records, ({ type, aiTitle }) => (type === "ai-title" ? stringOf(aiTitle) : undefined)) ??
  newest(records, ({ type, summary }) => (type === "summary" ? stringOf(summary) : undefined));

const stringOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** The last defined value that `pick` finds. */
const newest = <T>(
  records: readonly TranscriptRecord[],
  pick: (record: TranscriptRecord) => T | undefined,
): T | undefined => {
  for (let at = records.length - 1; at >= 0; at -= 1) {
    const value = pick(records[at]!);
    if (value !== undefined) return value;
  }
  return undefined;
};

const newestMode = (records: readonly TranscriptRecord[]): PermissionMode | undefined =>
  newest(records, (record) => {
    if (record.type !== "permission-mode" && record.type !== "user") return undefined;
    if (record.permissionMode === undefined) return undefined;
    return permissionMode.safeParse(record.permissionMode).data;
  });

const modelOf = (record: TranscriptRecord): string | undefined => {
  const model = record.type === "assistant" ? stringOf(record.message?.model) : undefined;
  return model === "<synthetic>" ? undefined : model;
};

/** What a record says of the context's size: the usage of an answer, or what a compaction left. */
const contextTokensOf = ({ type, message, compactMetadata }: TranscriptRecord): number | undefined => {
  if (type === "system") return compactMetadata?.postTokens;
  const counted = type === "assistant" && message?.model !== "<synthetic>" ? message?.usage : undefined;
  if (typeof counted !== "object" || counted === null) return undefined;
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } =
    counted as Partial<Usage>;
  const sum = [input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens]
    .map((part) => (typeof part === "number" ? part : 0))
    .reduce((left, right) => left + right, 0);
  return sum > 0 ? sum : undefined;
};

const cutAt = (records: readonly TranscriptRecord[], uuid: string): readonly TranscriptRecord[] => {
  const at = records.findIndex((record) => isChainRecord(record) && record.uuid === uuid);
  if (at === -1) throw new Error(`No message ${uuid} in this session`);
  return records.slice(0, at + 1);
};
