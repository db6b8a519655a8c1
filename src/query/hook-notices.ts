// Notification hooks: the person is waited for, or something has happened while they looked elsewhere.
import type { Emit } from "../execution/context.js";
import { callHooks, hasHook } from "./hooks.js";
import { publish, type Session } from "./session.js";

const questionMs = 6_000; // spec/hooks section 5
const idleMs = 60_000;

export type NotificationType = "permission_prompt" | "idle_prompt" | "auth_success" | "agent_completed";

/** Tells the hooks. Not waited for: they change nothing. */
export const notifyHooks = (session: Session, type: NotificationType, message: string): void => {
  if (!session.options.isInteractive || !hasHook(session, "Notification")) return;
  const emit: Emit = async (event) => publish(session, event);
  const input = { message, notification_type: type };
  void callHooks(session, { event: "Notification", input, emit, signal: session.closing.signal });
};

/** Calls back after a while, unless stopped before. Costs nothing where nobody wants to hear of it. */
const later = (session: Session, ms: number, then: () => void): (() => void) => {
  if (!session.options.isInteractive || !hasHook(session, "Notification")) return () => undefined;
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, session.closing.signal]);
  session.options.clock.sleep(ms, signal).then(
    () => {
      if (!signal.aborted) then();
    },
    () => undefined, // stopped
  );
  return () => stop.abort();
};

/** While a question is open: hooks hear of it when it stays so for a while. */
export const whileAsked = async <T>(session: Session, message: string, asking: Promise<T>): Promise<T> => {
  const stop = later(session, questionMs, () => notifyHooks(session, "permission_prompt", message));
  return asking.finally(stop);
};

/** A run has ended: hooks hear of it when nothing follows for a while. */
export const waitIdle = (session: Session): void => {
  session.hooks.stopWaiting?.();
  session.hooks.stopWaiting = later(session, idleMs, () => {
    if (!session.busy) notifyHooks(session, "idle_prompt", "The session waits for your next prompt");
  });
};
