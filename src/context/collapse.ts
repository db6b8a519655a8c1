// Stage 4: finished rounds of calls folded to one answer that lists their titles. Without a model call, and reversible.
import { blocksOf, type ContentBlock, type Message, type ToolUseBlock } from "../protocol/messages.js";
import { estimateMessages } from "./count.js";
import { resultsKeptWhole, roundsToFold } from "./numbers.js";

/** A run of rounds, by its first and last call. */
export interface Collapse {
  firstId: string;
  lastId: string;
  rounds: number;
}

/** A short name of a call, e.g. "Read src/a.ts". */
export type TitleOf = (call: ToolUseBlock) => string;

const callsOf = ({ content }: Message): ToolUseBlock[] =>
  blocksOf(content).filter((block): block is ToolUseBlock => block.type === "tool_use");

const hasText = ({ content }: Message): boolean =>
  blocksOf(content).some((block) => block.type === "text" && block.text.trim() !== "");

const isResultsOnly = (message: Message | undefined): boolean =>
  message?.role === "user" && blocksOf(message.content).every(({ type }) => type === "tool_result");

/** An answer whose calls finish an item of the todo list ends a piece of work. */
const finishesTodo = (message: Message): boolean =>
  callsOf(message).some(({ name, input }) => name === "TaskUpdate" && input.status === "completed");

interface Round {
  at: number;
  answer: Message;
}

/** Runs of neighbouring rounds that end where a text or a finished todo item ends them. */
const finishedRuns = (messages: readonly Message[]): Round[][] => {
  const runs: Round[][] = [];
  let run: Round[] = [];
  const end = (): void => {
    if (run.length >= roundsToFold) runs.push(run);
    run = [];
  };
  for (const [at, message] of messages.entries()) {
    if (message.role === "user") {
      if (!isResultsOnly(message)) run = []; // a person or a reminder spoke: the run is not between two answers
      continue;
    }
    if (hasText(message)) end();
    if (callsOf(message).length === 0 || !isResultsOnly(messages[at + 1])) {
      run = [];
      continue;
    }
    run.push({ at, answer: message });
    if (finishesTodo(message)) end();
  }
  return runs;
};

/** Message index from which on the newest results stay untouched. */
const untouchedFrom = (messages: readonly Message[]): number => {
  let left = resultsKeptWhole;
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    left -= callsOf(messages[at]!).length;
    if (left <= 0) return at;
  }
  return 0;
};

/** What could be folded now and is not yet: `taken` holds the first ids of committed and of refused collapses. */
export const stageCollapses = (messages: readonly Message[], taken: ReadonlySet<string>): Collapse[] => {
  const limit = untouchedFrom(messages);
  return finishedRuns(messages)
    .filter((run) => run.at(-1)!.at < limit)
    .map((run) => ({
      firstId: callsOf(run[0]!.answer)[0]!.id,
      lastId: callsOf(run.at(-1)!.answer).at(-1)!.id,
      rounds: run.length,
    }))
    .filter(({ firstId }) => !taken.has(firstId));
};

const mostTitles = 40;

/** The text that stands for folded calls. */
export const foldedText = (titles: readonly string[]): string => {
  const shown = titles.slice(0, mostTitles).map((title) => `- ${title}`);
  const rest = titles.length - shown.length;
  return [
    `[${titles.length} calls that are done, folded to their titles. Their results are left out: read or run again what matters.]`,
    ...shown,
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ].join("\n");
};

const goOnText = "<system-reminder>\nThe folded calls were carried out; go on from here.\n</system-reminder>";

const folded = (messages: readonly Message[], titleOf: TitleOf): Message[] => {
  const texts = messages
    .filter(({ role }) => role === "assistant")
    .flatMap(({ content }) =>
      blocksOf(content).filter((block): block is ContentBlock & { type: "text" } => block.type === "text"),
    );
  const titles = messages
    .filter(({ role }) => role === "assistant")
    .flatMap(callsOf)
    .map(titleOf);
  return [
    { role: "assistant", content: [...texts, { type: "text", text: foldedText(titles) }] },
    { role: "user", content: [{ type: "text", text: goOnText }] },
  ];
};

const indexOfCall = (messages: readonly Message[], id: string): number =>
  messages.findIndex((message) => message.role === "assistant" && callsOf(message).some((call) => call.id === id));

/** The conversation with the committed collapses in place. A collapse whose calls are gone (after a compaction) does nothing. */
export const applyCollapses = (
  messages: readonly Message[],
  collapses: readonly Collapse[],
  titleOf: TitleOf,
): Message[] => {
  let out = [...messages];
  for (const { firstId, lastId } of collapses) {
    const first = indexOfCall(out, firstId);
    const last = indexOfCall(out, lastId);
    if (first < 0 || last < first || !isResultsOnly(out[last + 1])) continue;
    const run = out.slice(first, last + 2);
    out = [...out.slice(0, first), ...folded(run, titleOf), ...out.slice(last + 2)];
  }
  return out;
};

/** Estimated tokens that a collapse saves. */
export const savedTokens = (messages: readonly Message[], collapse: Collapse, titleOf: TitleOf): number =>
  estimateMessages(messages) - estimateMessages(applyCollapses(messages, [collapse], titleOf));
