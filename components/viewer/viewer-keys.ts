// Keys of the transcript viewer, as rows of the keymap.
import type { Binding } from "../keys/keymap.js";

const rows = [
  { keys: ["q", "esc", "ctrl+c", "ctrl+o"], action: "leave", description: "back to the prompt" },
  { keys: ["/"], action: "search", description: "search" },
  { keys: ["n"], action: "nextMatch", description: "next match" },
  { keys: ["N", "shift+n"], action: "previousMatch", description: "match before" },
  { keys: ["j", "down", "enter"], action: "lineDown", description: "one line down" },
  { keys: ["k", "up"], action: "lineUp", description: "one line up" },
  { keys: ["ctrl+d"], action: "halfDown", description: "half a page down" },
  { keys: ["ctrl+u"], action: "halfUp", description: "half a page up" },
  { keys: [" ", "ctrl+f", "pagedown"], action: "pageDown", description: "a page down" },
  { keys: ["b", "ctrl+b", "pageup"], action: "pageUp", description: "a page up" },
  { keys: ["g", "home", "ctrl+home"], action: "top", description: "first line" },
  { keys: ["G", "shift+g", "end", "ctrl+end"], action: "bottom", description: "last line" },
  { keys: ["{"], action: "previousPrompt", description: "your prompt before" },
  { keys: ["}"], action: "nextPrompt", description: "your next prompt" },
  { keys: ["v"], action: "edit", description: "open in your editor" },
  { keys: ["?"], action: "keys", description: "these keys" },
] as const;

export type ViewerAction = (typeof rows)[number]["action"];

/** For the key list. */
export const viewerBindings: readonly Binding[] = rows.map((row) => ({ context: "overlay", ...row }));

const table: ReadonlyMap<string, ViewerAction> = new Map(
  rows.flatMap(({ keys, action }) => keys.map((key): [string, ViewerAction] => [key, action])),
);

/** What a key does in the viewer; undefined when it has no meaning there. */
export const viewerAction = (key: string): ViewerAction | undefined => table.get(key);
