// The settings that the screen follows, as they are now.
import type { Session } from "./session.js";

/** Settings the screen follows. */
const interfaceKeys = [
  "theme",
  "tui",
  "axScreenReader",
  "syntaxHighlightingDisabled",
  "copyOnSelect",
  "terminalProgressBarEnabled",
  "preferredNotifChannel",
  "prefersReducedMotion",
  "editorMode",
  "alwaysThinkingEnabled",
  "statusLine",
  "askUserQuestionTimeout",
  "showTurnDuration",
] as const;

/** Those that have a value. */
export const interfaceInForce = ({ settings }: Pick<Session, "settings">): Record<string, unknown> =>
  Object.fromEntries(interfaceKeys.map((key) => [key, settings.get(key)]).filter(([, value]) => value !== undefined));
