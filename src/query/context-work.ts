// The session's side of the context pipeline: what each request makes of the conversation, and what a person drops or unfolds.
import { effectiveWindow } from "../context/autocompact.js";
import { ledgerLines } from "../context/cache-ledger.js";
import { type Collapse, stageCollapses, type TitleOf } from "../context/collapse.js";
import { estimateMessages, estimateSystem, estimateTools, learnRatio } from "../context/count.js";
import { cacheTtlMs } from "../context/numbers.js";
import { advance, type ContextState, type PipelineFacts, prepared, usedPercent } from "../context/pipeline.js";
import { type Shrink, withShrinks } from "../context/shrink.js";
import { callTitle } from "../execution/call-title.js";
import type { Message } from "../protocol/messages.js";
import type { Provider } from "../providers/provider.js";
import type { TranscriptRecord } from "../sessions/record.js";
import { autoCompactSettings } from "./auto-compact-settings.js";
import { systemPrompt } from "./background.js";
import { cacheTtl } from "./cache-ttl.js";
import { observed } from "./observed-provider.js";
import type { Session } from "./session.js";

/** The window that percentages are of. */
export const windowOf = (session: Session): number =>
  effectiveWindow(session.model.contextWindow, autoCompactSettings(session));

/** Short names of calls, the same bytes for the same call: relative to the start folder. */
export const titleOf =
  (session: Session): TitleOf =>
  ({ name, input }) => {
    const tool = session.tools.find((candidate) => candidate.name === name || candidate.aliases.includes(name));
    if (!tool) return name;
    try {
      return `${name} ${callTitle(tool, input, session.options.cwd)}`.trim();
    } catch {
      return name; // an old call whose input no longer fits
    }
  };

/** Tokens in front of the messages, estimated. */
export const prefixTokens = (session: Session): number =>
  estimateSystem(systemPrompt(session)) + estimateTools(session.shelf.specs);

export const ratioOf = (session: Session): number => session.context.ratios.get(session.model.id) ?? 1;

const facts = (session: Session): PipelineFacts => {
  const { lastRequestAt } = session.context;
  const ttl = cacheTtl(session);
  return {
    prefixTokens: prefixTokens(session),
    ratio: ratioOf(session),
    window: windowOf(session),
    idleMs: lastRequestAt === undefined ? 0 : session.options.clock.now() - lastRequestAt,
    ttlMs: cacheTtlMs[ttl === "off" ? "5m" : ttl],
    titleOf: titleOf(session),
  };
};

/** A line of the transcript: what was made smaller, as a change of what the lines before it say. */
interface ContextEdit {
  shrinks: Record<string, Shrink>;
  collapses: Collapse[];
  unfolded: string[];
  nextStep: number;
}

/** Writes the new state down, so that a resumed session sends the same bytes. */
const setState = (session: Session, state: ContextState): void => {
  const { context } = session;
  const shrinks = [...state.shrinks].filter(([id, shrink]) => context.state.shrinks.get(id) !== shrink);
  context.state = state;
  const edit: ContextEdit = {
    shrinks: Object.fromEntries(shrinks),
    collapses: [...state.collapses],
    unfolded: [...context.unfolded],
    nextStep: state.nextStep,
  };
  session.transcript?.appendRaw({ type: "context-edit", sessionId: session.id, ...edit });
};

/** The messages of the next request; moves on where a step is crossed. */
export const prepareMessages = (session: Session, messages: readonly Message[]): Message[] => {
  const { context } = session;
  const now = facts(session);
  const state = advance(messages, context.state, now);
  if (state !== context.state) {
    const count = state.shrinks.size - context.state.shrinks.size;
    if (count > 0) {
      context.ledger.note(`${count} old tool results were shrunk to keep the context small`);
      const why = `the context filled ${Math.round(usedPercent(messages, context.state, now))} % of the window, or a pause outlived the prompt cache`;
      session.why.add({ kind: "truncation", what: `Shrunk ${count} old tool results in later requests`, why });
    }
    setState(session, state);
  }
  return prepared(messages, state, now.titleOf);
};

/** The conversation as the newest request had it; nothing moves on. */
export const preparedMessages = (session: Session): Message[] =>
  prepared(session.messages, session.context.state, titleOf(session));

/** Tokens the next request has, by estimate and what the API counted so far. */
export const nextRequestTokens = (session: Session): number => {
  const own = estimateMessages(preparedMessages(session));
  return Math.round((prefixTokens(session) + own) * ratioOf(session));
};

/** What could be folded now. */
export const stagedCollapses = ({ messages, context }: Session): Collapse[] =>
  stageCollapses(messages, new Set([...context.unfolded, ...context.state.collapses.map(({ firstId }) => firstId)]));

/** Commits what is staged; false: there was nothing. */
export const drainCollapses = (session: Session): boolean => {
  const staged = stagedCollapses(session);
  if (staged.length === 0) return false;
  const { state, ledger } = session.context;
  setState(session, { ...state, collapses: [...state.collapses, ...staged] });
  ledger.note("finished calls were folded to their titles");
  session.why.add({
    kind: "truncation",
    what: `Folded ${staged.reduce((sum, { rounds }) => sum + rounds, 0)} finished calls to their titles (/context unfolds them)`,
    why: "the prompt was too long",
  });
  return true;
};

/** Undoes a collapse. */
export const unfold = (session: Session, firstId: string): void => {
  const { context } = session;
  context.unfolded.add(firstId);
  setState(session, {
    ...context.state,
    collapses: context.state.collapses.filter((collapse) => collapse.firstId !== firstId),
  });
  context.ledger.note("a fold was undone by hand");
};

const droppedText = "[Left out by the person; ask or read again if it matters]";

/** Leaves results and media out of every later request, by their ids. */
export const dropFromContext = (session: Session, ids: readonly string[]): void => {
  const { context } = session;
  const drops = new Map(ids.map((id): [string, Shrink] => [id, { kind: "line", text: droppedText }]));
  const shrinks = withShrinks(context.state.shrinks, drops);
  if (shrinks === context.state.shrinks) return;
  setState(session, { ...context.state, shrinks });
  context.ledger.note("something was dropped from the context by hand");
};

/** The session's provider, watched: sizes are learned from what it counts, and the ledger is kept. */
export const watchedProvider = (session: Session): Provider => {
  const { provider, context, options } = session;
  return observed(provider, (request) => {
    const at = options.clock.now();
    const ttl = cacheTtl(session);
    const counted = context.ledger.sent(
      request,
      {
        provider: provider.id,
        minCached: session.model.minCachePrefix,
        ttlMs: cacheTtlMs[ttl === "off" ? "5m" : ttl],
        isOff: ttl === "off",
        hasCache: provider.id !== "offline",
      },
      at,
    );
    const isOwn = request.purpose === context.purpose;
    const estimated = isOwn ? prefixTokens(session) + estimateMessages(request.messages) : 0;
    if (isOwn) {
      context.lastRequestAt = at;
      context.turns += 1;
    }
    return (usage) => {
      const tokens =
        usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
      if (isOwn && request.model === session.model.id)
        context.ratios.set(session.model.id, learnRatio(context.ratios.get(session.model.id), estimated, tokens));
      const miss = counted(usage)?.miss;
      if (miss) session.why.add({ kind: "cache", what: "The prompt cache was missed", why: miss.text });
    };
  });
};

const boundary = ({ type, subtype }: TranscriptRecord): boolean => type === "system" && subtype === "compact_boundary";

/** Takes back what earlier processes made smaller, so that a resumed session sends the same bytes. */
export const restoreContext = (session: Session, records: readonly TranscriptRecord[]): void => {
  const { context } = session;
  for (const record of records.slice(records.findLastIndex(boundary) + 1)) {
    if (record.type !== "context-edit") continue;
    const { shrinks, collapses, unfolded, nextStep } = record as Partial<ContextEdit> & TranscriptRecord;
    context.state = {
      shrinks: withShrinks(context.state.shrinks, new Map(Object.entries(shrinks ?? {}))),
      collapses: collapses ?? context.state.collapses,
      nextStep: nextStep ?? context.state.nextStep,
    };
    context.unfolded = new Set(unfolded ?? context.unfolded);
  }
};

/** The cache ledger in words: what /why cache shows. */
export const cacheLines = ({ context }: Session): string[] =>
  ledgerLines(context.ledger.entries(), (at) => new Date(at).toTimeString().slice(0, 8));
