// The very first start on this machine: what one should know before anything is allowed, and the choice of colours.
import type { Emit } from "../execution/context.js";
import { readState, updateState } from "../settings/state-file.js";
import type { Session } from "./session.js";

const note =
  "Welcome. What the model proposes can be wrong: look at what it wants to run or change before you allow it, and trust " +
  "only folders whose content you know, for what stands in files can mislead it. /help lists commands and keys.";

/** Whether nobody has used the program with this state file yet. Ask before trust is answered: that is written there. */
export const isFirstStart = async ({ options, places }: Session): Promise<boolean> => {
  if (!options.isInteractive) return false;
  const { data } = await readState(places.state);
  return data.hasCompletedOnboarding !== true && data.projects === undefined;
};

/** Says the note and opens the choice of colours, unless something was asked for already. Remembered: it comes once. */
export const greet = async (session: Session, emit: Emit): Promise<void> => {
  const { options, places, settings } = session;
  await emit({ type: "notice", level: "info", text: note });
  const { resume, continue: goesOn } = options.flags;
  const isFree = options.mayStartTour && !session.startsTour && resume === undefined && !goesOn;
  if (isFree && settings.get("theme") === "auto") await emit({ type: "picker", picker: { kind: "theme" } });
  const remember = (data: Record<string, unknown>): void => {
    data.hasCompletedOnboarding = true;
  };
  await updateState(places.state, remember).catch((error: unknown) => console.error("first start:", error)); // the debug log
};
