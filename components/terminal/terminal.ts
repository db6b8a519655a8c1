// The terminal as the rest of the program sees it: streams for Ink, rows for the transcript, mouse, focus, size.
import { setAmbiguousWide } from "../../src/lib/grapheme-width.js";
import { fdWriter, type RawWrite } from "./byte-pump.js";
import { patchConsole } from "./console-patch.js";
import {
  type CursorPosition,
  createFrameWriter,
  type Size,
  type TranscriptSource,
  type WriterStats,
} from "./frame-writer.js";
import { createInkStdin } from "./ink-stdin.js";
import { createInkStdout } from "./ink-stdout.js";
import { createInputRouter } from "./input-router.js";
import { createScreen, type KeyboardLike, type ProcessLike } from "./screen.js";
import type { MouseEvent } from "./sequences.js";
import { writeAllSync } from "./sync-write.js";

export interface TerminalOptions {
  stdin?: KeyboardLike & NodeJS.EventEmitter;
  stdout?: { fd?: number; columns?: number; rows?: number; _refreshSize?(): void };
  env?: Record<string, string | undefined>;
  /** Takes what console and stderr print while the screen is ours (the debug log). */
  log?: (text: string) => void;
  onSignal?: (signal: NodeJS.Signals) => void;
  onCrash?: (error: unknown) => void;
  /** The terminal draws ambiguous characters (①, ─) in two cells; default from CLAUDE_CODE_AMBIGUOUS_WIDE=1. */
  isAmbiguousWide?: boolean;
  /** Other ways to the outside world, for tests. */
  process?: ProcessLike;
  write?: RawWrite;
  writeSync?: (bytes: string) => void;
}

export interface Terminal {
  /** For Ink's options: `render(node, { stdin: inkStdin, stdout: inkStdout, debug: true, interactive: true, … })`. */
  readonly inkStdin: NodeJS.ReadStream;
  readonly inkStdout: NodeJS.WriteStream;
  /** Takes the terminal; before this nothing is written. */
  enter(): void;
  /** Rows of the transcript, or a function that is asked for `(height, width)` whenever a frame is drawn. */
  setTranscriptRows(source: TranscriptSource): void;
  /** Where the caret is; null hides the cursor. Call from a layout effect. */
  setCursor(position: CursorPosition | null): void;
  /** Draw soon: after the transcript changed (not urgent) or scrolled (urgent). Ink's frames need no call. */
  request(isUrgent?: boolean): void;
  /** Wipes and repaints the screen (Ctrl+L). */
  redraw(): void;
  /** Sends control bytes (title, clipboard, bell) between frames. The caller vouches for them. */
  control(bytes: string): void;
  setMouse(isOn: boolean): void;
  readonly isMouseOn: boolean;
  /** Each returns the function that ends the subscription. */
  onMouse(listener: (event: MouseEvent) => void): () => void;
  onFocus(listener: (isFocused: boolean) => void): () => void;
  onResize(listener: (size: Size) => void): () => void;
  readonly size: Size;
  /** Hands the terminal to another program (an editor) and takes it back. */
  suspend(): void;
  resume(): void;
  /** Ctrl+Z. */
  stop(): void;
  /** Restores the terminal, synchronously and once; safe on every way out. */
  leave(): void;
  /** Resolves when the last frame is out; await it before `leave` on an orderly exit. */
  settle(): Promise<void>;
  /** True while the terminal does not take our bytes: hold back streaming updates. */
  readonly isBlocked: boolean;
  readonly stats: WriterStats;
}

const fallbackSize: Size = { columns: 80, rows: 24 };

/** Reads the size afresh (an ioctl); process.stdout alone would only follow SIGWINCH. */
const readSize = (stdout: NonNullable<TerminalOptions["stdout"]>): Size => {
  stdout._refreshSize?.();
  return { columns: stdout.columns || fallbackSize.columns, rows: stdout.rows || fallbackSize.rows };
};

const subscribers = <Value>() => {
  const listeners = new Set<(value: Value) => void>();
  return {
    emit: (value: Value) => {
      for (const listener of [...listeners]) listener(value);
    },
    add: (listener: (value: Value) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

/** The terminal on stdin and stdout. Call `enter` to take it and `leave` (any way out does) to give it back. */
export const createTerminal = (options: TerminalOptions = {}): Terminal => {
  const stdin = options.stdin ?? process.stdin;
  const stdout = options.stdout ?? (process.stdout as NonNullable<TerminalOptions["stdout"]>);
  const env = options.env ?? process.env;
  const fd = stdout.fd ?? 1;
  setAmbiguousWide(options.isAmbiguousWide ?? env.CLAUDE_CODE_AMBIGUOUS_WIDE === "1");
  const mouse = subscribers<MouseEvent>();
  const focus = subscribers<boolean>();
  const resize = subscribers<Size>();
  const inkStdin = createInkStdin();
  let size = readSize(stdout);

  const sizeChanged = (next: Size) => {
    size = next;
    // The store first, Ink after it: Ink repaints at once with what the store says.
    resize.emit(next);
    inkStdout.emitResize();
  };
  const writer = createFrameWriter({
    write: options.write ?? fdWriter(fd),
    size: () => readSize(stdout),
    onSizeChange: sizeChanged,
  });
  const router = createInputRouter({ onEvent: inkStdin.enqueue, onMouse: mouse.emit, onFocus: focus.emit });
  const onData = (chunk: Buffer | string) => router.push(chunk);
  const screen = createScreen({
    keyboard: stdin,
    process: options.process ?? (process as unknown as ProcessLike),
    mouse: !env.CLAUDE_CODE_DISABLE_MOUSE,
    writeSync: options.writeSync ?? ((bytes) => writeAllSync(fd, bytes)),
    isMidFrame: () => writer.isBlocked,
    patchConsole: () => patchConsole(options.log ?? (() => {})),
    onResize: () => writer.invalidate("clear"),
    onSuspend: () => {
      router.reset();
      stdin.off("data", onData);
      return writer.suspend();
    },
    onResume: () => {
      stdin.on("data", onData);
      writer.resume();
    },
    onSignal: options.onSignal,
    onCrash: options.onCrash,
  });
  const inkStdout = createInkStdout({
    size: () => size,
    onFrame: (rows) => {
      writer.setInkRows(rows);
      if (screen.isActive) writer.request(true);
    },
    onControl: (bytes) => {
      if (screen.isActive) writer.control(screen.modes.filter(bytes));
    },
  });

  return {
    inkStdin: inkStdin.stream,
    inkStdout: inkStdout.stream,
    enter: () => {
      stdin.on("data", onData);
      stdin.on("end", () => screen.hangUp());
      screen.enter();
    },
    setTranscriptRows: writer.setTranscript.bind(writer),
    setCursor: (position) => {
      writer.setCursor(position);
      if (screen.isActive) writer.request(true);
    },
    request: (isUrgent = false) => {
      if (screen.isActive) writer.request(isUrgent);
    },
    redraw: () => {
      if (screen.isActive) writer.invalidate("clear");
    },
    control: (bytes) => {
      if (screen.isActive) writer.control(bytes);
    },
    setMouse: (isOn) => {
      const bytes = screen.modes.setMouse(isOn);
      if (screen.isActive) writer.control(bytes);
    },
    get isMouseOn() {
      return screen.modes.isMouseOn;
    },
    onMouse: mouse.add,
    onFocus: focus.add,
    onResize: resize.add,
    get size() {
      return size;
    },
    suspend: () => screen.suspend(),
    resume: () => screen.resume(),
    stop: () => screen.stop(),
    leave: () => screen.leave(),
    settle: () => writer.settle(),
    get isBlocked() {
      return writer.isBlocked;
    },
    get stats() {
      return writer.stats;
    },
  };
};
