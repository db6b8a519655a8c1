// Whether something below a folder is covered by a rule that restricts, without asking the rules about every file.
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { anchorOf, matchesPath } from "./patterns.js";
import { fold, isBelow, realFolderFor } from "./resolve.js";
import { coversTool } from "./rules.js";
import type { DecisionContext, Rule } from "./types.js";

const maxEntries = 10_000; // names looked at before giving up: about 30 ms

/** Folders of other people's files: a rule on names at any depth does not mean what lies in them. */
const skipped: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** Rules that restrict paths by a pattern. */
const restricting = (context: DecisionContext): Rule[] =>
  context.rules.filter(
    (rule) =>
      (rule.behavior === "deny" || rule.behavior === "ask") &&
      rule.content !== undefined &&
      (coversTool(rule, "Read") || coversTool(rule, "Edit")),
  );

const hasGlob = (segment: string): boolean => /[*?[\\]/.test(segment);

interface Reach {
  /** Where matches can lie; undefined: nowhere below the folder. */
  start?: string;
  /** Test of a base name that every match passes. */
  name?: RegExp;
}

const namePattern = (segments: readonly string[]): RegExp | undefined => {
  const last = segments.filter((segment) => segment !== "**" && segment !== "").at(-1);
  if (last === undefined || last === "*" || /[[\\]/.test(last)) return undefined;
  const source = last
    .replace(/[.+^${}()|\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, "i");
};

/** Where below a folder a rule's pattern can match. */
const reachOf = (rule: Rule, folder: string, context: DecisionContext): Reach[] => {
  const { anchors, pattern } = anchorOf(rule, context);
  const segments = pattern.split("/").filter((segment) => segment !== "");
  const isAnchored = !pattern.startsWith("**/") && (pattern.startsWith("/") || segments.length > 1);
  const name = namePattern(segments);
  const count = segments.findIndex(hasGlob);
  const fixed = isAnchored ? segments.slice(0, count === -1 ? undefined : count) : [];
  return [...new Set(anchors.flatMap((anchor) => [anchor, realFolderFor(context, anchor)]))].map((anchor) => {
    const base = join(anchor, ...fixed);
    if (isBelow(fold(base), fold(folder))) return { start: base, name };
    return isBelow(fold(folder), fold(base)) ? { start: folder, name } : {};
  });
};

/** The first of many existing paths (no links) that a restricting rule covers. */
export const restrictedAmong = (
  paths: readonly string[],
  context: DecisionContext,
): { rule: Rule; path: string } | undefined => {
  for (const rule of restricting(context)) {
    const name = namePattern(anchorOf(rule, context).pattern.split("/"));
    for (const path of paths) {
      if (name && !path.split("/").some((segment) => name.test(segment))) continue;
      if (matchesPath(rule, path, context, { platform: context.platform })) return { rule, path };
    }
  }
  return undefined;
};

const entriesOf = (folder: string): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not a folder, or unreadable for the command too
  }
};

const exists = (path: string): boolean => {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false; // nothing there to protect
  }
};

/**
 * The first existing path below `folder` (or the folder itself) that a restricting rule covers, with the rule;
 * "too many" when there is too much to look at.
 */
export const restrictedBelow = (
  folder: string,
  context: DecisionContext,
): { rule: Rule; path: string } | "too many" | undefined => {
  let seen = 0;
  for (const rule of restricting(context)) {
    const covers = (path: string) => matchesPath(rule, path, context, { platform: context.platform });
    for (const { start, name } of reachOf(rule, folder, context)) {
      if (start === undefined || !exists(start)) continue;
      if (start !== folder && covers(start)) return { rule, path: start };
      const folders = [start];
      for (let next = folders.pop(); next !== undefined; next = folders.pop())
        for (const entry of entriesOf(next)) {
          if (++seen > maxEntries) return "too many";
          const path = join(next, entry.name);
          if ((name === undefined || name.test(entry.name)) && covers(path)) return { rule, path };
          if (entry.isDirectory() && !skipped.has(entry.name)) folders.push(path);
          // `dir/**` covers what is in the folder, not the folder.
          if (entry.isDirectory() && name?.test(entry.name) && covers(join(path, "\u0001"))) return { rule, path };
        }
    }
  }
  return undefined;
};
