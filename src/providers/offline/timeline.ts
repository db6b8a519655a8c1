// The messages of a request as a plain sequence: what the person said, which calls were made with which results, where runs ended.
import { blocksOf, type ContentBlock, type Message, type ToolUseBlock, textOf } from "../../protocol/messages.js";

export interface Round {
  calls: ToolUseBlock[];
  results: Map<string, { text: string; isError: boolean }>;
}

export type Item =
  | { kind: "text"; text: string; messageIndex: number }
  | { kind: "round"; round: Round }
  /** A run ended here: an answer without calls, an interruption, a refusal. */
  | { kind: "end" };

// Blocks that this program, not the person, puts into user messages.
const machineTags = [
  "system-reminder",
  "command-name",
  "command-message",
  "command-args",
  "local-command-stdout",
  "local-command-stderr",
  "local-command-caveat",
  "bash-input",
  "bash-stdout",
  "bash-stderr",
  "task-notification",
].join("|");
const machineText = new RegExp(`<(${machineTags})>[\\s\\S]*?</\\1>`, "g");
const interruptMark = /\[Request interrupted by user[^\]]*\]/;
const interruptedResult = /^(?:this call was interrupted|.{0,40}interrupted by (?:the )?(?:user|person))/i;

export const isResult = (block: ContentBlock): block is Extract<ContentBlock, { type: "tool_result" }> =>
  block.type === "tool_result";
export const isCall = (block: ContentBlock): block is ToolUseBlock => block.type === "tool_use";

/** Text without the blocks that this program adds. */
export const withoutMachineText = (text: string): string => text.replace(machineText, "").trim();

/** The person's own words in a user message. */
export const humanText = (message: Message): string => {
  if (message.role !== "user") return "";
  const texts = blocksOf(message.content).flatMap((block) => (block.type === "text" ? [textOf([block])] : []));
  return withoutMachineText(texts.join("\n").split(interruptMark).join("\n"));
};

const addAssistant = (items: Item[], message: Message): void => {
  const calls = blocksOf(message.content).filter(isCall);
  const last = items.at(-1);
  // An answer may be kept as several messages, one a block.
  if (last?.kind === "round" && last.round.results.size === 0) last.round.calls.push(...calls);
  else if (calls.length > 0) items.push({ kind: "round", round: { calls, results: new Map() } });
  else items.push({ kind: "end" });
};

const addResult = (items: Item[], block: ContentBlock): void => {
  if (!isResult(block)) return;
  const round = items.findLast(
    (item) => item.kind === "round" && item.round.calls.some(({ id }) => id === block.tool_use_id),
  );
  const text = withoutMachineText(textOf(block.content));
  if (round?.kind === "round") round.round.results.set(block.tool_use_id, { text, isError: block.is_error === true });
  if (block.is_error && interruptedResult.test(text)) items.push({ kind: "end" });
};

const addText = (items: Item[], text: string, messageIndex: number): void => {
  for (const [index, piece] of withoutMachineText(text).split(interruptMark).entries()) {
    if (index > 0) items.push({ kind: "end" });
    if (piece.trim() !== "") items.push({ kind: "text", text: piece.trim(), messageIndex });
  }
};

/** Reads messages, joined by role or not, as a sequence. */
export const timelineOf = (messages: readonly Message[]): Item[] => {
  const items: Item[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") {
      addAssistant(items, message);
      continue;
    }
    for (const block of blocksOf(message.content)) {
      if (block.type === "text") addText(items, textOf([block]), index);
      else addResult(items, block);
    }
  }
  return items;
};

const goOn = /^(please )?(go on|continue|carry on|resume|next|keep going)( with)?( the)?( tour)?( please)?[.!]*$/i;

export interface Work {
  prompt: string;
  /** Index of the message that holds the prompt; -1: there is none. */
  promptIndex: number;
  /** What the person added while the run was going on. */
  additions: string[];
  /** Own calls since the prompt, oldest first. */
  rounds: Round[];
}

/** The work at hand: the last prompt and what was done for it. "go on" and the like continue what came before. */
export const currentWork = (items: readonly Item[]): Work => {
  let work: Work = { prompt: "", promptIndex: -1, additions: [], rounds: [] };
  let isOver = true;
  let isPromptOpen = false; // the next text belongs to the same prompt
  for (const item of items) {
    if (item.kind === "end") isOver = true;
    else if (item.kind === "round") work.rounds.push(item.round);
    else if (isPromptOpen) work.prompt += `\n${item.text}`;
    else if (!isOver) work.additions.push(item.text);
    else if (!goOn.test(item.text) || work.promptIndex < 0) {
      work = { prompt: item.text, promptIndex: item.messageIndex, additions: [], rounds: [] };
    }
    isPromptOpen = item.kind === "text" && (isPromptOpen || (isOver && work.prompt === item.text));
    if (item.kind !== "end") isOver = false;
  }
  return work;
};
