// Input slice: prompts that wait, prompts that were, and text the engine hands back.
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
