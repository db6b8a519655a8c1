// Writes a session's transcript: append-only JSON lines, one write per record, so that kill -9 loses at most a line.
import { statSync } from "node:fs";
import type { Display } from "../protocol/display.js";
import { newId } from "../protocol/ids.js";
import type { AssistantMessage, ContentBlock, ToolResultBlock } from "../protocol/messages.js";
import type { PermissionMode } from "../protocol/permission.js";
import { LineFile } from "./line-file.js";
import { isChainRecord, type TranscriptRecord } from "./record.js";

export interface TranscriptOptions {
  file: string;
  sessionId: string;
  cwd: string;
  version: string;
  gitBranch?: string;
  /** "cli" or "sdk-cli". */
  entrypoint: string;
  /** Set for a subagent's transcript: its records carry the id and count as a sidechain. */
  agentId?: string;
  /** The record to continue after; absent or null: a new conversation. */
  parentUuid?: string | null;
  now?: () => number;
  /** Told once when writing fails, and again only after it has worked in between. Records wait in memory and are tried again. */
  onProblem?: (text: string) => void;
}

interface UserEntry {
  content: string | ContentBlock[];
  uuid?: string;
  permissionMode?: PermissionMode;
  promptId?: string;
  promptSource?: string;
  isMeta?: boolean;
  isCompactSummary?: boolean;
  /** What the person sees of it, when that is not the content. */
  shown?: string;
}

interface AssistantEntry {
  /** The API message; each of its blocks becomes one line. */
  message: AssistantMessage;
  /** Uuids of the blocks, in order; missing ones are made. */
  uuids?: string[];
  /** Place of the first block in its answer; without it, lines belong together by message and request id alone. */
  index?: number;
  requestId?: string;
  isApiErrorMessage?: boolean;
}

interface ToolResultEntry {
  block: ToolResultBlock;
  uuid?: string;
  /** The tool's structured output, or an "Error: …" text. */
  toolUseResult?: unknown;
  display?: Display;
  durationMs?: number;
  /** Uuid of the assistant line with the call; found by itself for calls this writer wrote. */
  sourceUuid?: string;
}

interface SystemEntry {
  subtype: string;
  content: string;
  level?: string;
  [key: string]: unknown;
}

interface CompactEntry {
  trigger: "manual" | "auto";
  preTokens: number;
  postTokens: number;
  durationMs: number;
  preservedSegment?: { headUuid: string; anchorUuid: string; tailUuid: string };
  uuid?: string;
}

export interface TranscriptWriter {
  readonly file: string;
  /** Uuid of the newest record of the chain. */
  lastUuid(): string | null;
  /** Each append returns the uuid(s) it wrote. None throws for a failing disk: see `onProblem`. */
  appendUser(entry: UserEntry): string;
  appendAssistant(entry: AssistantEntry): string[];
  appendToolResult(entry: ToolResultEntry): string;
  appendSystem(entry: SystemEntry): string;
  /** Ends the context so far: what is appended after it is all the model will see of the conversation. */
  appendCompactBoundary(entry: CompactEntry): string;
  appendMode(mode: PermissionMode): void;
  appendTitle(title: string, origin: "person" | "model"): void;
  appendLastPrompt(prompt: string): void;
  /** Any record as it is: repairs of resume.ts, lines of other kinds. Moves the chain when it belongs to it. */
  appendRaw(record: TranscriptRecord): void;
  /** The next record hangs behind this one: another branch begins; what is written stays. */
  branchFrom(uuid: string | null): void;
  /** Changes what later records say of the folder. */
  setPlace(place: { cwd?: string; gitBranch?: string }): void;
  /** Finds out that the file was removed or replaced, and writes it again where it was removed. Throws when it cannot. */
  restore(): "fine" | "rewritten" | "replaced";
  /** Forces what is written to the disk (fdatasync). Call at a run's end and after a compaction. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Less than what lists read of either end (list.ts). */
const findableBytes = 48 * 1024;

const exists = (file: string): boolean => {
  try {
    return statSync(file).size > 0;
  } catch {
    return false; // not there, or not readable: the first write will say so
  }
};

/**
 * Opens a session's transcript for writing. The file (mode 0600) is made with the first real message; modes, titles
 * and local commands before it wait. Never throws; the caller holds the session's lock.
 */
export const openTranscript = (options: TranscriptOptions): TranscriptWriter => new Writer(options);

class Writer implements TranscriptWriter {
  readonly file: string;
  readonly #lines: LineFile;
  readonly #place: { cwd: string; gitBranch: string };
  /** tool_use id -> uuid of its line. */
  readonly #callRecords = new Map<string, string>();
  /** Lines that wait for the first real message; undefined once the file exists. */
  #held: string[] | undefined;
  #last: string | null;
  /** Newest title and prompt: lists look for them at the file's end. */
  readonly #findable: { title?: Record<string, unknown>; prompt?: Record<string, unknown> } = {};
  /** Bytes written since they were. */
  #sinceFindable = 0;

  constructor(private readonly options: TranscriptOptions) {
    this.file = options.file;
    this.#lines = new LineFile(options.file, (reason) =>
      options.onProblem?.(`The transcript ${options.file} cannot be written, so this session is not kept: ${reason}`),
    );
    this.#place = { cwd: options.cwd, gitBranch: options.gitBranch ?? "" };
    this.#held = exists(options.file) ? undefined : [];
    this.#last = options.parentUuid ?? null;
  }

  lastUuid(): string | null {
    return this.#last;
  }

  appendUser({ content, uuid = newId(), isCompactSummary, ...rest }: UserEntry): string {
    const summary = isCompactSummary ? { isCompactSummary, isVisibleInTranscriptOnly: true } : {};
    return this.#chain("user", uuid, { message: { role: "user", content }, ...rest, ...summary });
  }

  appendAssistant({ message, uuids, index, requestId, isApiErrorMessage }: AssistantEntry): string[] {
    return message.content.map((block, offset) => {
      const uuid = uuids?.[offset] ?? newId();
      if (block.type === "tool_use") this.#callRecords.set(block.id, uuid);
      const fields = { message: { ...message, content: [block] }, requestId, isApiErrorMessage };
      const blockIndex = index === undefined ? undefined : index + offset;
      return this.#chain("assistant", uuid, { ...fields, blockIndex });
    });
  }

  appendToolResult(entry: ToolResultEntry): string {
    const { block, uuid = newId(), toolUseResult, display, durationMs, sourceUuid } = entry;
    const sourceToolAssistantUUID = sourceUuid ?? this.#callRecords.get(block.tool_use_id);
    this.#callRecords.delete(block.tool_use_id);
    const message = { role: "user", content: [block] };
    return this.#chain("user", uuid, { message, toolUseResult, sourceToolAssistantUUID, display, durationMs });
  }

  appendSystem({ subtype, content, level = "info", ...rest }: SystemEntry): string {
    return this.#chain("system", newId(), { subtype, content, level, ...rest });
  }

  appendCompactBoundary({ uuid = newId(), ...compactMetadata }: CompactEntry): string {
    const parents = { parentUuid: null, logicalParentUuid: this.#last };
    const shown = { subtype: "compact_boundary", content: "Conversation compacted", level: "info" };
    return this.#chain("system", uuid, { ...parents, ...shown, compactMetadata });
  }

  appendMode(permissionMode: PermissionMode): void {
    this.#note({ type: "permission-mode", permissionMode });
  }

  appendTitle(title: string, origin: "person" | "model"): void {
    this.#findable.title =
      origin === "person" ? { type: "custom-title", customTitle: title } : { type: "ai-title", aiTitle: title };
    this.#note(this.#findable.title);
  }

  appendLastPrompt(lastPrompt: string): void {
    this.#findable.prompt = { type: "last-prompt", lastPrompt, leafUuid: this.#last };
    this.#note(this.#findable.prompt);
  }

  appendRaw(record: TranscriptRecord): void {
    this.#write(record, record.type === "user" || record.type === "assistant");
    if (isChainRecord(record) && !record.isSidechain) this.#last = record.uuid;
  }

  branchFrom(uuid: string | null): void {
    this.#last = uuid;
  }

  setPlace(change: { cwd?: string; gitBranch?: string }): void {
    Object.assign(this.#place, change);
  }

  restore(): "fine" | "rewritten" | "replaced" {
    return this.#lines.restore();
  }

  sync(): Promise<void> {
    this.#keepFindable();
    return this.#lines.sync();
  }

  async close(): Promise<void> {
    await this.sync();
    this.#lines.close();
  }

  /** Writes title and prompt again where much was written since: of a big file lists read the ends only. */
  #keepFindable(): void {
    if (this.#held !== undefined || this.#sinceFindable < findableBytes) return;
    this.#sinceFindable = 0;
    const { title, prompt } = this.#findable;
    if (title) this.#note(title);
    if (prompt) this.#note({ ...prompt, leafUuid: this.#last });
  }

  /** A record outside the chain. */
  #note(record: Record<string, unknown>): void {
    this.#write({ ...record, sessionId: this.options.sessionId }, false);
  }

  /** Writes one record of the chain behind the newest one. */
  #chain(type: string, uuid: string, { parentUuid = this.#last, ...fields }: Record<string, unknown>): string {
    const record = {
      parentUuid,
      isSidechain: this.options.agentId !== undefined,
      ...(this.options.agentId === undefined ? {} : { agentId: this.options.agentId }),
      type,
      uuid,
      timestamp: new Date(this.options.now?.() ?? Date.now()).toISOString(),
      sessionId: this.options.sessionId,
      cwd: this.#place.cwd,
      version: this.options.version,
      gitBranch: this.#place.gitBranch,
      userType: "external",
      entrypoint: this.options.entrypoint,
      ...fields,
    };
    this.#write(record, type !== "system");
    this.#last = uuid;
    return uuid;
  }

  #write(record: Record<string, unknown>, isReal: boolean): void {
    const line = JSON.stringify(record);
    if (this.#held !== undefined && !isReal) {
      this.#held.push(line);
      return;
    }
    for (const earlier of this.#held ?? []) this.#lines.append(earlier);
    this.#held = undefined;
    this.#sinceFindable += line.length;
    this.#lines.append(line);
  }
}
