// The prompt's own state: what is typed and what surrounds it. A keystroke changes this store and nothing else.
import { createStore, type StoreApi } from "zustand/vanilla";
import type { CommandRow } from "../../src/protocol/pickers.js";
import { type Cells, fullText } from "./cells.js";
import { commandWord, matchCommands } from "./commands.js";
import { type EditorState, emptyEditor } from "./editor.js";
import { type HistoryState, noHistory } from "./history.js";
import { fittingPaths, type Mention } from "./mention.js";
import { newVim, type VimState } from "./vim-state.js";

export interface PromptState {
  editor: EditorState;
  history: HistoryState;
  /** What is typed is a command for the shell. */
  isShell: boolean;
  /** Text put aside with Ctrl+S. */
  stash: Cells | null;
  /** The path that is being typed. */
  mention: Mention | null;
  menuIndex: number;
  /** Esc closed the menu; it stays closed until the text is no command any more. */
  isMenuDismissed: boolean;
  /** A key that was pressed once and would act at the next press, until then. */
  armed: { key: "ctrl+c" | "ctrl+d" | "esc"; until: number } | null;
  showKeys: boolean;
  /** The vim mode; null: ordinary keys. */
  vim: VimState | null;
}

export type PromptStore = StoreApi<PromptState>;

/** Whether what is typed lands in the text. */
export const isInserting = ({ vim }: Pick<PromptState, "vim">): boolean => vim === null || vim.mode === "insert";

/** `editorMode`: the setting; vim begins in insert mode. */
export const createPromptStore = (editorMode: "normal" | "vim" = "normal"): PromptStore =>
  createStore<PromptState>()(() => ({
    editor: emptyEditor,
    history: noHistory,
    isShell: false,
    stash: null,
    mention: null,
    menuIndex: 0,
    isMenuDismissed: false,
    armed: null,
    showKeys: false,
    vim: editorMode === "vim" ? newVim : null,
  }));

/** Longest text that can be a command word: a long draft is not searched for one at each key. */
const maxCommandCells = 64;

/** The menu as it is now; null when it is closed. */
export const openMenu = (
  { editor, isMenuDismissed, isShell }: Pick<PromptState, "editor" | "isMenuDismissed" | "isShell">,
  commands: readonly CommandRow[],
): { word: string; rows: CommandRow[] } | null => {
  if (isShell || isMenuDismissed || editor.cells[0] !== "/" || editor.cells.length > maxCommandCells) return null;
  const word = commandWord(fullText(editor.cells));
  if (word === null) return null;
  const rows = matchCommands(commands, word);
  return rows.length === 0 ? null : { word, rows };
};

/** The list of paths as it is now; null when it is closed. */
export const openPaths = (
  { mention, isMenuDismissed }: Pick<PromptState, "mention" | "isMenuDismissed">,
  completions: { query: string; paths: readonly string[] } | null,
): { mention: Mention; paths: readonly string[] } | null => {
  if (!mention || isMenuDismissed) return null;
  const paths = fittingPaths(completions, mention.query);
  return paths.length === 0 ? null : { mention, paths };
};
