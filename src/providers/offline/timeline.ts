// The messages of a request as a plain sequence: what the person said, which calls were made with which results, where runs ended.
import { blocksOf, type ContentBlock, type Message, type ToolUseBlock, textOf } from "../../protocol/messages.js";

export interface Round {
  calls: ToolUseBlock[];
  results: Map<string, { text: string; isError: boolean }>;
  /** What the person said about these calls. */
  words?: string[];
  /** Ends of background work that were told since. */
  notices?: string[];
}

export type Item =
  | { kind: "text"; text: string; messageIndex: number }
  | { kind: "round"; round: Round }
  /** A run ended here: an answer without calls, an interruption, a refusal. */
  | { kind: "end"; isStop?: boolean }
  /** Background work has ended: its summary. */
  | { kind: "notice"; text: string };

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
  if (block.is_error && interruptedResult.test(text)) items.push({ kind: "end", isStop: true });
};

/** What the notices in a text say of background work, one text each. */
export const noticesIn = (text: string): string[] =>
  [...text.matchAll(/<task-notification>([\s\S]*?)<\/task-notification>/g)].map(([, body = ""]) => {
    const inside = (tag: string): string => new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(body)?.[1]?.trim() ?? "";
    return inside("summary") || `${inside("task-id")} ${inside("status")}`.trim();
  });

const addText = (items: Item[], text: string, messageIndex: number): void => {
  items.push(...noticesIn(text).map((notice): Item => ({ kind: "notice", text: notice })));
  for (const [index, piece] of withoutMachineText(text).split(interruptMark).entries()) {
    if (index > 0) items.push({ kind: "end", isStop: true });
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
  /** Earlier work that was stopped and can be taken up again. */
  paused?: Work;
}

/** What a tour does with words of the person: it keeps those that are no request of their own. */
export interface Listening {
  /** Words said in this work belong to it. */
  keeps(work: Work, text: string): boolean;
  /** Work that can be taken up again after other requests. */
  canPause(work: Work): boolean;
}
const noListening: Listening = { keeps: () => false, canPause: () => false };

const addWords = ({ rounds }: Work, text: string): void => {
  const round = rounds.at(-1);
  if (round) round.words = [...(round.words ?? []), text];
};

const addNotice = ({ rounds }: Work, text: string): void => {
  const round = rounds.at(-1);
  if (round) round.notices = [...(round.notices ?? []), text];
};

/** The work that a text after the end of a run begins or takes up. */
const workOf = (
  work: Work,
  { text, messageIndex }: Extract<Item, { kind: "text" }>,
  isStopped: boolean,
  listening: Listening,
): Work => {
  const isPausable = isStopped && listening.canPause(work);
  if (goOn.test(text) && work.promptIndex >= 0) return /tour/i.test(text) ? (work.paused ?? work) : work;
  if (isPausable && listening.keeps(work, text)) {
    addWords(work, text);
    return work;
  }
  const paused = isPausable ? work : work.paused;
  return { prompt: text, promptIndex: messageIndex, additions: [], rounds: [], ...(paused && { paused }) };
};

/** The work at hand: the last prompt and what was done for it. "go on" and the like continue what came before. */
export const currentWork = (items: readonly Item[], listening: Listening = noListening): Work => {
  let work: Work = { prompt: "", promptIndex: -1, additions: [], rounds: [] };
  let isOver = true;
  let isStopped = false;
  let isPromptOpen = false; // the next text belongs to the same prompt
  for (const item of items) {
    if (item.kind === "notice") {
      addNotice(work, item.text);
      continue;
    }
    if (item.kind === "end") {
      isStopped = item.isStop === true || (isStopped && isOver);
      isOver = true;
    } else if (item.kind === "round") work.rounds.push(item.round);
    else if (isPromptOpen) work.prompt += `\n${item.text}`;
    else if (isOver) work = workOf(work, item, isStopped, listening);
    else if (listening.keeps(work, item.text)) addWords(work, item.text);
    else work.additions.push(item.text);
    isPromptOpen = item.kind === "text" && (isPromptOpen || (isOver && work.prompt === item.text));
    if (item.kind !== "end") isOver = false;
  }
  return work;
};
