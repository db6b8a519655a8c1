// The session's memory of its own decisions, newest last; a few of each kind are kept. /why reads it. On disk there are all.
import type { WhyEntry, WhyKind } from "../protocol/why.js";
import { appendWhy, readWhy, type WhyLine, whyFile } from "../sessions/why-file.js";

const keptOfAKind = 20; // enough to explain what is on the screen; older decisions are on disk

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
  /** Takes up what an earlier process decided, in front of what was decided since. */
  restore(lines: readonly WhyLine[]): void;
}

/** An empty log; `onAdd` is told of each decision. */
export const createWhyLog = (now: () => number, onAdd: (line: WhyLine) => void = () => undefined): WhyLog => {
  const kept = new Map<WhyKind, DatedWhy[]>();
  const note = ({ at, ...entry }: WhyLine): void => {
    const list = kept.get(entry.kind) ?? [];
    kept.set(entry.kind, list);
    const last = list.at(-1);
    if (last?.what === entry.what && last.why === entry.why) {
      last.at = at;
      last.times++;
      return;
    }
    list.push({ ...entry, at, times: 1 });
    if (list.length > keptOfAKind) list.shift();
  };
  return {
    add: (entry) => {
      const line = { ...entry, at: now() };
      note(line);
      onAdd(line);
    },
    restore: (lines) => {
      const since = [...kept.values()].flat();
      kept.clear();
      for (const line of lines) note(line);
      for (const { kind, ...entry } of since)
        kept.set(kind, [...(kept.get(kind) ?? []), { kind, ...entry }].slice(-keptOfAKind));
    },
    entries: (kind) => {
      const lists = kind === undefined ? [...kept.values()] : [kept.get(kind) ?? []];
      return lists.flat().sort((a, b) => a.at - b.at);
    },
  };
};

/** Where the decisions of a session are kept; undefined while nothing of it may be written. */
interface KeptSession {
  id: string;
  places: { projectDir: string };
  options: { flags: { persist?: boolean | undefined } };
}

const fileOf = ({ id, places, options }: KeptSession): string | undefined =>
  options.flags.persist === false ? undefined : whyFile(places.projectDir, id);

/** Writes one decision down. A disk that refuses stops nothing: the transcript's own warning tells of it. */
export const keepWhy = (session: KeptSession, line: WhyLine): void => {
  const file = fileOf(session);
  try {
    if (file !== undefined) appendWhy(file, line);
  } catch {
    // told where the transcript cannot be written
  }
};

/** What earlier processes of a session decided. */
export const keptWhy = (session: KeptSession): WhyLine[] => {
  const file = fileOf(session);
  return file === undefined ? [] : readWhy(file);
};
