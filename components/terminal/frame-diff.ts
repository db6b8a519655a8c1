// What to send so that a screen showing one list of rows shows another: absolute addressing, only changed rows,
// and of a changed row only what follows the part it shares with the old one.
import { escapeSequence, StyleState } from "../../src/lib/sgr.js";
import { cutToWidth, textWidth } from "../../src/lib/text-width.js";

/** A row as it is on the screen. */
export interface ShownRow {
  text: string;
  width: number;
}

/** A blank screen, as it is right after entering the alternate screen or clearing. */
export const blankScreen = (rows: number): ShownRow[] => Array.from({ length: rows }, () => ({ text: "", width: 0 }));

/**
 * Index up to which two rows are the same, set back to a place where a terminal can be picked up again: before it only
 * ASCII (one cell a character), no style is open there, and the next character cannot join the last one. Also the
 * number of cells before it.
 */
const sharedStart = (old: string, next: string): { index: number; cells: number } => {
  const limit = Math.min(old.length, next.length);
  const style = new StyleState();
  let best = { index: 0, cells: 0 };
  let cells = 0;
  let index = 0;
  while (index < limit) {
    const code = next.charCodeAt(index);
    if (code !== old.charCodeAt(index)) break;
    if (code === 0x1b) {
      escapeSequence.lastIndex = index;
      const sequence = escapeSequence.exec(next)?.[0];
      if (sequence === undefined || !old.startsWith(sequence, index)) break;
      style.apply(sequence);
      index += sequence.length;
      continue;
    }
    if (code > 0x7e || code < 0x20) break;
    // Behind this character the next one may still be a combining mark: only its start is a safe place.
    if (style.isClean) best = { index, cells };
    cells++;
    index++;
  }
  return best;
};

/**
 * Bytes that turn the row `y` (1-based) from `old` into `next`. Never erases before it writes; erases to the right only
 * where old cells would stay, and never after a full row (the cursor then waits on the last cell).
 */
const rowUpdate = (y: number, old: ShownRow, next: ShownRow, columns: number): string => {
  const start = sharedStart(old.text, next.text);
  const from = start.cells >= 8 ? start : { index: 0, cells: 0 };
  const rest = next.text.slice(from.index);
  const position = from.cells === 0 ? `\u001b[${y}H` : `\u001b[${y};${from.cells + 1}H`;
  const reset = rest.includes("\u001b") && !rest.endsWith("\u001b[0m") ? "\u001b[0m" : "";
  const erase = next.width < old.width && next.width < columns ? "\u001b[K" : "";
  return position + rest + reset + erase;
};

/** `text` as a row that fits the screen. */
export const toShownRow = (text: string, columns: number): ShownRow => {
  const width = textWidth(text);
  if (width <= columns) return { text, width };
  const cut = cutToWidth(text, columns, "");
  return { text: cut, width: textWidth(cut) };
};

/** Scrolling must spare at least this many rows, else writing them is as short. */
const minSpared = 3;

/** How many of the first `height` rows already stand right if the screen's content moves up by `shift` rows. */
const matchesAt = (shown: readonly ShownRow[], next: readonly string[], height: number, shift: number): number => {
  let count = 0;
  for (let y = Math.max(0, -shift); y < height && y + shift < height; y++) {
    const text = next[y] ?? "";
    if (text !== "" && text === shown[y + shift]?.text) count++;
  }
  return count;
};

/** By how many rows the first `height` rows moved up (negative: down); 0 when moving them would not pay. */
const findShift = (shown: readonly ShownRow[], next: readonly string[], height: number): number => {
  const inPlace = matchesAt(shown, next, height, 0);
  let best = 0;
  let bestMatches = inPlace + minSpared - 1;
  for (let distance = 1; distance < height; distance++)
    for (const shift of [distance, -distance]) {
      const matches = matchesAt(shown, next, height, shift);
      if (matches <= bestMatches) continue;
      best = shift;
      bestMatches = matches;
    }
  return best;
};

/** Moves the content of the first `height` rows with the terminal's scroll region; the cursor's place is lost. */
const scroll = (shown: readonly ShownRow[], height: number, shift: number): { bytes: string; shown: ShownRow[] } => {
  const moved = shown.map((row, y) => (y < height ? (shown[y + shift] ?? { text: "", width: 0 }) : row));
  for (let y = 0; y < height; y++) if (y + shift < 0 || y + shift >= height) moved[y] = { text: "", width: 0 };
  // Line feeds at the region's last row and reverse ones at its first work where SU and SD do not (Linux console).
  const command = shift > 0 ? `\u001b[${height}H${"\n".repeat(shift)}` : `\u001b[H${"\u001bM".repeat(-shift)}`;
  return { bytes: `\u001b[1;${height}r${command}\u001b[r`, shown: moved };
};

/**
 * Compares the screen with the rows it should show. Returns the bytes for the changed rows ("" if none) and the screen
 * afterwards. Rows beyond `next` are blank. The first `scrollHeight` rows may be moved as a whole.
 */
export const diffRows = (
  before: readonly ShownRow[],
  next: readonly string[],
  size: { columns: number; rows: number },
  scrollHeight = 0,
): { bytes: string; shown: ShownRow[] } => {
  let bytes = "";
  let shown = before;
  const shift = scrollHeight > minSpared ? findShift(before, next, scrollHeight) : 0;
  if (shift !== 0) ({ bytes, shown } = scroll(before, scrollHeight, shift));
  const after: ShownRow[] = [];
  for (let y = 0; y < size.rows; y++) {
    const old = shown[y] ?? { text: "", width: 0 };
    const text = next[y] ?? "";
    if (text === old.text) {
      after.push(old);
      continue;
    }
    const row = toShownRow(text, size.columns);
    if (row.text !== old.text) bytes += rowUpdate(y + 1, old, row, size.columns);
    after.push(row.text === old.text ? old : row);
  }
  return { bytes, shown: after };
};
