// What /hooks shows: the hooks in force, by event and matcher, with where each came from.

import { sourceLabel } from "../execution/hook-gates.js";
import { timeoutMs } from "../hooks/events.js";
import { type HookSource, handlerText } from "../hooks/match.js";
import type { Picker } from "../protocol/pickers.js";
import { type HookEvent, type HookHandler, hookEvents } from "../settings/schema/hooks.js";
import { hookSources } from "./hooks.js";
import type { Session } from "./session.js";

type HooksData = Extract<Picker, { kind: "hooks" }>;
type Handler = HooksData["events"][number]["matchers"][number]["handlers"][number];

const rowsOf = (event: HookEvent, handler: HookHandler, source: HookSource): Handler["rows"] => {
  const flags = (["async", "asyncRewake", "continueOnBlock"] as const).filter((name) => handler[name] === true);
  return [
    { label: "Type", value: handler.type },
    { label: "Runs", value: handlerText(handler) },
    ...(handler.if === undefined ? [] : [{ label: "Only if", value: handler.if }]),
    { label: "Time limit", value: `${timeoutMs(event, handler) / 1000} s` },
    { label: "When it fails", value: handler.onFailure === "block" ? "blocks" : "blocks nothing" },
    ...(handler.statusMessage === undefined ? [] : [{ label: "Says", value: handler.statusMessage }]),
    ...(flags.length === 0 ? [] : [{ label: "Also", value: flags.join(", ") }]),
    {
      label: "From",
      value: source.file === undefined ? sourceLabel(source.kind) : `${sourceLabel(source.kind)} (${source.file})`,
    },
  ];
};

const noteOf = ({ settings }: Session): string | undefined => {
  if (settings.get("disableAllHooks")) return "switched off (disableAllHooks)";
  return settings.get("allowManagedHooksOnly") ? "managed ones only" : undefined;
};

/** The data of /hooks. */
export const hooksPicker = (session: Session): HooksData => {
  const sources = hookSources(session);
  const events = hookEvents.flatMap((name) => {
    const matchers = new Map<string, Handler[]>();
    for (const source of sources)
      for (const { matcher = "", hooks } of source.hooks[name] ?? []) {
        const key = matcher === "*" ? "" : matcher;
        const handlers = hooks.map((handler) => ({
          text: handlerText(handler),
          source: sourceLabel(source.kind),
          rows: rowsOf(name, handler, source),
        }));
        matchers.set(key, [...(matchers.get(key) ?? []), ...handlers]);
      }
    if (matchers.size === 0) return [];
    return [{ name, matchers: [...matchers].map(([matcher, handlers]) => ({ matcher, handlers })) }];
  });
  return { kind: "hooks", events, note: noteOf(session) };
};
