// The session's memory of its own decisions, newest last; a few of each kind are kept. /why reads it.
import type { WhyEntry, WhyKind } from "../protocol/why.js";

const keptOfAKind = 20; // enough to explain what is on the screen; older decisions are in the transcript

export interface DatedWhy extends WhyEntry {
  /** Milliseconds since the epoch. */
  at: number;
  /** How often the same decision was made in a row. */
  times: number;
}

export interface WhyLog {
  /** Notes a decision; the same one again only counts up. */
  add(entry: WhyEntry): void;
  /** Entries, oldest first; of one kind where it is given. */
  entries(kind?: WhyKind): DatedWhy[];
}

/** An empty log. */
export const createWhyLog = (now: () => number): WhyLog => {
  const kept = new Map<WhyKind, DatedWhy[]>();
  return {
    add: (entry) => {
      const list = kept.get(entry.kind) ?? [];
      kept.set(entry.kind, list);
      const last = list.at(-1);
      if (last?.what === entry.what && last.why === entry.why) {
        last.at = now();
        last.times++;
        return;
      }
      list.push({ ...entry, at: now(), times: 1 });
      if (list.length > keptOfAKind) list.shift();
    },
    entries: (kind) => {
      const lists = kind === undefined ? [...kept.values()] : [kept.get(kind) ?? []];
      return lists.flat().sort((a, b) => a.at - b.at);
    },
  };
};
