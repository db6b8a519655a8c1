// The prompt history of all projects: one file, appended to by every process, read per project.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { LineFile } from "./line-file.js";

export interface HistoryEntry {
  /** What the person typed; pastes collapsed. */
  display: string;
  pastedContents?: Record<string, unknown>;
  timestamp: number;
  /** The project's folder. */
  project: string;
  sessionId?: string;
}

const maxBytes = 4 * 1024 * 1024; // read from the end: years of prompts
const maxPrompts = 1000; // more than anybody walks through with the arrow keys

/**
 * Adds a prompt: one write of one whole line, so writers in other processes cannot mix with it. Never throws: a history
 * that cannot be written must not stop a run. Callers honour CLAUDE_CODE_SKIP_PROMPT_HISTORY.
 */
export const appendPrompt = (file: string, entry: HistoryEntry): void => {
  if (entry.display.trim() === "") return;
  const lines = new LineFile(file, () => {});
  lines.append(JSON.stringify({ pastedContents: {}, ...entry }));
  lines.close();
};

/** Prompts of a project, newest last, consecutive duplicates collapsed. A missing file is an empty history. */
export const readPrompts = (file: string, project: string): string[] => {
  const prompts: string[] = [];
  for (const line of tailOf(file).split("\n")) {
    const entry = parseEntry(line);
    if (entry === undefined || entry.project !== project || prompts.at(-1) === entry.display) continue;
    prompts.push(entry.display);
  }
  return prompts.slice(-maxPrompts);
};

const tailOf = (file: string): string => {
  let fd: number | undefined;
  try {
    fd = openSync(file, "r");
    const { size } = fstatSync(fd);
    const length = Math.min(size, maxBytes);
    const bytes = Buffer.alloc(length);
    return bytes.toString("utf8", 0, readSync(fd, bytes, 0, length, size - length));
  } catch {
    return ""; // no history yet
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
};

const parseEntry = (line: string): { display: string; project: string } | undefined => {
  try {
    const value: unknown = JSON.parse(line.replaceAll("\0", ""));
    if (typeof value !== "object" || value === null || !("display" in value) || !("project" in value)) return undefined;
    const { display, project } = value;
    if (typeof display !== "string" || typeof project !== "string" || display.trim() === "") return undefined;
    return { display, project };
  } catch {
    return undefined; // a torn line
  }
};
