// Hooks that run now: what the spinner says while they do.
import type { EventOf } from "../../src/protocol/events.js";
import type { RunningHook } from "../app-state.js";

/** What a person reads while a hook runs: its own words, or which event it hangs on. */
const wordsOf = ({ status, event }: EventOf<"hook">): string =>
  status ?? `Running ${event.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()} hook`;

/** The running hooks after an event; undefined when none is left. */
export const reduceHooks = (
  running: readonly RunningHook[] | undefined,
  event: EventOf<"hook">,
): readonly RunningHook[] | undefined => {
  const others = (running ?? []).filter(({ id }) => id !== event.id);
  if (event.phase === "start") return [...others, { id: event.id, text: wordsOf(event) }];
  return others.length > 0 ? others : undefined;
};
