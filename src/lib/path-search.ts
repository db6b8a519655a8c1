// Searches a long list of paths for what a person types, in slices, so that no key waits for it.
import fuzzysort from "fuzzysort";

const sliceMs = 4; // work between two looks at keys and timers
const sliceSize = 512; // paths between two looks at the clock
const keptCandidates = 300; // the best ones get the finer comparison

const fold = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

/** Whether all characters of `word` (lower case) occur in `path` in this order, in any case. */
export const isSubsequence = (path: string, word: string): boolean => {
  let at = 0;
  for (let index = 0; index < path.length && at < word.length; index++)
    if (fold(path.charCodeAt(index)) === word.charCodeAt(at)) at++;
  return at === word.length;
};

/**
 * How well a path fits a word in lower case, higher is better; 0: not at all. A path that begins with the word comes
 * before a name that does, then a name with the word in it, a path with it, and scattered letters. Shorter is better.
 */
export const pathRank = (path: string, word: string): number => {
  if (!isSubsequence(path, word)) return 0;
  const lower = path.toLowerCase();
  const name = lower.slice(lower.lastIndexOf("/", lower.length - 2) + 1);
  const closeness = 1 / (1 + path.length);
  if (lower.startsWith(word)) return 5 - lower.slice(word.length).split("/").length / 1000 + closeness / 1000;
  if (name.startsWith(word)) return 3 + closeness;
  if (name.includes(word)) return 2 + closeness;
  return (lower.includes(word) ? 1 : 0.1) + closeness / 10;
};

export interface PathSearch {
  word: string;
  limit: number;
  signal: AbortSignal;
}

/** The best paths for a word, best first; undefined when it was aborted. Yields to the event loop every few ms. */
export const searchPaths = async (
  paths: readonly string[],
  { word, limit, signal }: PathSearch,
): Promise<string[] | undefined> => {
  const lower = word.toLowerCase();
  let found: { path: string; rank: number }[] = [];
  let sliceStart = performance.now();
  const best = (count: number) => found.toSorted((a, b) => b.rank - a.rank).slice(0, count);
  for (let index = 0; index < paths.length; index++) {
    const path = paths[index]!;
    const rank = pathRank(path, lower);
    if (rank > 0) found.push({ path, rank });
    if (index % sliceSize !== 0 || performance.now() - sliceStart < sliceMs) continue;
    if (found.length > keptCandidates * 4) found = best(keptCandidates);
    await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) return undefined;
    sliceStart = performance.now();
  }
  const candidates = best(keptCandidates);
  const scores = new Map(fuzzysort.go(word, candidates, { key: "path" }).map(({ obj, score }) => [obj.path, score]));
  fuzzysort.cleanup(); // it keeps every target it has seen
  const fineRank = ({ path, rank }: { path: string; rank: number }) =>
    rank >= 2 ? rank : Math.min(1.9, rank + (scores.get(path) ?? 0));
  return candidates
    .toSorted((a, b) => fineRank(b) - fineRank(a))
    .slice(0, limit)
    .map(({ path }) => path);
};
