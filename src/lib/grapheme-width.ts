// Width in terminal cells of code points and grapheme clusters: tables and a bounded cache, no RGI_Emoji regex
// (its first use costs 30-90 ms).
import { ambiguousRanges, wideRanges } from "./wide-ranges.js";

let isAmbiguousWide = false;
const maxCachedClusters = 4096;
const clusterWidths = new Map<string, number>();
let cachedSegmenter: Intl.Segmenter | null = null;

/** Text wider than one cell where the terminal draws East Asian "ambiguous" characters (① ± ─) in two cells. */
export const setAmbiguousWide = (isWide: boolean): void => {
  if (isWide === isAmbiguousWide) return;
  isAmbiguousWide = isWide;
  clusterWidths.clear();
};

const isInRanges = (ranges: readonly number[], codePoint: number): boolean => {
  let low = 0;
  let high = ranges.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (codePoint < ranges[middle * 2]!) high = middle - 1;
    else if (codePoint > ranges[middle * 2 + 1]!) low = middle + 1;
    else return true;
  }
  return false;
};

const eastAsianWidth = (codePoint: number): number => {
  if (codePoint < 0xa1) return 1;
  if (isInRanges(wideRanges, codePoint)) return 2;
  return isAmbiguousWide && isInRanges(ambiguousRanges, codePoint) ? 2 : 1;
};

/**
 * Width of a code point that never joins its neighbours into one cluster, or -1 when it might (or is invisible)
 * and the segmenter has to decide.
 */
export const simpleWidth = (code: number): number => {
  if (code < 0x20) return -1;
  if (code < 0x7f) return 1;
  if (code < 0xa0) return -1;
  if (code < 0x300) return code === 0xad ? -1 : eastAsianWidth(code);
  if (code < 0x370) return -1;
  if (code < 0x483 || (code > 0x489 && code < 0x590)) return eastAsianWidth(code);
  if (code < 0x1e00) return -1;
  if (code < 0x2000) return eastAsianWidth(code);
  // Punctuation and symbols. Emoji bases among them are narrow alone; what widens them (U+FE0F, joiners, skin tones) is
  // never simple and takes its neighbour along to the segmenter.
  if (code >= 0x2010 && code < 0x2028) return eastAsianWidth(code);
  if (code >= 0x2030 && code < 0x205f) return eastAsianWidth(code);
  if (code >= 0x2070 && code < 0x20d0) return eastAsianWidth(code);
  if (code >= 0x2100 && code < 0x2c00) return eastAsianWidth(code);
  if (code >= 0x3000 && code < 0x302a) return eastAsianWidth(code);
  if (code >= 0x3041 && code < 0x3097) return 2;
  if (code >= 0x30a0 && code < 0x3100) return 2;
  if (code >= 0x3400 && code < 0xa000) return eastAsianWidth(code);
  if (code >= 0xac00 && code < 0xd7a4) return 2;
  if (code >= 0xff01 && code < 0xff61) return 2;
  return -1;
};

const visible =
  /[^\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}\p{Surrogate}]/v;
const emojiBase = /^\p{Emoji}/u;
const modifierBase = /^\p{Emoji_Modifier_Base}[\u{1f3fb}-\u{1f3ff}]/u;
const pictographic = /\p{Extended_Pictographic}/gu;
const keycap = /^[\d#*]\ufe0f?\u20e3/u;
const flag = /^[\u{1f1e6}-\u{1f1ff}]{2}/u;
const spacingMark = /\p{Spacing_Mark}/u;

const isEmoji = (cluster: string): boolean => {
  // Real emoji clusters are short; the limit guards against floods of joiners.
  if (cluster.length > 50) return false;
  if (keycap.test(cluster) || flag.test(cluster) || modifierBase.test(cluster)) return true;
  if (cluster.includes("\ufe0f") && emojiBase.test(cluster) && !/^[\d#*]/.test(cluster)) return true;
  return cluster.includes("\u200d") && (cluster.match(pictographic)?.length ?? 0) >= 2;
};

const isLeadingJamo = (code: number) => (code >= 0x1100 && code <= 0x115f) || (code >= 0xa960 && code <= 0xa97c);
const isVowelJamo = (code: number) => (code >= 0x1160 && code <= 0x11a7) || (code >= 0xd7b0 && code <= 0xd7c6);
const isTrailingJamo = (code: number) => (code >= 0x11a8 && code <= 0x11ff) || (code >= 0xd7cb && code <= 0xd7fb);
const isJamo = (code: number) => isLeadingJamo(code) || isVowelJamo(code) || isTrailingJamo(code);

/** Conjoining Hangul: a modern syllable is one block, left-over jamo add up, as terminals draw them. */
const jamoWidth = (codes: readonly number[]): number => {
  let width = 0;
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index]!;
    if (isLeadingJamo(code) && isVowelJamo(codes[index + 1] ?? 0)) {
      width += 2;
      index += isTrailingJamo(codes[index + 2] ?? 0) ? 2 : 1;
    } else width += eastAsianWidth(code);
  }
  return width;
};

const measureCluster = (cluster: string): number => {
  const start = cluster.search(visible);
  if (start < 0) return 0;
  if (isEmoji(cluster)) return 2;
  const codes: number[] = [];
  for (const character of cluster.slice(start))
    if (visible.test(character)) codes.push(character.codePointAt(0) as number);
  const first = codes[0] as number;
  if (isJamo(first)) return jamoWidth(codes);
  let width = eastAsianWidth(first);
  for (const code of codes.slice(1))
    if ((code >= 0xff00 && code <= 0xffef) || spacingMark.test(String.fromCodePoint(code)))
      width += eastAsianWidth(code);
  return width;
};

/** Cells one grapheme cluster takes: 0, 1, 2, rarely more (Indic clusters with spacing marks). */
export const clusterWidth = (cluster: string): number => {
  if (cluster.length === 1) {
    const width = simpleWidth(cluster.charCodeAt(0));
    if (width >= 0) return width;
  }
  const known = clusterWidths.get(cluster);
  if (known !== undefined) return known;
  const width = measureCluster(cluster);
  if (cluster.length > 64) return width;
  if (clusterWidths.size >= maxCachedClusters) clusterWidths.clear();
  clusterWidths.set(cluster, width);
  return width;
};

/** Grapheme clusters by the Unicode rules; made on first use because creating the segmenter costs 10-20 ms. */
export const segment = (text: string): string[] => {
  cachedSegmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const clusters: string[] = [];
  for (const part of cachedSegmenter.segment(text)) clusters.push(part.segment);
  return clusters;
};
