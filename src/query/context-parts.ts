// What the next request consists of, in tokens: for /context, and for naming what no compaction can free.
import { compactAt } from "../context/autocompact.js";
import { estimateMessages, estimateSystem, estimateTools } from "../context/count.js";
import { charsPerToken } from "../context/numbers.js";
import { prepared } from "../context/pipeline.js";
import { isMedia, mediaKey } from "../context/shrink.js";
import { isFirstReminder } from "../prompt/first-reminder.js";
import { blocksOf, type Message, textOf } from "../protocol/messages.js";
import type { ContextCategory, Picker } from "../protocol/pickers.js";
import { autoCompactSettings } from "./auto-compact-settings.js";
import { instructionFiles, systemPrompt } from "./background.js";
import { contextItems, foldId } from "./context-items.js";
import { dropFromContext, ratioOf, titleOf, unfold, windowOf } from "./context-work.js";
import type { Session } from "./session.js";

export interface FixedPart {
  label: string;
  tokens: number;
}

/** The tools that are sent in full: ours, and those of MCP servers. */
const toolsByKind = ({ shelf }: Session) => {
  const isOfServer = (name: string): boolean => name.startsWith("mcp__");
  const ofServers = shelf.specs.filter(({ name }) => isOfServer(name));
  const namesOnly = shelf.unloaded();
  const count = namesOnly.filter(isOfServer).length;
  return {
    own: shelf.specs.filter(({ name }) => !isOfServer(name)),
    ofServers,
    // Without a part of their own those of servers are counted with ours.
    namesOnly:
      ofServers.length === 0 ? { tools: namesOnly.length, mcp: 0 } : { tools: namesOnly.length - count, mcp: count },
  };
};

/** What every request begins with, whatever was said: system prompt, tools, instruction files. */
export const fixedParts = async (session: Session): Promise<FixedPart[]> => {
  const ratio = ratioOf(session);
  const files = await instructionFiles(session);
  const { own, ofServers } = toolsByKind(session);
  return [
    { label: "system prompt", tokens: Math.round(estimateSystem(systemPrompt(session)) * ratio) },
    { label: `${own.length} tools`, tokens: Math.round(estimateTools(own) * ratio) },
    { label: `${ofServers.length} MCP tools`, tokens: Math.round(estimateTools(ofServers) * ratio) },
    ...files.map(({ path, text }) => ({ label: path, tokens: Math.round((text.length / charsPerToken) * ratio) })),
  ];
};

/** Estimated tokens of the messages by what they are. */
const messageParts = (messages: readonly Message[]) => {
  const parts = { instructions: 0, conversation: 0, files: 0, results: 0, images: 0 };
  const names = new Map<string, string>();
  for (const { role, content } of messages) {
    if (role === "user" && isFirstReminder(textOf(content))) {
      parts.instructions += estimateMessages([{ role, content }]);
      continue;
    }
    for (const block of blocksOf(content)) {
      const tokens = estimateMessages([{ role, content: [block] }]);
      if (block.type === "tool_use") names.set(block.id, block.name);
      if (isMedia(block)) parts.images += tokens;
      else if (block.type !== "tool_result") parts.conversation += tokens;
      else if (Array.isArray(block.content) && block.content.some(isMedia)) parts.images += tokens;
      else if (names.get(block.tool_use_id) === "Read") parts.files += tokens;
      else parts.results += tokens;
    }
  }
  return parts;
};

const labels: Record<ContextCategory["id"], string> = {
  system: "system prompt",
  tools: "tools",
  mcp: "MCP tools",
  instructions: "instructions",
  conversation: "conversation",
  files: "files read",
  results: "other results",
  images: "images",
  reserve: "kept for compaction",
  free: "free",
};

const labelOf = (session: Session, id: ContextCategory["id"]): string => {
  const { namesOnly } = toolsByKind(session);
  const count = id === "tools" || id === "mcp" ? namesOnly[id] : 0;
  return count === 0 ? labels[id] : `${labels[id]} (${count} more by name only)`;
};

/** Everything /context shows. */
export const contextPicker = async (session: Session): Promise<Extract<Picker, { kind: "context" }>> => {
  const ratio = ratioOf(session);
  const window = windowOf(session);
  const sent = prepared(session.messages, session.context.state, titleOf(session));
  const scaled = (tokens: number): number => Math.round(tokens * ratio);
  const parts = messageParts(sent);
  const fixed = await fixedParts(session);
  const [system = 0, tools = 0, mcp = 0, ...files] = fixed.map(({ tokens }) => tokens);
  const instructions = session.hasBackground
    ? scaled(parts.instructions)
    : files.reduce((sum, tokens) => sum + tokens, 0);
  const used = [
    { id: "system" as const, tokens: system },
    { id: "tools" as const, tokens: tools },
    { id: "mcp" as const, tokens: mcp },
    { id: "instructions" as const, tokens: instructions },
    { id: "conversation" as const, tokens: scaled(parts.conversation) },
    { id: "files" as const, tokens: scaled(parts.files) },
    { id: "results" as const, tokens: scaled(parts.results) },
    { id: "images" as const, tokens: scaled(parts.images) },
  ];
  const usedTokens = used.reduce((sum, { tokens }) => sum + tokens, 0);
  const limit = compactAt(session.model.contextWindow, autoCompactSettings(session)) ?? null;
  const reserve = Math.min(limit === null ? 0 : window - limit, Math.max(0, window - usedTokens));
  const rest = [
    { id: "free" as const, tokens: Math.max(0, window - usedTokens - reserve) },
    { id: "reserve" as const, tokens: reserve },
  ];
  return {
    kind: "context",
    model: session.model.label,
    usedTokens,
    window,
    compactAt: limit,
    categories: [...used, ...rest]
      .filter(({ tokens }) => tokens > 0)
      .map(({ id, tokens }) => ({ id, label: labelOf(session, id), tokens })),
    items: contextItems(session, sent),
  };
};

/** Drops results and media by their ids; undoes folds. Ids that mean nothing here are ignored. */
export const changeContext = (session: Session, ids: readonly string[]): void => {
  const { collapses } = session.context.state;
  for (const { firstId } of collapses.filter((one) => ids.includes(foldId(one.firstId)))) unfold(session, firstId);
  const known = new Set<string>();
  for (const { content } of session.messages)
    for (const block of blocksOf(content)) {
      if (block.type === "tool_result") {
        known.add(block.tool_use_id);
        if (Array.isArray(block.content))
          for (const part of block.content) if (isMedia(part)) known.add(mediaKey(part));
      } else if (isMedia(block)) known.add(mediaKey(block));
    }
  dropFromContext(
    session,
    ids.filter((id) => known.has(id)),
  );
};
