// Which hooks an event calls: matchers, switches, and identical handlers once.
import type { HookEvent, HookHandler, HooksByEvent } from "../settings/schema/hooks.js";
import { eventTraits } from "./events.js";

/** Where hooks came from, strongest first where several settings files have them. */
export interface HookSource {
  kind: "managed" | "flagSettings" | "local" | "project" | "user" | "plugin" | "skill" | "agent" | "session";
  hooks: HooksByEvent;
  /** File, for /hooks. */
  file?: string;
  /** Added to the environment of its commands (plugins). */
  env?: Readonly<Record<string, string>>;
}

export interface MatchedHook {
  event: HookEvent;
  handler: HookHandler;
  source: HookSource;
  /** For people: `PreToolUse:Bash`. */
  name: string;
}

const plainList = /^[A-Za-z0-9_ ,|-]+$/;

/** Whether a matcher covers a value. Letters, digits, `_`, `-` are exact names, lists split at `|` or `,`; else an expression. */
export const matches = (matcher: string | undefined, value: string): boolean => {
  if (matcher === undefined || matcher === "" || matcher === "*") return true;
  if (plainList.test(matcher))
    return matcher
      .split(/[|,]/)
      .map((name) => name.trim())
      .includes(value);
  try {
    return new RegExp(matcher).test(value);
  } catch {
    return false; // not an expression: it names nothing
  }
};

const fromSettings: ReadonlySet<HookSource["kind"]> = new Set(["managed", "flagSettings", "local", "project", "user"]);

/** What one handler is for people: its command, address or prompt in one line. */
export const handlerText = ({ command, args, url, prompt, type }: HookHandler): string =>
  (command !== undefined && args ? [command, ...args].join(" ") : (command ?? url ?? prompt ?? type)).replace(
    /\s+/g,
    " ",
  );

/** The handlers that the event calls, in the order of the sources. */
export const matchingHooks = (
  sources: readonly HookSource[],
  event: HookEvent,
  input: Readonly<Record<string, unknown>>,
): MatchedHook[] => {
  const { matchOn } = eventTraits[event] ?? {};
  const value = matchOn === undefined ? undefined : String(input[matchOn] ?? "");
  const seen = new Set<string>();
  return sources.flatMap((source) =>
    (source.hooks[event] ?? [])
      .filter(({ matcher }) => value === undefined || matches(matcher, value))
      .flatMap(({ hooks }) => hooks)
      .filter((handler) => {
        if (!fromSettings.has(source.kind)) return true;
        const key = JSON.stringify(handler);
        if (seen.has(key)) return false;
        seen.add(key);
        return true;
      })
      .map((handler) => ({ event, handler, source, name: value ? `${event}:${value}` : event })),
  );
};
