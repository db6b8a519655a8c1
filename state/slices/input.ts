// Input slice: prompts that wait, prompts that were, and text the engine hands back.
import type { PastedText } from "../../src/protocol/requests.js";
import type { InputState } from "../app-state.js";

/** Adds a prompt to the history; the same prompt twice in a row counts once. */
export const rememberPrompt = (input: InputState, text: string): InputState =>
  text === "" || input.history.at(-1) === text ? input : { ...input, history: [...input.history, text] };

export const queuePrompt = (input: InputState, text: string): InputState => ({
  ...input,
  queued: [...input.queued, text],
});

/** A waiting prompt has reached the conversation: the oldest one with this text leaves the list. */
export const deliverPrompt = (input: InputState, text: string): InputState => {
  const at = input.queued.indexOf(text);
  return at < 0 ? input : { ...input, queued: input.queued.toSpliced(at, 1) };
};

/** Text that the prompt should hold; its pastes are known by it. */
export const restorePrompt = (
  input: InputState,
  { text, pastes = [] }: { text: string; pastes?: readonly PastedText[] | undefined },
): InputState => ({
  ...input,
  restore: text,
  ...(pastes.length === 0 ? {} : { pastes: { ...input.pastes, [text]: pastes } }),
});
