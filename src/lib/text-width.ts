// The one width function, and everything that cuts text by cells: graphemes, wrapping, cutting, padding.
// Styled text (SGR, OSC 8) may go in everywhere; every row that comes out opens and closes its own styles.
import { clusterWidth, segment, simpleWidth } from "./grapheme-width.js";
import { escapeSequence, StyleState } from "./sgr.js";

const printableAscii = /^[ -~]*$/;
const anyEscape = new RegExp(escapeSequence.source, "g");

/** The text without its escape sequences. */
export const stripStyles = (text: string): string => (text.includes("\u001b") ? text.replace(anyEscape, "") : text);

const segmentedWidth = (text: string): number => {
  let width = 0;
  for (const cluster of segment(text)) width += clusterWidth(cluster);
  return width;
};

/**
 * Cells a terminal needs for `text`. SGR and other escape sequences count nothing unless `countAnsiEscapeCodes`
 * (an option of string-width, whose place this function takes in the bundle) is set. Control characters and tabs count 0.
 */
export const textWidth = (text: string, options: { countAnsiEscapeCodes?: boolean } = {}): number => {
  if (printableAscii.test(text)) return text.length;
  const plain = options.countAnsiEscapeCodes ? text : stripStyles(text);
  let width = 0;
  // Two simple code points in a row are always two clusters; what lies between such pairs (an "island") is left to the
  // segmenter, together with the simple neighbours it may join.
  let islandStart = -1;
  let previous = -1;
  for (let index = 0; index < plain.length; index++) {
    const cells = simpleWidth(plain.charCodeAt(index));
    if (islandStart < 0) {
      if (cells >= 0) width += cells;
      else if (previous >= 0) {
        islandStart = index - 1;
        width -= previous;
      } else islandStart = index;
    } else if (cells >= 0 && previous >= 0) {
      width += segmentedWidth(plain.slice(islandStart, index)) + cells;
      islandStart = -1;
    }
    previous = cells;
  }
  return islandStart >= 0 ? width + segmentedWidth(plain.slice(islandStart)) : width;
};

/** The text as grapheme clusters: what a person calls characters. Escape sequences are not treated specially. */
export const graphemes = (text: string): string[] => (printableAscii.test(text) ? [...text] : segment(text));

/** A piece of styled text: a cluster with its width, or an escape sequence (`width` -1). */
interface Piece {
  text: string;
  width: number;
}

/** Splits styled text into clusters and escape sequences; never reads past what the consumer asks for, line by line. */
function* pieces(text: string): Generator<Piece> {
  let index = 0;
  while (index < text.length) {
    if (text.charCodeAt(index) === 0x1b) {
      escapeSequence.lastIndex = index;
      const sequence = escapeSequence.exec(text)?.[0] ?? "\u001b";
      yield { text: sequence, width: -1 };
      index += sequence.length;
      continue;
    }
    const nextEscape = text.indexOf("\u001b", index);
    // Chunks keep the work proportional to what is consumed; a cluster cut at a chunk's end is put back.
    let end = nextEscape < 0 ? text.length : nextEscape;
    const isCut = end - index > 512;
    if (isCut) end = index + (/[\ud800-\udbff]/.test(text[index + 511] as string) ? 511 : 512);
    const clusters = graphemes(text.slice(index, end));
    if (isCut && clusters.length > 1) end -= (clusters.pop() as string).length;
    for (const cluster of clusters) yield { text: cluster, width: clusterWidth(cluster) };
    index = end;
  }
}

/** Collects one row after the other; styles are carried over to the next row and closed in each. */
class RowBuilder {
  readonly rows: string[] = [];
  width = 0;
  private text = "";
  private hasContent = false;
  private readonly style = new StyleState();

  add(piece: Piece): void {
    if (piece.width < 0) this.style.apply(piece.text);
    this.text += piece.text;
    this.width += Math.max(0, piece.width);
    this.hasContent = true;
  }

  endRow(): void {
    this.rows.push(this.text + this.style.close());
    this.text = this.style.open();
    this.width = 0;
    this.hasContent = false;
  }

  finish(): string[] {
    if (this.hasContent || this.rows.length === 0) this.endRow();
    return this.rows;
  }
}

/** Breaks one line at exactly `width` cells, keeping every space; stops after `maxRows` rows (the rest is dropped). */
export const hardWrap = (line: string, width: number, maxRows = Number.POSITIVE_INFINITY): string[] => {
  const limit = Math.max(1, width);
  if (line.length <= limit && printableAscii.test(line)) return [line];
  const builder = new RowBuilder();
  for (const piece of pieces(line)) {
    if (piece.width > 0 && builder.width + piece.width > limit) {
      builder.endRow();
      if (builder.rows.length >= maxRows) return builder.rows;
    }
    // A two-cell character cannot be shown in a one-cell column.
    builder.add(piece.width > limit ? { text: "?", width: 1 } : piece);
  }
  return builder.finish();
};

const closingPunctuation = /^[、。，．！？：；）］｝」』】〉》]/u;

const wrapLine = (line: string, width: number): string[] => {
  if (line.length <= width && printableAscii.test(line)) return [line];
  const builder = new RowBuilder();
  let word: Piece[] = [];
  let spaces: Piece[] = [];
  const sum = (list: readonly Piece[]) => list.reduce((total, piece) => total + Math.max(0, piece.width), 0);
  const flush = () => {
    const wordWidth = sum(word);
    if (wordWidth === 0) {
      for (const piece of [...spaces, ...word]) if (piece.width <= 0) builder.add(piece);
    } else if (builder.width + sum(spaces) + wordWidth <= width) {
      for (const piece of [...spaces, ...word]) builder.add(piece);
    } else {
      for (const piece of spaces) if (piece.width <= 0) builder.add(piece);
      if (builder.width > 0) builder.endRow();
      for (const piece of word) {
        if (piece.width > 0 && builder.width + piece.width > width) builder.endRow();
        builder.add(piece.width > width ? { text: "?", width: 1 } : piece);
      }
    }
    word = [];
    spaces = [];
  };
  for (const piece of pieces(line)) {
    if (piece.text === " ") {
      if (sum(word) > 0) flush();
      spaces.push(...word, piece);
      word = [];
    } else {
      // A row may end before any wide character (CJK), but not before closing punctuation.
      if (piece.width === 2 && !closingPunctuation.test(piece.text) && sum(word) > 0) flush();
      word.push(piece);
    }
  }
  flush();
  return builder.finish();
};

/**
 * Wraps at words to rows of at most `width` cells; longer words are broken, spaces at a break are dropped, "\n" always
 * breaks. A row's leading spaces are kept where they begin a line and it fits.
 */
export const wrapText = (text: string, width: number): string[] => {
  const limit = Math.max(1, Math.floor(width));
  if (!text.includes("\n")) return wrapLine(text, limit);
  const style = new StyleState();
  return text.split("\n").flatMap((line) => {
    const opened = style.open();
    if (line.includes("\u001b")) for (const piece of pieces(line)) if (piece.width < 0) style.apply(piece.text);
    return wrapLine(opened + line + style.close(), limit);
  });
};

/** At most `width` cells of one line; what was cut is shown by `ellipsis`. */
export const cutToWidth = (text: string, width: number, ellipsis = "…"): string => {
  if (width <= 0) return "";
  if (printableAscii.test(text) ? text.length <= width : text.length <= 4096 && textWidth(text) <= width) return text;
  const mark = textWidth(ellipsis) <= width ? ellipsis : "";
  const room = width - textWidth(mark);
  const builder = new RowBuilder();
  for (const piece of pieces(text)) {
    if (piece.width > 0 && builder.width + piece.width > room) break;
    builder.add(piece);
  }
  return builder.finish()[0] + mark;
};

/** The text filled with spaces to exactly `width` cells, or cut to it. */
export const padToWidth = (text: string, width: number): string => {
  const cut = cutToWidth(text, width);
  return cut + " ".repeat(Math.max(0, width - textWidth(cut)));
};
