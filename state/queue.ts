// Prompts that wait: listed above the input, handed to the engine when it can use them, pulled back by Up until then.
import type { EngineEvent } from "../src/protocol/events.js";
import { deliverPrompt, queuePrompt } from "./slices/input.js";
import type { AppStore } from "./store.js";

export interface QueuedPrompt {
  text: string;
  /** What the person sees of it: long pastes stand as placeholders. */
  shown: string;
  uuid: string;
}

export interface PromptQueue {
  /** Sends a prompt at once when nothing runs, else keeps it. */
  add(prompt: QueuedPrompt): void;
  /** Prompts may be sent from now on. */
  start(): void;
  /** Takes back everything not handed over yet. */
  pull(): string | null;
  /** Watches for the moments when the engine takes waiting prompts. */
  onEvent(event: EngineEvent): void;
}

/**
 * While a run goes on, plain prompts are handed over when a tool's result comes in: the engine adds them to the same
 * run after the batch. Slash commands, and everything behind them, wait for the run's end. A prompt stays in the
 * list until its message shows up in the conversation.
 */
export const createPromptQueue = (options: {
  store: AppStore;
  /** Sends one prompt and resolves when its run (or, inside another run, its acceptance) is over. Never rejects. */
  send: (prompt: QueuedPrompt) => Promise<void>;
}): PromptQueue => {
  const { store, send } = options;
  let waiting: QueuedPrompt[] = [];
  let handed: QueuedPrompt[] = [];
  let isOpen = false;
  let isBusy = false;

  const unlist = ({ shown }: QueuedPrompt): void =>
    store.setState(({ input }) => ({ input: deliverPrompt(input, shown) }));

  const next = async (): Promise<void> => {
    if (!isOpen || isBusy) return;
    isBusy = true;
    for (let prompt = waiting.shift(); prompt; prompt = waiting.shift()) {
      unlist(prompt);
      await send(prompt);
      // A run that ended without taking what it was handed: it is sent as a run of its own.
      waiting = [...handed, ...waiting];
      handed = [];
      if (store.getState().exit !== null) break;
    }
    isBusy = false;
  };

  const handOver = (): void => {
    while (waiting[0] && !waiting[0].text.startsWith("/")) {
      const prompt = waiting.shift()!;
      handed.push(prompt);
      void send(prompt);
    }
  };

  const delivered = (uuid: string, shown: string): void => {
    const prompt = handed.find((one) => one.uuid === uuid) ?? handed.find((one) => one.shown === shown);
    if (!prompt) return;
    handed = handed.filter((one) => one !== prompt);
    unlist(prompt);
  };

  return {
    add: (prompt) => {
      waiting.push(prompt);
      if (!isOpen || isBusy) store.setState(({ input }) => ({ input: queuePrompt(input, prompt.shown) }));
      void next();
    },
    start: () => {
      isOpen = true;
      void next();
    },
    pull: () => {
      if (waiting.length === 0) return null;
      const pulled = waiting;
      waiting = [];
      for (const prompt of pulled) unlist(prompt);
      return pulled.map(({ text }) => text).join("\n\n");
    },
    onEvent: (event) => {
      if (event.type === "user_message") delivered(event.uuid, event.shown);
      else if (event.type === "tool_result" && event.parentToolUseId === undefined && isBusy) handOver();
    },
  };
};
