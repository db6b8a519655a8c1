// Enters the session among the running ones and keeps the entry true: other windows and the retention look there.
import { join } from "node:path";
import { processStartTime } from "../platform/process-start.js";
import { type LiveSession, registerSession } from "../sessions/registry.js";
import type { Session } from "./session.js";

const factsOf = ({ id, cwd, title, titleBy, busy }: Session): Partial<LiveSession> => ({
  sessionId: id,
  cwd,
  name: title,
  nameSource: title === undefined ? undefined : titleBy,
  status: busy ? "busy" : "idle",
});

/** Enters the session. Does nothing where the registry cannot be written. */
export const enterLive = (session: Session): void => {
  const { options, places } = session;
  const now = options.clock.now();
  session.live = registerSession(join(places.configDir, "sessions"), {
    pid: process.pid,
    startTime: processStartTime(process.pid),
    startedAt: now,
    version: options.version,
    kind: options.isInteractive ? "interactive" : "headless",
    entrypoint: options.entrypoint,
    updatedAt: now,
    sessionId: session.id,
    cwd: session.cwd,
    status: "idle",
    ...factsOf(session),
  });
};

/** Writes what has changed. */
export const updateLive = (session: Session): void =>
  session.live?.update({ ...factsOf(session), updatedAt: session.options.clock.now() });
