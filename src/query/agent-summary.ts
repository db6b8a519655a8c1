// What an agent in the background does now, in a few words: asked of the small model from time to time while it works, never else.
import { cutToWidth } from "../lib/text-width.js";
import type { EngineEvent } from "../protocol/events.js";
import { blocksOf, type Message } from "../protocol/messages.js";
import type { AgentThread } from "./agent-types.js";
import { publishTasks } from "./background-tasks.js";
import type { LoopOptions } from "./loop-options.js";
import type { Session } from "./session.js";
import { askSmallModel } from "./side-calls.js";

const everyMs = 30_000; // design.md section 9
const fewestMessages = 3;
const seenMessages = 12;
const seenChars = 400; // of one block
const shownCells = 80;

const blockText = (block: ReturnType<typeof blocksOf>[number]): string => {
  if (block.type === "text") return String(block.text);
  if (block.type === "tool_use") return `calls ${block.name} ${JSON.stringify(block.input)}`;
  return block.type === "tool_result" ? `gets ${JSON.stringify(block.content)}` : "";
};

/** The newest of a conversation, cut to what a few words need. */
export const newestText = (messages: readonly Message[]): string =>
  messages
    .slice(-seenMessages)
    .flatMap(({ role, content }) =>
      blocksOf(content).map((block) => `${role}: ${blockText(block).slice(0, seenChars)}`),
    )
    .join("\n");

const question = (task: string, messages: readonly Message[]): string =>
  [
    `An agent works on this task: ${task}`,
    "The newest of its conversation:",
    newestText(messages),
    "Say what it is doing right now, in three to ten words that begin with a verb in the present (reads the tests of the parser). Answer with these words alone.",
  ].join("\n\n");

const oneLine = (text: string): string => cutToWidth(text.trim().replace(/\s+/g, " ").replace(/\.$/, ""), shownCells);

export interface SummaryWork {
  task: string;
  messages: readonly Message[];
  loop: LoopOptions;
  /** Told of each new summary. */
  progress: (summary: string) => EngineEvent;
  emit: (event: EngineEvent) => Promise<void>;
}

/**
 * Renews an agent's summary every 30 s while it works and its conversation has grown. Returns how to end it. A call that fails costs
 * nothing but the summary; an offline session has none.
 */
export const keepSummary = (session: Session, thread: AgentThread, work: SummaryWork): (() => void) => {
  const stop = new AbortController();
  const { clock } = session.options;
  const renew = async (): Promise<void> => {
    if (work.loop.checkLimits(0)) return; // the budget is for the work itself
    const answer = await askSmallModel(session, work.loop, question(work.task, work.messages), stop.signal).catch(
      () => "",
    );
    const summary = oneLine(answer);
    if (summary === "" || stop.signal.aborted) return;
    session.agents.note(thread.id, summary);
    publishTasks(session);
    await work.emit(work.progress(summary));
  };
  const run = async (): Promise<void> => {
    let seen = 0;
    for (;;) {
      await clock.sleep(everyMs, stop.signal);
      if (stop.signal.aborted) return;
      const { length } = work.messages;
      if (length < fewestMessages || length === seen) continue;
      seen = length;
      await renew();
    }
  };
  if (session.provider.id !== "offline") void run();
  return () => stop.abort();
};
