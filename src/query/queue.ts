// Prompts typed while a run goes on.
import { parseCommand } from "../commands/parse.js";
import { queueChanged } from "./drafts.js";
import type { QueuedPrompt } from "./loop-options.js";
import { expandInput } from "./mentions.js";
import type { Session } from "./session.js";

/** Takes the prompts at the head of the queue; a slash or shell command (and what follows it) waits for the run's end. */
export const takeQueuedPrompts = async (session: Session, signal: AbortSignal): Promise<QueuedPrompt[]> => {
  const firstCommand = session.queue.findIndex(
    ({ text, isShell }) => isShell === true || parseCommand(text) !== undefined,
  );
  const count = firstCommand < 0 ? session.queue.length : firstCommand;
  if (count === 0) return [];
  const taken = await Promise.all(
    session.queue.splice(0, count).map(async (input) => ({
      uuid: input.uuid,
      shown: input.shown,
      typed: input.text,
      ...(await expandInput(session, input, signal)),
    })),
  );
  queueChanged(session);
  return taken;
};
