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
  /** The record to continue after; absent or null: a new conversation. */
  parentUuid?: string | null;
  now?: () => number;
  /** Told once when writing fails, and again only after it has worked in between. Records wait in memory and are tried again. */
  onProblem?: (text: string) => void;
}

export interface UserEntry {
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

export interface AssistantEntry {
  /** The API message; each of its blocks becomes one line. */
  message: AssistantMessage;
  /** Uuids of the blocks, in order; missing ones are made. */
  uuids?: string[];
  /** Place of the first block in its answer. */
  index?: number;
  requestId?: string;
  isApiErrorMessage?: boolean;
}

export interface ToolResultEntry {
  block: ToolResultBlock;
  uuid?: string;
  /** The tool's structured output, or an "Error: …" text. */
  toolUseResult?: unknown;
  display?: Display;
  durationMs?: number;
  /** Uuid of the assistant line with the call; found by itself for calls this writer wrote. */
  sourceUuid?: string;
}

export interface CompactEntry {
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
  appendSystem(entry: { subtype: string; content: string; level?: string; [key: string]: unknown }): string;
  /** Ends the context so far: what is appended after it is all the model will see of the conversation. */
  appendCompactBoundary(entry: CompactEntry): string;
  appendMode(mode: PermissionMode): void;
  appendTitle(title: string, origin: "person" | "model"): void;
  appendLastPrompt(prompt: string): void;
  /** Any record as it is: repairs of resume.ts, lines of other kinds. Moves the chain when it belongs to it. */
  appendRaw(record: TranscriptRecord): void;
  /** Changes what later records say of the folder. */
  setPlace(place: { cwd?: string; gitBranch?: string }): void;
  /** Forces what is written to the disk (fdatasync). Call at a run's end and after a compaction. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

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
export const openTranscript = (options: TranscriptOptions): TranscriptWriter => {
  const lines = new LineFile(options.file, (reason) =>
    options.onProblem?.(`The transcript ${options.file} cannot be written: ${reason}`),
  );
  const place = { cwd: options.cwd, gitBranch: options.gitBranch ?? "" };
  const callRecords = new Map<string, string>(); // tool_use id -> uuid of its line
  let held: string[] | undefined = exists(options.file) ? undefined : [];
  let last = options.parentUuid ?? null;

  const write = (record: Record<string, unknown>, isReal: boolean): void => {
    const line = JSON.stringify(record);
    if (held !== undefined && !isReal) {
      held.push(line);
      return;
    }
    for (const earlier of held ?? []) lines.append(earlier);
    held = undefined;
    lines.append(line);
  };

  const stamp = () => new Date(options.now?.() ?? Date.now()).toISOString();

  /** Writes one record of the chain behind the newest one. */
  const chain = (type: string, uuid: string, fields: Record<string, unknown>): string => {
    const { parentUuid = last, ...rest } = fields;
    write(
      {
        parentUuid,
        isSidechain: false,
        type,
        uuid,
        timestamp: stamp(),
        sessionId: options.sessionId,
        cwd: place.cwd,
        version: options.version,
        gitBranch: place.gitBranch,
        userType: "external",
        entrypoint: options.entrypoint,
        ...rest,
      },
      type !== "system",
    );
    last = uuid;
    return uuid;
  };

  return {
    file: options.file,
    lastUuid: () => last,
    appendUser: ({ content, uuid = newId(), isCompactSummary, ...rest }) =>
      chain("user", uuid, {
        message: { role: "user", content },
        ...rest,
        ...(isCompactSummary ? { isCompactSummary, isVisibleInTranscriptOnly: true } : {}),
      }),
    appendAssistant: ({ message, uuids, index = 0, requestId, isApiErrorMessage }) =>
      message.content.map((block, offset) => {
        const uuid = uuids?.[offset] ?? newId();
        if (block.type === "tool_use") callRecords.set(block.id, uuid);
        const fields = { message: { ...message, content: [block] }, requestId, isApiErrorMessage };
        return chain("assistant", uuid, { ...fields, blockIndex: index + offset });
      }),
    appendToolResult: ({ block, uuid = newId(), toolUseResult, display, durationMs, sourceUuid }) =>
      chain("user", uuid, {
        message: { role: "user", content: [block] },
        toolUseResult,
        sourceToolAssistantUUID: sourceUuid ?? callRecords.get(block.tool_use_id),
        display,
        durationMs,
      }),
    appendSystem: ({ subtype, content, level = "info", ...rest }) =>
      chain("system", newId(), { subtype, content, level, ...rest }),
    appendCompactBoundary: ({ uuid = newId(), ...compactMetadata }) =>
      chain("system", uuid, {
        parentUuid: null,
        logicalParentUuid: last,
        subtype: "compact_boundary",
        content: "Conversation compacted",
        level: "info",
        compactMetadata,
      }),
    appendMode: (permissionMode) =>
      write({ type: "permission-mode", permissionMode, sessionId: options.sessionId }, false),
    appendTitle: (title, origin) =>
      write(
        origin === "person"
          ? { type: "custom-title", customTitle: title, sessionId: options.sessionId }
          : { type: "ai-title", aiTitle: title, sessionId: options.sessionId },
        false,
      ),
    appendLastPrompt: (lastPrompt) =>
      write({ type: "last-prompt", lastPrompt, leafUuid: last, sessionId: options.sessionId }, false),
    appendRaw: (record) => {
      write(record, record.type === "user" || record.type === "assistant");
      if (isChainRecord(record) && !record.isSidechain) last = record.uuid;
    },
    setPlace: (change) => Object.assign(place, change),
    sync: () => lines.sync(),
    close: async () => {
      await lines.sync();
      lines.close();
    },
  };
};
