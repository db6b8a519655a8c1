// Path patterns of Read and Edit rules: gitignore syntax under an anchor folder.
import { relative } from "node:path";
import ignore, { type Ignore } from "ignore";
import { realFolderFor } from "./resolve.js";
import type { Rule } from "./types.js";

export interface PatternContext {
  cwd: string;
  projectRoot: string;
  home: string;
}

interface Anchored {
  anchors: string[];
  pattern: string;
}

/** Splits a rule's content into the folders it hangs under and the pattern below them. */
export const anchorOf = (rule: Rule, context: PatternContext): Anchored => {
  const content = rule.content ?? "**";
  if (content.startsWith("//")) return { anchors: ["/"], pattern: content.slice(1) };
  if (content === "~") return { anchors: [context.home], pattern: "/**" };
  if (content.startsWith("~/")) return { anchors: [context.home], pattern: content.slice(1) };
  if (content.startsWith("/")) return { anchors: [rule.root], pattern: content };
  // What restricts must also hold where the session has gone since; what grants stays where it was given.
  const anchors = rule.behavior === "allow" ? [context.projectRoot] : [context.projectRoot, context.cwd];
  if (content.startsWith("./")) return { anchors, pattern: content.slice(1) };
  const isOneFolder = /^[^/]+\/\*\*$/.test(content) && !content.startsWith("**");
  if (isOneFolder) return { anchors, pattern: rule.behavior === "allow" ? `/${content}` : `**/${content}` };
  return { anchors, pattern: content };
};

const matchers = new Map<string, Ignore>();
const maxMatchers = 2000; // rules are few; this only bounds a pathological settings file

const matcher = (pattern: string, isFolded: boolean): Ignore => {
  const key = `${isFolded ? "i" : "c"}${pattern}`;
  const known = matchers.get(key);
  if (known) return known;
  if (matchers.size >= maxMatchers) matchers.clear();
  // "!" and "#" begin special lines in a gitignore file, not in a rule.
  const line = /^[!#]/.test(pattern) ? `\\${pattern}` : pattern;
  const made = ignore({ ignorecase: isFolded, allowRelativePaths: false }).add(line.normalize("NFC"));
  matchers.set(key, made);
  return made;
};

/** The path below an anchor, or undefined when it lies elsewhere. */
const below = (anchor: string, path: string, isFolded: boolean): string | undefined => {
  const [from, to] = isFolded ? [anchor.toLowerCase(), path.toLowerCase()] : [anchor, path];
  const way = relative(from.normalize("NFC"), to.normalize("NFC"));
  return way === "" || way === ".." || way.startsWith("../") ? undefined : way;
};

export interface MatchOptions {
  /** Also true for the folder itself when the pattern covers all it holds. */
  asFolder?: boolean;
  platform: NodeJS.Platform;
}

/** Whether a path rule covers an absolute path. Rules that restrict are compared without regard to case. */
export const matchesPath = (rule: Rule, path: string, context: PatternContext, options: MatchOptions): boolean => {
  if (rule.content === undefined) return true;
  const { anchors, pattern } = anchorOf(rule, context);
  const isFolded = rule.behavior !== "allow" || options.platform === "darwin" || options.platform === "win32";
  const test = matcher(pattern, isFolded);
  return anchors
    .flatMap((anchor) => [anchor, realFolderFor(context, anchor)])
    .some((anchor) => {
      const way = below(anchor, path, isFolded);
      if (way === undefined) return options.asFolder === true && /^\/?\*\*(\/\*)?$/.test(pattern) && path === anchor;
      return (
        test.ignores(way) ||
        (options.asFolder === true && test.ignores(`${way}/`)) ||
        (options.asFolder === true && test.ignores(`${way}/\u0001`))
      );
    });
};
