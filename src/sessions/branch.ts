// Chooses the records of the newest branch out of a transcript's tree.
import { isChainRecord, recordBlocks, type TranscriptRecord } from "./record.js";

export interface Branch {
  /** Records of the conversation in file order, also those before compactions. */
  records: TranscriptRecord[];
  /** Place in `records` of the newest compaction's boundary; -1 when there is none. */
  boundary: number;
  /** Uuid of the newest record: what the next one hangs on. */
  lastUuid: string | null;
}

/**
 * Follows the newest leaf up to the root. A parent that cannot be found (torn line, older file without the field)
 * is replaced by the record before it in the file. Lines that belong to an answer of the branch but hang beside it
 * (parallel calls and their results) are taken in. Sidechains are left out. O(n).
 */
export const newestBranch = (records: readonly TranscriptRecord[]): Branch => {
  const chain = records.filter((record) => (isChainRecord(record) || isOldMessage(record)) && isMainLine(record));
  const placeOf = placeFinder(chain);
  const isChosen = new Uint8Array(chain.length);
  let chosenCount = 0;
  for (let at = chain.length - 1; at >= 0; chosenCount += 1) {
    isChosen[at] = 1;
    at = parentPlace(chain, at, placeOf);
  }
  const isLinear = chosenCount === chain.length; // nothing hangs beside the branch
  if (!isLinear) adoptSiblings(chain, isChosen);
  const chosen = isLinear ? chain : chain.filter((_, place) => isChosen[place] === 1);
  return {
    records: chosen,
    boundary: chosen.findLastIndex(isBoundary),
    lastUuid: chain.at(-1)?.uuid ?? null,
  };
};

export const isBoundary = (record: TranscriptRecord): boolean =>
  record.type === "system" && record.subtype === "compact_boundary";

const isMainLine = (record: TranscriptRecord): boolean => record.isSidechain !== true;

/** Messages of files from before records had uuids. */
const isOldMessage = (record: TranscriptRecord): boolean =>
  (record.type === "user" || record.type === "assistant") && record.uuid === undefined;

/** Looks records up by uuid; the map is made when the first record does not simply follow its parent. */
const placeFinder = (chain: readonly TranscriptRecord[]): ((uuid: string) => number | undefined) => {
  let places: Map<string, number> | undefined;
  return (uuid) => {
    if (places === undefined) {
      places = new Map();
      for (const [place, record] of chain.entries()) if (record.uuid !== undefined) places.set(record.uuid, place);
    }
    return places.get(uuid);
  };
};

/** Place of the parent, always before `at`; -1 at the root. */
const parentPlace = (
  chain: readonly TranscriptRecord[],
  at: number,
  placeOf: (uuid: string) => number | undefined,
): number => {
  const record = chain[at]!;
  const parent = record.parentUuid ?? (isBoundary(record) ? record.logicalParentUuid : record.parentUuid);
  if (parent === null) return -1;
  if (parent === undefined || chain[at - 1]?.uuid === parent) return at - 1;
  const place = placeOf(parent);
  // A parent behind its child would be a cycle; some writers put results before their call is complete.
  return place !== undefined && place < at ? place : at - 1;
};

/** Takes in lines of the same answers, and results of their calls, that hang beside the branch. */
const adoptSiblings = (chain: readonly TranscriptRecord[], isChosen: Uint8Array): void => {
  const answers = new Set<string>();
  chain.forEach((record, place) => {
    if (isChosen[place] === 1 && record.type === "assistant" && record.message?.id) answers.add(record.message.id);
  });
  const unanswered = new Set<string>();
  chain.forEach((record, place) => {
    if (record.type !== "assistant" || !record.message?.id || !answers.has(record.message.id)) return;
    isChosen[place] = 1;
    for (const block of recordBlocks(record)) if (block.type === "tool_use") unanswered.add(String(block.id));
  });
  const results = chain.map((record) => (record.type === "user" ? resultIds(record) : []));
  results.forEach((ids, place) => {
    if (isChosen[place] === 1) for (const id of ids) unanswered.delete(id);
  });
  results.forEach((ids, place) => {
    if (isChosen[place] === 0 && ids.length > 0 && ids.every((id) => unanswered.has(id))) {
      isChosen[place] = 1;
      for (const id of ids) unanswered.delete(id);
    }
  });
};

const resultIds = (record: TranscriptRecord): string[] =>
  recordBlocks(record)
    .filter(({ type }) => type === "tool_result")
    .map((block) => String(block.tool_use_id));
