// What the offline model can see in a request: the person's words, its own calls since then with their results, the tools, the plan file.
import { join } from "node:path";
import { blocksOf, type ContentBlock, type Message, type ToolUseBlock, textOf } from "../../protocol/messages.js";
import type { ModelRequest } from "../provider.js";

export interface Round {
  calls: ToolUseBlock[];
  results: ReadonlyMap<string, { text: string; isError: boolean }>;
}

export interface View {
  /** What the person asked for last. */
  prompt: string;
  /** What they added while the run was going on. */
  additions: string[];
  /** Own calls since the prompt, oldest first. */
  rounds: Round[];
  tools: ReadonlySet<string>;
  /** Working folder, when the system prompt names it. */
  cwd?: string;
  /** Plan mode was on when the prompt came. */
  isPlanning: boolean;
  /** The newest plan file named in a message up to the prompt, and in any message by now. */
  planPath?: string;
  newestPlanPath(): string | undefined;
}

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
const interruptMark = /\[Request interrupted by user[^\]]*\]/g;

/** The person's own words in a user message. */
export const humanText = (message: Message): string => {
  if (message.role !== "user") return "";
  const texts = blocksOf(message.content).flatMap((block) => (block.type === "text" ? [textOf([block])] : []));
  return texts.join("\n").replace(machineText, "").replace(interruptMark, "").trim();
};

const isResult = (block: ContentBlock): block is Extract<ContentBlock, { type: "tool_result" }> =>
  block.type === "tool_result";
const isCall = (block: ContentBlock): block is ToolUseBlock => block.type === "tool_use";
const hasResults = (message: Message): boolean => blocksOf(message.content).some(isResult);

const goOn = /^(please )?(go on|continue|carry on|resume|next|keep going)( with)?( the)?( tour)?( please)?[.!]*$/i;

/** Index of the message that began the work at hand; "go on" and the like continue what came before. */
const promptIndex = (messages: readonly Message[]): number => {
  let found = -1;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (!message || hasResults(message)) continue;
    const text = humanText(message);
    if (text === "") continue;
    found = index;
    if (!goOn.test(text)) break;
  }
  return found;
};

const stripReminders = (text: string): string => text.replace(machineText, "").trim();

const roundsAfter = (messages: readonly Message[], start: number): Round[] => {
  const rounds: Round[] = [];
  let calls: ToolUseBlock[] = [];
  let results = new Map<string, { text: string; isError: boolean }>();
  for (const message of messages.slice(start + 1)) {
    const blocks = blocksOf(message.content);
    if (message.role === "assistant") {
      // The turn before this one is complete as soon as it has a result.
      if (results.size > 0) {
        calls = [];
        results = new Map();
      }
      calls.push(...blocks.filter(isCall));
      continue;
    }
    for (const block of blocks.filter(isResult)) {
      if (results.size === 0) rounds.push({ calls, results });
      results.set(block.tool_use_id, { text: stripReminders(textOf(block.content)), isError: block.is_error === true });
    }
  }
  return rounds;
};

const planFileName = /plan file[^`\n]*`([^`\n]+)`/gi;
const planModeOn = /plan mode (?:is|is still) on\b/gi;
const planModeOff = /plan mode (?:is|was) (?:off|left|over)\b/gi;
const reminders = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
const lastPlace = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].at(-1)?.index ?? -1;

/** What a user message says about plan mode: its reminders, and the result of EnterPlanMode. */
const planNews = (message: Message, enterIds: ReadonlySet<string>): string => {
  const blocks = blocksOf(message.content);
  const spoken = blocks.flatMap((block) => (block.type === "text" ? [textOf([block])] : []));
  const all = [...blocks.filter(isResult).map(({ content }) => textOf(content)), ...spoken].join("\n");
  const entered = blocks.filter(
    (block) => isResult(block) && enterIds.has(block.tool_use_id) && block.is_error !== true,
  );
  return [
    ...entered.map((block) => (isResult(block) ? textOf(block.content) : "")),
    ...(all.match(reminders) ?? []),
  ].join("\n");
};

const planFacts = (
  messages: readonly Message[],
  start: number,
): Pick<View, "isPlanning" | "planPath" | "newestPlanPath"> => {
  let isPlanning = false;
  let planPath: string | undefined;
  let newest: string | undefined;
  const enterIds = new Set<string>();
  const exitIds = new Set<string>();
  for (const [index, message] of messages.entries()) {
    for (const block of blocksOf(message.content)) {
      if (isCall(block) && block.name === "EnterPlanMode") enterIds.add(block.id);
      if (isCall(block) && block.name === "ExitPlanMode") exitIds.add(block.id);
      if (index > start || !isResult(block) || block.is_error === true) continue;
      if (enterIds.has(block.tool_use_id)) isPlanning = true;
      if (exitIds.has(block.tool_use_id)) isPlanning = false;
    }
    if (message.role === "assistant") continue;
    const news = planNews(message, enterIds);
    for (const match of news.matchAll(planFileName)) newest = match[1];
    if (index > start) continue;
    planPath = newest;
    const on = lastPlace(news, planModeOn);
    const off = lastPlace(news, planModeOff);
    if (on !== off) isPlanning = on > off;
  }
  return { isPlanning, planPath, newestPlanPath: () => newest };
};

const workingDir = (request: ModelRequest): string | undefined =>
  /^- Working directory: (.+)$/m.exec(request.system.map(({ text }) => text).join("\n"))?.[1]?.trim();

/** Reads a request the way the offline model sees it. */
export const viewOf = (request: ModelRequest): View => {
  const { messages } = request;
  const start = promptIndex(messages);
  const prompt = messages[start] ? humanText(messages[start]) : "";
  const later = messages.slice(start + 1).filter((message) => message.role === "user" && hasResults(message));
  return {
    prompt,
    additions: start < 0 ? [] : later.map(humanText).filter((text) => text !== ""),
    rounds: start < 0 ? [] : roundsAfter(messages, start),
    tools: new Set(request.tools.map(({ name }) => name)),
    cwd: workingDir(request),
    ...planFacts(messages, start),
  };
};

/** A path as file tools want it: absolute when the working folder is known. */
export const absolutePath = (path: string, cwd: string | undefined): string =>
  path.startsWith("/") || path.startsWith("~") || cwd === undefined ? path : join(cwd, path);
