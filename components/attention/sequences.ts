// Control strings that speak to the terminal's window: title, progress, notifications, clipboard.
import { sanitise } from "../../src/lib/sanitise.js";

const maxTitle = 80;
const maxMessage = 200;
/** More than this many terminals refuse, some by closing. */
const maxClipboard = 74_000;

/** One line of printable text: nothing in it can end the sequence it stands in. */
const plain = (text: string, length: number): string =>
  sanitise(text)
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, length);

/** Sets the window's title. */
export const titleBytes = (title: string): string => `\u001b]0;${plain(title, maxTitle)}\u0007`;

/** Puts the title of before away, and back: terminals that do not know it ignore it. */
export const pushTitle = "\u001b[22;0t";
export const popTitle = "\u001b[23;0t";

export type Progress = "none" | "busy" | "error" | "waiting";

const progressStates: Record<Progress, string> = { none: "0", busy: "3", error: "2", waiting: "4;100" };

/** The terminal's own progress bar (OSC 9;4). */
export const progressBytes = (progress: Progress): string => `\u001b]9;4;${progressStates[progress]}\u0007`;

/** Whether this terminal draws OSC 9;4; others print it as a notification. */
export const drawsProgress = (env: Record<string, string | undefined>): boolean => {
  if (env.WT_SESSION || env.ConEmuANSI === "ON") return true;
  const version = /^(\d+)\.(\d+)/
    .exec(env.TERM_PROGRAM_VERSION ?? "")
    ?.slice(1)
    .map(Number) ?? [0, 0];
  const [major = 0, minor = 0] = version;
  if (env.TERM_PROGRAM === "ghostty" || env.TERM === "xterm-ghostty") return major > 1 || minor >= 2 || major === 0;
  if (env.TERM_PROGRAM === "iTerm.app") return major > 3 || (major === 3 && minor >= 6);
  return env.TERM_PROGRAM === "WezTerm";
};

export type NotificationChannel =
  | "auto"
  | "terminal_bell"
  | "iterm2"
  | "iterm2_with_bell"
  | "kitty"
  | "ghostty"
  | "notifications_disabled";

const autoChannel = (env: Record<string, string | undefined>): NotificationChannel => {
  if (env.TERM_PROGRAM === "iTerm.app") return "iterm2";
  if (env.TERM === "xterm-kitty" || env.KITTY_WINDOW_ID) return "kitty";
  if (env.TERM_PROGRAM === "ghostty" || env.TERM === "xterm-ghostty") return "ghostty";
  return "terminal_bell";
};

/** A notification through the channel; "" where none is wanted. */
export const notificationBytes = (
  message: string,
  channel: NotificationChannel,
  env: Record<string, string | undefined>,
): string => {
  const text = plain(message, maxMessage);
  switch (channel === "auto" ? autoChannel(env) : channel) {
    case "iterm2":
      return `\u001b]9;${text}\u0007`;
    case "iterm2_with_bell":
      return `\u001b]9;${text}\u0007\u0007`;
    case "kitty":
      return `\u001b]99;;${text}\u001b\\`;
    case "ghostty":
      return `\u001b]777;notify;claude;${text.replaceAll(";", ",")}\u001b\\`;
    case "notifications_disabled":
      return "";
    default:
      return "\u0007";
  }
};

/** The clipboard through the terminal (OSC 52); null for texts that terminals would refuse. Tmux passes it on. */
export const clipboardBytes = (text: string): string | null => {
  const encoded = Buffer.from(text, "utf8").toString("base64");
  return encoded.length > maxClipboard ? null : `\u001b]52;c;${encoded}\u0007`;
};
