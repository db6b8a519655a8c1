// Why the engine did what it did, for a later process: one JSON line for each decision, in the session's folder.
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { maskSecrets } from "../platform/log.js";
import { type WhyEntry, whyKinds } from "../protocol/why.js";

/** A decision with its time, in ms since the epoch. */
export type WhyLine = WhyEntry & { at: number };

const whyLine = z.object({ kind: z.enum(whyKinds), what: z.string(), why: z.string(), at: z.number() });

const maxChars = 500; // of each text: a line is read by people

/** File of a session's decisions. */
export const whyFile = (projectDir: string, sessionId: string): string => join(projectDir, sessionId, "why.jsonl");

/** Adds one line (file 0600, folder 0700), secrets masked. Throws when the disk refuses. */
export const appendWhy = (file: string, { kind, what, why, at }: WhyLine): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const [short, reason] = [what, why].map((text) => maskSecrets(text).slice(0, maxChars));
  appendFileSync(file, `${JSON.stringify({ kind, what: short, why: reason, at })}\n`, { mode: 0o600 });
};

/** The lines, oldest first; damaged ones are left out. None when there is no file. */
export const readWhy = (file: string): WhyLine[] => {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return []; // nothing was decided in this session, or before such files were written
  }
  return text.split("\n").flatMap((row) => {
    try {
      return [whyLine.parse(JSON.parse(row))];
    } catch {
      return []; // the empty last line, or one cut by a crash
    }
  });
};
