// Every prompt of the history file, newest first, in batches: for searching. Nothing waits for the whole file.
import { open } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { PastedText } from "../protocol/requests.js";
import { createPasteReader } from "./paste-cache.js";
import { parseEntry, withoutLost } from "./prompt-history.js";

export interface FoundPrompt {
  /** As it was shown. */
  text: string;
  pastes: PastedText[];
  /** Milliseconds since the epoch; 0: unknown. */
  timestamp: number;
  project: string;
  sessionId: string | undefined;
}

const chunkBytes = 256 * 1024;
const maxBytes = 64 * 1024 * 1024; // far more than anybody has typed
/** Lines that are parsed without a pause: about a millisecond. */
const batchLines = 500;
const newline = 10;

/** The file's lines from its end, in pieces of whole lines. */
async function* piecesFromEnd(file: string): AsyncGenerator<string[]> {
  const handle = await open(file, "r").catch(() => null); // no history yet
  if (!handle) return;
  try {
    const { size } = await handle.stat();
    let rest = Buffer.alloc(0);
    for (let end = size; end > 0 && size - end < maxBytes; ) {
      const start = Math.max(0, end - chunkBytes);
      const bytes = Buffer.alloc(end - start);
      await handle.read(bytes, 0, bytes.length, start);
      const all = Buffer.concat([bytes, rest]);
      const cut = start === 0 ? -1 : all.indexOf(newline);
      // A line longer than a piece waits for its beginning.
      rest = start > 0 && cut < 0 ? all : all.subarray(0, Math.max(0, cut));
      if (start === 0 || cut >= 0)
        yield all
          .toString("utf8", cut + 1)
          .split("\n")
          .reverse();
      end = start;
    }
  } finally {
    await handle.close();
  }
}

/** All prompts, newest first. A missing file is an empty history, a torn line is left out. */
export async function* allPrompts(file: string, signal: AbortSignal): AsyncGenerator<FoundPrompt[]> {
  const readPastes = createPasteReader(file);
  for await (const lines of piecesFromEnd(file)) {
    for (let from = 0; from < lines.length; from += batchLines) {
      if (signal.aborted) return;
      const found = lines.slice(from, from + batchLines).flatMap((line): FoundPrompt[] => {
        const entry = line === "" ? undefined : parseEntry(line);
        if (!entry) return [];
        const pastes = readPastes(entry.pastedContents);
        const { project, sessionId, timestamp } = entry;
        return [{ text: withoutLost(entry.display, pastes), pastes, timestamp, project, sessionId }];
      });
      if (found.length > 0) yield found;
      await nextTurn();
    }
  }
}
