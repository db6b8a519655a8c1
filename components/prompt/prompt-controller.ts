// The prompt's controller: one key or paste in, changes of the prompt store and calls of actions out. No React, so
// that several keys in one tick each see the state the one before left.
import { graphemes } from "../../src/lib/text-width.js";
import type { PastedText } from "../../src/protocol/requests.js";
import type { Actions } from "../../state/actions.js";
import type { AppStore } from "../../state/store.js";
import { onEsc } from "../keys/interrupt.js";
import type { KeyPress } from "../keys/key-press.js";
import { keyFor, type PromptAction, promptAction, taskAction } from "../keys/keymap.js";
import {
  type Cells,
  cellsWithPastes,
  fullText,
  imagePathIn,
  imagesOf,
  isPaste,
  pastesOf,
  shownText,
  toCells,
} from "./cells.js";
import { canMoveVertically, type EditorAction, type EditorState, reduceEditor } from "./editor.js";
import { plainEditorAction } from "./field-keys.js";
import { noHistory, recall } from "./history.js";
import { caretAtColumn, layoutRows, type VisualRow } from "./layout.js";
import { type Mention, mentionAt, shellWordAt } from "./mention.js";
import { PromptMenus } from "./prompt-menus.js";
import { isInserting, type PromptState, type PromptStore } from "./prompt-store.js";
import { createSessionKeys, type SessionKeys } from "./session-keys.js";
import { pressVim } from "./vim.js";
import type { VimStep } from "./vim-edits.js";
import { newVim, onCell } from "./vim-state.js";

/** How long a key that must be pressed twice stays armed. */
export const armMs = { "ctrl+c": 1_000, "ctrl+d": 800, esc: 800 } as const;
type ArmedKey = keyof typeof armMs;

/** Columns left of the text: the prompt's mark. */
export const promptGutter = 2;

const hintMs = 3_000;

export interface PromptOptions {
  prompt: PromptStore;
  app: AppStore;
  actions: Actions;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Opens the user's editor on a text; resolves to null when it was left without a change. */
  editOutside?: ((text: string) => Promise<string | null>) | undefined;
  /** Text was typed: the view returns to the newest output. */
  onType?: () => void;
  /** Earlier prompts are to be searched. */
  onSearch?: () => void;
}

export class PromptController {
  /** Cells of prompts written in this session, so that recalled ones have their pastes. */
  private readonly written = new Map<string, Cells>();

  /** Keys that act on the session, whatever is typed. */
  private readonly session: SessionKeys;

  private readonly menus: PromptMenus;

  constructor(private readonly options: PromptOptions) {
    this.menus = new PromptMenus({
      app: options.app,
      actions: options.actions,
      state: () => this.state,
      set: (change) => this.set(change),
      edit: (action) => this.edit(action),
      submit: () => this.submit(),
    });
    this.session = createSessionKeys(options);
    options.app.subscribe(({ screen }, before) => {
      if (screen.editorMode !== before.screen.editorMode)
        this.set({ vim: screen.editorMode === "vim" ? newVim : null });
    });
  }

  /** A key for the prompt; false when the prompt has no use for it. */
  press(press: KeyPress): boolean {
    if (this.onVimKey(press)) return true;
    if (!this.hasText() && this.onShellMark(press)) return true;
    if (promptAction(press.id) === "showKeys" && (press.text === "" || (!this.hasText() && !this.state.isShell))) {
      this.set({ showKeys: !this.state.showKeys });
      return true;
    }
    if (press.text !== "") {
      this.type(press.text);
      return true;
    }
    if (taskAction(press.id) === "background" && this.session.toBackground(press.id)) return true;
    if (this.menus.onKey(press.id)) return true;
    const action = promptAction(press.id);
    if (action === undefined) return false;
    this.perform(action);
    return true;
  }

  /** True when the vim mode used the key. Keys that came in one piece are taken one by one until they are text. */
  private onVimKey(press: KeyPress): boolean {
    const { vim, editor } = this.state;
    if (!vim) return false;
    if (press.text !== "" && vim.mode !== "insert") {
      const [first, ...rest] = graphemes(press.text);
      this.takeVimStep(pressVim(vim, editor, first as string));
      const text = rest.join("");
      if (text !== "") this.press({ id: text, text });
      return true;
    }
    const step = pressVim(vim, editor, press.id);
    if (!step && vim.pending.length > 0) this.set({ vim: { ...vim, pending: [] } });
    this.takeVimStep(step);
    return step !== null;
  }

  private takeVimStep(step: VimStep | null): void {
    if (!step) return;
    this.set({ vim: step.vim, isMenuDismissed: step.vim.mode !== "insert" || this.state.isMenuDismissed, armed: null });
    this.adopt(step.editor);
    if (step.effect === "older" || step.effect === "newer") this.leaveVertically(step.effect === "older" ? -1 : 1);
    else if (step.effect === "help") this.set({ showKeys: !this.state.showKeys });
    else if (step.effect === "search") this.options.onSearch?.();
  }

  /** Keys of the empty prompt that enter or leave the shell mode. */
  private onShellMark({ id, text }: KeyPress): boolean {
    const { isShell } = this.state;
    const leaves = ["cancel", "backspace", "killToStart"].includes(promptAction(id) ?? "");
    const isMark = isShell ? leaves : text.startsWith("!");
    if (!isMark) return false;
    this.set({ isShell: !isShell, armed: null, showKeys: false });
    if (text.length > 1) this.type(text.slice(1)); // keys that came in one piece
    return true;
  }

  paste(text: string): void {
    this.options.onType?.();
    const path = imagePathIn(text);
    if (path === undefined) this.edit({ type: "paste", text });
    else void this.addImage(path, text);
  }

  /** Puts an image into the prompt: from a path that was pasted (its text stands where it is none), or the clipboard. */
  private async addImage(path?: string, text?: string): Promise<void> {
    const { actions } = this.options;
    const image = await actions.readImage(path);
    if (typeof image !== "string") this.edit({ type: "image", image });
    else if (text !== undefined) this.edit({ type: "paste", text });
    else actions.hint(`no image: ${image}`, hintMs);
  }

  /** A key typed while a dialog waits for quiet: text goes to the draft, nothing is sent. */
  typeAhead(press: KeyPress): void {
    const action = promptAction(press.id);
    if (press.text !== "") this.edit({ type: "insert", text: press.text, at: this.options.now() });
    else if (action === "backspace" || action === "newline") this.perform(action);
  }

  /** Empties the prompt; the text stays reachable in the history and by undo. */
  clear(): void {
    if (!this.hasText()) return;
    const cells = this.markedCells();
    this.written.set(shownText(cells), cells);
    this.options.actions.remember(shownText(cells));
    this.edit({ type: "clear" });
    this.set({ history: noHistory, isShell: false });
  }

  /** Puts text into the prompt; what was there stands below it. */
  restore(text: string): void {
    const { cells } = this.state.editor;
    const isShell = this.state.isShell || (text.startsWith("!") && cells.length === 0);
    const restored = isShell ? toCells(text.replace(/^!/, "")) : this.cellsOf(text);
    this.set({ isShell });
    this.edit({ type: "set", cells: [...restored, ...(cells.length > 0 ? ["\n", ...cells] : [])] });
  }

  /** A click on a row of the text (from 0) and a column of it: the caret goes there. */
  clickAt(row: number, column: number): void {
    const { cells } = this.state.editor;
    const layout = layoutRows(cells, this.width);
    const target = layout[Math.min(row, layout.length - 1)] as VisualRow;
    this.edit({ type: "moveTo", caret: caretAtColumn(cells, target, Math.max(0, column)) });
  }

  /** Takes a prompt out of the history to go on with; what was typed joins the history. */
  take(text: string, pastes: readonly PastedText[] = []): void {
    this.clear();
    if (pastes.length > 0) this.written.set(text, cellsWithPastes(text, pastes));
    this.set({ isShell: false });
    this.restore(text);
  }

  /** A prompt as it was written: in this session, or with the pastes that the history kept. */
  private cellsOf(prompt: string): Cells {
    const { pastes = {} } = this.options.app.getState().input;
    const kept = Object.hasOwn(pastes, prompt) ? pastes[prompt] : undefined;
    return this.written.get(prompt) ?? (kept ? cellsWithPastes(prompt, kept) : toCells(prompt));
  }

  /** What is typed, with the mark of the shell mode in front. */
  private markedCells(): Cells {
    const { editor, isShell } = this.state;
    return isShell ? ["!", ...editor.cells] : editor.cells;
  }

  /** Arms a key that acts at its second press; the armed key is what the footer names. */
  arm(key: ArmedKey): void {
    const armed = { key, until: this.options.now() + armMs[key] };
    this.set({ armed });
    setTimeout(() => {
      if (this.state.armed === armed) this.set({ armed: null });
    }, armMs[key]).unref();
  }

  /** The armed key, if its time has not passed. */
  armed(): ArmedKey | null {
    const { armed } = this.state;
    return armed && armed.until > this.options.now() ? armed.key : null;
  }

  hasText(): boolean {
    return this.state.editor.cells.length > 0;
  }

  private get state(): PromptState {
    return this.options.prompt.getState();
  }

  private set(change: Partial<PromptState>): void {
    this.options.prompt.setState(change);
  }

  private get width(): number {
    return this.options.app.getState().size.columns - promptGutter;
  }

  private edit(action: EditorAction): void {
    this.adopt(reduceEditor(this.state.editor, action));
  }

  /** Shows a new state of the editor and what hangs on it. */
  private adopt(changed: EditorState): void {
    const { editor, isMenuDismissed } = this.state;
    const caret = isInserting(this.state) ? changed.caret : onCell(changed.cells, changed.caret);
    const next = caret === changed.caret ? changed : { ...changed, caret };
    if (next === editor) return;
    const mention = this.mentionIn(next);
    const isSame = mention !== null && mention.start === this.state.mention?.start;
    const isStillDismissed = isMenuDismissed && (next.cells[0] === "/" || isSame);
    this.set({ editor: next, mention, menuIndex: 0, isMenuDismissed: isStillDismissed, armed: null, showKeys: false });
    if (mention && !isStillDismissed) this.options.actions.completePath({ query: mention.query, of: mention.of });
    else this.options.actions.completePath(null);
  }

  /** What is being mentioned: in the shell mode only once it was asked for. */
  private mentionIn({ cells, caret }: PromptState["editor"]): Mention | null {
    if (!this.state.isShell) return mentionAt(cells, caret);
    return this.state.mention && cells.length > 0 ? shellWordAt(cells, caret) : null;
  }

  private type(text: string): void {
    this.options.onType?.();
    if (!this.menus.onText(text)) this.edit({ type: "insert", text, at: this.options.now() });
  }

  private perform(action: PromptAction): void {
    if (action === "submit") this.enter();
    else if (action === "newline") this.edit({ type: "insert", text: "\n" });
    else if (action === "cancel") this.cancel();
    else if (action === "up") this.vertical(-1);
    else if (action === "down") this.vertical(1);
    else if (action === "stash") this.stash();
    else if (action === "complete") this.complete();
    else if (action === "pasteImage") void this.addImage();
    else if (action === "editOutside") void this.writeOutside();
    else if (action === "clearInput") this.clear();
    else if (action === "chooseModel") this.options.actions.runCommand("/model");
    else if (action === "toggleThinking") this.session.toggleThinking();
    else if (action === "stopAgents") this.session.stopAgents();
    else {
      const plain = plainEditorAction(action, this.options.now());
      if (plain) this.edit(plain);
    }
  }

  private enter(): void {
    const { editor } = this.state;
    if (editor.cells[editor.caret - 1] === "\\") {
      this.edit({ type: "backspace" });
      this.edit({ type: "insert", text: "\n" });
    } else this.submit();
  }

  /** Sends what is typed. */
  submit(): void {
    const { editor, isShell } = this.state;
    const text = fullText(editor.cells);
    if (text.trim() === "") return;
    const shown = shownText(editor.cells);
    const marked = this.markedCells();
    this.written.set(shownText(marked), marked);
    this.set({
      editor: { ...reduceEditor(editor, { type: "clear" }), undo: [], redo: [] },
      history: noHistory,
      armed: null,
      showKeys: false,
      isMenuDismissed: false,
      mention: null,
      isShell: false,
      menuIndex: 0,
      vim: this.state.vim && { ...this.state.vim, mode: "insert", stay: null, pending: [] },
    });
    if (isShell) this.options.actions.runShell(text);
    else this.options.actions.submit({ text, shown, images: imagesOf(marked), pastes: pastesOf(marked) });
  }

  private vertical(by: 1 | -1): void {
    if (canMoveVertically(this.state.editor, by, this.width))
      this.edit({ type: by < 0 ? "up" : "down", width: this.width });
    else this.leaveVertically(by);
  }

  /** Past the first or the last row: prompts that wait, then earlier ones. */
  private leaveVertically(by: 1 | -1): void {
    const { history } = this.state;
    const pulled = by < 0 && history.at === null ? this.options.actions.pullQueued() : null;
    if (pulled === null) this.walk(by < 0 ? 1 : -1);
    else
      void pulled.then((text) => {
        if (text !== null) this.restore(text);
      });
  }

  /** One step through earlier prompts: 1 is older. */
  private walk(by: 1 | -1): void {
    const { editor, history } = this.state;
    const prompts = this.options.app.getState().input.history;
    const cellsOf = (prompt: string): Cells => this.cellsOf(prompt);
    const found = recall(history, { prompts, cellsOf }, this.markedCells(), by);
    if (!found) return;
    const isShell = found.cells[0] === "!";
    const shown = reduceEditor(editor, { type: "set", cells: isShell ? found.cells.slice(1) : found.cells });
    const caret = isInserting(this.state) ? shown.caret : onCell(shown.cells, shown.caret);
    const vim = this.state.vim && { ...this.state.vim, stay: null };
    const fresh = { ...shown, caret, undo: [], redo: [] };
    this.set({ history: found.history, editor: fresh, isShell, isMenuDismissed: true, armed: null, vim });
  }

  private cancel(): void {
    if (this.state.showKeys) {
      this.set({ showKeys: false });
      return;
    }
    const { isRunning } = this.options.app.getState().run;
    const facts = { hasText: this.hasText(), isRunning, hasPicker: false, hasQuestion: false, armed: this.armed() };
    const step = onEsc(facts);
    if (step === "interrupt") this.options.actions.interrupt();
    else if (step === "clearText") this.clear();
    else if (step === "rewind") this.openRewind();
    else if (step === "arm") this.arm("esc");
  }

  private openRewind(): void {
    this.set({ armed: null });
    this.options.actions.openRewind();
  }

  private stash(): void {
    const { editor, stash } = this.state;
    if (editor.cells.length > 0) {
      this.set({ stash: editor.cells });
      this.edit({ type: "clear" });
      this.options.actions.hint(`text put aside · ${keyFor("chat:stash")} brings it back`, hintMs);
    } else if (stash) {
      this.edit({ type: "set", cells: stash });
      this.set({ stash: null });
    }
  }

  private complete(): void {
    const { cells, caret } = this.state.editor;
    if (this.state.isShell) this.menus.completeShell();
    else if (isPaste(cells[caret]) || isPaste(cells[caret - 1])) this.edit({ type: "expandPaste" });
  }

  private async writeOutside(): Promise<void> {
    const { actions, editOutside } = this.options;
    if (!editOutside) {
      actions.hint("no editor can be opened here", hintMs);
      return;
    }
    const text = await editOutside(fullText(this.state.editor.cells));
    if (text !== null) this.edit({ type: "set", cells: toCells(text.replace(/\n$/, "")) });
  }
}
