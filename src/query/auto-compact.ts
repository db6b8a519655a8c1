// Compaction that nobody asked for: when the window fills, between turns; and when a request was refused as too long.
import { afterFailure, compactAt, heldBack } from "../context/autocompact.js";
import { estimateMessages } from "../context/count.js";
import { leastFreedShare } from "../context/numbers.js";
import type { Emit } from "../execution/context.js";
import { autoCompactSettings } from "./auto-compact-settings.js";
import { CompactionRefused, compactConversation } from "./compact.js";
import { fixedParts } from "./context-parts.js";
import { nextRequestTokens, ratioOf } from "./context-work.js";
import type { Session } from "./session.js";

const thousands = (tokens: number): string => (tokens < 1_000 ? String(tokens) : `${Math.round(tokens / 1_000)}k`);

const tellOnce = async (session: Session, key: string, text: string, emit: Emit): Promise<void> => {
  if (session.context.told.has(key)) return;
  session.context.told.add(key);
  session.why.add({ kind: "compaction", what: "The conversation is not compacted by itself", why: text });
  await emit({ type: "notice", level: "warning", text, key: `compact-${key}` });
};

/** Names what no compaction can free, largest first. */
const exhaustedText = async (session: Session, tokens: number): Promise<string> => {
  const parts = (await fixedParts(session)).filter((part) => part.tokens > 0);
  const largest = parts.sort((a, b) => b.tokens - a.tokens).slice(0, 4);
  return [
    `The context holds ${thousands(tokens)} tokens, and compacting it frees too little, or not for long. What stays in every request:`,
    ...largest.map(({ label, tokens: size }) => `  ${thousands(size)}  ${label}`),
    "Make these smaller, choose a model with a larger window, or go on: /compact and /clear still work.",
  ].join("\n");
};

/** Share of the next request that a compaction could free at best. */
const freeableShare = (session: Session, tokens: number): number => {
  const { messages, compactedUntil } = session;
  const fixed = Math.max(compactedUntil, 1); // the background, or what the last compaction put there
  return (estimateMessages(messages.slice(fixed)) * ratioOf(session)) / Math.max(1, tokens);
};

/** Compacts when the next request would pass the limit. Never throws; a failure counts, and three in a row stop it. */
export const autoCompact = async (session: Session, emit: Emit, signal: AbortSignal): Promise<void> => {
  const { context } = session;
  const limit = compactAt(session.model.contextWindow, autoCompactSettings(session));
  const tokens = limit === undefined ? 0 : nextRequestTokens(session);
  if (limit === undefined || tokens < limit) return;
  if (freeableShare(session, tokens) < leastFreedShare && heldBack(context.compactions, context.turns) === undefined)
    context.compactions = { ...context.compactions, isExhausted: true };
  const held = heldBack(context.compactions, context.turns);
  if (held === "exhausted" || held === "refill") {
    // It counts anew once the conversation has grown enough to be worth it.
    if (held === "refill" || freeableShare(session, tokens) < 2 * leastFreedShare)
      return tellOnce(session, held, await exhaustedText(session, tokens), emit);
  } else if (held === "failures")
    return tellOnce(
      session,
      held,
      "Compacting failed three times in a row and is not tried again by itself. Try /compact, or start anew with /clear; the old conversation can be resumed.",
      emit,
    );
  await tryCompact(session, emit, signal);
  if (heldBack(context.compactions, context.turns) === "exhausted")
    await tellOnce(session, "exhausted", await exhaustedText(session, nextRequestTokens(session)), emit);
};

/** True when the conversation was compacted. */
const tryCompact = async (session: Session, emit: Emit, signal: AbortSignal): Promise<boolean> => {
  const { context } = session;
  try {
    await compactConversation(session, { trigger: "auto" }, emit, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false; // the person stopped it: no failure
    if (error instanceof CompactionRefused) {
      await tellOnce(session, "refused", error.message, emit);
      return false; // the next turn asks the hook again
    }
    context.compactions = afterFailure(context.compactions);
    const text = error instanceof Error ? error.message : String(error);
    session.why.add({ kind: "compaction", what: "Could not compact the conversation", why: text });
    await emit({ type: "notice", level: "warning", text, key: "compact-failed" });
    return false;
  }
};

/**
 * The API refused a request as too long: compacts at once, whatever our estimates say. False: it was not compacted, nothing was changed.
 * Never throws.
 */
export const compactNow = async (session: Session, emit: Emit, signal: AbortSignal): Promise<boolean> => {
  if (heldBack(session.context.compactions, session.context.turns) === "failures") return false;
  return tryCompact(session, emit, signal);
};
