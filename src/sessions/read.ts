// Reads a transcript whatever state it is in: torn lines, NUL bytes, foreign types. Nothing is ever changed on disk.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { TranscriptRecord } from "./record.js";

interface TranscriptProblem {
  /** 1-based. */
  line: number;
  /** "nul": bytes of zeros were skipped, "torn": the line is not whole, "notObject": JSON but no record, "glued": a record was recovered from behind a torn one. */
  kind: "torn" | "nul" | "notObject" | "glued";
}

export interface TranscriptContents {
  records: TranscriptRecord[];
  problems: TranscriptProblem[];
  /** Named by the file; records may carry other ids (a resumed lineage). */
  sessionId: string;
  /** All ids found in the records, in order of appearance. */
  sessionIds: string[];
}

/** Reads the file whole. Throws only when it cannot be read. */
export const readTranscript = (file: string): TranscriptContents => ({
  ...parseTranscript(readFileSync(file)),
  sessionId: basename(file, ".jsonl"),
});

/** Splits bytes into records; O(n), never throws. */
export const parseTranscript = (bytes: Buffer): Omit<TranscriptContents, "sessionId"> => {
  const records: TranscriptRecord[] = [];
  const problems: TranscriptProblem[] = [];
  const sessionIds = new Set<string>();
  let line = 0;
  for (let start = 0; start < bytes.length; ) {
    line += 1;
    const newline = bytes.indexOf(10, start);
    const end = newline === -1 ? bytes.length : newline;
    const parsed = parseLine(bytes.toString("utf8", start, end));
    if (parsed.problem !== undefined) problems.push({ line, kind: parsed.problem });
    if (parsed.record !== undefined) {
      records.push(parsed.record);
      if (typeof parsed.record.sessionId === "string") sessionIds.add(parsed.record.sessionId);
    }
    start = end + 1;
  }
  return { records, problems, sessionIds: [...sessionIds] };
};

interface ParsedLine {
  record?: TranscriptRecord;
  problem?: TranscriptProblem["kind"];
}

/** One line to at most one record. Never throws. */
const parseLine = (text: string): ParsedLine => {
  if (text.length === 0 || text === "\r") return {};
  const value = tryParse(text);
  if (value !== undefined) return isRecord(value) ? { record: value } : { problem: "notObject" };
  if (text.includes("\0")) {
    const rest = parseLine(text.replaceAll("\0", ""));
    return { ...rest, problem: rest.problem ?? "nul" };
  }
  const glued = findGlued(text);
  return glued === undefined ? { problem: "torn" } : { record: glued, problem: "glued" };
};

const recordStarts = ['{"parentUuid":', '{"type":'];
const maxTries = 20; // a torn line may quote many records; each try costs one parse

/** A whole record behind a torn one on the same line: a writer that did not start afresh left it there. */
const findGlued = (text: string): TranscriptRecord | undefined => {
  let from = 1;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const starts = recordStarts.map((start) => text.indexOf(start, from)).filter((at) => at !== -1);
    if (starts.length === 0) return undefined;
    const at = Math.min(...starts);
    const value = tryParse(text.slice(at));
    if (value !== undefined && isRecord(value)) return value;
    from = at + 1;
  }
  return undefined;
};

const tryParse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller reports the line
  }
};

const isRecord = (value: unknown): value is TranscriptRecord =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  "type" in value &&
  typeof value.type === "string";
