// Renders the bottom pane for tests: frames as plain text at a given size, keys as bytes.
import { EventEmitter } from "node:events";
import { render } from "ink";
import { App } from "../../../../components/App.js";
import { type ServicesOptions, wireServices } from "../../../../components/services.js";
import { createLook } from "../../../../components/theme/look.js";
import { createTranscriptModel } from "../../../../components/transcript/model.js";
import { createSource } from "../../../../components/transcript/source.js";
import { createTranscriptView } from "../../../../components/transcript-view.js";
import type { CaretPosition } from "../../../../components/ui/caret.js";
import { createViewer } from "../../../../components/viewer/viewer.js";
import { stripStyles } from "../../../../src/lib/text-width.js";
import type { AppState } from "../../../../state/app-state.js";
import { createAppStore } from "../../../../state/store.js";
import { createFakeEngine, type FakeEngine, sessionFor } from "./fake-engine.js";

class Keyboard extends EventEmitter {
  readonly isTTY = true;
  private data: string[] = [];
  send(bytes: string): void {
    this.data.push(bytes);
    this.emit("readable");
  }
  read(): string | null {
    return this.data.shift() ?? null;
  }
  setEncoding(): void {}
  setRawMode(): void {}
  resume(): void {}
  pause(): void {}
  ref(): void {}
  unref(): void {}
}

class Paper extends EventEmitter {
  readonly isTTY = true;
  frame = "";
  frames = 0;
  constructor(
    readonly columns: number,
    readonly rows: number,
  ) {
    super();
  }
  write = (data: string, done?: unknown): boolean => {
    if (!/^\u001b\[[?<>=]/.test(data)) {
      this.frame = data;
      this.frames += 1;
    }
    if (typeof done === "function") done();
    return true;
  };
}

export interface TestScreen {
  engine: FakeEngine;
  services: ReturnType<typeof wireServices>["services"];
  router: ReturnType<typeof wireServices>["router"];
  /** The pane's rows without styles, trailing blanks cut. */
  rows: () => string[];
  text: () => string;
  /** The frame as Ink gave it, styles included. */
  raw: () => string;
  frames: () => number;
  /** Keys one after the other, as a terminal sends them; resolves when they are drawn. */
  press: (...keys: string[]) => Promise<void>;
  paste: (text: string) => Promise<void>;
  /** Resolves when everything that is due has been drawn. */
  settle: () => Promise<void>;
  caret: () => CaretPosition | null;
  scrolled: () => number;
  time: { now: number };
  unmount: () => void;
}

export const keys = {
  enter: "\r",
  esc: "\u001b",
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  tab: "\t",
  shiftTab: "\u001b[Z",
  backspace: "\u007f",
  pageDown: "\u001b[6~",
  pageUp: "\u001b[5~",
  shiftEnter: "\u001b[13;2u",
  altEnter: "\u001b\r",
  ctrl: (letter: string): string => String.fromCharCode(letter.charCodeAt(0) & 31),
} as const;

export interface ScreenOptions {
  columns?: number;
  rows?: number;
  state?: Partial<AppState>;
  quietMs?: number;
  services?: Partial<ServicesOptions>;
}

const turns = async (count: number): Promise<void> => {
  for (let at = 0; at < count; at++) await new Promise((resolve) => setImmediate(resolve));
};

/** Renders App at a size with a scripted engine; `open()` has run, the clock stands still unless moved. */
export const renderScreen = async (options: ScreenOptions = {}): Promise<TestScreen> => {
  const { columns = 80, rows = 24, quietMs = 0 } = options;
  const engine = createFakeEngine();
  const time = { now: 1_000_000 };
  const now = (): number => time.now;
  const look = createLook({ env: {}, setting: "dark", level: "none" });
  const theme = look.theme();
  const store = createAppStore({ size: { columns, rows }, session: sessionFor(), ...options.state });
  const source = createSource({ items: () => store.getState().transcript.items, theme: () => theme, now });
  const model = createTranscriptModel(source);
  const view = createTranscriptView({ model, draw: () => undefined, now });
  const viewer = createViewer({
    items: () => store.getState().transcript.items,
    theme: () => theme,
    now,
    draw: () => undefined,
  });
  let caret: CaretPosition | null = null;
  let scrolled = 0;
  const { services, router } = wireServices({
    engine: Promise.resolve(engine),
    now,
    view,
    viewer,
    look,
    quietMs,
    setCursor: (position) => {
      caret = position;
    },
    store,
    ...options.services,
  });
  const scroll = {
    ...view,
    page: (by: 1 | -1) => {
      scrolled += by;
    },
  };
  const keyboard = new Keyboard();
  const paper = new Paper(columns, rows);
  const ink = render(
    <App
      services={services}
      router={router}
      scroll={scroll}
      terminal={{ redraw: () => undefined, stop: () => undefined }}
      theme={theme}
    />,
    {
      stdin: keyboard as unknown as NodeJS.ReadStream,
      stdout: paper as unknown as NodeJS.WriteStream,
      debug: true,
      interactive: true,
      exitOnCtrlC: false,
      patchConsole: false,
      concurrent: true,
      onRender: () => services.caret.report(),
    },
  );
  await services.actions.open();
  const settle = (): Promise<void> => turns(12);
  await settle();
  const plainRows = (): string[] =>
    stripStyles(paper.frame)
      .split("\n")
      .map((row) => row.trimEnd());
  return {
    engine,
    services,
    router,
    rows: plainRows,
    raw: () => paper.frame,
    text: () => plainRows().join("\n"),
    frames: () => paper.frames,
    press: async (...sent) => {
      for (const key of sent) {
        keyboard.send(key);
        // Ink waits 20 ms to tell Esc from a sequence: let it pass.
        if (key === keys.esc) await new Promise((resolve) => setTimeout(resolve, 30));
        await turns(4);
      }
      await settle();
    },
    paste: async (text) => {
      keyboard.send(`\u001b[200~${text}\u001b[201~`);
      await settle();
    },
    settle,
    caret: () => caret,
    scrolled: () => scrolled,
    time,
    unmount: () => ink.unmount(),
  };
};
