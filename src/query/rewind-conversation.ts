// Another branch of the conversation: the transcript goes on from an earlier record, the session holds what leads there.
import { withRecordedRepairs } from "../context/refusals.js";
import type { Emit } from "../execution/context.js";
import { isBoundary, newestBranch } from "../sessions/branch.js";
import { readTranscript } from "../sessions/read.js";
import { loadConversation } from "../sessions/resume.js";
import { createFileState } from "../tools/shared/file-state.js";
import { forgetShrinks } from "./context-holder.js";
import { restoreTools } from "./later-tools.js";
import { contextSize, describeCall } from "./load-session.js";
import { createRecordIndex } from "./record-index.js";
import type { RewindNote } from "./rewind-points.js";
import type { Session } from "./session.js";

const boundariesIn = (file: string): number =>
  newestBranch(readTranscript(file).records).records.filter(isBoundary).length;

/**
 * Goes on from the record `to` (null: from nothing) with a note of it, and draws the conversation that leads there. What
 * came after it stays in the transcript. Throws when the transcript cannot be read.
 */
export const branchConversation = async (
  session: Session,
  { to, text, note, announce }: { to: string | null; text: string; note: RewindNote; announce: () => Promise<void> },
  emit: Emit,
): Promise<void> => {
  const { transcript } = session;
  if (!transcript) throw new Error("This session keeps no record, so there is nothing to go back to.");
  const boundaries = boundariesIn(transcript.file);
  transcript.branchFrom(to);
  transcript.appendSystem({ subtype: "notice", content: text, level: "info", rewind: note });
  const { records } = readTranscript(transcript.file);
  const conversation = loadConversation(records, { describe: describeCall(session) });
  for (const repair of conversation.repairs) transcript.appendRaw(repair);
  await transcript.sync();
  session.messages = withRecordedRepairs(conversation.messages, conversation.refusals);
  session.hasBackground = session.messages.length > 0;
  session.contextTokens = conversation.contextTokens;
  session.fileState = createFileState(); // what was read in the part that is gone, the model does not know
  session.records = createRecordIndex();
  session.compactedUntil = 0;
  session.notes = undefined;
  session.reminders.reset();
  session.shelf.forget(session.shelf.hasRefusedReferences);
  restoreTools(session, session.messages, records);
  // The same beginning stays cached; past a compaction it is another conversation.
  if (boundariesIn(transcript.file) !== boundaries) forgetShrinks(session.context, "the conversation was rewound");
  const prompts = conversation.events.flatMap((event) => (event.type === "user_message" ? [event.shown] : []));
  session.typed = prompts;
  session.lastRequest = prompts.at(-1);
  await announce();
  for (const event of conversation.events) await emit(event);
  if (session.options.isInteractive) await emit(contextSize(session));
};
