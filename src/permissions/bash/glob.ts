// What a shell glob matches on disk: a superset of bash's own result (names with a leading dot count too).
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

export interface GlobMatch {
  path: string;
  /** A link lies on the way, so the path may land elsewhere. */
  isLink: boolean;
}

const literal = (char: string): string => char.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const segmentPattern = (segment: string): RegExp => {
  let source = "";
  for (let index = 0; index < segment.length; index++) {
    const char = segment[index] ?? "";
    const close = char === "[" ? segment.indexOf("]", index + 2) : -1;
    if (char === "*") source += ".*";
    else if (char === "?") source += ".";
    // A class is widened to any one character: the superset is what is judged.
    else if (close !== -1) {
      source += ".";
      index = close;
    } else source += literal(char);
  }
  return new RegExp(`^${source}$`, "si");
};

const entriesOf = (folder: string): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not a folder: it matches nothing
  }
};

/** Folder in front of the first pattern character of an absolute glob. */
export const globFolder = (glob: string): string =>
  glob.slice(0, Math.max(1, glob.slice(0, glob.search(/[*?[]/)).lastIndexOf("/")));

/** Existing paths that an absolute glob can match; undefined when more than `limit` names were looked at. `**` counts as `*`. */
export const matchGlob = (glob: string, limit: number): GlobMatch[] | undefined => {
  const start = globFolder(glob);
  let found: GlobMatch[] = [{ path: start, isLink: false }];
  let seen = 0;
  for (const segment of glob
    .slice(start.length)
    .split("/")
    .filter((part) => part !== "" && part !== ".")) {
    if (!/[*?[]/.test(segment)) {
      // What follows a pattern may be a link or lead up: it is judged in full.
      found = found.map(({ path }) => ({ path: `${path}/${segment}`, isLink: true }));
      continue;
    }
    const pattern = segmentPattern(segment);
    const next: GlobMatch[] = [];
    for (const { path, isLink } of found) {
      const entries = entriesOf(path);
      seen += entries.length;
      if (seen > limit) return undefined;
      for (const entry of entries)
        if (pattern.test(entry.name))
          next.push({ path: join(path, entry.name), isLink: isLink || entry.isSymbolicLink() });
    }
    found = next;
  }
  return found;
};
