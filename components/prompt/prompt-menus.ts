// Menus of the prompt: commands, paths, and what Tab completes in the shell mode. Keys in, edits out.
import type { Actions } from "../../state/actions.js";
import type { AppStore } from "../../state/store.js";
import { menuAction, type PromptAction, promptAction } from "../keys/keymap.js";
import { fullText, toCells } from "./cells.js";
import type { EditorAction } from "./editor.js";
import { chosenText, shellWordAt } from "./mention.js";
import { openMenu, openPaths, type PromptState } from "./prompt-store.js";

/** What the menus need of the prompt. */
export interface MenuPort {
  app: AppStore;
  actions: Actions;
  state: () => PromptState;
  set: (change: Partial<PromptState>) => void;
  edit: (action: EditorAction) => void;
  submit: () => void;
}

export class PromptMenus {
  /** Where the caret stands behind a mention that was just completed with a blank. */
  private completedAt = -1;

  constructor(private readonly port: MenuPort) {}

  /** True when the text is the `#` of a line range right behind a completed mention: it takes the place of its blank. */
  onText(text: string): boolean {
    const { cells, caret } = this.port.state().editor;
    const isRange = text === "#" && caret === this.completedAt && cells[caret - 1] === " ";
    this.completedAt = -1;
    if (isRange) this.port.edit({ type: "replace", from: caret - 1, to: caret, text });
    return isRange;
  }

  /** True when a menu is open and used the key. */
  onKey(id: string): boolean {
    const action = menuAction(id);
    if (action === undefined || this.movesWithin(id)) return false;
    return this.onPathMenu(action) || this.onCommandMenu(action);
  }

  /** The key that accepts a suggestion at the end of the text moves the caret anywhere else. */
  private movesWithin(id: string): boolean {
    const { cells, caret } = this.port.state().editor;
    return promptAction(id) === "right" && caret < cells.length;
  }

  /** True when the command menu is open and used the action. */
  private onCommandMenu(action: PromptAction): boolean {
    const open = openMenu(this.port.state(), this.port.app.getState().session?.commands ?? []);
    if (!open) return false;
    const { menuIndex } = this.port.state();
    const count = open.rows.length;
    const chosen = open.rows[Math.min(menuIndex, count - 1)]!;
    if (action === "menuUp") this.port.set({ menuIndex: (menuIndex - 1 + count) % count });
    else if (action === "menuDown") this.port.set({ menuIndex: (menuIndex + 1) % count });
    else if (action === "menuDismiss") this.port.set({ isMenuDismissed: true });
    else this.port.edit({ type: "set", cells: toCells(action === "menuRun" ? `/${chosen.name}` : `/${chosen.name} `) });
    if (action === "menuRun") this.port.submit();
    return true;
  }

  /** True when the list of paths is open and used the action. */
  private onPathMenu(action: PromptAction): boolean {
    const open = openPaths(this.port.state(), this.port.app.getState().completions);
    if (!open) return false;
    const { menuIndex } = this.port.state();
    const count = open.paths.length;
    const chosen = open.paths[Math.min(menuIndex, count - 1)]!;
    const { of, start, end, query } = open.mention;
    if (action === "menuUp") this.port.set({ menuIndex: (menuIndex - 1 + count) % count });
    else if (action === "menuDown") this.port.set({ menuIndex: (menuIndex + 1) % count });
    else if (action === "menuDismiss") this.port.set({ isMenuDismissed: true });
    else if (action === "menuRun" && chosen === query)
      return false; // written out: Enter sends
    else {
      this.port.edit({ type: "replace", from: start, to: end, text: chosenText(chosen, of) });
      if (!chosen.endsWith("/")) {
        this.completedAt = of === "mention" ? this.port.state().editor.caret : -1;
        this.endMention();
      }
    }
    return true;
  }

  private endMention(): void {
    this.port.set({ mention: null });
    this.port.actions.completePath(null);
  }

  /** Tab in the shell mode: the newest earlier command that begins like this one, else the paths that fit. */
  completeShell(): void {
    const { cells, caret } = this.port.state().editor;
    const typed = `!${fullText(cells)}`;
    const { history } = this.port.app.getState().input;
    const earlier = typed.length > 1 && caret === cells.length && history.findLast((text) => text.startsWith(typed));
    if (earlier && earlier !== typed) this.port.edit({ type: "set", cells: toCells(earlier.slice(1)) });
    else {
      const mention = shellWordAt(cells, caret);
      this.port.set({ mention, menuIndex: 0, isMenuDismissed: false });
      this.port.actions.completePath(mention);
    }
  }
}
