// Layout: how an editor's cells lie on rows of a given width, and where the caret stands on them.
import { textWidth } from "../../src/lib/text-width.js";
import { type Cell, type Cells, drawnCell } from "./cells.js";

/** One visual row: cells `[start, end)`. `isSoft`: the row goes on in the next one without a line end between. */
export interface VisualRow {
  start: number;
  end: number;
  isSoft: boolean;
}

const cellWidth = (cell: Cell): number =>
  typeof cell === "string" && cell.length === 1 && cell >= " " && cell <= "~" ? 1 : textWidth(drawnCell(cell));

/**
 * Breaks cells into rows of at most `width` cells, after a space where one is near. Always at least one row; the
 * caret behind the last cell of a full row fits because one column is kept free for it.
 */
export const layoutRows = (cells: Cells, width: number): VisualRow[] => {
  const limit = Math.max(1, width - 1);
  const rows: VisualRow[] = [];
  let start = 0;
  let used = 0;
  let breakAt = -1;
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at]!;
    if (cell === "\n") {
      rows.push({ start, end: at, isSoft: false });
      start = at + 1;
      used = 0;
      breakAt = -1;
      continue;
    }
    const cellColumns = cellWidth(cell);
    // Twice where what moved to the new row leaves no room for a wide cell.
    while (used + cellColumns > limit && at > start) {
      const end = breakAt > start ? breakAt : at;
      rows.push({ start, end, isSoft: true });
      start = end;
      used = 0;
      for (let moved = start; moved < at; moved++) used += cellWidth(cells[moved]!);
      breakAt = -1;
    }
    used += cellColumns;
    if (cell === " ") breakAt = at + 1;
  }
  rows.push({ start, end: cells.length, isSoft: false });
  return rows;
};

/** The row a caret stands on: at a soft break it belongs to the row that follows. */
export const rowOfCaret = (rows: readonly VisualRow[], caret: number): number => {
  for (let at = rows.length - 1; at > 0; at--) if (rows[at]!.start <= caret) return at;
  return 0;
};

/** The caret's column on its row, in cells of the terminal. */
export const columnOfCaret = (cells: Cells, row: VisualRow, caret: number): number => {
  let column = 0;
  for (let at = row.start; at < caret; at++) column += cellWidth(cells[at]!);
  return column;
};

/** The caret position on a row that is nearest to a column, never past it into the middle of a cell. */
export const caretAtColumn = (cells: Cells, row: VisualRow, column: number): number => {
  let used = 0;
  const last = row.isSoft ? row.end - 1 : row.end;
  for (let at = row.start; at < last; at++) {
    const width = cellWidth(cells[at]!);
    if (used + width > column) return at;
    used += width;
  }
  return Math.max(row.start, last);
};

/** What stands on a row, as text for the terminal. */
export const drawRow = (cells: Cells, row: Pick<VisualRow, "start" | "end">): string =>
  cells.slice(row.start, row.end).map(drawnCell).join("");
