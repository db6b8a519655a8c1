// Lines in the terminal's own scrollback: what is finished is printed once and scrolls away as any output does; below
// it a few live rows (the answer that grows, the prompt) are drawn again in place. No alternate screen, no clears.
import { toShownRow } from "./frame-diff.js";
import { type Frame, hideCursor, type Painter, type Size, showCursor, syncEnd, syncStart } from "./painter.js";

/** Where the printed rows come from. */
export interface PrintSource {
  /** Rows that will not change any more, each given once. */
  take(width: number): string[];
  /** The last rows of what still changes. */
  tail(height: number, width: number): string[];
}

/** Rows that always stay to what was printed: the live part is never the whole screen. */
const spareRows = 1;
/** The growing answer leaves this much of the screen to prompt and status. */
const paneRows = 7;

const up = (rows: number): string => (rows > 0 ? `\u001b[${rows}A` : "");

class InlinePainter implements Painter {
  /** Live rows on the screen, from the top; the cursor stands in row `cursorRow` of them. */
  private shown: { text: string; width: number }[] = [];
  private cursorRow = 0;
  private cursorKey = "";
  private columns = 0;
  private mustErase = false;

  constructor(private readonly source: PrintSource) {}

  forget(screen: "clear" | "blank", size: Size): void {
    if (screen === "clear") this.mustErase = true;
    else {
      this.shown = [];
      this.cursorRow = 0;
      this.columns = size.columns;
    }
    this.cursorKey = "";
  }

  suspend(): string {
    const bytes = this.erase(this.columns);
    return bytes === "" ? "" : bytes + showCursor;
  }

  next({ ink, cursor, size }: Frame): { bytes: string; clears: boolean } {
    const finished = this.source.take(size.columns);
    const pane = ink.slice(-Math.max(1, size.rows - spareRows));
    const room = Math.max(0, Math.min(size.rows - paneRows, size.rows - spareRows - pane.length));
    const tail = room === 0 ? [] : this.source.tail(room, size.columns);
    const live = [...tail, ...pane].map((row) => toShownRow(row, size.columns));
    const key = cursor === null ? "none" : `${cursor.rowFromBottom}:${cursor.column}`;
    const isSame = finished.length === 0 && live.length === this.shown.length && !this.mustErase;
    if (isSame && key === this.cursorKey && live.every(({ text }, at) => text === this.shown[at]?.text))
      return { bytes: "", clears: false };
    const body = isSame ? this.changedRows(live, size) : this.allRows(finished, live, size);
    const last = Math.max(0, live.length - 1);
    const row = cursor === null ? last : Math.max(0, last - cursor.rowFromBottom);
    const place = cursor === null ? "" : `\u001b[${Math.min(size.columns, cursor.column + 1)}G${showCursor}`;
    this.shown = live;
    this.cursorRow = row;
    this.cursorKey = key;
    this.columns = size.columns;
    // Autowrap is off only while rows are written: what others print must wrap.
    return {
      bytes: `${syncStart}${hideCursor}\u001b[?7l${body}\u001b[?7h${up(last - row)}${place}${syncEnd}`,
      clears: false,
    };
  }

  /** From the live part's first row down to its last: only rows that differ are written. The cursor ends in the last. */
  private changedRows(live: readonly { text: string; width: number }[], size: Size): string {
    let bytes = `\r${up(this.cursorRow)}`;
    for (const [at, row] of live.entries()) {
      if (at > 0) bytes += "\r\n";
      const old = this.shown[at];
      if (row.text !== old?.text) bytes += row.text + (row.width < size.columns ? "\u001b[0m\u001b[K" : "\u001b[0m");
    }
    return bytes;
  }

  private allRows(finished: readonly string[], live: readonly { text: string; width: number }[], size: Size): string {
    const start = this.mustErase ? this.erase(size.columns) : `\r${up(this.cursorRow)}`;
    const left = this.mustErase ? 0 : this.shown.length - finished.length - live.length;
    this.mustErase = false;
    const rows = [...finished.map((row) => toShownRow(row, size.columns)), ...live];
    const drawn = rows.map(({ text, width }) => `${text}\u001b[0m${width < size.columns ? "\u001b[K" : ""}`);
    // Rows that were longer before: the rest of the old live part is blanked below.
    const below = left > 0 ? `${"\r\n\u001b[K".repeat(left)}${up(left)}` : "";
    return start + drawn.join("\r\n") + below;
  }

  /** Back to the live part's first row, everything from there on erased. A narrower terminal has wrapped our rows. */
  private erase(columns: number): string {
    if (this.shown.length === 0) return "";
    const wrapped = (width: number): number => Math.max(1, Math.ceil(width / Math.max(1, columns)));
    const above = this.shown.slice(0, this.cursorRow).reduce((sum, row) => sum + wrapped(row.width), 0);
    this.shown = [];
    this.cursorRow = 0;
    return `\r${up(above)}\u001b[0m\u001b[J`;
  }
}

/** A painter of lines; the cursor must be at the start of a row when its first frame is drawn. */
export const createInlinePainter = (source: PrintSource): Painter => new InlinePainter(source);
