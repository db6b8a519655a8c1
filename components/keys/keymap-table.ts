// The keymap's table: contexts, the keys they have by default, and what each does. Help, hints, docs/keys.md and the
// names of ~/.claude/keybindings.json all come from it.

export type KeyContext =
  | "overlay"
  | "gate"
  | "dialog"
  | "picker"
  | "menu"
  | "panes"
  | "task"
  | "prompt"
  | "global"
  | "search";

/** Contexts as a keybindings file names them. */
export const scopes = [
  "Global",
  "Chat",
  "Autocomplete",
  "Settings",
  "Confirmation",
  "Tabs",
  "Help",
  "Transcript",
  "HistorySearch",
  "Task",
  "ThemePicker",
  "Attachments",
  "Footer",
  "MessageSelector",
  "DiffDialog",
  "ModelPicker",
  "Select",
  "Plugin",
  "Scroll",
] as const;
export type Scope = (typeof scopes)[number];

export interface Row<A extends string = string> {
  action: A;
  /** As a keybindings file names it. */
  name: string;
  keys: readonly string[];
  /** What it does, in the words of /help; none for keys that go without saying. */
  description?: string;
}

const row = <const A extends string>(
  action: A,
  name: string,
  keys: readonly string[],
  description?: string,
): Row<A> => ({ action, name, keys, ...(description === undefined ? {} : { description }) });

const global = [
  row("interrupt", "app:interrupt", ["ctrl+c"], "clear the text, stop the run, leave"),
  row("leave", "app:exit", ["ctrl+d"], "leave (twice)"),
  row("cycleMode", "chat:cycleMode", ["shift+tab"], "next permission mode"),
  row("openViewer", "app:toggleTranscript", ["ctrl+o"], "read the whole conversation, search it"),
  row("searchHistory", "history:search", ["ctrl+r"], "search earlier prompts"),
  row("toggleExpanded", "app:toggleExpanded", ["alt+e"], "show all output in place, or less"),
  row("toggleTodos", "app:toggleTodos", ["ctrl+t"], "show or hide the tasks"),
  row("redraw", "app:redraw", ["ctrl+l"], "draw the screen anew"),
  row("clearScreen", "chat:clearScreen", ["cmd+k"]),
  row("suspend", "app:suspend", ["ctrl+z"], "back to the shell (fg returns)"),
  row("scrollPageUp", "scroll:pageUp", ["pageup"], "scroll"),
  row("scrollPageDown", "scroll:pageDown", ["pagedown"]),
  row("scrollUp", "scroll:lineUp", ["shift+up"]),
  row("scrollDown", "scroll:lineDown", ["shift+down"]),
  row("scrollTop", "scroll:top", ["ctrl+home"], "first line of the conversation"),
  row("scrollBottom", "scroll:bottom", ["ctrl+end"], "last line of the conversation"),
] as const;

const task = [
  row("background", "task:background", ["ctrl+b", "ctrl+x ctrl+b"], "let what runs go on in the background"),
] as const;

const prompt = [
  row("submit", "chat:submit", ["enter"], "send"),
  row("newline", "chat:newline", ["shift+enter", "alt+enter", "ctrl+j"], "new line (also \\ and enter)"),
  row("cancel", "chat:cancel", ["esc"], "stop; twice: clear text or go back"),
  row("up", "history:previous", ["up", "ctrl+p"], "up, then earlier or waiting prompts"),
  row("down", "history:next", ["down", "ctrl+n"]),
  row("left", "chat:left", ["left", "ctrl+b"]),
  row("right", "chat:right", ["right", "ctrl+f"]),
  row("wordLeft", "chat:wordLeft", ["alt+b", "ctrl+left", "alt+left"], "one word left"),
  row("wordRight", "chat:wordRight", ["alt+f", "ctrl+right", "alt+right"], "one word right"),
  row("lineStart", "chat:lineStart", ["ctrl+a", "home"], "start of the line"),
  row("lineEnd", "chat:lineEnd", ["ctrl+e", "end"], "end of the line"),
  row("backspace", "chat:deleteBack", ["backspace", "shift+backspace"]),
  row("delete", "chat:deleteForward", ["delete"]),
  row("killToEnd", "chat:killToEnd", ["ctrl+k"], "cut to the end of the line"),
  row("killToStart", "chat:killToStart", ["ctrl+u"], "cut to the start of the line"),
  row("killBlankBack", "chat:killBlankBack", ["ctrl+w"], "cut the word before"),
  row("killWordBack", "chat:killWordBack", ["alt+backspace", "ctrl+backspace"]),
  row("killWordForward", "chat:killWordForward", ["alt+d"], "cut the word after"),
  row("yank", "chat:yank", ["ctrl+y"], "put back what was cut"),
  row("yankCycle", "chat:yankCycle", ["alt+y"], "then: what was cut before"),
  row("undo", "chat:undo", ["ctrl+_", "ctrl+-", "ctrl+/"], "undo"),
  row("redo", "chat:redo", ["alt+_", "alt+z"], "redo"),
  row("stash", "chat:stash", ["ctrl+s"], "put the text aside, or take it back"),
  row("pasteImage", "chat:imagePaste", ["ctrl+v", "alt+v"], "paste the image on the clipboard"),
  row("editOutside", "chat:externalEditor", ["ctrl+g", "ctrl+x ctrl+e"], "write in your editor"),
  row("complete", "chat:complete", ["tab"], "complete; next to a paste: show its text"),
  row("chooseModel", "chat:modelPicker", ["alt+p"], "choose the model"),
  row("toggleThinking", "chat:thinkingToggle", ["alt+t"], "thinking on or off"),
  row("stopAgents", "chat:killAgents", ["ctrl+x ctrl+k"], "stop all background agents (twice)"),
  row("clearInput", "chat:clearInput", []),
  row("showKeys", "chat:showKeys", ["?"], "this list (when nothing is typed)"),
] as const;

const menu = [
  row("menuUp", "autocomplete:previous", ["up", "ctrl+p"]),
  row("menuDown", "autocomplete:next", ["down", "ctrl+n"]),
  row("menuComplete", "autocomplete:accept", ["tab", "right"]),
  row("menuRun", "autocomplete:execute", ["enter"]),
  row("menuDismiss", "autocomplete:dismiss", ["esc"]),
] as const;

const search = [
  row("older", "historySearch:next", ["ctrl+r", "down", "ctrl+n"]),
  row("newer", "historySearch:previous", ["up", "ctrl+p"]),
  row("accept", "historySearch:accept", ["tab", "esc"]),
  row("cancel", "historySearch:cancel", ["ctrl+c", "ctrl+g"]),
  row("execute", "historySearch:execute", ["enter"]),
  row("cycleScope", "historySearch:cycleScope", ["ctrl+s"]),
] as const;

const panes = [
  row("nextAgent", "footer:next", ["right"], "choose an agent (when nothing is typed)"),
  row("previousAgent", "footer:previous", ["left"]),
  row("openAgent", "footer:openSelected", ["enter"], "then: see what it did"),
  row("stopAgent", "footer:stopSelected", ["x"], "then: stop it"),
  row("leaveAgents", "footer:clearSelection", ["esc"]),
] as const;

const dialog = [
  row("previous", "confirm:previous", ["up", "ctrl+p"]),
  row("next", "confirm:next", ["down", "ctrl+n"]),
  row("accept", "confirm:yes", ["enter"]),
  row("cancel", "confirm:no", ["esc"]),
  row("comment", "confirm:nextField", ["tab"]),
  row("allowEdits", "confirm:cycleMode", ["shift+tab"]),
  row("tabLeft", "tabs:previous", ["left"]),
  row("tabRight", "tabs:next", ["right"]),
  row("toggle", "confirm:toggle", [" "]),
  row("editOutside", "confirm:externalEditor", ["ctrl+g"]),
  row("whole", "confirm:toggleExplanation", ["ctrl+o"]),
] as const;

const picker = [
  row("previous", "select:previous", ["up", "ctrl+p"]),
  row("next", "select:next", ["down", "ctrl+n"]),
  row("pageUp", "select:pageUp", ["pageup"]),
  row("pageDown", "select:pageDown", ["pagedown"]),
  row("accept", "select:accept", ["enter"]),
  row("cancel", "select:cancel", ["esc"]),
  row("tabRight", "tabs:next", ["tab", "right"]),
  row("tabLeft", "tabs:previous", ["shift+tab", "left"]),
] as const;

const overlay = [
  row("leave", "transcript:exit", ["q", "esc", "ctrl+c", "ctrl+o"], "back to the prompt"),
  row("search", "transcript:search", ["/"], "search"),
  row("nextMatch", "transcript:nextMatch", ["n"], "next match"),
  row("previousMatch", "transcript:previousMatch", ["N"], "match before"),
  row("lineDown", "transcript:lineDown", ["j", "down", "enter"], "one line down"),
  row("lineUp", "transcript:lineUp", ["k", "up"], "one line up"),
  row("halfDown", "transcript:halfPageDown", ["ctrl+d"], "half a page down"),
  row("halfUp", "transcript:halfPageUp", ["ctrl+u"], "half a page up"),
  row("pageDown", "transcript:fullPageDown", [" ", "ctrl+f", "pagedown"], "a page down"),
  row("pageUp", "transcript:fullPageUp", ["b", "ctrl+b", "pageup"], "a page up"),
  row("top", "transcript:top", ["g", "home", "ctrl+home"], "first line"),
  row("bottom", "transcript:bottom", ["G", "end", "ctrl+end"], "last line"),
  row("previousPrompt", "transcript:previousPrompt", ["{"], "your prompt before"),
  row("nextPrompt", "transcript:nextPrompt", ["}"], "your next prompt"),
  row("edit", "transcript:externalEditor", ["v"], "open in your editor"),
  row("print", "transcript:printAll", ["["], "print into the terminal's scrollback"),
  row("showAll", "transcript:toggleShowAll", ["ctrl+e"], "outputs in short, or everything"),
  row("keys", "transcript:help", ["?"], "these keys"),
] as const;

export const keymapTable = {
  global,
  task,
  prompt,
  menu,
  search,
  panes,
  dialog,
  picker,
  overlay,
  gate: [] as readonly Row<never>[],
} as const;

export type ActionOf<C extends KeyContext> = (typeof keymapTable)[C][number]["action"];

const scopeOfPrefix: Readonly<Record<string, Scope>> = {
  app: "Global",
  history: "Global",
  chat: "Chat",
  scroll: "Scroll",
  task: "Task",
  autocomplete: "Autocomplete",
  historySearch: "HistorySearch",
  footer: "Footer",
  confirm: "Confirmation",
  permission: "Confirmation",
  tabs: "Tabs",
  select: "Select",
  transcript: "Transcript",
};

/** The context of a keybindings file that an action belongs to; undefined for a name of no known family. */
export const scopeOf = (name: string): Scope | undefined =>
  name === "history:previous" || name === "history:next" ? "Chat" : scopeOfPrefix[name.split(":", 1)[0] as string];

/** Keys that stay what they are. */
export const fixedKeys: Readonly<Record<string, string>> = {
  "ctrl+c": "it always interrupts",
  "ctrl+d": "it always leaves",
  "ctrl+m": "a terminal sends it as enter",
  "ctrl+i": "a terminal sends it as tab",
  "ctrl+[": "a terminal sends it as esc",
};
