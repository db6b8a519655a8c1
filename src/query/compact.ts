// Compaction: a summary takes the place of the conversation; the newest rounds stay, and what must be known is put back.
import { afterSuccess, mayCompact } from "../context/autocompact.js";
import { estimateMessages } from "../context/count.js";
import { tailTokens } from "../context/numbers.js";
import { requestText } from "../context/restore.js";
import type { Emit } from "../execution/context.js";
import { summaryMessage } from "../prompt/compact.js";
import { newId } from "../protocol/ids.js";
import { blocksOf, type Message, textOf } from "../protocol/messages.js";
import { backgroundReminder } from "./background.js";
import { restored } from "./compact-restore.js";
import { summarise } from "./compact-summary.js";
import { forgetShrinks } from "./context-holder.js";
import { nextRequestTokens, preparedMessages, ratioOf } from "./context-work.js";
import { afterCompactHooks, beforeCompactHooks } from "./hook-events.js";
import { recordLoaded } from "./later-tools.js";
import type { Session } from "./session.js";
import { freshNotes } from "./session-notes.js";
import { openRecord, recordOf } from "./session-record.js";

const fewestMessages = 2; // less than one exchange is not worth a call

export interface CompactOptions {
  trigger: "manual" | "auto";
  focus?: string;
  /** The messages that stay; absent: the newest rounds. What comes before them is summarised. */
  keep?: Tail;
}

/** Where the messages that stay begin. */
interface Tail {
  from: number;
  headUuid?: string;
}

const isPrompt = ({ role, content }: Message): boolean =>
  role === "user" && blocksOf(content).some(({ type }) => type !== "tool_result");

/** A tail that begins with this message, if its record is known. */
const headAt = (session: Session, at: number): Tail | undefined => {
  const message = session.messages[at];
  const headUuid = message && recordOf(session, message);
  return session.transcript && headUuid === undefined ? undefined : { from: at, headUuid };
};

/** A tail that holds everything from `from` on; undefined when it would have to begin before the last compaction. */
const tailFrom = (session: Session, from: number): Tail | undefined => {
  if (from >= session.messages.length) return { from };
  for (let at = from; at >= session.compactedUntil; at -= 1) {
    const tail = session.messages[at]?.role === "assistant" ? headAt(session, at) : undefined;
    if (tail) return tail;
  }
  return undefined;
};

/**
 * The newest rounds that stay as they are: small ones, and always the prompt that waits for its answer. Only messages whose
 * record is known can begin them, because the transcript keeps them by their records.
 */
const chooseTail = (session: Session, trigger: CompactOptions["trigger"], mustFrom: number | undefined): Tail => {
  const { messages } = session;
  if (mustFrom !== undefined) return tailFrom(session, mustFrom) ?? chooseTail(session, trigger, undefined);
  const end = messages.length;
  const pending = messages.at(-1);
  const hasPending = trigger === "auto" && pending !== undefined && isPrompt(pending);
  const head = (at: number): Tail | undefined => headAt(session, at);
  let tail: Tail = (hasPending ? head(end - 1) : undefined) ?? { from: end };
  if (trigger === "manual") return tail;
  let left = tailTokens / ratioOf(session);
  for (let at = hasPending ? end - 2 : end - 1; at >= session.compactedUntil; at -= 1) {
    left -= estimateMessages([messages[at]!]);
    if (left < 0) break;
    if (messages[at]!.role === "assistant") tail = head(at) ?? tail;
  }
  return tail;
};

/** A hook does not want this compaction: nothing went wrong. */
export class CompactionRefused extends Error {
  override name = "CompactionRefused";
}

/** The messages that take the place of the conversation, in the order in which a resume reads them. */
const write = async (
  session: Session,
  summary: string,
  tail: Tail,
  boundary: { trigger: CompactOptions["trigger"]; preTokens: number; startedAt: number },
): Promise<{ postTokens: number; durationMs: number; content: string }> => {
  const { options, transcript, messages } = session;
  const kept = messages.slice(tail.from);
  const request = session.lastRequest;
  const isKept =
    request !== undefined && kept.some((message) => isPrompt(message) && textOf(message.content) === request);
  const content = summaryMessage(
    summary,
    transcript?.file,
    request === undefined || isKept ? undefined : requestText(request),
  );
  const [background, back] = await Promise.all([
    session.background ? session.background() : backgroundReminder(session),
    restored(session),
  ]);
  const next: Message[] = [
    ...(background === undefined ? [] : [{ role: "user" as const, content: background }]),
    { role: "user", content },
    ...kept,
    ...(back === undefined ? [] : [{ role: "user" as const, content: back }]),
  ];
  const preTail = transcript?.lastUuid();
  messages.splice(0, messages.length, ...next);
  session.compactedUntil = messages.length;
  session.notes = undefined;
  session.hasBackground = true;
  session.reminders.reset();
  forgetShrinks(session.context, "the conversation was compacted");
  const postTokens = nextRequestTokens(session);
  const durationMs = options.clock.now() - boundary.startedAt;
  const anchorUuid = newId();
  const { headUuid } = tail;
  transcript?.appendCompactBoundary({
    trigger: boundary.trigger,
    preTokens: boundary.preTokens,
    postTokens,
    durationMs,
    ...(headUuid && preTail ? { preservedSegment: { headUuid, anchorUuid, tailUuid: preTail } } : {}),
  });
  recordLoaded(session);
  if (background !== undefined) transcript?.appendUser({ content: background, isMeta: true });
  transcript?.appendUser({ content, uuid: anchorUuid, isCompactSummary: true });
  if (back !== undefined) transcript?.appendUser({ content: back, isMeta: true });
  await transcript?.sync();
  session.contextTokens = postTokens;
  return { postTokens, durationMs, content };
};

/**
 * Replaces the conversation by a summary and records the boundary.
 * Throws an Error whose message is for the person when there is nothing to compact, it was refused, or the call failed.
 */
export const compactConversation = async (
  session: Session,
  { trigger, focus, keep }: CompactOptions,
  emit: Emit,
  signal: AbortSignal,
): Promise<{ preTokens: number; postTokens: number }> => {
  const { messages, context, options } = session;
  if (!mayCompact(options.env)) throw new Error("Compaction is switched off (DISABLE_COMPACT).");
  if (messages.length < fewestMessages) throw new Error("There is too little conversation to compact.");
  const refused = await beforeCompactHooks(session, { trigger, focus }, emit, signal);
  if (refused !== undefined) throw new CompactionRefused(`A PreCompact hook refused it: ${refused}`);
  await emit({ type: "status", status: "compacting" });
  try {
    const startedAt = options.clock.now();
    const estimated = nextRequestTokens(session);
    const preTokens = Math.max(session.contextTokens, trigger === "auto" ? estimated : 0) || estimated;
    if (session.context.purpose === "main") openRecord(session); // an agent's is open from its start
    const notes = focus === undefined && !keep ? freshNotes(session) : undefined;
    const tail = keep ?? chooseTail(session, trigger, notes?.from);
    const isPending = tail.from < messages.length && isPrompt(messages.at(-1)!);
    const sent = keep ? messages.slice(0, keep.from) : preparedMessages(session);
    const covers = notes !== undefined && tail.from <= notes.from;
    const summary = covers
      ? notes.text
      : await summarise(session, isPending && !keep ? sent.slice(0, -1) : sent, focus, emit, signal);
    const { postTokens, durationMs, content } = await write(session, summary, tail, { trigger, preTokens, startedAt });
    const turn = trigger === "auto" ? context.turns : undefined;
    context.compactions = afterSuccess(context.compactions, preTokens, postTokens, turn);
    context.told.clear();
    session.why.add({
      kind: "compaction",
      what: `Compacted ${preTokens} to ${postTokens} tokens${covers ? ", by the session's notes" : ""}`,
      why: trigger === "manual" ? "asked for with /compact" : "the conversation filled the window",
    });
    await emit({ type: "compact_boundary", trigger, preTokens, postTokens, durationMs, summary: content });
    await afterCompactHooks(session, { trigger, summary }, emit, signal);
    return { preTokens, postTokens };
  } finally {
    await emit({ type: "status", status: null });
  }
};
