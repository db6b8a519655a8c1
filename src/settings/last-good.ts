// Keeps the deny and ask rules of each settings file's last readable state, for the day the file is broken.
import { createHash } from "node:crypto";
import { mkdir, readFile, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileWhole } from "../platform/write-file.js";

export interface StrictRules {
  deny: string[];
  ask: string[];
}

const cacheFile = (configDir: string, file: string): string =>
  join(configDir, "cache", "settings-last-good", `${createHash("sha256").update(file).digest("hex")}.json`);

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];

/** The remembered rules of a file; none when nothing was remembered or the copy is unreadable. */
export const readLastGood = async (configDir: string, file: string): Promise<StrictRules> => {
  try {
    const copy = JSON.parse(await readFile(cacheFile(configDir, file), "utf8"));
    return { deny: strings(copy?.deny), ask: strings(copy?.ask) };
  } catch {
    return { deny: [], ask: [] }; // never written, or damaged: there is nothing to fall back on
  }
};

/** Remembers the rules of a readable file. A disk that refuses is no reason not to start. */
export const rememberLastGood = async (configDir: string, file: string, rules: StrictRules): Promise<void> => {
  const target = cacheFile(configDir, file);
  const text = `${JSON.stringify({ file, ...rules }, null, 2)}\n`;
  try {
    const before = await readFile(target, "utf8").catch(() => undefined);
    if (before === text) return;
    if (rules.deny.length + rules.ask.length === 0) {
      if (before !== undefined) await unlink(target);
      return;
    }
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFileWhole(target, Buffer.from(text), { mode: 0o600 });
  } catch {
    // read-only or full disk: the copy is a safety net, not a condition
  }
};
