// The session's record on disk: opened with the first prompt, one writer at a time.

import { repairSubtype } from "../context/refusals.js";
import type { Emit } from "../execution/context.js";
import { newId } from "../protocol/ids.js";
import type { ContentBlock, Message } from "../protocol/messages.js";
import { lockSession } from "../sessions/lock.js";
import type { TranscriptRecord } from "../sessions/record.js";
import { openTranscript, type TranscriptWriter } from "../sessions/transcript.js";
import { beginCheckpoint, isTyped } from "./checkpoints.js";
import type { RecordIndex } from "./record-index.js";
import type { Recorder } from "./recorder.js";
import { agentTranscriptFile, type Session, transcriptFile } from "./session.js";

/** Kept until somebody reads: what happens to the record outside a run has no reader, headless nobody listens. */
const warn = (session: Session, text: string): void => {
  session.recordWarnings.push(text);
};

/** Tells what went wrong with the record since the last time. */
export const tellRecordWarnings = async ({ recordWarnings }: Session, emit: Emit): Promise<void> => {
  for (const text of recordWarnings.splice(0))
    await emit({ type: "notice", level: "warning", text, key: "transcript" });
};

/** Says that the session was opened elsewhere, so that this one is a copy. */
export const warnOfCopy = (session: Session, pid: number): void =>
  warn(session, `This session is open elsewhere (process ${pid}); this is a copy with an id of its own.`);

/** Says once that this session leaves nothing on disk. */
export const giveUpRecord = (session: Session, error: unknown): void => {
  session.isUnkept = true;
  const { code } = error as NodeJS.ErrnoException;
  warn(session, `Cannot write to ${session.places.projectDir}: this session is not kept${code ? ` (${code})` : ""}.`);
};

/** Takes the session's lock; an id that is in use elsewhere is left to its owner, this session gets a new one. */
const takeLock = (session: Session): void => {
  const outcome = lockSession(session.places.projectDir, session.id);
  if (outcome.kind === "locked") {
    session.lock = outcome.lock;
    return;
  }
  warn(session, `The session ${session.id} is open elsewhere; this one goes on under another id.`);
  session.id = newId();
  takeLock(session);
};

/** Once a run: a transcript that was removed or replaced meanwhile is told, and written again where that is possible. */
const checkRecord = (session: Session, transcript: TranscriptWriter): void => {
  try {
    const state = transcript.restore();
    if (state === "fine") return;
    if (state === "replaced") {
      warn(session, `${transcript.file} was replaced by another file while this session was open; it goes on there.`);
      return;
    }
    session.lock?.release();
    const outcome = lockSession(session.places.projectDir, session.id);
    session.lock = outcome.kind === "locked" ? outcome.lock : undefined;
    warn(session, `${transcript.file} was removed while this session was open; the conversation was written again.`);
  } catch (error) {
    session.transcript = undefined;
    giveUpRecord(session, error);
  }
};

/** Opens the transcript unless it is open or the session keeps none. */
export const openRecord = (session: Session, parentUuid: string | null = null): void => {
  const { options } = session;
  if (options.flags.persist === false || session.isUnkept) return;
  if (session.transcript) {
    checkRecord(session, session.transcript);
    return;
  }
  try {
    if (!session.lock) takeLock(session);
  } catch (error) {
    giveUpRecord(session, error);
    return;
  }
  session.transcript = openTranscript({
    file: transcriptFile(session),
    sessionId: session.id,
    cwd: session.cwd,
    version: options.version,
    gitBranch: session.gitBranch,
    entrypoint: options.entrypoint,
    parentUuid,
    now: () => options.clock.now(),
    onProblem: (text) => warn(session, text),
  });
  if (session.title) session.transcript.appendTitle(session.title, session.titleBy ?? "person");
};

const keptTexts = 100;

const remember = ({ blocks, texts }: RecordIndex, content: string | ContentBlock[], uuid: string): void => {
  if (typeof content !== "string") {
    blocks.set(content, uuid);
    return;
  }
  texts.delete(content);
  texts.set(content, uuid);
  const oldest = texts.keys().next().value;
  if (texts.size > keptTexts && oldest !== undefined) texts.delete(oldest);
};

/** Uuid of the record that a message begins with; undefined when no single record is known. */
export const recordOf = ({ records }: Session, { role, content }: Message): string | undefined => {
  if (typeof content === "string") return role === "user" ? records.texts.get(content) : undefined;
  if (role === "user") return records.blocks.get(content);
  const first = content[0];
  return first && records.blocks.get(first);
};

const loadedRecords = 200; // more messages than a compaction ever keeps

/** Takes in which records the newest messages of a loaded conversation began with. */
export const indexLoaded = ({ records, messages }: Session, sources: ReadonlyMap<Message, string>): void => {
  for (const message of messages.slice(-loadedRecords)) {
    const uuid = sources.get(message);
    const first = message.content[0];
    if (uuid === undefined) continue;
    if (message.role === "user") remember(records, message.content, uuid);
    else if (typeof first === "object") records.blocks.set(first, uuid);
  }
};

const planRecord = "plan-file";

/** Notes which file the plan stands in. */
export const recordPlanPath = ({ transcript, planPath, id }: Session): void => {
  transcript?.appendRaw({ type: planRecord, planPath, sessionId: id });
};

/** The plan file that a transcript noted last. */
export const planPathOf = (records: readonly TranscriptRecord[]): string | undefined => {
  const path = records.findLast(({ type }) => type === planRecord)?.planPath;
  return typeof path === "string" ? path : undefined;
};

/** Opens the transcript of a subagent; undefined when the session keeps none. */
export const openAgentRecord = (session: Session, agentId: string, cwd: string): TranscriptWriter | undefined => {
  const { options } = session;
  if (options.flags.persist === false || session.isUnkept) return undefined;
  return openTranscript({
    file: agentTranscriptFile(session, agentId),
    sessionId: session.id,
    agentId,
    cwd,
    version: options.version,
    gitBranch: session.gitBranch,
    entrypoint: options.entrypoint,
    now: () => options.clock.now(),
  });
};

/** Writes into whatever transcript there is at the time; without one, only ids are made. */
export const recorderFor = (session: Session, transcript: () => TranscriptWriter | undefined): Recorder => ({
  user: (content, { uuid = newId(), isMeta, shown }) => {
    transcript()?.appendUser({ content, uuid, isMeta, shown, permissionMode: session.mode });
    return uuid;
  },
  assistant: (message, { uuid, index, requestId, error }) => {
    transcript()?.appendAssistant({
      message,
      uuids: [uuid],
      index,
      requestId,
      isApiErrorMessage: error === undefined ? undefined : true,
    });
  },
  result: (block, { uuid, structured, display, durationMs }) => {
    transcript()?.appendToolResult({ block, uuid, toolUseResult: structured, display, durationMs });
  },
  repair: (text, repair) => {
    transcript()?.appendSystem({ subtype: repairSubtype, content: text, level: "info", repair });
  },
});

/**
 * The recorder of the main thread or of an agent: it also keeps which record each message became. Only a person's prompt
 * begins a checkpoint: what an agent is asked belongs to the prompt that started it.
 */
export const sessionRecorder = (session: Session): Recorder => {
  const recorder = recorderFor(session, () => session.transcript);
  return {
    ...recorder,
    user: (content, options) => {
      const uuid = recorder.user(content, options);
      remember(session.records, content, uuid);
      const isPrompt = session.thread === undefined && options.isMeta !== true && isTyped(content, options.shown);
      if (isPrompt) beginCheckpoint(session, uuid);
      return uuid;
    },
    assistant: (message, options) => {
      if (message.content[0]) session.records.blocks.set(message.content[0], options.uuid);
      recorder.assistant(message, options);
    },
  };
};
