// Finished rows of transcript blocks, the least recently used ones dropped. One entry a block: a new version, width or
// look replaces the old rows.

interface Entry {
  key: string;
  rows: readonly string[];
}

export interface RowCache {
  /** The rows for `id`, made anew when `key` (version, width, flags) is not the one they were made with. */
  get(id: string, key: string, make: () => readonly string[]): readonly string[];
  readonly size: number;
}

/** About as many messages as anyone scrolls through. */
const defaultLimit = 2000;

export const createRowCache = (limit = defaultLimit): RowCache => {
  const entries = new Map<string, Entry>();
  return {
    get(id, key, make) {
      const known = entries.get(id);
      if (known) entries.delete(id);
      const entry = known?.key === key ? known : { key, rows: make() };
      // A Map keeps insertion order: the first key is the one used longest ago.
      entries.set(id, entry);
      if (entries.size > limit) entries.delete(entries.keys().next().value as string);
      return entry.rows;
    },
    get size() {
      return entries.size;
    },
  };
};
