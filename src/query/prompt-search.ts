// Answers `read_prompts`: the prompts of all projects for the search, batch by batch.
import type { Emit } from "../execution/context.js";
import type { RequestOf } from "../protocol/requests.js";
import { allPrompts } from "../sessions/all-prompts.js";
import type { Session } from "./session.js";

const reading = new WeakMap<Session, AbortController>();

/** Emits `prompts` events, newest prompts first; a newer request ends an older one. */
export const readPrompts = async (session: Session, { id }: RequestOf<"read_prompts">, emit: Emit): Promise<void> => {
  reading.get(session)?.abort();
  const own = new AbortController();
  reading.set(session, own);
  const signal = AbortSignal.any([own.signal, session.closing.signal]);
  for await (const batch of allPrompts(session.places.historyFile, signal))
    await emit({
      type: "prompts",
      id,
      prompts: batch.map(({ text, pastes, timestamp, project, sessionId }) => ({
        text,
        at: timestamp,
        isProject: project === session.options.cwd,
        isSession: sessionId === session.id,
        ...(pastes.length > 0 ? { pastes } : {}),
      })),
    });
};
