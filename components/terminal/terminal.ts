// The terminal as the rest of the program sees it: streams for Ink, rows for the transcript, mouse, focus, size.
import { setAmbiguousWide } from "../../src/lib/grapheme-width.js";
import { fdWriter, type RawWrite } from "./byte-pump.js";
import { patchConsole } from "./console-patch.js";
import {
  type CursorPosition,
  createFrameWriter,
  type FrameWriter,
  type Size,
  type WriterStats,
} from "./frame-writer.js";
import { createFullPainter, type FullPainter, type Overlay, type TranscriptSource } from "./full-painter.js";
import { createInkStdin } from "./ink-stdin.js";
import { createInkStdout, type InkStdoutProxy } from "./ink-stdout.js";
import type { InlaySource } from "./inlay.js";
import { createInlinePainter, type PrintSource } from "./inline-painter.js";
import { createInputRouter, type InputRouter } from "./input-router.js";
import type { ScreenLayout } from "./modes.js";
import type { Painter } from "./painter.js";
import { createScreen, type KeyboardLike, type ProcessLike, type Screen } from "./screen.js";
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
  /** Default: the full screen. */
  layout?: ScreenLayout;
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
  /** What stands in the place of the inlay's marks in Ink's rows. */
  setInlay(source: InlaySource): void;
  /** What is printed while the layout is "inline". */
  setPrintSource(source: PrintSource): void;
  /** Draws over the frames of the full screen. */
  setOverlay(overlay: Overlay | null): void;
  /** Rows of the full screen as they are now. */
  shownRows(): readonly string[];
  /** Between the full screen and the terminal's own scrollback. */
  setLayout(layout: ScreenLayout): void;
  readonly layout: ScreenLayout;
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
  /** Answers of the terminal to queries sent with `control`. */
  onReply(listener: (reply: string) => void): () => void;
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

class TtyTerminal implements Terminal {
  readonly inkStdin: NodeJS.ReadStream;
  readonly inkStdout: NodeJS.WriteStream;
  size: Size;
  private readonly mouse = subscribers<MouseEvent>();
  private readonly focus = subscribers<boolean>();
  private readonly resized = subscribers<Size>();
  private readonly replied = subscribers<string>();
  private readonly stdin: NonNullable<TerminalOptions["stdin"]>;
  private readonly router: InputRouter;
  private readonly inkOut: InkStdoutProxy;
  private readonly writer: FrameWriter;
  private readonly full: FullPainter;
  private readonly inline: Painter;
  private printSource: PrintSource = { take: () => [], tail: () => [] };
  private readonly screen: Screen;

  constructor(options: TerminalOptions) {
    this.stdin = options.stdin ?? process.stdin;
    const stdout = options.stdout ?? (process.stdout as NonNullable<TerminalOptions["stdout"]>);
    const fd = stdout.fd ?? 1;
    this.size = readSize(stdout);
    const inkIn = createInkStdin();
    this.inkStdin = inkIn.stream;
    this.inkOut = createInkStdout({
      size: () => this.size,
      onFrame: (rows) => this.takeFrame(rows),
      onControl: (bytes) => this.control(this.screen.modes.filter(bytes)),
    });
    this.inkStdout = this.inkOut.stream;
    this.full = createFullPainter(this.size);
    const print: PrintSource = {
      take: (width) => this.printSource.take(width),
      tail: (height, width) => this.printSource.tail(height, width),
    };
    this.inline = createInlinePainter(print);
    this.writer = createFrameWriter({
      painter: options.layout === "inline" ? this.inline : this.full,
      write: options.write ?? fdWriter(fd),
      size: () => readSize(stdout),
      onSizeChange: (size) => this.takeSize(size),
    });
    this.router = createInputRouter({
      onEvent: inkIn.enqueue,
      onMouse: this.mouse.emit,
      onFocus: this.focus.emit,
      onReply: this.replied.emit,
    });
    this.screen = this.createScreen(options, fd);
  }

  get isMouseOn(): boolean {
    return this.screen.modes.isMouseOn;
  }

  get isBlocked(): boolean {
    return this.writer.isBlocked;
  }

  get stats(): WriterStats {
    return this.writer.stats;
  }

  enter(): void {
    this.listen(true);
    this.stdin.on("end", () => this.screen.hangUp());
    this.screen.enter();
  }

  setTranscriptRows(source: TranscriptSource): void {
    this.full.setTranscript(source);
  }

  setInlay(source: InlaySource): void {
    this.writer.setInlay(source);
  }

  setPrintSource(source: PrintSource): void {
    this.printSource = source;
  }

  setOverlay(overlay: Overlay | null): void {
    this.full.setOverlay(overlay);
    this.request(true);
  }

  shownRows(): readonly string[] {
    return this.full.rows;
  }

  setLayout(layout: ScreenLayout): void {
    this.screen.setLayout(layout);
  }

  get layout(): ScreenLayout {
    return this.screen.modes.layout;
  }

  setCursor(position: CursorPosition | null): void {
    this.writer.setCursor(position);
    this.request(true);
  }

  request(isUrgent = false): void {
    if (this.screen.isActive) this.writer.request(isUrgent);
  }

  redraw(): void {
    if (this.screen.isActive) this.writer.invalidate("clear");
  }

  control(bytes: string): void {
    if (this.screen.isActive && bytes !== "") this.writer.control(bytes);
  }

  setMouse(isOn: boolean): void {
    this.control(this.screen.modes.setMouse(isOn));
  }

  onMouse(listener: (event: MouseEvent) => void): () => void {
    return this.mouse.add(listener);
  }

  onFocus(listener: (isFocused: boolean) => void): () => void {
    return this.focus.add(listener);
  }

  onResize(listener: (size: Size) => void): () => void {
    return this.resized.add(listener);
  }

  onReply(listener: (reply: string) => void): () => void {
    return this.replied.add(listener);
  }

  suspend(): void {
    this.screen.suspend();
  }

  resume(): void {
    this.screen.resume();
  }

  stop(): void {
    this.screen.stop();
  }

  leave(): void {
    this.screen.leave();
  }

  settle(): Promise<void> {
    return this.writer.settle();
  }

  private readonly onData = (chunk: Buffer | string): void => this.router.push(chunk);

  private listen(isOn: boolean): void {
    if (isOn) this.stdin.on("data", this.onData);
    else this.stdin.off("data", this.onData);
  }

  private takeFrame(rows: string[]): void {
    this.writer.setInkRows(rows);
    this.request(true);
  }

  /** The store first, Ink after it: Ink lays out at once with what the store says. */
  private takeSize(size: Size): void {
    this.size = size;
    this.resized.emit(size);
    this.inkOut.emitResize();
  }

  private createScreen(options: TerminalOptions, fd: number): Screen {
    const env = options.env ?? process.env;
    setAmbiguousWide(options.isAmbiguousWide ?? env.CLAUDE_CODE_AMBIGUOUS_WIDE === "1");
    return createScreen({
      keyboard: this.stdin,
      process: options.process ?? (process as unknown as ProcessLike),
      mouse: !env.CLAUDE_CODE_DISABLE_MOUSE,
      layout: options.layout ?? "fullscreen",
      writeSync: options.writeSync ?? ((bytes) => writeAllSync(fd, bytes)),
      isMidFrame: () => this.writer.isBlocked,
      patchConsole: () => patchConsole(options.log ?? (() => {})),
      onResize: () => this.writer.invalidate("clear"),
      onSuspend: () => {
        this.router.reset();
        this.listen(false);
        return this.writer.suspend();
      },
      onResume: () => {
        this.listen(true);
        this.writer.setPainter(this.layout === "inline" ? this.inline : this.full);
        this.writer.resume();
      },
      onSignal: options.onSignal,
      onCrash: options.onCrash,
    });
  }
}

/** The terminal on stdin and stdout. Call `enter` to take it and `leave` (any way out does) to give it back. */
export const createTerminal = (options: TerminalOptions = {}): Terminal => new TtyTerminal(options);
