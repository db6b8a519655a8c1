// mount: the first frame before the engine is there, then the session, then the way out.
import { type RenderOptions, render } from "ink";
import type { ReactNode } from "react";
import { useStore } from "zustand";
import type { AppStore } from "../state/store.js";
import { App, type AppProps } from "./App.js";
import { useAppState, useServices } from "./app-context.js";
import type { MountedApp as Mounted, MountOptions } from "./mount-options.js";
import { connectScreen, openScreen, type ScreenParts } from "./screen-parts.js";
import { wireServices } from "./services.js";
import type { Terminal } from "./terminal/terminal.js";
import type { Look } from "./theme/look.js";
import type { TranscriptModel } from "./transcript/model.js";
import { Transcript } from "./transcript/Transcript.js";

export type { MountOptions } from "./mount-options.js";
export type MountedApp = Mounted<AppStore>;

const PublishedTranscript = ({ terminal, model }: { terminal: Terminal; model: TranscriptModel }) => {
  const { view, viewer } = useServices();
  const rev = useAppState((state) => state.transcript.rev);
  const moves = useStore(view.store, (state) => state.moves);
  const isViewing = useStore(viewer.store, ({ isOpen }) => isOpen);
  return <Transcript backend="publish" model={isViewing ? viewer : model} surface={terminal} rev={`${rev}/${moves}`} />;
};

/** The app in the colours of the moment. */
const ThemedApp = ({ look, ...props }: Omit<AppProps, "theme"> & { look: Look; children: ReactNode }) => (
  <App {...props} theme={useStore(look.store, ({ theme }) => theme)} />
);

/** Pause in typing after which a draft is kept: no key waits for the disk. */
const draftMs = 700;
const statusLineMs = 300; // spec of the status line: the last of several changes counts

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
const leave = async ({ terminal, printed, store }: ScreenParts, unmount: () => void): Promise<void> => {
  printed.finish();
  terminal.request(true);
  await Promise.race([terminal.settle(), new Promise((resolve) => setTimeout(resolve, lastFrameMs).unref())]);
  unmount();
  terminal.leave();
  const { exit } = store.getState();
  if (exit?.message) (exit.code === 0 ? process.stdout : process.stderr).write(`${exit.message}\n`);
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

/** After the first frame, long enough for keys that waited to be read and the next frame to be made. */
const firstEchoMs = 12;

/** Calls the function once, soon after Ink's first frame. */
const afterFirstFrame = (onShown: (() => void) | undefined): (() => void) => {
  let isDue = onShown !== undefined;
  return () => {
    if (isDue) setTimeout(() => onShown?.(), firstEchoMs);
    isDue = false;
  };
};

/**
 * Takes the terminal, paints banner and prompt, opens the session as soon as the engine is there. Call once. The
 * terminal is given back on every way out; the exit message, if any, is printed behind it.
 */
export const mountApp = (options: MountOptions): MountedApp => {
  const { settings, editText, openFile } = options;
  const parts = openScreen(options);
  const { terminal, store, look, model, view, viewer, clicks } = parts;
  const { services, router } = wireServices({
    engine: options.engine,
    store,
    view,
    viewer,
    look,
    clicks,
    inlay: terminal,
    reducedMotion: settings.reducedMotion ?? false,
    draftMs,
    statusLineMs,
    ...(settings.quietMs === undefined ? {} : { quietMs: settings.quietMs }),
    isBlocked: () => terminal.isBlocked,
    setCursor: (position) => {
      terminal.setCursor(position);
      terminal.request(true);
    },
    editOutside: editText && handOver(terminal, editText),
    openFile: openFile && handOver(terminal, openFile),
    printOut: handOver(terminal, async (text: string) => void process.stdout.write(text)),
  });
  terminal.enter();
  const onFrame = afterFirstFrame(options.onShown);
  const disconnect = connectScreen(parts, services.actions, { ...options, openFile: services.openFile });
  const ink = render(
    <ThemedApp services={services} router={router} scroll={view} terminal={terminal} look={look}>
      <PublishedTranscript terminal={terminal} model={model} />
    </ThemedApp>,
    inkOptions(terminal, () => {
      services.caret.report();
      onFrame();
    }),
  );
  const exited = exitOf(store, () => {
    disconnect();
    return leave(parts, () => ink.unmount());
  });
  void services.actions.open(options.initialPrompt);
  return { store, waitUntilExit: () => exited };
};
