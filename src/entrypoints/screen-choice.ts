// How the terminal is used: plain lines, lines in its own scrollback, or the full screen. Flag, environment, setting,
// default, in this order.
export type ScreenKind = "linear" | "inline" | "fullscreen";

export interface ScreenWishes {
  isLinear: boolean;
  isInline: boolean;
  env: Readonly<Record<string, string | undefined>>;
  settings: { tui?: unknown; axScreenReader?: unknown };
}

const isOn = (value: string | undefined): boolean => value !== undefined && !/^(?:|0|false|no|off)$/i.test(value);

/** The kind of screen for this start. A terminal that can do nothing gets plain lines whatever is asked for. */
export const chooseScreen = ({ isLinear, isInline, env, settings }: ScreenWishes): ScreenKind => {
  if (env.TERM === "dumb" || isLinear) return "linear";
  if (isInline) return "inline";
  if (isOn(env.ACCESSIBLE)) return "linear";
  if (isOn(env.CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN)) return "inline";
  if (env.CLAUDE_CODE_NO_FLICKER !== undefined) return isOn(env.CLAUDE_CODE_NO_FLICKER) ? "fullscreen" : "inline";
  if (settings.axScreenReader === true) return "linear";
  return settings.tui === "default" ? "inline" : "fullscreen";
};
