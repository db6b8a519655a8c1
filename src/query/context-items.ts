// The single things in the context: files read, results of the same call, images, folds. Largest first.

import { savedTokens } from "../context/collapse.js";
import { estimateBlock } from "../context/count.js";
import { isMedia, mediaKey } from "../context/shrink.js";
import { blocksOf, type ContentBlock, type Message, type ToolUseBlock, textOf } from "../protocol/messages.js";
import type { ContextItem } from "../protocol/pickers.js";
import { ratioOf, titleOf } from "./context-work.js";
import type { Session } from "./session.js";

/** The id of a fold, as a context item carries it. */
export const foldId = (firstId: string): string => `fold:${firstId}`;

const previewChars = 600;
const leastTokens = 50; // smaller things are not worth a row

interface Found {
  id: string;
  kind: ContextItem["kind"];
  label: string;
  tokens: number;
  /** Turns since. */
  age: number;
  preview: string;
}

const foundIn = (messages: readonly Message[], nameOf: (call: ToolUseBlock) => string): Found[] => {
  const answers = messages.filter(({ role }) => role === "assistant").length;
  const calls = new Map<string, ToolUseBlock>();
  const found: Found[] = [];
  let seen = 0;
  const add = (block: ContentBlock, id: string, kind: Found["kind"], label: string, preview: string): void => {
    found.push({
      id,
      kind,
      label,
      tokens: estimateBlock(block),
      age: answers - seen,
      preview: preview.slice(0, previewChars),
    });
  };
  for (const { role, content } of messages) {
    if (role === "assistant") seen += 1;
    for (const block of blocksOf(content)) {
      if (block.type === "tool_use") calls.set(block.id, block);
      else if (isMedia(block))
        add(block, mediaKey(block), "image", block.type === "image" ? "pasted image" : "pasted document", "");
      else if (block.type === "tool_result") {
        const call = calls.get(block.tool_use_id);
        const hasMedia = Array.isArray(block.content) && block.content.some(isMedia);
        const kind = hasMedia ? "image" : call?.name === "Read" ? "file" : "result";
        const text = textOf(block.content as string);
        add(block, block.tool_use_id, kind, call ? nameOf(call) : "a result", text);
      }
    }
  }
  return found;
};

const ageText = (age: number): string => (age <= 1 ? "in the last turn" : `${age} turns ago`);

const noteOf = (group: readonly Found[], shrunk: number, dropped: number): string => {
  const parts = [ageText(Math.min(...group.map(({ age }) => age)))];
  if (dropped === group.length) parts.push("dropped");
  else if (dropped > 0) parts.push(`${dropped} dropped`);
  if (shrunk - dropped > 0) parts.push(group.length === 1 ? "shrunk" : `${shrunk - dropped} shrunk`);
  return parts.join(", ");
};

/** The items of the messages as they are sent. */
export const contextItems = (session: Session, sent: readonly Message[]): ContextItem[] => {
  const ratio = ratioOf(session);
  const { shrinks, collapses } = session.context.state;
  const groups = new Map<string, Found[]>();
  for (const one of foundIn(sent, titleOf(session))) {
    const key = `${one.kind} ${one.label}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const items = [...groups.values()].map((group): ContextItem => {
    const [first] = group as [Found, ...Found[]];
    const isLine = ({ id }: Found): boolean => shrinks.get(id)?.kind === "line";
    const dropped = group.filter(isLine).length;
    const shrunk = group.filter(({ id }) => shrinks.has(id)).length;
    return {
      ids: [...new Set(group.map(({ id }) => id))],
      kind: first.kind,
      label: group.length === 1 ? first.label : `${first.label} (${group.length} results)`,
      tokens: Math.round(group.reduce((sum, { tokens }) => sum + tokens, 0) * ratio),
      note: noteOf(group, shrunk, dropped),
      preview: group.at(-1)!.preview,
      isDropped: dropped === group.length,
    };
  });
  const folds = collapses.map(
    (collapse): ContextItem => ({
      ids: [foldId(collapse.firstId)],
      kind: "fold",
      label: `${collapse.rounds} finished calls, folded`,
      tokens: 0,
      note: `saves ${Math.round(savedTokens(session.messages, collapse, titleOf(session)) * ratio)} tokens`,
      preview: "",
      isDropped: false,
    }),
  );
  const large = items.filter(({ tokens, isDropped }) => tokens >= leastTokens && !isDropped);
  return [...folds, ...large.sort((a, b) => b.tokens - a.tokens)];
};
