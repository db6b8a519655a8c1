// The parts of the screen that exist before React, and what connects them with the state: terminal, look, transcript,
// viewer, mouse, window.
import type { Actions } from "../state/actions.js";
import type { AppState } from "../state/app-state.js";
import { firstTranscript } from "../state/slices/notices.js";
import { type AppStore, createAppStore } from "../state/store.js";
import { followAttention } from "./attention/attention.js";
import { clipboardBytes } from "./attention/sequences.js";
import { editKeybindings, followKeybindings } from "./keys/follow-keybindings.js";
import type { MountOptions } from "./mount-options.js";
import { type Clicks, createClicks } from "./mouse/clicks.js";
import { connectMouse } from "./mouse/mouse.js";
import { backgroundQuery, parseBackground } from "./terminal/background.js";
import { createTerminal, type Terminal } from "./terminal/terminal.js";
import { createLook, type Look } from "./theme/look.js";
import { createTranscriptModel, type TranscriptModel } from "./transcript/model.js";
import { createPrinted, type Printed } from "./transcript/printed.js";
import { createSource } from "./transcript/source.js";
import { createTranscriptView, type TranscriptView } from "./transcript-view.js";
import { createViewer, type Viewer } from "./viewer/viewer.js";

export interface ScreenParts {
  terminal: Terminal;
  store: AppStore;
  look: Look;
  model: TranscriptModel;
  view: TranscriptView;
  viewer: Viewer;
  printed: Printed;
  clicks: Clicks;
}

/** Makes them; nothing is written yet. */
export const openScreen = (options: MountOptions): ScreenParts => {
  const { stdin, stdout, env, settings, log, onSignal, onCrash, layout = "fullscreen" } = options;
  const terminal = createTerminal({
    stdin,
    stdout,
    env,
    layout,
    ...(log ? { log } : {}),
    ...(onSignal ? { onSignal } : {}),
    ...(onCrash ? { onCrash } : {}),
  });
  const look = createLook({
    env,
    setting: settings.theme,
    isHighlighting: settings.syntaxHighlightingDisabled !== true,
  });
  const store = createAppStore({
    size: { ...terminal.size },
    transcript: firstTranscript({ version: options.version, cwd: options.cwd }),
    screen: {
      layout,
      mouse: terminal.isMouseOn,
      theme: null,
      editorMode: settings.editorMode === "vim" ? "vim" : "normal",
      keybindings: null,
      copy: null,
    },
  });
  const items = () => store.getState().transcript.items;
  const source = createSource({ items, theme: look.theme });
  const model = createTranscriptModel(source);
  const draw = (): void => terminal.request(true);
  const view = createTranscriptView({ model, draw, now: Date.now });
  const viewer = createViewer({ items, theme: look.theme, now: Date.now, draw });
  const isRunning = (): boolean => store.getState().run.isRunning;
  const printed = createPrinted({ source, items, theme: look.theme, isRunning });
  terminal.setPrintSource(printed);
  return { terminal, store, look, model, view, viewer, printed, clicks: createClicks() };
};

const copiedMs = 4_000;
const mouseHintMs = 8_000;

/** Rows the wheel moves the viewer by. */
const viewerWheel = 3;

/** Puts text into the clipboard, of the terminal and of this machine, and says so. `tips`: behind success, behind failure. */
const copier =
  ({ terminal }: ScreenParts, actions: Actions, options: MountOptions) =>
  (text: string, tips: { done: string; tooLong: string }): void => {
    const bytes = clipboardBytes(text);
    if (bytes !== null) terminal.control(bytes);
    options.copyText?.(text);
    const count = `${text.length.toLocaleString("en-US")} ${text.length === 1 ? "character" : "characters"}`;
    const isTooLong = bytes === null && !options.copyText;
    const said = isTooLong ? ["Too much for the terminal's clipboard", tips.tooLong] : [`Copied ${count}`, tips.done];
    actions.hint(said.filter(Boolean).join(" · "), copiedMs);
  };

/** Moves what is shown, transcript or viewer, by a row; its rows then, null where it did not move. */
const scrollShown = ({ view, viewer, model }: ScreenParts, by: 1 | -1): readonly string[] | null => {
  const { isOpen } = viewer.store.getState();
  const shown = isOpen ? viewer.model : model;
  const before = shown.anchor;
  if (isOpen) viewer.move((moved) => moved.scrollBy(by));
  else view.lines(by);
  const after = shown.anchor;
  const isSame = before?.messageIndex === after?.messageIndex && before?.rowOffset === after?.rowOffset;
  return isSame ? null : shown.shown();
};

const connectPointer = (parts: ScreenParts, actions: Actions, options: MountOptions): void => {
  const { terminal, store, model, view, viewer, clicks } = parts;
  const copy = copier(parts, actions, options);
  const selection = connectMouse({
    terminal,
    clicks,
    now: Date.now,
    wheel: (direction) => {
      if (viewer.store.getState().isOpen) viewer.move((shown) => shown.scrollBy(direction * viewerWheel));
      else view.wheel(direction);
    },
    onItem: (row) => {
      if (viewer.store.getState().isOpen) return;
      const id = model.itemAt(row);
      if (id !== undefined) actions.toggleItem(id);
    },
    onLink: (address) => {
      if (options.openUrl?.(address)) actions.hint(`Opened ${address}`, copiedMs);
      else copy(address, { done: "no browser can be opened here", tooLong: "" });
    },
    scroll: (by) => scrollShown(parts, by),
    copy: (text) =>
      copy(text, {
        done: "native: shift+drag (option in iTerm2) or /mouse",
        tooLong: "/mouse gives the mouse back",
      }),
    copiesOnSelect: () => store.getState().session?.interface?.copyOnSelect !== false,
  });
  terminal.setOverlay((rows, transcriptHeight) => selection.overlay(rows, transcriptHeight));
};

const mouseHint = (isOn: boolean): string =>
  isOn
    ? "Drag selects and copies · with shift (option in iTerm2) the terminal selects · /mouse gives the mouse back"
    : "The mouse is the terminal's now: select and scroll as it does · /mouse takes it back";

const chooseTheme = (look: Look, actions: Actions, name: string): void => {
  const values = look.choices().map(({ value }) => value);
  if (!values.includes(name)) {
    actions.notice("error", `There is no theme ${name}. There are: ${values.join(", ")}`);
    return;
  }
  look.choose(name);
  actions.saveSettings({ theme: name });
  actions.hint(`Theme: ${name}`, copiedMs);
};

const modeHint = { vim: "Vim keys in the prompt", normal: "Ordinary keys in the prompt" } as const;

/** Keeps a change of the prompt's keys, unless it came from the settings. */
const keepEditorMode = ({ screen, session }: AppState, actions: Actions): void => {
  actions.hint(modeHint[screen.editorMode], copiedMs);
  if ((session?.interface?.editorMode ?? "normal") !== screen.editorMode)
    actions.saveSettings({ editorMode: screen.editorMode });
};

/** Follows what commands and settings change of the screen. */
const followScreen = (parts: ScreenParts, actions: Actions, options: MountOptions): void => {
  const copy = copier(parts, actions, options);
  const { terminal, store, look, viewer } = parts;
  const applyLayout = (): void => {
    // The viewer is a full screen of its own, whatever lies under it.
    const isFull = viewer.store.getState().isOpen || store.getState().screen.layout === "fullscreen";
    terminal.setLayout(isFull ? "fullscreen" : "inline");
  };
  viewer.store.subscribe((state, before) => {
    if (state.isOpen !== before.isOpen) applyLayout();
  });
  look.store.subscribe(() => terminal.request(true));
  const applySettings = ({ session }: AppState, before: AppState): void => {
    const now = session?.interface;
    const earlier = before.session?.interface;
    if (now && now.editorMode !== earlier?.editorMode)
      actions.changeScreen({ editorMode: now.editorMode === "vim" ? "vim" : "normal" });
    if (now?.theme !== earlier?.theme && typeof now?.theme === "string") look.choose(now.theme);
    if (now && now.syntaxHighlightingDisabled !== earlier?.syntaxHighlightingDisabled)
      look.setHighlighting(now.syntaxHighlightingDisabled !== true);
  };
  store.subscribe((state, before) => {
    if (state.session !== before.session) applySettings(state, before);
    if (state.screen === before.screen) return;
    if (state.screen.layout !== before.screen.layout) {
      applyLayout();
      actions.saveSettings({ tui: state.screen.layout === "inline" ? "default" : "fullscreen" });
    }
    if (state.screen.mouse !== before.screen.mouse) {
      terminal.setMouse(state.screen.mouse);
      actions.hint(mouseHint(state.screen.mouse), mouseHintMs);
    }
    if (state.screen.editorMode !== before.screen.editorMode) keepEditorMode(state, actions);
    if (state.screen.keybindings !== before.screen.keybindings)
      void editKeybindings(options.keybindings, actions, options.openFile);
    if (state.screen.copy !== before.screen.copy && state.screen.copy)
      copy(state.screen.copy.text, { done: "", tooLong: "/export FILE writes it into a file" });
    if (state.screen.theme !== before.screen.theme && state.screen.theme)
      chooseTheme(look, actions, state.screen.theme.name);
  });
};

/** Theme files, now and whenever one changes. */
const followThemes = ({ look }: ScreenParts, { themes }: MountOptions, actions: Actions): void => {
  if (!themes) return;
  const read = async (): Promise<void> => {
    const { loadThemes } = await import("./theme/load-themes.js");
    const { found, problems } = loadThemes(await themes.list());
    look.setCustom(found);
    for (const problem of problems) actions.notice("warning", problem);
  };
  const readSafely = (): void => void read().catch((error: unknown) => console.error(error));
  readSafely();
  themes.watch(readSafely);
};

/** How long an answer of the terminal about its background is waited for. */
const backgroundMs = 1_000;

/** Asks for the background where the theme depends on it; nobody waits for the answer. */
const askBackground = ({ terminal, look }: ScreenParts): void => {
  if (look.setting() !== "auto") return;
  const stop = terminal.onReply((reply) => {
    const background = parseBackground(reply);
    if (background !== null) look.setBackground(background);
  });
  terminal.control(backgroundQuery);
  setTimeout(stop, backgroundMs).unref();
};

/** Connects everything; call once the terminal is taken. Returns what is to be undone before it is given back. */
export const connectScreen = (parts: ScreenParts, actions: Actions, options: MountOptions): (() => void) => {
  const { terminal, store } = parts;
  terminal.onResize((size) => actions.resize(size));
  connectPointer(parts, actions, options);
  followScreen(parts, actions, options);
  followThemes(parts, options, actions);
  askBackground(parts);
  if (options.keybindings) followKeybindings(options.keybindings, actions);
  return followAttention({
    store,
    env: options.env,
    control: (bytes) => terminal.control(bytes),
    onFocus: (listener) => terminal.onFocus(listener),
  });
};
