// Gives a session of the screen its title behind the first answer: once, in the background, never in the way.
import { announce } from "./announce.js";
import { publish, type Session } from "./session.js";
import { makeTitle } from "./session-title.js";

const mayAsk = ({ options, isTitleSettled, title, provider }: Session): boolean => {
  if (!options.isInteractive || isTitleSettled || title !== undefined) return false;
  return provider.id === "offline" || !options.env.CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC;
};

/** Starts the request for a title if there is none yet. A failure costs nothing but the title. */
export const nameSoon = (session: Session): void => {
  if (!mayAsk(session)) return;
  session.isTitleSettled = true;
  const { id } = session;
  makeTitle(session, session.closing.signal)
    .then(async (title) => {
      // A person may have named it meanwhile, or begun another conversation.
      if (title === undefined || session.title !== undefined || session.id !== id) return;
      session.title = title;
      session.titleBy = "model";
      session.transcript?.appendTitle(title, "model");
      await announce(session, "change", async (event) => publish(session, event));
    })
    .catch((error: unknown) => console.error("title:", error)); // for the debug log
};
