// FrameWriter: the one owner of the screen. Stacks the transcript's rows on Ink's rows, compares with what is shown when
// a frame is *sent*, and sends it as one asynchronous write; while one is on its way only the newest state counts.
import { type BytePump, createBytePump, type RawWrite } from "./byte-pump.js";
import { blankScreen, diffRows, type ShownRow } from "./frame-diff.js";

export interface Size {
  columns: number;
  rows: number;
}

/** Where the hardware cursor goes: rows counted upwards from the screen's last row (0), columns from the left (0). */
export interface CursorPosition {
  rowFromBottom: number;
  column: number;
}

/** The transcript's rows: ready ones, or a function asked when a frame is drawn (it gets the space that is left). */
export type TranscriptSource = readonly string[] | ((height: number, width: number) => readonly string[]);

export interface WriterStats {
  frames: number;
  bytes: number;
  clears: number;
}

export interface FrameWriter {
  /** The transcript fills what Ink leaves, from the top; when too long its last rows are kept. */
  setTranscript(source: TranscriptSource): void;
  /** Ink's rows (status, prompt, dialogs) stand at the bottom; when taller than the screen the last ones are kept. */
  setInkRows(rows: readonly string[]): void;
  setCursor(position: CursorPosition | null): void;
  /** Draw soon: urgent (echo of a key) 8 ms after the last frame at the earliest, else (streaming) 16 ms. */
  request(isUrgent: boolean): void;
  /** Control bytes that must reach the terminal (modes, title, clipboard), in front of the next frame. */
  control(bytes: string): void;
  /** Forget what is shown: the next frame repaints all. "clear" wipes the screen first, "blank" knows it is empty. */
  invalidate(screen: "clear" | "blank"): void;
  /**
   * No more frames until `resume`, which repaints on a blank screen. Returns control bytes that were not sent yet:
   * whoever writes next must send them first.
   */
  suspend(): string;
  resume(): void;
  /** Resolves when nothing is on its way and nothing waits. */
  settle(): Promise<void>;
  readonly isBlocked: boolean;
  readonly isDead: boolean;
  readonly stats: WriterStats;
}

export interface FrameWriterOptions {
  write: RawWrite;
  /** The size now; asked before each frame, so that a lost resize signal heals itself. */
  size: () => Size;
  /** Called when `size` answered something new, before the frame is drawn. */
  onSizeChange?: (size: Size) => void;
  now?: () => number;
}

const urgentGapMs = 8; // with 8 ms echo while streaming is as fast as idle
const largeGapMs = 66; // after a large streaming frame: nobody can read faster than that
const largeBytes = 1000;
const streamGapMs = 16; // the store flushes deltas at most every 33 ms; a longer gap here would add to that lag

/** The rows of one frame: transcript on top, Ink's rows at the bottom, exactly as many as the screen has. */
export const composeFrame = (transcript: TranscriptSource, ink: readonly string[], size: Size): string[] => {
  const bottom = ink.slice(-size.rows);
  const height = size.rows - bottom.length;
  const rows = height === 0 ? [] : typeof transcript === "function" ? transcript(height, size.columns) : transcript;
  const top = rows.length > height ? rows.slice(rows.length - height) : [...rows];
  while (top.length < height) top.push("");
  return [...top, ...bottom];
};

const cursorBytes = (cursor: CursorPosition | null, size: Size): string => {
  if (cursor === null) return "";
  const row = Math.max(1, size.rows - cursor.rowFromBottom);
  const column = Math.min(size.columns, cursor.column + 1);
  return `\u001b[${row};${column}H\u001b[?25h`;
};

class Writer implements FrameWriter {
  readonly stats: WriterStats = { frames: 0, bytes: 0, clears: 0 };
  private readonly pump: BytePump;
  private readonly now: () => number;
  private transcript: TranscriptSource = [];
  private ink: readonly string[] = [];
  private cursor: CursorPosition | null = null;
  private shown: ShownRow[];
  private shownSize: Size;
  private shownCursor = "";
  private pendingControl = "";
  private mustClear = false;
  private isWanted = false;
  private isUrgent = false;
  private isSuspended = false;
  private isScheduled = false;
  private timer: { handle: NodeJS.Timeout; due: number } | null = null;
  private streamGap = streamGapMs;
  private lastFrameAt = Number.NEGATIVE_INFINITY;
  private waiting: (() => void)[] = [];

  constructor(private readonly options: FrameWriterOptions) {
    this.now = options.now ?? (() => performance.now());
    this.pump = createBytePump(options.write, () => this.afterWrite());
    this.shownSize = options.size();
    this.shown = blankScreen(this.shownSize.rows);
  }

  get isBlocked(): boolean {
    return this.pump.isBusy;
  }

  get isDead(): boolean {
    return this.pump.isDead;
  }

  setTranscript(source: TranscriptSource): void {
    this.transcript = source;
  }

  setInkRows(rows: readonly string[]): void {
    this.ink = rows;
  }

  setCursor(position: CursorPosition | null): void {
    this.cursor = position;
  }

  request(isUrgent: boolean): void {
    this.isWanted = true;
    this.isUrgent ||= isUrgent;
    if (this.isSuspended || this.pump.isBusy || this.pump.isDead || this.isScheduled) return;
    const due = this.lastFrameAt + (this.isUrgent ? urgentGapMs : this.streamGap);
    const waitMs = due - this.now();
    if (waitMs <= 0) {
      this.clearTimer();
      this.isScheduled = true;
      // A microtask later: the layout effects of this commit have then set the cursor. After a resize a little more, so
      // that the bottom rows are laid out for the new size already.
      const paint = () => {
        this.isScheduled = false;
        this.paint();
      };
      if (this.mustClear) setImmediate(paint);
      else queueMicrotask(paint);
    } else if (this.timer === null || this.timer.due > due) {
      this.clearTimer();
      const handle = setTimeout(() => {
        this.timer = null;
        this.paint();
      }, Math.ceil(waitMs));
      this.timer = { handle, due };
    }
  }

  control(bytes: string): void {
    this.pendingControl += bytes;
    this.request(true);
  }

  invalidate(screen: "clear" | "blank"): void {
    this.shown = blankScreen(this.shownSize.rows);
    this.shownCursor = "";
    this.mustClear = screen === "clear";
    this.request(true);
  }

  suspend(): string {
    const unsent = this.pendingControl;
    this.pendingControl = "";
    this.isSuspended = true;
    this.clearTimer();
    this.pump.abandon();
    return unsent;
  }

  resume(): void {
    if (!this.isSuspended) return;
    this.isSuspended = false;
    this.invalidate("blank");
  }

  settle(): Promise<void> {
    const isIdle = () => this.pump.isDead || (!this.pump.isBusy && (!this.isWanted || this.isSuspended));
    if (isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private clearTimer(): void {
    if (this.timer) clearTimeout(this.timer.handle);
    this.timer = null;
  }

  private afterWrite(): void {
    if (this.isWanted && !this.pump.isDead && !this.isSuspended) this.request(this.isUrgent);
    else this.releaseWaiting();
  }

  private releaseWaiting(): void {
    for (const release of this.waiting.splice(0)) release();
  }

  private paint(): void {
    if (this.isSuspended || this.pump.isBusy || this.pump.isDead) return;
    const size = this.options.size();
    if (size.columns !== this.shownSize.columns || size.rows !== this.shownSize.rows) {
      this.shownSize = size;
      this.isScheduled = true;
      this.options.onSizeChange?.(size);
      this.isScheduled = false;
      this.invalidate("clear");
      return;
    }
    const wasUrgent = this.isUrgent;
    this.isWanted = false;
    this.isUrgent = false;
    const bytes = this.nextFrame(size);
    if (bytes === "") {
      this.releaseWaiting();
      return;
    }
    this.lastFrameAt = this.now();
    this.streamGap = !wasUrgent && bytes.length > largeBytes ? largeGapMs : streamGapMs;
    this.stats.bytes += bytes.length;
    this.pump.send(bytes);
  }

  /** The bytes of the next frame, or "" when the screen is right already. */
  private nextFrame(size: Size): string {
    const control = this.pendingControl;
    this.pendingControl = "";
    const rows = composeFrame(this.transcript, this.ink, size);
    const transcriptHeight = Math.max(0, size.rows - this.ink.length);
    const { bytes, shown } = diffRows(this.shown, rows, size, transcriptHeight);
    this.shown = shown;
    const cursor = cursorBytes(this.cursor, size);
    const clear = this.mustClear ? "\u001b[0m\u001b[H\u001b[2J" : "";
    this.mustClear = false;
    if (bytes === "" && clear === "" && cursor === this.shownCursor) return control;
    const hide = this.shownCursor === "" && !clear ? "" : "\u001b[?25l";
    this.shownCursor = cursor;
    this.stats.frames++;
    if (clear !== "") this.stats.clears++;
    return `${control}\u001b[?2026h${hide}${clear}${bytes}${cursor}\u001b[?2026l`;
  }
}

/** A writer for one terminal. Nothing is written before the first `request`. */
export const createFrameWriter = (options: FrameWriterOptions): FrameWriter => new Writer(options);
