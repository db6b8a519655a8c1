// A part of the conversation folded to a summary from a point of /rewind: what came before it, or what came after.
import type { Emit } from "../execution/context.js";
import type { Message } from "../protocol/messages.js";
import { newestBranch } from "../sessions/branch.js";
import type { TranscriptRecord } from "../sessions/record.js";
import { compactConversation } from "./compact.js";
import { summarise } from "./compact-summary.js";
import { branchConversation } from "./rewind-conversation.js";
import type { PointRecord } from "./rewind-points.js";
import type { Session } from "./session.js";
import { sessionRecorder } from "./session-record.js";

const sameContent = (record: TranscriptRecord, message: Message): boolean =>
  message.role === "user" && JSON.stringify(record.message?.content) === JSON.stringify(message.content);

/** Where a prompt's message stands in the conversation; undefined when a summary has taken its place. */
const messageAt = (
  messages: readonly Message[],
  records: readonly TranscriptRecord[],
  point: PointRecord,
): number | undefined => {
  const { record } = point;
  const branch = newestBranch(records);
  const before = branch.records.findIndex(({ uuid }) => uuid === record.uuid);
  if (before <= branch.boundary) return undefined;
  const earlier = branch.records
    .slice(branch.boundary + 1, before)
    .filter(
      (other) =>
        other.type === "user" && JSON.stringify(other.message?.content) === JSON.stringify(record.message?.content),
    ).length;
  const places = messages.flatMap((message, at) => (sameContent(record, message) ? [at] : []));
  return places[earlier];
};

/** Folds everything before the prompt to a summary; from the prompt on the conversation stays. */
export const summariseUpTo = async (
  session: Session,
  { point, records }: { point: PointRecord; records: readonly TranscriptRecord[] },
  emit: Emit,
  signal: AbortSignal,
): Promise<void> => {
  const from = point.kind === "prompt" ? messageAt(session.messages, records, point) : undefined;
  if (from === undefined) throw new Error("This prompt is part of a summary already.");
  if (from < 2) throw new Error("There is too little conversation before this prompt to summarise.");
  await compactConversation(session, { trigger: "manual", keep: { from, headUuid: point.record.uuid } }, emit, signal);
};

const summaryText = (summary: string): string =>
  `What happened next in this conversation, as a summary (the person had it folded):\n\n${summary}`;

/** Folds everything from the prompt on to a summary; before it the conversation stays as it was. */
export const summariseFrom = async (
  session: Session,
  { point, announce }: { point: PointRecord; announce: () => Promise<void> },
  emit: Emit,
  signal: AbortSignal,
): Promise<void> => {
  if (point.kind !== "prompt") throw new Error("Only what follows a prompt can be summarised.");
  await emit({ type: "status", status: "compacting" });
  try {
    const focus = `Summarise only what happened from this request on, the rest stays as it is:\n${point.text}`;
    const summary = await summarise(session, session.messages, focus, emit, signal);
    const from = session.transcript?.lastUuid() ?? null;
    const text = "Folded the conversation from that prompt on to a summary.";
    await branchConversation(session, { to: point.record.parentUuid ?? null, text, note: { from }, announce }, emit);
    const content = summaryText(summary);
    sessionRecorder(session).user(content, { isMeta: true });
    session.messages.push({ role: "user", content });
    session.why.add({ kind: "compaction", what: text, why: "asked for with /rewind" });
    await emit({ type: "command_output", command: "/rewind", text: content, isError: false });
  } finally {
    await emit({ type: "status", status: null });
  }
};
