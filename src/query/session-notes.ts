// Keeps session notes in the background of an interactive session. A failure costs nothing but the notes.
import { createHash } from "node:crypto";
import { basename, dirname } from "node:path";
import { compactAt } from "../context/autocompact.js";
import { estimateMessages } from "../context/count.js";
import { areFresh, notesDue, notesFile, readNotes, writeNotes } from "../memory/session.js";
import { notesPrompt } from "../prompt/compact.js";
import { blocksOf, type Message, textOf } from "../protocol/messages.js";
import type { TranscriptRecord } from "../sessions/record.js";
import { autoCompactSettings } from "./auto-compact-settings.js";
import { withoutMedia } from "./compact-summary.js";
import { nextRequestTokens, preparedMessages, ratioOf } from "./context-work.js";
import { loopOptions } from "./loop-setup.js";
import { runAgent } from "./run-agent.js";
import type { Session } from "./session.js";

const callCount = (messages: readonly Message[]): number =>
  messages.reduce((sum, { content }) => sum + blocksOf(content).filter(({ type }) => type === "tool_use").length, 0);

const notesRecord = "session-notes";

/** What tells a message from the others, in every process alike: its newest call, or its text. */
const markOf = ({ role, content }: Message): string | undefined => {
  for (const block of blocksOf(content).toReversed()) {
    if (block.type === "tool_result") return `result ${block.tool_use_id}`;
    if (block.type === "tool_use") return `call ${block.id}`;
  }
  const text = textOf(content);
  return text === "" ? undefined : `${role} ${createHash("sha256").update(text).digest("hex")}`;
};

const write = async (session: Session, covered: Message, tokens: number): Promise<void> => {
  const { closing, places, id, options } = session;
  const quiet = async (): Promise<void> => undefined;
  const messages = [...withoutMedia(preparedMessages(session)), { role: "user" as const, content: notesPrompt() }];
  const parent = loopOptions(session, quiet, closing.signal);
  const outcome = await runAgent({ parent, messages, purpose: "summary", maxTurns: 1, signal: closing.signal });
  const text = outcome.text.trim();
  const isAnswer = outcome.cause === "completed" || outcome.cause === "max_turns";
  if (!isAnswer || text === "" || closing.signal.aborted || session.id !== id) return;
  if (!session.messages.includes(covered)) return; // compacted or cleared meanwhile
  session.notes = { text, covered, tokens };
  const mark = markOf(covered);
  if (options.flags.persist === false || session.isUnkept || mark === undefined) return;
  await writeNotes(notesFile(places.projectDir, id), text);
  if (session.id === id && session.notes?.covered === covered)
    session.transcript?.appendRaw({ type: notesRecord, covers: mark, tokens, sessionId: id });
};

/** Takes up the notes that an earlier process kept, if the conversation still holds what they cover. Never throws. */
export const restoreNotes = async (
  session: Session,
  file: string,
  records: readonly TranscriptRecord[],
): Promise<void> => {
  const record = records.findLast(({ type }) => type === notesRecord);
  if (record === undefined || typeof record.covers !== "string" || typeof record.tokens !== "number") return;
  const covered = session.messages.findLast((message) => markOf(message) === record.covers);
  if (covered === undefined) return; // compacted or rewound since
  const text = await readNotes(notesFile(dirname(file), basename(file, ".jsonl")));
  if (text !== undefined) session.notes = { text, covered, tokens: record.tokens };
};

/** Starts a run that renews the notes when they are due; called between turns. At most one at a time; only the end of the session waits for it. */
export const keepNotes = (session: Session): void => {
  const limit = compactAt(session.model.contextWindow, autoCompactSettings(session));
  const { messages, notes, options } = session;
  const covered = messages.at(-1);
  if (limit === undefined || covered === undefined || !options.isInteractive || session.noting) return;
  const from = notes ? messages.indexOf(notes.covered) + 1 : 0;
  const tokens = nextRequestTokens(session);
  const calls = callCount(messages.slice(from));
  if (!notesDue({ tokens, compactAt: limit, notedTokens: notes?.tokens, calls })) return;
  session.noting = write(session, covered, tokens)
    .catch((error: unknown) => console.error("session notes:", error)) // for the debug log; the next time tries again
    .finally(() => {
      session.noting = undefined;
    });
};

/** Notes that can stand in for a summary, and the first message they do not cover. */
export const freshNotes = (session: Session): { text: string; from: number } | undefined => {
  const { notes, messages } = session;
  const at = notes ? messages.indexOf(notes.covered) : -1;
  if (!notes || at < 0) return undefined;
  const missed = estimateMessages(messages.slice(at + 1)) * ratioOf(session);
  return areFresh(missed) ? { text: notes.text, from: at + 1 } : undefined;
};
