// Which record of the transcript a message became.

/** Which record a message of the conversation became: a compaction keeps the newest messages by their records. */
export interface RecordIndex {
  blocks: WeakMap<object, string>;
  /** Prompts that are plain texts; the newest of equal ones. */
  texts: Map<string, string>;
}

export const createRecordIndex = (): RecordIndex => ({ blocks: new WeakMap(), texts: new Map() });
