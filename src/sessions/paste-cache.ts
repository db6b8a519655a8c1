// Pasted texts of the prompt history: short ones stand in the history's line, long ones in files of their own.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PastedText } from "../protocol/requests.js";

/** A paste as a history line has it: its text, or the name of the file that has it. */
export interface StoredPaste {
  id: number;
  type: "text";
  content?: string;
  contentHash?: string;
}

const maxInline = 1024; // characters: the history is read at every start
const maxRead = 8 * 1024 * 1024; // bytes of files read at a start

const fileOf = (historyFile: string, hash: string): string => join(dirname(historyFile), "paste-cache", `${hash}.txt`);

/** The pastes by id, as a history line holds them. One whose file cannot be written is left out. */
export const storePastes = (historyFile: string, pastes: readonly PastedText[]): Record<string, StoredPaste> => {
  const stored = pastes.flatMap(({ id, text }): [string, StoredPaste][] => {
    if (text.length <= maxInline) return [[String(id), { id, type: "text", content: text }]];
    const contentHash = createHash("sha256").update(text).digest("hex").slice(0, 32);
    return keep(fileOf(historyFile, contentHash), text) ? [[String(id), { id, type: "text", contentHash }]] : [];
  });
  return Object.fromEntries(stored);
};

const keep = (file: string, text: string): boolean => {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") return false;
    touch(file); // the same text was pasted before: it is as young as its newest use
    return true;
  }
};

const touch = (file: string): void => {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Somebody else's file: it ages from its first use.
  }
};

/** Reads pastes of history lines, newest first, up to a limit in all. */
export const createPasteReader = (historyFile: string): ((pastedContents: unknown) => PastedText[]) => {
  let left = maxRead;
  const read = (hash: string): string | undefined => {
    const file = fileOf(historyFile, hash);
    try {
      left -= statSync(file).size;
      return left < 0 ? undefined : readFileSync(file, "utf8");
    } catch {
      return undefined; // somebody emptied the cache
    }
  };
  return (pastedContents) => {
    if (typeof pastedContents !== "object" || pastedContents === null) return [];
    return Object.values(pastedContents).flatMap((paste: Partial<StoredPaste> | null): PastedText[] => {
      if (typeof paste?.id !== "number") return [];
      const { id, content, contentHash } = paste;
      const isHash = typeof contentHash === "string" && /^[0-9a-f]{1,64}$/.test(contentHash);
      const text = typeof content === "string" ? content : isHash ? read(contentHash) : undefined;
      return text === undefined ? [] : [{ id, text }];
    });
  };
};
