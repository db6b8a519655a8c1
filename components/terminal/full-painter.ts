// The full screen: transcript above, Ink's rows below, absolute addressing, only what changed.
import { blankScreen, diffRows, type ShownRow } from "./frame-diff.js";
import {
  type CursorPosition,
  type Frame,
  hideCursor,
  type Painter,
  type Size,
  showCursor,
  syncEnd,
  syncStart,
} from "./painter.js";

/** The transcript's rows: ready ones, or a function asked when a frame is drawn (it gets the space that is left). */
export type TranscriptSource = readonly string[] | ((height: number, width: number) => readonly string[]);

/** Draws over a finished frame (a selection); `transcriptHeight` rows of it are the transcript. */
export type Overlay = (rows: readonly string[], transcriptHeight: number) => readonly string[];

export interface FullPainter extends Painter {
  /** The transcript fills what Ink leaves, from the top; when too long its last rows are kept. */
  setTranscript(source: TranscriptSource): void;
  setOverlay(overlay: Overlay | null): void;
  /** Rows of the newest frame, without what is drawn over it. */
  readonly rows: readonly string[];
}

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
  return `\u001b[${row};${column}H${showCursor}`;
};

class FullScreenPainter implements FullPainter {
  private transcript: TranscriptSource = [];
  rows: readonly string[] = [];
  private overlay: Overlay | null = null;
  private shown: ShownRow[];
  private shownCursor = "";
  private mustClear = false;

  constructor(size: Size) {
    this.shown = blankScreen(size.rows);
  }

  setTranscript(source: TranscriptSource): void {
    this.transcript = source;
  }

  setOverlay(overlay: Overlay | null): void {
    this.overlay = overlay;
  }

  forget(screen: "clear" | "blank", size: Size): void {
    this.shown = blankScreen(size.rows);
    this.shownCursor = "";
    this.mustClear = screen === "clear";
  }

  suspend(): string {
    return "";
  }

  next({ ink, cursor, size }: Frame): { bytes: string; clears: boolean } {
    const composed = composeFrame(this.transcript, ink, size);
    this.rows = composed;
    const transcriptHeight = Math.max(0, size.rows - ink.length);
    const rows = this.overlay === null ? composed : this.overlay(composed, transcriptHeight);
    const { bytes, shown } = diffRows(this.shown, rows, size, transcriptHeight);
    this.shown = shown;
    const place = cursorBytes(cursor, size);
    const clears = this.mustClear;
    const clear = clears ? "\u001b[0m\u001b[H\u001b[2J" : "";
    this.mustClear = false;
    if (bytes === "" && !clears && place === this.shownCursor) return { bytes: "", clears };
    const hide = this.shownCursor === "" && !clears ? "" : hideCursor;
    this.shownCursor = place;
    return { bytes: `${syncStart}${hide}${clear}${bytes}${place}${syncEnd}`, clears };
  }
}

/** A painter of the full screen, which is blank at first. */
export const createFullPainter = (size: Size): FullPainter => new FullScreenPainter(size);
