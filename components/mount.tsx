// mount: the first frame before the engine is there, then the session, then the way out.
import { type RenderOptions, render } from "ink";
import { useStore } from "zustand";
import type { Engine } from "../src/protocol/engine.js";
import type { Actions } from "../state/actions.js";
import { firstTranscript } from "../state/slices/notices.js";
import { type AppStore, createAppStore } from "../state/store.js";
import { App } from "./App.js";
import { useAppState, useServices } from "./app-context.js";
import { wireServices } from "./services.js";
import { createTerminal, type Terminal, type TerminalOptions } from "./terminal/terminal.js";
import { detectColourLevel } from "./theme/colours.js";
import { createTheme, resolveThemeName, type Theme } from "./theme/themes.js";
import { createTranscriptModel, type TranscriptModel } from "./transcript/model.js";
import { createSource } from "./transcript/source.js";
import { Transcript } from "./transcript/Transcript.js";
import { createTranscriptView, type TranscriptView } from "./transcript-view.js";
import { createViewer, type Viewer } from "./viewer/viewer.js";

export interface MountOptions {
  /** The engine, while it may still be loading: keys typed before are kept. */
  engine: Promise<Engine>;
  stdin: NonNullable<TerminalOptions["stdin"]>;
  stdout: NonNullable<TerminalOptions["stdout"]>;
  env: Record<string, string | undefined>;
  /** For the banner of the first frame. */
  version: string;
  cwd: string;
  initialPrompt?: string | undefined;
  settings: {
    reducedMotion?: boolean | undefined;
    theme?: string | undefined;
    /** For tests: how long dialogs stay deaf. */
    quietMs?: number | undefined;
  };
  /** Opens the user's editor on a text; null when it was left without a change. The terminal is handed over meanwhile. */
  editText?: ((text: string) => Promise<string | null>) | undefined;
  /** Opens a file in the user's editor; resolves to null, or to what went wrong. */
  openFile?: ((path: string) => Promise<string | null>) | undefined;
  /** Takes what console and stderr print while the screen is ours. */
  log?: (text: string) => void;
  /** After the terminal is restored on a signal or a crash; the defaults exit the process. */
  onSignal?: (signal: NodeJS.Signals) => void;
  onCrash?: (error: unknown) => void;
}

export interface MountedApp {
  /** Resolves with the exit code once the terminal is restored. */
  waitUntilExit(): Promise<number>;
  store: AppStore;
}

interface Screen {
  terminal: Terminal;
  model: TranscriptModel;
  view: TranscriptView;
  viewer: Viewer;
}

const PublishedTranscript = ({ terminal, model }: { terminal: Terminal; model: TranscriptModel }) => {
  const { view, viewer } = useServices();
  const rev = useAppState((state) => state.transcript.rev);
  const moves = useStore(view.store, (state) => state.moves);
  const isViewing = useStore(viewer.store, ({ isOpen }) => isOpen);
  return <Transcript backend="publish" model={isViewing ? viewer : model} surface={terminal} rev={`${rev}/${moves}`} />;
};

/** Gives the terminal to another program for as long as it runs. */
const handOver =
  <A, R>(terminal: Terminal, run: (argument: A) => Promise<R>) =>
  async (argument: A): Promise<R> => {
    terminal.suspend();
    try {
      return await run(argument);
    } finally {
      terminal.resume();
    }
  };

/** Mouse and size; the wheel scrolls, a click on an item opens or closes it. */
const connectTerminal = ({ terminal, model, view, viewer }: Screen, actions: Actions): void => {
  terminal.onResize((size) => actions.resize(size));
  terminal.onMouse((event) => {
    const isViewing = viewer.store.getState().isOpen;
    if (event.kind === "wheel" && isViewing) viewer.move((shown) => shown.scrollBy(event.button < 0 ? -3 : 3));
    else if (event.kind === "wheel") view.wheel(event.button < 0 ? -1 : 1);
    else if (isViewing) return;
    else if (event.kind === "press" && event.button === 0) {
      const id = model.itemAt(event.row);
      if (id !== undefined) actions.toggleItem(id);
    }
  });
};

/** Waits for the state to say that it is over, then shows the last frame and gives the terminal back. */
const exitOf = (store: AppStore, leave: () => Promise<void>): Promise<number> =>
  new Promise((resolve) => {
    const finish = async (code: number): Promise<void> => {
      await leave();
      resolve(code);
    };
    const known = store.getState().exit;
    if (known) {
      void finish(known.code);
      return;
    }
    const unsubscribe = store.subscribe(({ exit }) => {
      if (!exit) return;
      unsubscribe();
      void finish(exit.code);
    });
  });

/** Longest wait for the last frame when the terminal does not take it. */
const lastFrameMs = 300;

/** Shows the last frame, gives the terminal back, says why it is over. */
const leave = async (terminal: Terminal, unmount: () => void, store: AppStore): Promise<void> => {
  await Promise.race([terminal.settle(), new Promise((resolve) => setTimeout(resolve, lastFrameMs).unref())]);
  unmount();
  terminal.leave();
  const { exit } = store.getState();
  if (exit?.message) (exit.code === 0 ? process.stdout : process.stderr).write(`${exit.message}\n`);
};

/** The parts of the screen that exist before React: terminal, store, transcript. */
const openScreen = (options: MountOptions): Screen & { store: AppStore; theme: Theme } => {
  const { stdin, stdout, env, settings, log, onSignal, onCrash } = options;
  const terminal = createTerminal({
    stdin,
    stdout,
    env,
    ...(log ? { log } : {}),
    ...(onSignal ? { onSignal } : {}),
    ...(onCrash ? { onCrash } : {}),
  });
  const theme = createTheme(resolveThemeName(settings.theme, env), detectColourLevel(env));
  const store = createAppStore({
    size: { ...terminal.size },
    transcript: firstTranscript({ version: options.version, cwd: options.cwd }),
  });
  const source = createSource({ items: () => store.getState().transcript.items, theme: () => theme });
  const model = createTranscriptModel(source);
  const view = createTranscriptView({ model, draw: () => terminal.request(true), now: Date.now });
  const viewer = createViewer({
    items: () => store.getState().transcript.items,
    theme: () => theme,
    now: Date.now,
    draw: () => terminal.request(true),
  });
  return { terminal, store, theme, model, view, viewer };
};

const inkOptions = (terminal: Terminal, onRender: () => void): RenderOptions => ({
  stdin: terminal.inkStdin,
  stdout: terminal.inkStdout,
  // The frame tap: Ink hands each frame to the terminal's writer.
  debug: true,
  interactive: true,
  exitOnCtrlC: false,
  patchConsole: false,
  concurrent: true,
  kittyKeyboard: { mode: "auto" },
  onRender,
});

/**
 * Takes the terminal, paints banner and prompt, opens the session as soon as the engine is there. Call once. The
 * terminal is given back on every way out; the exit message, if any, is printed behind it.
 */
export const mountApp = (options: MountOptions): MountedApp => {
  const { settings, editText, openFile } = options;
  const screen = openScreen(options);
  const { terminal, store, theme, model, view, viewer } = screen;
  const { services, router } = wireServices({
    engine: options.engine,
    store,
    view,
    viewer,
    reducedMotion: settings.reducedMotion ?? false,
    ...(settings.quietMs === undefined ? {} : { quietMs: settings.quietMs }),
    isBlocked: () => terminal.isBlocked,
    setCursor: (position) => {
      terminal.setCursor(position);
      terminal.request(true);
    },
    editOutside: editText && handOver(terminal, editText),
    openFile: openFile && handOver(terminal, openFile),
  });
  connectTerminal(screen, services.actions);
  terminal.enter();
  const ink = render(
    <App services={services} router={router} scroll={view} terminal={terminal} theme={theme}>
      <PublishedTranscript terminal={terminal} model={model} />
    </App>,
    inkOptions(terminal, () => services.caret.report()),
  );
  const exited = exitOf(store, () => leave(terminal, () => ink.unmount(), store));
  void services.actions.open(options.initialPrompt);
  return { store, waitUntilExit: () => exited };
};
