// What the model has read, so that an edit never hits a file it has not seen or that changed since.

export interface ReadRecord {
  /** SHA-256 of the file's bytes at that time. */
  hash: string;
  mtimeMs: number;
  /** "whole" counts for Edit and Write, "part" (explicit offset/limit) for Edit, "partial" (cut first page) for neither. */
  extent: "whole" | "part" | "partial";
  /** Positions (from 0) of a notebook's cells that hold another cell than the one the model saw there. */
  movedCells?: readonly number[];
}

export interface FileState {
  get(path: string): ReadRecord | undefined;
  set(path: string, record: ReadRecord): void;
  /** Newest last. */
  entries(): [string, ReadRecord][];
}

/** An empty file state. */
export const createFileState = (): FileState => {
  const records = new Map<string, ReadRecord>();
  return {
    get: (path) => records.get(path),
    set: (path, record) => {
      records.delete(path); // re-insert: newest last
      records.set(path, record);
    },
    entries: () => [...records],
  };
};
