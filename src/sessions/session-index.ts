// What lists remember of files that have not changed: a cache that is rebuilt wherever it is missing, old or broken.
import { readFile } from "node:fs/promises";
import { writeFileWhole } from "../platform/write-file.js";

interface Entry<Row> {
  mtimeMs: number;
  size: number;
  /** Null: the file is not listed. */
  row: Row | null;
}

export interface FileIndex<Row> {
  /** What was made of the file; undefined when it is not known or the file has changed. */
  get(name: string, stats: { mtimeMs: number; size: number }): Row | null | undefined;
  set(name: string, stats: { mtimeMs: number; size: number }, row: Row | null): void;
  /** Writes it if it changed, without files that were not asked about. Never throws: the next list reads more then. */
  save(): Promise<void>;
}

// Counts up whenever rows mean something else: older files are then rebuilt.
const format = 1;

const readEntries = async <Row>(file: string): Promise<Map<string, Entry<Row>>> => {
  try {
    const value = JSON.parse(await readFile(file, "utf8"));
    if (value?.format !== format || typeof value.files !== "object") return new Map();
    const entries = Object.entries<Entry<Row>>(value.files);
    return new Map(entries.filter(([, entry]) => typeof entry?.size === "number" && typeof entry.row === "object"));
  } catch {
    return new Map(); // none yet, or broken: it is made again
  }
};

/** Opens an index; without a file it remembers nothing. Never throws. */
export const openIndex = async <Row extends object>(file: string | undefined): Promise<FileIndex<Row>> => {
  const known = file === undefined ? new Map<string, Entry<Row>>() : await readEntries<Row>(file);
  const used = new Map<string, Entry<Row>>();
  let hasChanged = false;
  return {
    get: (name, { mtimeMs, size }) => {
      const entry = known.get(name);
      if (entry === undefined || entry.mtimeMs !== mtimeMs || entry.size !== size) return undefined;
      used.set(name, entry);
      return entry.row;
    },
    set: (name, { mtimeMs, size }, row) => {
      used.set(name, { mtimeMs, size, row });
      hasChanged = true;
    },
    save: async () => {
      if (file === undefined || (!hasChanged && used.size === known.size)) return;
      const text = JSON.stringify({ format, files: Object.fromEntries(used) });
      await writeFileWhole(file, Buffer.from(text), { mode: 0o600 }).catch(() => undefined); // see `save`
    },
  };
};
