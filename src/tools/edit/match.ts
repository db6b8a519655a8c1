// Finds where an edit applies and what exactly changes there. Pure: text in, places and new text out.
import { straightenQuotes } from "../shared/quotes.js";

/** A piece of the text to be replaced: indexes into the text as it is in the file. */
export interface Replacement {
  start: number;
  end: number;
  insert: string;
}

/** A place where the old text was found, line ends and perhaps quotes aside. */
export interface Match {
  start: number;
  end: number;
}

export interface Matches {
  places: Match[];
  /** "newlines": LF and CRLF count as one; "exact": they do not; "quotes": typographic and straight quotes are one too. */
  how: "exact" | "newlines" | "quotes";
}

/** A text with every CRLF as LF and the way back to places in the original. */
interface Flat {
  text: string;
  /** Index in the original of a boundary in `text`. */
  original(index: number): number;
}

const flatten = (text: string): Flat => {
  if (!text.includes("\r\n")) return { text, original: (index) => index };
  const flat = text.replaceAll("\r\n", "\n");
  const dropped: number[] = []; // places in `flat` of each LF that lost its CR, ascending
  for (let at = text.indexOf("\r\n"); at >= 0; at = text.indexOf("\r\n", at + 2)) dropped.push(at - dropped.length);
  const countBefore = (index: number): number => {
    let [low, high] = [0, dropped.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (dropped[middle]! < index) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return { text: flat, original: (index) => index + countBefore(index) };
};

/** Starts of all occurrences that do not overlap. */
const occurrences = (text: string, piece: string): number[] => {
  const found: number[] = [];
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length)) found.push(at);
  return found;
};

/** All places of `old` (not empty) in the text, by the strictest way that finds any. */
export const findMatches = (text: string, old: string): Matches => {
  const flat = flatten(text);
  const piece = old.replaceAll("\r\n", "\n");
  const places = (starts: number[]): Match[] =>
    starts.map((start) => ({ start: flat.original(start), end: flat.original(start + piece.length) }));
  const exact = occurrences(text, old).map((start) => ({ start, end: start + old.length }));
  const byNewlines = places(occurrences(flat.text, piece));
  // Written-out CRLFs tell two copies of a mixed file apart; LFs do not: that is how every file is shown.
  if (exact.length > 0 && (byNewlines.length === 0 || (exact.length === 1 && old.includes("\r\n")))) {
    return { places: exact, how: "exact" };
  }
  if (byNewlines.length > 0) return { places: byNewlines, how: "newlines" };
  return { places: places(occurrences(straightenQuotes(flat.text), straightenQuotes(piece))), how: "quotes" };
};

/** The text that all ways of matching cover, for replacing every one. */
export const findAllMatches = (text: string, old: string): Matches => {
  const flat = flatten(text);
  const piece = old.replaceAll("\r\n", "\n");
  const starts = occurrences(flat.text, piece);
  if (starts.length === 0) return findMatches(text, old);
  const places = starts.map((start) => ({ start: flat.original(start), end: flat.original(start + piece.length) }));
  return { places, how: "newlines" };
};

/**
 * What changes at a place: only the part in which old and new text differ, so that the file's own quotes and line ends
 * stay where the model changed nothing. Undefined when old and new differ in line ends only.
 */
export const replacementAt = (text: string, place: Match, old: string, now: string): Replacement | undefined => {
  const before = old.replaceAll("\r\n", "\n");
  const after = now.replaceAll("\r\n", "\n");
  if (before === after) return undefined;
  const prefix = commonPrefix(before, after);
  const suffix = commonSuffix(before, after, Math.min(before.length, after.length) - prefix);
  const span = flatten(text.slice(place.start, place.end));
  const start = place.start + span.original(prefix);
  const end = place.start + span.original(before.length - suffix);
  const insert = after.slice(prefix, after.length - suffix);
  return { start, end, insert: insert.replaceAll("\n", lineEndAround(text, place)) };
};

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

const commonPrefix = (a: string, b: string): number => {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length > 0 && isHigh(a.charCodeAt(length - 1)) ? length - 1 : length; // never inside a character
};

const commonSuffix = (a: string, b: string, most: number): number => {
  let length = 0;
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length++;
  return length > 0 && isLow(a.charCodeAt(a.length - length)) ? length - 1 : length;
};

/** The line end that new lines get at this place: that of the lines replaced, else of the nearest line. */
const lineEndAround = (text: string, { start, end }: Match): "\n" | "\r\n" => {
  const inside = text.slice(start, end).indexOf("\n");
  let at = inside >= 0 ? start + inside : text.indexOf("\n", end);
  if (at < 0) at = text.lastIndexOf("\n", start - 1);
  return at > 0 && text[at - 1] === "\r" ? "\r\n" : "\n";
};

/** The text with all replacements made; they must be ascending and must not overlap. */
export const applyReplacements = (text: string, replacements: readonly Replacement[]): string => {
  let result = "";
  let at = 0;
  for (const { start, end, insert } of replacements) {
    result += text.slice(at, start) + insert;
    at = end;
  }
  return result + text.slice(at);
};
