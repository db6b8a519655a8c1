// What a shell glob matches on disk: a superset of bash's own result (names with a leading dot count too).
import { readdirSync } from "node:fs";
import { join } from "node:path";

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
    } else if (char === "\\" && index + 1 < segment.length) source += literal(segment[++index] ?? "");
    else source += literal(char);
  }
  return new RegExp(`^${source}$`, "si");
};

const literal = (char: string): string => char.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Existing paths that an absolute glob can match; undefined when there are more than `limit`. `**` counts as `*`. */
export const matchGlob = (glob: string, limit: number): string[] | undefined => {
  let folders = ["/"];
  let seen = 0;
  for (const segment of glob.split("/").filter((part) => part !== "")) {
    if (!/[*?[\\]/.test(segment)) {
      folders = folders.map((folder) => `${folder === "/" ? "" : folder}/${segment}`);
      continue;
    }
    const pattern = segmentPattern(segment);
    const next: string[] = [];
    for (const folder of folders) {
      let names: string[];
      try {
        names = readdirSync(folder);
      } catch {
        continue; // not a folder: it matches nothing
      }
      seen += names.length;
      if (seen > limit) return undefined;
      next.push(...names.filter((name) => pattern.test(name)).map((name) => join(folder, name)));
    }
    folders = next;
  }
  return folders;
};
