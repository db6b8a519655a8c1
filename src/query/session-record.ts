// The session's record on disk: opened with the first prompt, one writer at a time.

import { repairSubtype } from "../context/refusals.js";
import { newId } from "../protocol/ids.js";
import type { ContentBlock, Message } from "../protocol/messages.js";
import { lockSession } from "../sessions/lock.js";
import type { TranscriptRecord } from "../sessions/record.js";
import { openTranscript, type TranscriptWriter } from "../sessions/transcript.js";
import type { RecordIndex } from "./record-index.js";
import type { Recorder } from "./recorder.js";
import { agentTranscriptFile, type Session, transcriptFile } from "./session.js";

/** Takes the session's lock; an id that is in use elsewhere is left to its owner, this session gets a new one. */
const takeLock = (session: Session): void => {
  const outcome = lockSession(session.places.projectDir, session.id);
  if (outcome.kind === "locked") {
    session.lock = outcome.lock;
    return;
  }
  session.id = newId();
  takeLock(session);
};

/** Opens the transcript unless it is open or the session keeps none. */
export const openRecord = (session: Session, parentUuid: string | null = null): void => {
  const { options } = session;
  if (session.transcript || options.flags.persist === false) return;
  if (!session.lock) takeLock(session);
  session.transcript = openTranscript({
    file: transcriptFile(session),
    sessionId: session.id,
    cwd: session.cwd,
    version: options.version,
    gitBranch: session.gitBranch,
    entrypoint: options.entrypoint,
    parentUuid,
    now: () => options.clock.now(),
    onProblem: (text) => {
      for (const listener of session.listeners) listener({ type: "notice", level: "warning", text, key: "transcript" });
    },
  });
  if (session.title) session.transcript.appendTitle(session.title, "person");
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

/** Uuid of the record that a message begins with; undefined when it came from an earlier process. */
export const recordOf = ({ records }: Session, { role, content }: Message): string | undefined => {
  if (typeof content === "string") return role === "user" ? records.texts.get(content) : undefined;
  if (role === "user") return records.blocks.get(content);
  const first = content[0];
  return first && records.blocks.get(first);
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
  if (options.flags.persist === false) return undefined;
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
    session.transcript?.appendSystem({ subtype: repairSubtype, content: text, level: "info", repair });
  },
});

/** The main thread's recorder: it also keeps which record each message became. */
export const sessionRecorder = (session: Session): Recorder => {
  const recorder = recorderFor(session, () => session.transcript);
  return {
    ...recorder,
    user: (content, options) => {
      const uuid = recorder.user(content, options);
      remember(session.records, content, uuid);
      return uuid;
    },
    assistant: (message, options) => {
      if (message.content[0]) session.records.blocks.set(message.content[0], options.uuid);
      recorder.assistant(message, options);
    },
  };
};
