// T2: characters that are not seen or reorder the text, so that a person would approve something else.
import type { TextCheck } from "./check.js";

/** First and last code point of each range; variation selectors 15 and 16 stay, emoji are written with them. */
const ranges: readonly (readonly [number, number])[] = [
  [0x00a0, 0x00a0],
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x2800, 0x2800],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0d],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

const isInvisible = (point: number): boolean => ranges.some(([first, last]) => point >= first && point <= last);

export const invisibleText: TextCheck = (text, collector) => {
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    if (point < 0xa0 || !isInvisible(point)) continue;
    collector.note("T2", `the command holds the invisible character U+${point.toString(16).toUpperCase()}`);
    break;
  }
  return undefined;
};
