// Prompts typed while a run goes on.
import { parseCommand } from "../commands/parse.js";
import type { QueuedPrompt } from "./loop-options.js";
import type { QueuedInput, Session } from "./session.js";
import { promptContent } from "./user-input.js";

/** Takes the prompts at the head of the queue; a slash or shell command (and what follows it) waits for the run's end. */
export const takeQueuedPrompts = (session: Session): QueuedPrompt[] => {
  const firstCommand = session.queue.findIndex(
    ({ text, isShell }) => isShell === true || parseCommand(text) !== undefined,
  );
  const count = firstCommand < 0 ? session.queue.length : firstCommand;
  return session.queue.splice(0, count).map((input: QueuedInput) => ({
    uuid: input.uuid,
    content: promptContent(input),
    shown: input.shown,
  }));
};
