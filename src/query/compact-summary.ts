// The call that summarises a conversation: tried smaller and smaller until it fits, and made without a model when nothing fits.
import { foldedText } from "../context/collapse.js";
import { estimateMessages } from "../context/count.js";
import { clearedText } from "../context/microcompact.js";
import { peelShare, peelTries } from "../context/numbers.js";
import { oldResults, resultFacts } from "../context/results.js";
import { applyShrinks, type Shrink } from "../context/shrink.js";
import type { Emit } from "../execution/context.js";
import { headAndTail } from "../lib/head-tail.js";
import { compactPrompt, peeledText, summaryWithoutModel } from "../prompt/compact.js";
import { blocksOf, type ContentBlock, type Message, type ResultContent, textOf } from "../protocol/messages.js";
import { titleOf } from "./context-work.js";
import { loopOptions } from "./loop-setup.js";
import { runAgent } from "./run-agent.js";
import type { Session } from "./session.js";

const mediaText = (type: string): { type: "text"; text: string } => ({ type: "text", text: `[${type} left out]` });

const isMedia = ({ type }: { type: string }): boolean => type === "image" || type === "document";

/** Images and documents as a word each, also inside results. */
export const withoutMedia = (messages: readonly Message[]): Message[] =>
  messages.map((message) => {
    const { content } = message;
    if (typeof content === "string" || !content.some(hasMedia)) return message;
    return { ...message, content: content.map(blockWithoutMedia) };
  });

const hasMedia = (block: ContentBlock): boolean =>
  isMedia(block) || (block.type === "tool_result" && Array.isArray(block.content) && block.content.some(isMedia));

const blockWithoutMedia = (block: ContentBlock): ContentBlock => {
  if (isMedia(block)) return mediaText(block.type);
  if (block.type !== "tool_result" || !Array.isArray(block.content)) return block;
  const content = block.content.map((part): ResultContent => (isMedia(part) ? mediaText(part.type) : part));
  return { ...block, content };
};

const withoutOldResults = (messages: readonly Message[]): Message[] => {
  const cleared = oldResults(resultFacts(messages)).map(({ id }): [string, Shrink] => [
    id,
    { kind: "line", text: clearedText },
  ]);
  return applyShrinks(messages, new Map(cleared));
};

/** The conversation without its oldest part: this share of its tokens. */
export const peel = (messages: readonly Message[], share: number): Message[] => {
  const limit = estimateMessages(messages) * share;
  let tokens = 0;
  let from = 0;
  while (from < messages.length - 1 && tokens < limit) {
    tokens += estimateMessages([messages[from]!]);
    from += 1;
  }
  if (from === 0) return [...messages];
  return [{ role: "user", content: peeledText }, ...messages.slice(from)];
};

interface Try {
  /** What the person reads before this try. */
  notice?: string;
  messages: Message[];
}

/** From the whole conversation to what is left of it after the last peel. */
const triesFor = (messages: readonly Message[]): Try[] => {
  const cleared = withoutOldResults(messages);
  const peels = Array.from({ length: peelTries }, (_, at): Try => {
    const share = 1 - (1 - peelShare) ** (at + 1);
    return {
      notice: `Still too long to be summarised: leaving out the oldest ${Math.round(share * 100)} % (try ${at + 3} of ${peelTries + 2}).`,
      messages: peel(cleared, share),
    };
  });
  const second = `Too long to be summarised: leaving out old tool results (try 2 of ${peelTries + 2}).`;
  return [{ messages: [...messages] }, { notice: second, messages: cleared }, ...peels];
};

const shownRequests = 20;
const requestChars = 400;

const withoutModel = (session: Session, messages: readonly Message[]): string => {
  const requests = messages
    .filter(({ role }) => role === "user")
    .map(({ content }) => textOf(content).trim())
    .filter((text) => text !== "" && !text.startsWith("<system-reminder>"))
    .slice(-shownRequests)
    .map((text) => headAndTail(text, requestChars).replace(/\n+/g, " "));
  const calls = messages.flatMap(({ content }) =>
    blocksOf(content).flatMap((block) => (block.type === "tool_use" ? [block] : [])),
  );
  return summaryWithoutModel(requests, calls.length === 0 ? "" : foldedText(calls.map(titleOf(session))));
};

/**
 * A summary of `messages`. Throws an Error for the person when the call failed for another reason than length; when even the smallest
 * try is too long, the summary is made without a model.
 */
export const summarise = async (
  session: Session,
  messages: readonly Message[],
  focus: string | undefined,
  emit: Emit,
  signal: AbortSignal,
): Promise<string> => {
  const parent = loopOptions(session, emit, signal);
  const ask: Message = { role: "user", content: compactPrompt(focus) };
  for (const { notice, messages: tried } of triesFor(withoutMedia(messages))) {
    if (notice) await emit({ type: "notice", level: "info", text: notice, key: "compact-try" });
    const outcome = await runAgent({ parent, messages: [...tried, ask], purpose: "compact", maxTurns: 1, signal });
    if (outcome.cause === "prompt_too_long") continue;
    const summary = outcome.text.trim();
    if (outcome.cause !== "completed" && outcome.cause !== "max_turns")
      throw new Error(
        `The conversation could not be summarised: ${outcome.text || outcome.cause}. Nothing was changed.`,
      );
    if (summary === "") throw new Error("The model gave no summary. Nothing was changed.");
    return summary;
  }
  await emit({
    type: "notice",
    level: "warning",
    text: "The conversation was too long even to be summarised: it was folded to a list of what was asked and called. The whole of it is still in the transcript.",
    key: "compact-try",
  });
  return withoutModel(session, messages);
};
