// Notices slice: lines of the transcript that neither person nor model wrote.
import type { EventOf, SessionInfo } from "../../src/protocol/events.js";
import { isInterruptMark } from "../../src/protocol/messages.js";
import type { TranscriptItem, TranscriptState } from "../app-state.js";
import { pushItem, timeOf, touchItem } from "./transcript.js";

/** Identity of the banner, which there is once. */
const bannerKey = "banner";

let serial = 0;
const nextId = (kind: string): string => {
  serial += 1;
  return `${kind}:${serial}`;
};

export const pushNotice = (
  transcript: TranscriptState,
  notice: { level: "info" | "warning" | "error"; text: string; key?: string | undefined },
): TranscriptState => {
  const key = notice.key === undefined ? undefined : `notice:${notice.key}`;
  const { level, text } = notice;
  const updated = key
    ? touchItem(transcript, key, (item) => {
        if (item.kind === "notice") Object.assign(item, { level, text });
      })
    : transcript;
  if (updated !== transcript) return updated;
  return pushItem(transcript, { id: nextId("notice"), v: 0, kind: "notice", level, text }, key);
};

export const pushUser = (transcript: TranscriptState, event: EventOf<"user_message">): TranscriptState =>
  isInterruptMark(event.shown)
    ? pushNotice(transcript, { level: "info", text: interrupted })
    : pushTyped(transcript, event);

/** What an interrupt mark of the conversation is shown as. */
const interrupted = "Interrupted";

/** The end of a run that the person stopped: says more in the line that the mark left, if it left one. */
export const pushStop = (transcript: TranscriptState, text: string): TranscriptState => {
  const last = transcript.items.at(-1);
  if (last?.kind !== "notice" || last.text !== interrupted) return pushNotice(transcript, { level: "info", text });
  last.text = text;
  last.v += 1;
  return { items: transcript.items, rev: transcript.rev + 1 };
};

const pushTyped = (transcript: TranscriptState, event: EventOf<"user_message">): TranscriptState =>
  event.isMeta || event.shown === ""
    ? transcript
    : pushItem(transcript, {
        id: `user:${event.uuid}`,
        v: 0,
        kind: "user",
        text: event.shown,
        ...timeOf(event.timestamp),
      });

export const pushCommandOutput = (transcript: TranscriptState, event: EventOf<"command_output">): TranscriptState =>
  pushItem(transcript, {
    id: nextId("command"),
    v: 0,
    kind: "command",
    command: event.command,
    text: event.text,
    isError: event.isError,
  });

const thousands = (tokens: number): string => (tokens < 1_000 ? String(tokens) : `${Math.round(tokens / 1_000)}k`);

export const pushBoundary = (transcript: TranscriptState, event: EventOf<"compact_boundary">): TranscriptState =>
  pushItem(transcript, {
    id: nextId("boundary"),
    v: 0,
    kind: "boundary",
    text: `Conversation summarised: ${thousands(event.preTokens)} → ${thousands(event.postTokens)} tokens`,
  });

const bannerFacts = (session: SessionInfo) => ({
  version: session.version,
  cwd: session.cwd,
  model: session.modelLabel,
  trusted: session.trusted,
  ...(session.gitBranch === undefined ? {} : { branch: session.gitBranch }),
});

const bannerItem = (facts: Omit<Extract<TranscriptItem, { kind: "banner" }>, "id" | "v" | "kind">): TranscriptItem => ({
  id: nextId(bannerKey),
  v: 0,
  kind: "banner",
  ...facts,
});

/** The banner before the engine is there: what the launcher knows. */
export const firstTranscript = (facts: { version: string; cwd: string }): TranscriptState =>
  pushItem({ items: [], rev: 0 }, bannerItem({ ...facts, model: "", trusted: true }), bannerKey);

/** Opening fills the banner that is there; /clear and /resume begin a new list under a new banner. */
export const sessionBanner = (transcript: TranscriptState, event: EventOf<"session">): TranscriptState => {
  const facts = bannerFacts(event.session);
  const isNewList = event.reason === "clear" || event.reason === "resume";
  if (isNewList) return pushItem({ items: [], rev: transcript.rev }, bannerItem(facts), bannerKey);
  const updated = touchItem(transcript, bannerKey, (item) => {
    if (item.kind === "banner") Object.assign(item, facts);
  });
  if (updated !== transcript || event.reason === "change") return updated;
  return pushItem(transcript, bannerItem(facts), bannerKey);
};
