// What a frame is, and the one who knows how to bring it to the terminal: the full screen or lines in the scrollback.

export interface Size {
  columns: number;
  rows: number;
}

/** Where the hardware cursor goes: rows counted upwards from the frame's last row (0), columns from the left (0). */
export interface CursorPosition {
  rowFromBottom: number;
  column: number;
}

export interface Frame {
  /** Ink's rows: status, prompt, dialogs. */
  ink: readonly string[];
  cursor: CursorPosition | null;
  size: Size;
}

export interface Painter {
  /** Bytes that show the frame, "" when the terminal shows it already, and whether they wipe the screen. */
  next(frame: Frame): { bytes: string; clears: boolean };
  /** Forgets what is shown: "clear" wipes it first, "blank" knows that nothing is there. */
  forget(screen: "clear" | "blank", size: Size): void;
  /** Bytes to send before the terminal belongs to someone else. */
  suspend(): string;
}

/** Marks around a frame: shown at once by terminals that can. */
export const syncStart = "\u001b[?2026h";
export const syncEnd = "\u001b[?2026l";
export const hideCursor = "\u001b[?25l";
export const showCursor = "\u001b[?25h";
