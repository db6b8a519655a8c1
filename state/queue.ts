// Prompts that wait: listed above the input until they reach the conversation, taken back by Up until then.

import type { EngineEvent, RunOutcome } from "../src/protocol/events.js";
import type { ImageBlock } from "../src/protocol/messages.js";
import type { PastedText } from "../src/protocol/requests.js";
import { deliverPrompt, queuePrompt } from "./slices/input.js";
import type { AppStore } from "./store.js";

export interface QueuedPrompt {
  text: string;
  /** What the person sees of it: long pastes stand as placeholders. */
  shown: string;
  uuid: string;
  images?: ImageBlock[];
  /** The pastes that `shown` collapses. */
  pastes?: PastedText[];
  /** The text is a command for the shell. */
  isShell?: boolean;
}

export interface PromptQueue {
  /** Sends a prompt; before `start` it is kept. */
  add(prompt: QueuedPrompt): void;
  /** The session is open: prompts may be sent from now on. */
  start(): void;
  /** Takes back everything that has not reached the conversation. Null: nothing waits; null later: it all had gone. */
  pull(): Promise<string | null> | null;
  /** Watches for prompts that arrive. */
  onEvent(event: EngineEvent): void;
}

export interface QueueOptions {
  store: AppStore;
  /** Sends one prompt; resolves when its events are over, with an outcome when it ran by itself. Never rejects. */
  send: (prompt: QueuedPrompt) => Promise<RunOutcome | undefined>;
  /** Asks the engine to forget a prompt that waits; false: it did not wait any more. */
  unqueue: (uuid: string) => Promise<boolean>;
}

/**
 * Keeps the list of what waits. The engine has the queue proper: it takes a prompt into the run that goes on after the
 * next batch of calls, or runs it afterwards; commands that need no run are done at once.
 */
export const createPromptQueue = ({ store, send, unqueue }: QueueOptions): PromptQueue => {
  let early: QueuedPrompt[] = [];
  let pending: QueuedPrompt[] = [];
  let isOpen = false;
  let sending = 0;
  /** The engine works by itself (on a notice): what is sent meanwhile waits as well. */
  let hasOwnRun = false;

  const list = ({ shown }: QueuedPrompt): void => store.setState(({ input }) => ({ input: queuePrompt(input, shown) }));
  const unlist = ({ shown }: QueuedPrompt): void =>
    store.setState(({ input }) => ({ input: deliverPrompt(input, shown) }));

  /** Takes a prompt off the list, if it is on it. */
  const arrived = (isIt: (prompt: QueuedPrompt) => boolean): void => {
    const prompt = pending.find(isIt);
    if (!prompt) return;
    pending = pending.filter((one) => one !== prompt);
    unlist(prompt);
  };

  const hand = async (prompt: QueuedPrompt): Promise<void> => {
    if (sending > 0) {
      pending.push(prompt);
      list(prompt);
    }
    sending += 1;
    const outcome = await send(prompt);
    sending -= 1;
    if (outcome) arrived((one) => one === prompt);
    // Nothing runs any more, so nothing waits.
    while (sending === 0 && pending.length > 0) arrived(() => true);
  };

  /** The text of `kept` and of those of `asked` that the engine had not taken into the conversation. */
  const takeBack = async (kept: readonly QueuedPrompt[], asked: readonly QueuedPrompt[]): Promise<string | null> => {
    const isBack = await Promise.all(asked.map(({ uuid }) => unqueue(uuid)));
    const back = asked.filter((_, at) => isBack[at]);
    for (const prompt of back) arrived((one) => one === prompt);
    const pulled = [...kept, ...back];
    if (pulled.length === 0) return null;
    return pulled.map(({ text, isShell }) => (isShell ? `!${text}` : text)).join("\n\n");
  };

  return {
    add: (prompt) => {
      if (isOpen) {
        void hand(prompt);
      } else {
        early.push(prompt);
        list(prompt);
      }
    },
    start: () => {
      isOpen = true;
      const kept = early;
      early = [];
      for (const prompt of kept) {
        unlist(prompt);
        void hand(prompt);
      }
    },
    pull: () => {
      if (early.length + pending.length === 0) return null;
      const kept = early;
      early = [];
      for (const prompt of kept) unlist(prompt);
      return takeBack(kept, pending);
    },
    onEvent: (event) => {
      if (event.type === "run_start" && sending === 0) {
        hasOwnRun = true;
        sending += 1;
      } else if (event.type === "run_end" && hasOwnRun) {
        hasOwnRun = false;
        sending -= 1;
      } else if (event.type === "tool_call" && event.name === "!")
        arrived(({ isShell, text }) => isShell === true && text === event.title);
      else if (event.type === "user_message") arrived(({ uuid }) => uuid === event.uuid);
      else if (event.type === "command_output") arrived(({ text }) => text.split(/\s/, 1)[0] === `/${event.command}`);
    },
  };
};
