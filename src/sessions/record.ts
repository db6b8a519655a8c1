// One line of a transcript, as other programs and older versions wrote it too: only `type` is certain.
import type { Display } from "../protocol/display.js";

/** Fields are optional because older files lack some; unknown ones are kept as they are. */
export interface TranscriptRecord {
  type: string;
  subtype?: string;
  uuid?: string;
  parentUuid?: string | null;
  logicalParentUuid?: string | null;
  sessionId?: string;
  timestamp?: string;
  cwd?: string;
  gitBranch?: string;
  version?: string;
  entrypoint?: string;
  isSidechain?: boolean;
  isMeta?: boolean;
  isCompactSummary?: boolean;
  isApiErrorMessage?: boolean;
  permissionMode?: string;
  requestId?: string;
  /** Ours: place of the block in its answer. Tells two answers with one id apart. */
  blockIndex?: number;
  /** Ours: what the person sees of a prompt (without expansions). */
  shown?: string;
  /** Ours: the tool result as the screen showed it. */
  display?: Display;
  /** Ours: how long the call took. */
  durationMs?: number;
  toolUseResult?: unknown;
  sourceToolAssistantUUID?: string;
  message?: RecordMessage;
  content?: unknown;
  level?: string;
  compactMetadata?: CompactMetadata;
  [key: string]: unknown;
}

interface RecordMessage {
  role?: string;
  id?: string;
  model?: string;
  content?: string | RecordBlock[];
  stop_reason?: string | null;
  [key: string]: unknown;
}

export type RecordBlock = { type: string; [key: string]: unknown };

interface CompactMetadata {
  trigger?: string;
  preTokens?: number;
  postTokens?: number;
  durationMs?: number;
  /** Records before the boundary that stay in the context, put behind the record `anchorUuid`. */
  preservedSegment?: { headUuid: string; anchorUuid: string; tailUuid: string };
}

/** Types that hang in the tree by `parentUuid`. */
const chainTypes = new Set(["user", "assistant", "system", "attachment"]);

/** True for records that are part of the conversation's tree. */
export const isChainRecord = (record: TranscriptRecord): record is TranscriptRecord & { uuid: string } =>
  chainTypes.has(record.type) && typeof record.uuid === "string";

/** The content of a record's message as a list of blocks; things that are no blocks are left out. */
export const recordBlocks = (record: TranscriptRecord): RecordBlock[] => {
  const content = record.message?.content;
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  const blocks: unknown[] = content;
  return blocks.every(isBlock) ? blocks : blocks.filter(isBlock);
};

const isBlock = (block: unknown): block is RecordBlock =>
  typeof block === "object" && block !== null && "type" in block && typeof block.type === "string";
