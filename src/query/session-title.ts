// A session's title: made once by a small model from what the person wrote, beside the conversation.
import { sanitise } from "../lib/sanitise.js";
import { cutToWidth } from "../lib/text-width.js";
import { loopOptions } from "./loop-setup.js";
import type { Session } from "./session.js";
import { askForTitle } from "./side-calls.js";

const typedChars = 4_000; // the first prompts say what it is about; no title needs a pasted log
const titleCells = 60;

/** What a model said, as a title: its first line, without quotation marks and full stop; undefined when nothing is left. */
export const cleanTitle = (answer: string): string | undefined => {
  const line =
    sanitise(answer)
      .split("\n")
      .map((one) => one.trim())
      .find((one) => one !== "") ?? "";
  const title = line
    .replace(/^#+\s*|^title:\s*/i, "")
    .replace(/^["'“”‘’`*]+|["'“”‘’`*.]+$/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return title === "" ? undefined : cutToWidth(title, titleCells);
};

/** Asks for a title. Undefined when nothing was typed or nothing usable came back. Throws an Error with the reason. */
export const makeTitle = async (session: Session, signal: AbortSignal): Promise<string | undefined> => {
  const typed = session.typed
    .filter((text) => !text.startsWith("/"))
    .join("\n\n")
    .slice(0, typedChars);
  if (typed.trim() === "") return undefined;
  const parent = loopOptions(session, async () => undefined, signal);
  // One try: a title is not worth waiting in the way of the conversation's own requests.
  const once = { ...parent, maxRetries: 0, retryDelayMs: () => undefined, backOff: undefined };
  return cleanTitle(await askForTitle(session, once, typed, signal));
};
