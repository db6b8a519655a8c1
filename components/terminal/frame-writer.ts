// FrameWriter: the one owner of the screen. Decides when a frame is sent; its painter knows what to send. A frame is
// made when it is *sent*, as one asynchronous write; while one is on its way only the newest state counts.
import { type BytePump, createBytePump, type RawWrite } from "./byte-pump.js";
import { fillInlay, type InlaySource } from "./inlay.js";
import type { CursorPosition, Painter, Size } from "./painter.js";

export type { CursorPosition, Size } from "./painter.js";

export interface WriterStats {
  frames: number;
  bytes: number;
  clears: number;
}

export interface FrameWriter {
  /** Another way to use the terminal, from the next frame on; call while suspended. */
  setPainter(painter: Painter): void;
  /** Ink's rows (status, prompt, dialogs) stand at the bottom; when taller than the screen the last ones are kept. */
  setInkRows(rows: readonly string[]): void;
  /** What stands in the place of the marks in Ink's rows; asked whenever a frame is made. */
  setInlay(source: InlaySource): void;
  setCursor(position: CursorPosition | null): void;
  /** Draw soon: urgent (echo of a key) 4 ms after the last frame at the earliest, else (streaming) 16 ms. */
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
  painter: Painter;
  /** Called when `size` answered something new, before the frame is drawn. */
  onSizeChange?: (size: Size) => void;
  now?: () => number;
}

const urgentGapMs = 4; // a key that comes right after a frame waits no longer: echo while streaming is as fast as idle
const largeGapMs = 66; // after a large streaming frame: nobody can read faster than that
const largeBytes = 1000;
const streamGapMs = 16; // the store flushes deltas at most every 20 ms; a longer gap here would add to that lag

class Writer implements FrameWriter {
  readonly stats: WriterStats = { frames: 0, bytes: 0, clears: 0 };
  private readonly pump: BytePump;
  private readonly now: () => number;
  private painter: Painter;
  private ink: readonly string[] = [];
  private inlay: InlaySource = () => [];
  private cursor: CursorPosition | null = null;
  private shownSize: Size;
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
    this.painter = options.painter;
  }

  get isBlocked(): boolean {
    return this.pump.isBusy;
  }

  get isDead(): boolean {
    return this.pump.isDead;
  }

  setPainter(painter: Painter): void {
    this.painter = painter;
  }

  setInkRows(rows: readonly string[]): void {
    this.ink = rows;
  }

  setInlay(source: InlaySource): void {
    this.inlay = source;
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
    this.painter.forget(screen, this.shownSize);
    this.mustClear = screen === "clear";
    this.request(true);
  }

  suspend(): string {
    const unsent = this.pendingControl + (this.isSuspended ? "" : this.painter.suspend());
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
    this.mustClear = false;
    const ink = fillInlay(this.ink, this.inlay);
    const { bytes, clears } = this.painter.next({ ink, cursor: this.cursor, size });
    if (bytes === "") return control;
    this.stats.frames++;
    if (clears) this.stats.clears++;
    return control + bytes;
  }
}

/** A writer for one terminal. Nothing is written before the first `request`. */
export const createFrameWriter = (options: FrameWriterOptions): FrameWriter => new Writer(options);
