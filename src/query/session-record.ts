// The session's record on disk: opened with the first prompt, one writer at a time.
import { newId } from "../protocol/ids.js";
import { lockSession } from "../sessions/lock.js";
import { openTranscript } from "../sessions/transcript.js";
import type { Recorder } from "./recorder.js";
import { type Session, transcriptFile } from "./session.js";

/** Opens the transcript unless it is open or the session keeps none. Somebody else writes it: this becomes a fork. */
export const openRecord = async (session: Session, parentUuid: string | null = null): Promise<void> => {
  const { options, places } = session;
  if (session.transcript || options.flags.persist === false) return;
  const outcome = lockSession(places.projectDir, session.id);
  if (outcome.kind === "held") {
    session.id = newId();
    parentUuid = null;
    return openRecord(session, null);
  }
  session.lock = outcome.lock;
  session.transcript = openTranscript({
    file: transcriptFile(session),
    sessionId: session.id,
    cwd: session.cwd,
    version: options.version,
    gitBranch: session.gitBranch,
    entrypoint: options.entrypoint,
    parentUuid,
    now: () => options.clock.now(),
    onProblem: (text) => {
      for (const listener of session.listeners) listener({ type: "notice", level: "warning", text, key: "transcript" });
    },
  });
  if (session.title) session.transcript.appendTitle(session.title, "person");
};

/** Writes into whatever transcript the session has now; without one, only ids are made. */
export const sessionRecorder = (session: Session): Recorder => ({
  user: (content, { uuid = newId(), isMeta, shown }) => {
    session.transcript?.appendUser({ content, uuid, isMeta, shown, permissionMode: session.mode });
    return uuid;
  },
  assistant: (message, { uuid, requestId, error }) => {
    session.transcript?.appendAssistant({
      message,
      uuids: [uuid],
      requestId,
      isApiErrorMessage: error === undefined ? undefined : true,
    });
  },
  result: (block, { uuid, structured, display }) => {
    session.transcript?.appendToolResult({ block, uuid, toolUseResult: structured, display });
  },
});
