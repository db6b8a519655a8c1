// What /branch, /rename and /export do to a session.
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expandPath } from "../platform/paths.js";
import { newId } from "../protocol/ids.js";
import { exportText } from "../sessions/export.js";
import { branchName, forkTranscript } from "../sessions/fork.js";
import { lockSession } from "../sessions/lock.js";
import { readTranscript } from "../sessions/read.js";
import type { TranscriptRecord } from "../sessions/record.js";
import { toEvents } from "../sessions/replay.js";
import { loadConversation } from "../sessions/resume.js";
import { describeCall } from "./load-session.js";
import type { Session } from "./session.js";
import { openRecord } from "./session-record.js";
import { makeTitle } from "./session-title.js";

const longestName = 200; // characters: it stands in lists, in the window's title and on command lines

/** A name as it is kept: one line of printable text. Throws an Error for the person when nothing is left. */
export const cleanName = (text: string): string => {
  const name = text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, longestName)
    .trim();
  if (name === "") throw new Error("the name is empty");
  return name;
};

/** The name of a conversation that begins: the given one, else the one a person gave before. */
export const nameFresh = (session: Session, name: string | undefined): void => {
  const kept = session.titleBy === "person" ? session.title : undefined;
  session.title = name === undefined ? kept : cleanName(name);
  session.titleBy = session.title === undefined ? undefined : "person";
  session.isTitleSettled = undefined;
};

/** Names the session; without a name the small model makes one. Gives the name. Throws an Error for the person. */
export const renameSession = async (
  session: Session,
  name: string | undefined,
  signal: AbortSignal,
): Promise<string> => {
  const made = name ?? (await makeTitle(session, signal));
  if (made === undefined) throw new Error("nothing was said that a name could be made from: /rename NAME");
  session.title = cleanName(made);
  session.titleBy = "person";
  session.transcript?.appendTitle(session.title, "person");
  return session.title;
};

/** Copies the conversation under a new id and goes on there. Throws an Error for the person; the session is as it was then. */
export const branchSession = async (session: Session, name: string | undefined) => {
  const { transcript, options, places } = session;
  if (options.flags.persist === false || session.isUnkept)
    throw new Error("this session keeps no transcript, so there is nothing to branch from");
  if (!transcript || !existsSync(transcript.file))
    throw new Error("nothing was said yet, so there is nothing to branch from");
  const title = name === undefined ? undefined : cleanName(name);
  await transcript.sync();
  const [from, id] = [session.id, newId()];
  forkTranscript(transcript.file, join(places.projectDir, `${id}.jsonl`), id);
  const outcome = lockSession(places.projectDir, id);
  const lastUuid = transcript.lastUuid();
  await transcript.close();
  session.lock?.release();
  session.id = id;
  session.lock = outcome.kind === "locked" ? outcome.lock : undefined;
  session.transcript = undefined;
  if (title !== undefined || session.titleBy === "person") {
    session.title = title ?? branchName(session.title ?? "");
    session.titleBy = "person";
  }
  openRecord(session, lastUuid);
  return { from, ...(session.titleBy === "person" ? { name: session.title } : {}) };
};

/** Messages of a session that is not on disk, as records. */
const recordsOf = ({ messages }: Session): TranscriptRecord[] =>
  messages.map(({ role, content }) => ({ type: role, message: { role, content: content as never } }));

/** The whole conversation as plain text, also what a compaction replaced where the transcript has it. */
export const conversationText = (session: Session): string => {
  const file = session.transcript?.file;
  const describe = describeCall(session);
  const isKept = file !== undefined && existsSync(file);
  return exportText(
    isKept
      ? loadConversation(readTranscript(file).records, { describe }).events
      : toEvents(recordsOf(session), describe),
  );
};

/** Writes a file that is not there yet and gives its path. Throws an Error for the person. */
export const saveNew = async (session: Session, path: string, text: string): Promise<string> => {
  const file = expandPath(path, session.cwd, session.places.home);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? new Error(`${file} exists already; choose another name`) : error;
  });
  return file;
};
