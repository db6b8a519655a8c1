// The keymap: one table of contexts, keys and actions. Key handling, hints and /help all come from it.

export type KeyContext = "overlay" | "gate" | "dialog" | "picker" | "menu" | "panes" | "prompt" | "global";

export interface Binding {
  context: KeyContext;
  keys: readonly string[];
  action: string;
  /** What it does, in the words of /help; none for keys that go without saying. */
  description?: string;
}

const global = [
  { context: "global", keys: ["ctrl+c"], action: "interrupt", description: "clear the text, stop the run, leave" },
  { context: "global", keys: ["ctrl+d"], action: "leave", description: "leave (twice)" },
  { context: "global", keys: ["shift+tab"], action: "cycleMode", description: "next permission mode" },
  { context: "global", keys: ["ctrl+o"], action: "openViewer", description: "read the whole conversation, search it" },
  { context: "global", keys: ["alt+e"], action: "toggleExpanded", description: "show all output in place, or less" },
  { context: "global", keys: ["ctrl+t"], action: "toggleTodos", description: "show or hide the tasks" },
  { context: "global", keys: ["ctrl+l"], action: "redraw", description: "draw the screen anew" },
  { context: "global", keys: ["ctrl+z"], action: "suspend", description: "back to the shell (fg returns)" },
  { context: "global", keys: ["pageup"], action: "scrollPageUp", description: "scroll" },
  { context: "global", keys: ["pagedown"], action: "scrollPageDown" },
  { context: "global", keys: ["shift+up"], action: "scrollUp" },
  { context: "global", keys: ["shift+down"], action: "scrollDown" },
  { context: "global", keys: ["ctrl+home"], action: "scrollTop", description: "first line of the conversation" },
  { context: "global", keys: ["ctrl+end"], action: "scrollBottom", description: "last line of the conversation" },
] as const satisfies readonly Binding[];

const prompt = [
  { context: "prompt", keys: ["enter"], action: "submit", description: "send" },
  {
    context: "prompt",
    keys: ["shift+enter", "alt+enter", "ctrl+j"],
    action: "newline",
    description: "new line (also \\ and enter)",
  },
  { context: "prompt", keys: ["esc"], action: "cancel", description: "stop the run; twice: clear the text" },
  { context: "prompt", keys: ["up", "ctrl+p"], action: "up", description: "up, then earlier or waiting prompts" },
  { context: "prompt", keys: ["down", "ctrl+n"], action: "down" },
  { context: "prompt", keys: ["left", "ctrl+b"], action: "left" },
  {
    context: "prompt",
    keys: ["ctrl+x ctrl+b"],
    action: "background",
    description: "run on in the background (ctrl+b)",
  },
  { context: "prompt", keys: ["right", "ctrl+f"], action: "right" },
  { context: "prompt", keys: ["alt+b", "ctrl+left", "alt+left"], action: "wordLeft", description: "one word left" },
  { context: "prompt", keys: ["alt+f", "ctrl+right", "alt+right"], action: "wordRight", description: "one word right" },
  { context: "prompt", keys: ["ctrl+a", "home"], action: "lineStart", description: "start of the line" },
  { context: "prompt", keys: ["ctrl+e", "end"], action: "lineEnd", description: "end of the line" },
  { context: "prompt", keys: ["backspace", "shift+backspace"], action: "backspace" },
  { context: "prompt", keys: ["delete"], action: "delete" },
  { context: "prompt", keys: ["ctrl+k"], action: "killToEnd", description: "cut to the end of the line" },
  { context: "prompt", keys: ["ctrl+u"], action: "killToStart", description: "cut to the start of the line" },
  { context: "prompt", keys: ["ctrl+w"], action: "killBlankBack", description: "cut the word before" },
  { context: "prompt", keys: ["alt+backspace", "ctrl+backspace"], action: "killWordBack" },
  { context: "prompt", keys: ["alt+d"], action: "killWordForward", description: "cut the word after" },
  { context: "prompt", keys: ["ctrl+y"], action: "yank", description: "put back what was cut" },
  { context: "prompt", keys: ["alt+y"], action: "yankCycle", description: "then: what was cut before" },
  { context: "prompt", keys: ["ctrl+_", "ctrl+-", "ctrl+/"], action: "undo", description: "undo" },
  { context: "prompt", keys: ["alt+_", "alt+z"], action: "redo", description: "redo" },
  { context: "prompt", keys: ["ctrl+s"], action: "stash", description: "put the text aside, or take it back" },
  {
    context: "prompt",
    keys: ["ctrl+v", "alt+v"],
    action: "pasteImage",
    description: "paste the image on the clipboard",
  },
  { context: "prompt", keys: ["ctrl+g"], action: "editOutside", description: "write in your editor" },
  { context: "prompt", keys: ["tab"], action: "complete", description: "complete; next to a paste: show its text" },
  { context: "prompt", keys: ["?"], action: "showKeys", description: "this list (when nothing is typed)" },
] as const satisfies readonly Binding[];

const menu = [
  { context: "menu", keys: ["up", "ctrl+p"], action: "menuUp" },
  { context: "menu", keys: ["down", "ctrl+n"], action: "menuDown" },
  { context: "menu", keys: ["tab"], action: "menuComplete" },
  { context: "menu", keys: ["enter"], action: "menuRun" },
  { context: "menu", keys: ["esc"], action: "menuDismiss" },
] as const satisfies readonly Binding[];

const panes = [
  { context: "panes", keys: ["right"], action: "nextAgent", description: "choose an agent (when nothing is typed)" },
  { context: "panes", keys: ["left"], action: "previousAgent" },
  { context: "panes", keys: ["enter"], action: "openAgent", description: "then: see what it did" },
  { context: "panes", keys: ["x"], action: "stopAgent", description: "then: stop it" },
  { context: "panes", keys: ["esc"], action: "leaveAgents" },
] as const satisfies readonly Binding[];

const dialog = [
  { context: "dialog", keys: ["up", "ctrl+p"], action: "previous" },
  { context: "dialog", keys: ["down", "ctrl+n"], action: "next" },
  { context: "dialog", keys: ["enter"], action: "accept" },
  { context: "dialog", keys: ["esc"], action: "cancel" },
  { context: "dialog", keys: ["tab"], action: "comment" },
  { context: "dialog", keys: ["shift+tab"], action: "allowEdits" },
  { context: "dialog", keys: ["left"], action: "tabLeft" },
  { context: "dialog", keys: ["right"], action: "tabRight" },
  { context: "dialog", keys: [" "], action: "toggle" },
  { context: "dialog", keys: ["ctrl+g"], action: "editOutside" },
  { context: "dialog", keys: ["ctrl+o"], action: "whole" },
] as const satisfies readonly Binding[];

const picker = [
  { context: "picker", keys: ["up", "ctrl+p"], action: "previous" },
  { context: "picker", keys: ["down", "ctrl+n"], action: "next" },
  { context: "picker", keys: ["pageup"], action: "pageUp" },
  { context: "picker", keys: ["pagedown"], action: "pageDown" },
  { context: "picker", keys: ["enter"], action: "accept" },
  { context: "picker", keys: ["esc"], action: "cancel" },
  { context: "picker", keys: ["tab", "right"], action: "tabRight" },
  { context: "picker", keys: ["shift+tab", "left"], action: "tabLeft" },
] as const satisfies readonly Binding[];

export const bindings: readonly Binding[] = [...global, ...prompt, ...menu, ...panes, ...dialog, ...picker];

export type GlobalAction = (typeof global)[number]["action"];
export type PromptAction = (typeof prompt)[number]["action"] | (typeof menu)[number]["action"];
export type AgentAction = (typeof panes)[number]["action"];
export type DialogAction = (typeof dialog)[number]["action"];
export type PickerAction = (typeof picker)[number]["action"];

const tableOf = <A extends string>(rows: readonly { keys: readonly string[]; action: A }[]): ReadonlyMap<string, A> =>
  new Map(rows.flatMap(({ keys, action }) => keys.map((key) => [key, action] as const)));

const globalTable = tableOf<GlobalAction>(global);
const promptTable = tableOf<PromptAction>(prompt);
const menuTable = tableOf<PromptAction>(menu);
const panesTable = tableOf<AgentAction>(panes);
const dialogTable = tableOf<DialogAction>(dialog);
const pickerTable = tableOf<PickerAction>(picker);

/** What a key does in a context; undefined when it has no meaning there. */
export const globalAction = (key: string): GlobalAction | undefined => globalTable.get(key);
export const promptAction = (key: string): PromptAction | undefined => promptTable.get(key);
export const menuAction = (key: string): PromptAction | undefined => menuTable.get(key);
export const agentAction = (key: string): AgentAction | undefined => panesTable.get(key);
export const dialogAction = (key: string): DialogAction | undefined => dialogTable.get(key);
export const pickerAction = (key: string): PickerAction | undefined => pickerTable.get(key);

/** Rows of the key list: those that have a description. */
export const describedKeys = (): { keys: string; description: string }[] =>
  bindings.flatMap(({ keys, description }) => (description ? [{ keys: keys[0]!, description }] : []));
