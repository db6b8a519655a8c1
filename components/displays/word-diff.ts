// Which words differ between a removed and an added line.

export interface Span {
  text: string;
  isChanged: boolean;
}

const maxWords = 200;

const wordsOf = (line: string): string[] => line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

/** Longest common subsequence of two short word lists, as flags "kept" per word. */
const keptWords = (old: readonly string[], next: readonly string[]): [boolean[], boolean[]] => {
  const height = old.length;
  const width = next.length;
  const lengths = new Uint16Array((height + 1) * (width + 1));
  const at = (y: number, x: number) => lengths[y * (width + 1) + x] as number;
  for (let y = height - 1; y >= 0; y--)
    for (let x = width - 1; x >= 0; x--)
      lengths[y * (width + 1) + x] = old[y] === next[x] ? at(y + 1, x + 1) + 1 : Math.max(at(y + 1, x), at(y, x + 1));
  const keptOld = old.map(() => false);
  const keptNext = next.map(() => false);
  for (let y = 0, x = 0; y < height && x < width; ) {
    if (old[y] === next[x]) {
      keptOld[y++] = true;
      keptNext[x++] = true;
    } else if (at(y + 1, x) >= at(y, x + 1)) y++;
    else x++;
  }
  return [keptOld, keptNext];
};

const spansOf = (words: readonly string[], kept: readonly boolean[]): Span[] => {
  const spans: Span[] = [];
  for (const [index, text] of words.entries()) {
    const isChanged = !kept[index];
    const last = spans.at(-1);
    if (last && last.isChanged === isChanged) last.text += text;
    else spans.push({ text, isChanged });
  }
  return spans;
};

/** Spans of both lines, or null when they have too little in common for word marks to help (or are too long). */
export const wordDiff = (old: string, next: string): [Span[], Span[]] | null => {
  const oldWords = wordsOf(old);
  const nextWords = wordsOf(next);
  if (oldWords.length > maxWords || nextWords.length > maxWords) return null;
  const [keptOld, keptNext] = keptWords(oldWords, nextWords);
  const letters = (words: readonly string[], flags: readonly boolean[]) =>
    words.reduce((sum, word, index) => sum + (flags[index] ? word.trim().length : 0), 0);
  const shared = letters(oldWords, keptOld);
  const longest = Math.max(old.replace(/\s/g, "").length, next.replace(/\s/g, "").length);
  if (shared === 0 || shared < longest * 0.3) return null;
  return [spansOf(oldWords, keptOld), spansOf(nextWords, keptNext)];
};
