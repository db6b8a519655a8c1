// The auto mode of a session: whether it may be had, what entering it sets aside, the classifier's calls and its counters.
import type { Emit, PendingCall } from "../execution/context.js";
import { isBroadRule } from "../permissions/broad-rules.js";
import { type AskClassifier, type ClassifierVerdict, classify } from "../permissions/classifier.js";
import { classifierSystem, proseLists } from "../permissions/classifier-prose.js";
import type { Decision } from "../permissions/types.js";
import type { Message } from "../protocol/messages.js";
import { thinkingFor } from "../providers/models.js";
import type { LoopOptions } from "./loop-options.js";
import { runAgent } from "./run-agent.js";
import type { Session } from "./session.js";
import { writtenRules } from "./session-rules.js";

const blocksInRow = 3; // design.md section 5
const blocksInAll = 20;
const fastTokens = 16; // one word
const reasonedTokens = 1024;
const tries = 3;

export interface AutoState {
  blocksInRow: number;
  blocksInAll: number;
}

/** Nothing blocked yet. */
export const newAutoState = (): AutoState => ({ blocksInRow: 0, blocksInAll: 0 });

/** Tells what the mode means here. Called on entering it; the counters begin anew. */
export const enterAuto = async (session: Session, emit: Emit): Promise<void> => {
  session.auto = newAutoState();
  const broad = writtenRules(session).filter(isBroadRule);
  const aside =
    broad.length === 0
      ? ""
      : ` Set aside while it is on, because they would let everything past it: ${broad.map(({ text }) => text).join(", ")}.`;
  await emit({
    type: "notice",
    level: "info",
    key: "auto-mode",
    text: `Auto mode: rules decide first; what would ask you is judged by the model ${session.model.label} instead, from your messages and the calls alone. It can be wrong.${aside}`,
  });
};

const askModel =
  (session: Session, parent: LoopOptions, signal: AbortSignal): AskClassifier =>
  async (prefix, question, stage) => {
    const maxOutputTokens = stage === "fast" ? fastTokens : reasonedTokens;
    // Two user messages, so that the first ends at a cache mark: the second pass reads what the first one wrote.
    const messages: Message[] = [
      { role: "user", content: [{ type: "text", text: prefix }] },
      { role: "assistant", content: [{ type: "text", text: "Read." }] },
      { role: "user", content: [{ type: "text", text: question }] },
    ];
    const outcome = await runAgent({
      parent: {
        ...parent,
        maxOutputTokens,
        thinking: thinkingFor(session.model, "disabled", undefined, maxOutputTokens),
        effort: undefined,
        tools: [],
        maxRetries: tries,
        retryDelayMs: (error, attempt) => (attempt > tries ? undefined : parent.retryDelayMs(error, attempt)),
      },
      messages,
      purpose: "classifier",
      maxTurns: 1,
      signal,
      system: [{ type: "text", text: classifierSystem(proseLists(session.settings.get("autoMode"))) }],
    });
    const isAnswer = ["completed", "max_turns", "max_output_tokens"].includes(outcome.cause);
    if (!isAnswer) throw new Error(outcome.text || outcome.cause);
    return outcome.text;
  };

const isPaused = ({ auto }: Session): boolean => auto.blocksInRow >= blocksInRow || auto.blocksInAll >= blocksInAll;

const count = async (session: Session, verdict: ClassifierVerdict, emit: Emit): Promise<void> => {
  const { auto, options } = session;
  if (verdict.outcome === "allow") auto.blocksInRow = 0;
  if (verdict.outcome !== "block") return;
  const wasPaused = isPaused(session); // by a neighbour of the same answer
  auto.blocksInRow += 1;
  auto.blocksInAll += 1;
  const isNews = isPaused(session) && (!wasPaused || auto.blocksInAll === blocksInAll);
  if (!isNews || !options.isInteractive) return;
  const why = auto.blocksInAll >= blocksInAll ? `${blocksInAll} calls in all` : `${blocksInRow} calls in a row`;
  await emit({
    type: "notice",
    level: "warning", // without a key: it stands where it happened, not where the mode was chosen
    text: `Auto mode blocked ${why}: from here on you are asked${auto.blocksInAll >= blocksInAll ? "" : " until you allow a call"}.`,
  });
};

const keptTexts = 50; // of what the person wrote; older wishes are done or dropped

/** Remembers what the person wrote: the classifier takes nothing else for their words. */
export const noteTyped = (session: Session, text: string | undefined): void => {
  if (text?.trim()) session.typed = [...session.typed, text].slice(-keptTexts);
};

/** The person allowed a call: the row of blocks ends. */
export const notePersonAllowed = (session: Session): void => {
  session.auto.blocksInRow = 0;
};

/** The classifier's verdict on a call that would ask, for a thread in auto mode; undefined: ask as in any other mode. */
export const classifyCall = async (
  session: Session,
  { call, decision, loop, emit }: { call: PendingCall; decision: Decision; loop: LoopOptions; emit: Emit },
): Promise<ClassifierVerdict | undefined> => {
  if (decision.isForPerson) return undefined;
  if (isPaused(session) && session.options.isInteractive) return undefined;
  const judged = {
    tool: call.block.name,
    input: call.input,
    reasons: decision.reasons.map(({ text }) => text),
    cwd: session.cwd,
  };
  // The call under judgement and its neighbours of the same answer may stand at the conversation's end already.
  try {
    const verdict = await classify(
      { messages: loop.messages, typed: session.typed },
      judged,
      askModel(session, loop, call.context.signal),
    );
    await count(session, verdict, emit);
    return verdict;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { outcome: "ask", reason: `the classifier could not be reached (${text})`, stage: "fast" };
  }
};
