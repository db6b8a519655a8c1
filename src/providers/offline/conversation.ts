// What the offline model can see in a request: the work at hand, the tools, the working folder, plan mode and its file.
import { join } from "node:path";
import { blocksOf, type Message, textOf } from "../../protocol/messages.js";
import type { ModelRequest } from "../provider.js";
import { parsePrompt } from "./parse.js";
import { currentWork, isCall, isResult, type Listening, timelineOf, type Work } from "./timeline.js";

export interface View extends Work {
  tools: ReadonlySet<string>;
  /** Working folder, when the system prompt names it. */
  cwd?: string;
  /** Plan mode was on when the prompt came. */
  isPlanning: boolean;
  /** The newest plan file named in a message up to the prompt, and in any message by now. */
  planPath?: string;
  newestPlanPath(): string | undefined;
}

// The reminders put the path between backticks; the result of EnterPlanMode names it in a sentence.
const planFileName = /plan file[^`\n]*`([^`\n]+)`|\b(?:plan to|plan file is) (\/[^\n]+?\.md)(?=[:.,;\s]|$)/gi;
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
    for (const match of news.matchAll(planFileName)) newest = match[1] ?? match[2];
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

const isTour = ({ prompt }: Work): boolean => parsePrompt(prompt).some(({ kind }) => kind === "tour");
const mereAnswer = /^(?:ok(?:ay)?|yes|no|sure|fine|thanks|thank you)\b[\s,.!]*$/i;

/** The tour takes words that are no request for an answer to what it did, and waits while others are carried out. */
const tourListening: Listening = {
  keeps: (work, text) =>
    isTour(work) &&
    work.rounds.length > 0 &&
    (mereAnswer.test(text) || parsePrompt(text).every(({ kind }) => kind === "unknown")),
  canPause: isTour,
};

/** Reads a request the way the offline model sees it. */
export const viewOf = (request: ModelRequest): View => {
  const work = currentWork(timelineOf(request.messages), tourListening);
  return {
    ...work,
    // Those it knows by name only it calls without loading them first: the program takes such calls.
    tools: new Set([...request.tools.map(({ name }) => name), ...(request.deferredTools ?? [])]),
    cwd: workingDir(request),
    ...planFacts(request.messages, work.promptIndex),
  };
};

/** A path as file tools want it: absolute when the working folder is known. */
export const absolutePath = (path: string, cwd: string | undefined): string =>
  path.startsWith("/") || path.startsWith("~") || cwd === undefined ? path : join(cwd, path);
