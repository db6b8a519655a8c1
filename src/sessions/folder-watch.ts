// Which files of a small folder without git a shell command changed: all of it is read before.
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { FoundChange } from "./checkpoint.js";
import { unwatchedNames, watchLimits } from "./checkpoint-numbers.js";
import { type NotWatched, wasBorn } from "./git-watch.js";
import { keyNow, type Seen, type SeenFiles } from "./seen-files.js";

/** Plain files below the folder, links not followed; a reason when there are too many. */
const filesBelow = (folder: string, clock: () => number): string[] | NotWatched => {
  const files: string[] = [];
  const open = [folder];
  const end = clock() + watchLimits.maxWalkMs;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    let entries: ReturnType<typeof list>;
    try {
      entries = list(at);
    } catch {
      continue; // may not be listed, or gone: nothing of it can be kept
    }
    for (const entry of entries) {
      if (entry.isDirectory() && !unwatchedNames.has(entry.name)) open.push(join(at, entry.name));
      else if (entry.isFile()) files.push(join(at, entry.name));
    }
    if (files.length > watchLimits.maxFiles || open.length > watchLimits.maxFiles)
      return { problem: `it has more than ${watchLimits.maxFiles} files and no git` };
    if (clock() > end) return { problem: "it is too large and has no git" };
  }
  return files;
};

const list = (folder: string) => readdirSync(folder, { withFileTypes: true });

/** Before the command: every file with what it held. */
export const folderBefore = (folder: string, seen: SeenFiles, clock: () => number): Map<string, Seen> | NotWatched => {
  const files = filesBelow(folder, clock);
  return Array.isArray(files) ? seen.look(files) : files;
};

/** After the command: what changed, and what each file held before. */
export const folderChanges = async (
  folder: string,
  before: ReadonlyMap<string, Seen>,
  { clock, since }: { clock: () => number; since: number },
): Promise<FoundChange[] | NotWatched> => {
  const changes: FoundChange[] = [];
  for (const [path, seen] of before) {
    if (keyNow(path) === seen.key) continue;
    const held = seen.bytes ? { bytes: seen.bytes, mode: seen.mode } : { problem: seen.problem ?? "it was not read" };
    changes.push({ path, before: held });
  }
  const now = filesBelow(folder, clock);
  if (!Array.isArray(now)) return changes.length > 0 ? changes : now;
  for (const path of now) {
    if (before.has(path)) continue;
    const isNew = await wasBorn(path, since);
    changes.push({ path, before: isNew ? "absent" : { problem: "it was there or elsewhere before, unseen" } });
  }
  return changes;
};

/** Whether the folder can be listed at all. */
export const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
