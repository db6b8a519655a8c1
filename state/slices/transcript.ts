// Transcript slice: events become items, changed in place (`v`, `rev`) so that a delta costs the same at any length.
import type { EventOf } from "../../src/protocol/events.js";
import { textOf } from "../../src/protocol/messages.js";
import type { AssistantItem, ThinkingItem, ToolItem, TranscriptItem, TranscriptState } from "../app-state.js";

/** Characters of an error's text that an error line can show. */
const maxResultText = 2_000;

/**
 * Where an item is, by key: `text:<message>:<block>`, `call:<id>`, `notice:<key>`. One index per item array, made
 * when first needed, so that a lookup never walks the transcript.
 */
const indexes = new WeakMap<TranscriptItem[], Map<string, TranscriptItem>>();

const indexOf = (items: TranscriptItem[]): Map<string, TranscriptItem> => {
  const known = indexes.get(items);
  if (known) return known;
  const made = new Map<string, TranscriptItem>();
  for (const item of items) {
    const key = keyOf(item);
    if (key) made.set(key, item);
  }
  indexes.set(items, made);
  return made;
};

const keyOf = (item: TranscriptItem): string | undefined => {
  if (item.kind === "assistant") return `text:${item.messageId}:${item.index}`;
  if (item.kind === "thinking") return `thinking:${item.messageId}:${item.index}`;
  if (item.kind === "tool") return `call:${item.callId}`;
  return undefined;
};

const changed = (transcript: TranscriptState): TranscriptState => ({
  items: transcript.items,
  rev: transcript.rev + 1,
});

/** Appends one item; `key` makes it findable beyond its kind's own key. */
export const pushItem = (transcript: TranscriptState, item: TranscriptItem, key = keyOf(item)): TranscriptState => {
  const index = indexOf(transcript.items);
  transcript.items.push(item);
  if (key) index.set(key, item);
  return changed(transcript);
};

/** Changes a findable item in place. The state is returned as it was when there is no such item. */
export const touchItem = (
  transcript: TranscriptState,
  key: string,
  change: (item: TranscriptItem) => void,
): TranscriptState => {
  const item = indexOf(transcript.items).get(key);
  if (!item) return transcript;
  change(item);
  item.v += 1;
  return changed(transcript);
};

const has = (transcript: TranscriptState, key: string): boolean => indexOf(transcript.items).has(key);

/** A streamed piece of an answer or of thinking. */
export const appendDelta = (
  transcript: TranscriptState,
  event: EventOf<"text"> | EventOf<"thinking">,
): TranscriptState => {
  const key = `${event.type}:${event.messageId}:${event.index}`;
  if (has(transcript, key))
    return touchItem(transcript, key, (item) => {
      if (item.kind === "assistant" || item.kind === "thinking") item.text += event.delta;
    });
  return pushItem(transcript, streamed(event.type, event.messageId, event.index, event.delta, false));
};

const streamed = (
  type: "text" | "thinking",
  messageId: string,
  index: number,
  text: string,
  done: boolean,
): AssistantItem | ThinkingItem => ({
  id: `${type}:${messageId}:${index}`,
  v: 0,
  kind: type === "text" ? "assistant" : "thinking",
  messageId,
  index,
  text,
  done,
});

/** A retry follows: takes out what had streamed of the message and was not finished. */
export const dropMessage = (transcript: TranscriptState, messageId: string): TranscriptState => {
  const { items } = transcript;
  const index = indexOf(items);
  const isVoid = (item: TranscriptItem): boolean =>
    (item.kind === "assistant" || item.kind === "thinking") && item.messageId === messageId && !item.done;
  let hasChanged = false;
  for (let at = items.length - 1; at >= 0; at--) {
    const item = items[at]!;
    if (!isVoid(item)) continue;
    items.splice(at, 1);
    index.delete(keyOf(item)!);
    hasChanged = true;
  }
  return hasChanged ? changed(transcript) : transcript;
};

/** A finished block: the whole text replaces what streamed; a call that is not known yet gets its line. */
export const finishBlock = (transcript: TranscriptState, event: EventOf<"assistant_message">): TranscriptState => {
  let next = transcript;
  const { id, model } = event.message;
  const facts = { model, ...timeOf(event.timestamp) };
  event.message.content.forEach((block, offset) => {
    const index = event.index + offset;
    if (block.type === "text") next = finishText(next, { type: "text", id, index, text: String(block.text) }, facts);
    else if (block.type === "thinking")
      next = finishText(next, { type: "thinking", id, index, text: String(block.thinking) }, facts);
    else if (block.type === "tool_use") next = knownCall(next, block as { id: string; name: string; input: object });
  });
  return next;
};

/** The time of a message as items keep it; nothing when it is not known. */
export const timeOf = (timestamp: string): { at?: number } => {
  const at = Date.parse(timestamp);
  return Number.isNaN(at) ? {} : { at };
};

const finishText = (
  transcript: TranscriptState,
  { type, id, index, text }: { type: "text" | "thinking"; id: string; index: number; text: string },
  facts: { model: string; at?: number },
): TranscriptState => {
  const key = `${type}:${id}:${index}`;
  if (!has(transcript, key))
    return text === "" ? transcript : pushItem(transcript, { ...streamed(type, id, index, text, true), ...facts });
  return touchItem(transcript, key, (item) => {
    if (item.kind !== "assistant" && item.kind !== "thinking") return;
    Object.assign(item, { text, done: true, ...facts });
  });
};

/** Replayed sessions bring a call's block without its event: the first text of the input stands in for the title. */
const knownCall = (
  transcript: TranscriptState,
  block: { id: string; name: string; input: object },
): TranscriptState => {
  if (has(transcript, `call:${block.id}`)) return transcript;
  const title = Object.values(block.input).find((value) => typeof value === "string") ?? "";
  const input = block.input as Record<string, unknown>;
  return startCall(transcript, { type: "tool_call", id: block.id, name: block.name, input, title, isReadOnly: false });
};

/** A call's line, shown before its first gate. */
export const startCall = (transcript: TranscriptState, event: EventOf<"tool_call">): TranscriptState => {
  const key = `call:${event.id}`;
  const { name, title, input, isReadOnly } = event;
  const facts = { name, title, input, isReadOnly };
  if (has(transcript, key)) return touchItem(transcript, key, (item) => Object.assign(item, facts));
  const item: ToolItem = { id: key, v: 0, kind: "tool", callId: event.id, state: "queued", ...facts };
  return pushItem(transcript, item);
};

export const setCallState = (transcript: TranscriptState, event: EventOf<"tool_state">): TranscriptState =>
  touchItem(transcript, `call:${event.id}`, (item) => {
    if (item.kind !== "tool") return;
    item.state = event.state;
    if (event.canMove === true) item.canMove = true;
    if (event.state === "running") item.startedAt = event.at;
  });

export const setCallProgress = (transcript: TranscriptState, event: EventOf<"tool_progress">): TranscriptState =>
  touchItem(transcript, `call:${event.id}`, (item) => {
    if (item.kind !== "tool") return;
    item.durationMs = event.elapsedMs;
    if (event.lastLines) item.lastLines = event.lastLines;
    if (event.totalBytes !== undefined) item.totalBytes = event.totalBytes;
  });

/** A result settles its call; a result without a known call gets a line of its own. */
export const settleCall = (transcript: TranscriptState, event: EventOf<"tool_result">): TranscriptState => {
  const key = `call:${event.id}`;
  const known = has(transcript, key)
    ? transcript
    : startCall(transcript, {
        type: "tool_call",
        id: event.id,
        name: event.name,
        input: {},
        title: "",
        isReadOnly: false,
      });
  return touchItem(known, key, (item) => {
    if (item.kind !== "tool") return;
    item.state = event.isError ? "error" : "done";
    item.durationMs = event.durationMs;
    // Behind an agent's report the result tells the model its figures: the call's row has them for the person.
    const shown = event.display?.kind === "agent" ? event.display.text : textOf(event.content);
    item.resultText = shown.slice(0, maxResultText);
    if (event.display) item.display = event.display;
    delete item.lastLines;
  });
};

/** At a run's end nothing streams or runs any more, whatever events were missed. */
export const settleAll = (transcript: TranscriptState, since: number): TranscriptState => {
  let next = transcript;
  for (let at = transcript.items.length - 1; at >= since; at--) {
    const item = transcript.items[at]!;
    if ((item.kind === "assistant" || item.kind === "thinking") && !item.done) item.done = true;
    else if (item.kind === "tool" && item.state !== "done" && item.state !== "error") {
      item.state = "error";
      item.resultText ??= "Interrupted";
    } else continue;
    item.v += 1;
    next = changed(next);
  }
  return next;
};
