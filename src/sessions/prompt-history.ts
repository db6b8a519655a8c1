// The prompt history of all projects: one file, appended to by every process, read per project.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { PastedText } from "../protocol/requests.js";
import { LineFile } from "./line-file.js";
import { createPasteReader, storePastes } from "./paste-cache.js";

export interface HistoryEntry {
  /** What the person typed; pastes collapsed. */
  display: string;
  /** What was collapsed. */
  pastes?: readonly PastedText[];
  timestamp: number;
  /** The project's folder. */
  project: string;
  sessionId?: string;
}

export interface History {
  /** Prompts as they were shown, newest last, consecutive duplicates collapsed. */
  prompts: string[];
  /** The pastes of the prompts that have some. */
  pastes: Record<string, PastedText[]>;
}

const maxBytes = 4 * 1024 * 1024; // read from the end: years of prompts
const maxLines = 5000; // with repeats
const maxPrompts = 1000; // more than anybody walks through with the arrow keys

/**
 * Adds a prompt: one write of one whole line, so writers in other processes cannot mix with it. Never throws: a history
 * that cannot be written must not stop a run. Callers honour CLAUDE_CODE_SKIP_PROMPT_HISTORY.
 */
export const appendPrompt = (file: string, { display, pastes = [], ...entry }: HistoryEntry): void => {
  if (display.trim() === "") return;
  const lines = new LineFile(file, () => {});
  lines.append(JSON.stringify({ display, pastedContents: storePastes(file, pastes), ...entry }));
  lines.close();
};

/** The entries of a project, newest first; those of the session stand in front of the others. */
const entriesOf = (file: string, project: string, sessionId: string | undefined): ParsedEntry[] => {
  const own: ParsedEntry[] = [];
  const others: ParsedEntry[] = [];
  for (const line of tailOf(file).split("\n").reverse()) {
    const entry = parseEntry(line);
    if (entry?.project !== project) continue;
    const list = sessionId !== undefined && entry.sessionId === sessionId ? own : others;
    if (list.length < maxLines) list.push(entry);
  }
  return [...own, ...others];
};

/**
 * The prompts of a project with their pastes; `sessionId`: whose prompts count as the newest. A missing file is an empty
 * history.
 */
export const readHistory = (file: string, project: string, sessionId?: string): History => {
  const newestFirst: string[] = [];
  const pastes: History["pastes"] = {};
  const readPastes = createPasteReader(file);
  for (const entry of entriesOf(file, project, sessionId)) {
    if (newestFirst.length >= maxPrompts) break;
    const found = readPastes(entry.pastedContents);
    const display = withoutLost(entry.display, found);
    const known = Object.hasOwn(pastes, display) ? pastes[display] : undefined;
    const isOther = known !== undefined && JSON.stringify(known) !== JSON.stringify(found);
    // Two prompts that look the same but pasted different texts: the older one shows its text.
    const prompt = isOther ? expanded(display, found) : display;
    if (prompt.trim() === "" || newestFirst.at(-1) === prompt) continue;
    if (found.length > 0 && !isOther) pastes[prompt] = found;
    newestFirst.push(prompt);
  }
  return { prompts: newestFirst.reverse(), pastes };
};

/** The prompts alone; see `readHistory`. */
export const readPrompts = (file: string, project: string): string[] => readHistory(file, project).prompts;

const placeholder = /\[Pasted text #(\d+) (?:\+\d+ lines|\d+ characters)\]|\[Image #\d+\]/g;

/** The prompt without placeholders of what is not there any more: nobody wants them sent as they are. */
export const withoutLost = (display: string, found: readonly PastedText[]): string =>
  display.replace(placeholder, (label, id?: string) => (found.some((paste) => `${paste.id}` === id) ? label : ""));

const expanded = (display: string, found: readonly PastedText[]): string =>
  display.replace(placeholder, (label, id?: string) => found.find((paste) => `${paste.id}` === id)?.text ?? label);

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

interface ParsedEntry {
  display: string;
  project: string;
  timestamp: number;
  sessionId: string | undefined;
  pastedContents: unknown;
}

/** A line of the file; undefined for a torn one. */
export const parseEntry = (line: string): ParsedEntry | undefined => {
  try {
    const value: unknown = JSON.parse(line.replaceAll("\0", ""));
    if (typeof value !== "object" || value === null || !("display" in value) || !("project" in value)) return undefined;
    const { display, project } = value;
    if (typeof display !== "string" || typeof project !== "string" || display.trim() === "") return undefined;
    const { timestamp, sessionId } = value as { timestamp?: unknown; sessionId?: unknown };
    return {
      display,
      project,
      timestamp: typeof timestamp === "number" ? timestamp : 0,
      sessionId: typeof sessionId === "string" ? sessionId : undefined,
      pastedContents: "pastedContents" in value ? value.pastedContents : undefined,
    };
  } catch {
    return undefined; // a torn line
  }
};
