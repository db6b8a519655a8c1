// Compaction: a side call summarises the conversation; the summary takes its place.
import type { Emit } from "../execution/context.js";
import { compactPrompt, summaryMessage } from "../prompt/compact.js";
import type { ContentBlock, Message } from "../protocol/messages.js";
import { loopOptions } from "./loop-setup.js";
import { runAgent } from "./run-agent.js";
import type { Session } from "./session.js";
import { transcriptFile } from "./session.js";
import { openRecord } from "./session-record.js";

const fewestMessages = 2; // less than one exchange is not worth a call

const withoutImages = (messages: readonly Message[]): Message[] =>
  messages.map(({ role, content }) => ({
    role,
    content:
      typeof content === "string"
        ? content
        : content.map(
            (block): ContentBlock =>
              block.type === "image" || block.type === "document"
                ? { type: "text", text: `[${block.type} left out]` }
                : block,
          ),
  }));

/**
 * Replaces the conversation by a summary and records the boundary.
 * Throws an Error whose message is for the person when there is nothing to compact or the call failed.
 */
export const compactConversation = async (
  session: Session,
  focus: string | undefined,
  emit: Emit,
  signal: AbortSignal,
): Promise<{ preTokens: number; postTokens: number }> => {
  if (session.messages.length < fewestMessages) throw new Error("There is too little conversation to compact.");
  await emit({ type: "status", status: "compacting" });
  const { clock } = session.options;
  const startedAt = clock.now();
  const preTokens = session.contextTokens;
  try {
    const outcome = await runAgent({
      parent: loopOptions(session, emit, signal),
      messages: [...withoutImages(session.messages), { role: "user", content: compactPrompt(focus) }],
      purpose: "compact",
      maxTurns: 1,
      signal,
    });
    const summary = outcome.text.trim();
    if (outcome.cause !== "completed" && outcome.cause !== "max_turns")
      throw new Error(
        `The conversation could not be summarised: ${outcome.text || outcome.cause}. Nothing was changed.`,
      );
    if (summary === "") throw new Error("The model gave no summary. Nothing was changed.");
    openRecord(session);
    const postTokens = outcome.usage.output_tokens;
    const durationMs = clock.now() - startedAt;
    session.transcript?.appendCompactBoundary({ trigger: "manual", preTokens, postTokens, durationMs });
    const path = session.transcript ? transcriptFile(session) : undefined;
    const content = summaryMessage(summary, path);
    session.transcript?.appendUser({ content, isCompactSummary: true });
    session.transcript?.sync();
    session.messages = [{ role: "user", content }];
    session.hasBackground = false; // instructions are read again from disk
    session.reminders.reset();
    session.contextTokens = postTokens;
    await emit({ type: "compact_boundary", trigger: "manual", preTokens, postTokens, durationMs, summary });
    return { preTokens, postTokens };
  } finally {
    await emit({ type: "status", status: null });
  }
};
