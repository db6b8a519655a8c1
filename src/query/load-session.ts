// Continues a session that is on disk: messages for the model, events for the screen, what was interrupted repaired.
import { access } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { withRecordedRepairs } from "../context/refusals.js";
import { callTitle } from "../execution/call-title.js";
import type { Emit } from "../execution/context.js";
import { gitWorktrees } from "../platform/git.js";
import type { EngineEvent } from "../protocol/events.js";
import { newId } from "../protocol/ids.js";
import type { PermissionMode } from "../protocol/permission.js";
import { cutRewind } from "../sessions/checkpoint-records.js";
import { findSession } from "../sessions/find.js";
import { branchName, forkTranscript } from "../sessions/fork.js";
import { newestSession } from "../sessions/list.js";
import { lockSession } from "../sessions/lock.js";
import { readTranscript } from "../sessions/read.js";
import type { TranscriptRecord } from "../sessions/record.js";
import { type Conversation, loadConversation } from "../sessions/resume.js";
import { noteTyped } from "./auto-mode.js";
import { restoreContext } from "./context-work.js";
import { restoreTools } from "./later-tools.js";
import { canAuto, type Session, startOver } from "./session.js";
import { restoreNotes } from "./session-notes.js";
import { giveUpRecord, indexLoaded, openRecord, planPathOf, tellRecordWarnings, warnOfCopy } from "./session-record.js";
import { keptWhy } from "./why-log.js";

/** The repository's other checkouts; none in a folder that is not trusted. */
export const otherWorktrees = async ({ options, trusted }: Session): Promise<string[]> =>
  trusted || !options.isInteractive ? gitWorktrees(options.cwd) : [];

/** A session that cannot be found or opened; the message is for the person. */
export class SessionProblem extends Error {
  override name = "SessionProblem";
}

/** The transcript to go on with, or what to search for in the picker: several sessions have the title that was given. */
export type Located = { kind: "file"; file: string } | { kind: "choose"; query: string };

/** Finds it by id, by exact title, or takes the newest of this folder. Throws SessionProblem. */
export const locate = async (session: Session): Promise<Located | undefined> => {
  const { flags, env, cwd, isInteractive } = session.options;
  if (flags.chooseSession) return { kind: "choose", query: "" };
  if (flags.continue) {
    const newest = await newestSession({ projectDir: session.places.projectDir, cwd, includeHeadless: !isInteractive });
    if (newest) return { kind: "file", file: newest.file };
    const headless = await newestSession({ projectDir: session.places.projectDir, cwd, includeHeadless: true });
    throw new SessionProblem(
      headless
        ? `There is no conversation to continue in ${cwd}, only sessions of -p: claude --resume ${headless.sessionId}`
        : `There is no conversation to continue in ${cwd}.`,
    );
  }
  if (flags.resume === undefined) return undefined;
  const found = await findSession(flags.resume, { env, cwd, worktrees: await otherWorktrees(session) });
  if (found.kind === "found") return { kind: "file", file: found.session.file };
  if (found.kind === "ambiguous" && isInteractive) return { kind: "choose", query: flags.resume };
  if (found.kind === "ambiguous")
    throw new SessionProblem(
      `Several conversations are called "${flags.resume}". Resume one by its id:\n${found.sessions.map(({ sessionId, lastPrompt }) => `  ${sessionId}  ${lastPrompt ?? ""}`).join("\n")}`,
    );
  throw new SessionProblem(`No conversation found with the id or title "${flags.resume}".`);
};

/** Titles of calls in a transcript, by the tools of this session. */
export const describeCall =
  (session: Session) =>
  (name: string, input: Record<string, unknown>): { title: string; isReadOnly: boolean } | undefined => {
    const tool = session.tools.find((candidate) => candidate.name === name || candidate.aliases.includes(name));
    if (!tool) return undefined;
    try {
      return { title: callTitle(tool, input, session.options.cwd), isReadOnly: tool.isReadOnly(input) };
    } catch {
      return undefined; // an old call whose input no longer fits: the reader guesses a title
    }
  };

/** Modes a resume does not bring back: bypass is entered knowingly. Plan mode only ends by an approval (F188). */
const restorable = (mode: PermissionMode | undefined): mode is PermissionMode =>
  mode !== undefined && mode !== "bypassPermissions";

const adopt = (session: Session, conversation: Conversation, name: string | undefined): void => {
  session.messages = withRecordedRepairs(conversation.messages, conversation.refusals);
  indexLoaded(session, conversation.sources);
  session.hasBackground = conversation.messages.length > 0;
  session.title = name ?? conversation.title;
  session.titleBy = name === undefined ? conversation.titleBy : "person";
  session.isTitleSettled = undefined;
  session.lastRequest = conversation.lastPrompt;
  session.contextTokens = conversation.contextTokens;
  const isHad = conversation.permissionMode !== "auto" || canAuto(session);
  if (session.options.flags.permissionMode === undefined && restorable(conversation.permissionMode) && isHad)
    session.mode = conversation.permissionMode;
};

/** The transcript to go on with: the file itself, or a copy where it is somebody else's or a fork is wanted. */
const ownTranscript = (session: Session, file: string, isFork: boolean): string => {
  const { projectDir } = session.places;
  if (session.options.flags.persist === false) return file;
  if (!isFork && dirname(file) === projectDir) {
    const outcome = lockSession(projectDir, basename(file, ".jsonl"));
    if (outcome.kind === "locked") {
      session.lock = outcome.lock;
      return file;
    }
    warnOfCopy(session, outcome.pid);
  }
  const id = (isFork ? session.options.flags.sessionId : undefined) ?? newId();
  const copy = join(projectDir, `${id}.jsonl`);
  forkTranscript(file, copy, id);
  return copy;
};

/** The same; where nothing can be written the file is only read, and the session goes on without a record. */
const writableTranscript = (session: Session, file: string, isFork: boolean): string => {
  try {
    return ownTranscript(session, file, isFork);
  } catch (error) {
    giveUpRecord(session, error);
    return file;
  }
};

/** Tells the screen how full the context is before anything new was asked. */
export const contextSize = ({ contextTokens, model, costs }: Session): EngineEvent => ({
  type: "usage",
  usage: { input_tokens: 0, output_tokens: 0 },
  contextTokens,
  contextWindow: model.contextWindow,
  costUsd: costs.totalUsd(),
  inputTokens: 0,
  outputTokens: 0,
});

export interface LoadHow {
  /** Go on under a new id, in a copy of the lines. */
  isFork: boolean;
  /** What a person calls it from now on. */
  name?: string;
}

/** A copy must not answer to the original's name. */
const copyName = ({ title, titleBy }: Conversation): string | undefined =>
  titleBy === "person" && title !== undefined ? branchName(title) : undefined;

/** A rewind that a kill cut off left each file whole, but perhaps not all of them back. */
const tellCutRewind = async (records: readonly TranscriptRecord[], emit: Emit): Promise<void> => {
  const to = cutRewind(records);
  if (to === undefined) return;
  const { pointRecords } = await import("./rewind-points.js");
  const text = pointRecords(records).find(({ record }) => record.uuid === to)?.text;
  const where = text === undefined ? "an earlier point" : `before "${text.replace(/\s+/g, " ").slice(0, 60)}"`;
  await emit({
    type: "notice",
    level: "warning",
    text: `Bringing the files back to ${where} was cut off: each file is whole, but some may not be back yet. /rewind to the same point finishes it.`,
    key: "cut rewind",
  });
};

/** Loads a transcript into the session and replays it on the screen. */
export const loadSession = async (session: Session, file: string, emit: Emit, how: LoadHow): Promise<void> => {
  await access(file).catch(() => {
    throw new SessionProblem(`The transcript ${file} cannot be read.`);
  });
  startOver(session, session.id);
  const source = writableTranscript(session, file, how.isFork);
  const { records, sessionId } = readTranscript(source);
  const conversation = loadConversation(records, { describe: describeCall(session) });
  session.id = sessionId;
  adopt(session, conversation, how.name ?? (source === file ? undefined : copyName(conversation)));
  session.why.restore(keptWhy(session));
  restoreContext(session, records);
  restoreTools(session, session.messages, records);
  await restoreNotes(session, source, records);
  session.checkpoints.records = records;
  session.cleared = undefined;
  session.planPath = planPathOf(records) ?? session.planPath;
  openRecord(session, conversation.lastUuid);
  for (const repair of conversation.repairs) session.transcript?.appendRaw(repair);
  for (const event of conversation.events) {
    if (event.type === "user_message" && !event.isMeta) noteTyped(session, event.shown);
    await emit(event);
  }
  await tellRecordWarnings(session, emit);
  await tellCutRewind(records, emit);
  if (session.options.isInteractive && session.contextTokens > 0) await emit(contextSize(session));
};
