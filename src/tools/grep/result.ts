// From ripgrep's output to Grep's result in each of the three modes.
import { statSync } from "node:fs";
import type { Display } from "../../protocol/display.js";
import { shortPath } from "../shared/paths.js";
import type { ToolResult } from "../tool.js";
import type { GrepInput } from "./input.js";

const defaultLimit = 250; // spec/tools section 6

interface ResultOptions {
  cwd: string;
  /** Absolute path that was searched: every path in the output begins with it. */
  target: string;
  /** Ripgrep was stopped before its end. */
  isCut: boolean;
  mayRead?: (path: string) => boolean;
}

/** The result; files that may not be read are left out. */
export const resultOf = (input: GrepInput, stdout: string, options: ResultOptions): ToolResult => {
  const mode = input.output_mode ?? "files_with_matches";
  if (mode === "content") return contentResult(input, stdout, options);
  return mode === "count" ? countResult(input, stdout, options) : filesResult(input, stdout, options);
};

/** The wanted part of a list and a sentence about the rest. */
const page = <T>(all: readonly T[], input: GrepInput, what: string, isCut: boolean) => {
  const limit = input.head_limit ?? defaultLimit;
  const start = input.offset ?? 0;
  const shown = limit === 0 ? all.slice(start) : all.slice(start, start + limit);
  const end = start + shown.length;
  const total = `${all.length}${isCut ? " or more" : ""}`;
  const notes: string[] = [];
  if (end < all.length || isCut)
    notes.push(`(${what} ${start + 1}-${end} of ${total}. Go on with offset ${end}, or narrow the search.)`);
  else if (shown.length === 0 && all.length > 0) notes.push(`(There are only ${all.length} ${what}.)`);
  return {
    shown,
    notes,
    applied: {
      ...(end < all.length && limit > 0 ? { appliedLimit: limit } : {}),
      ...(start > 0 ? { appliedOffset: start } : {}),
    },
    isTruncated: end < all.length || isCut,
  };
};

const mtimeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const filesResult = (
  input: GrepInput,
  stdout: string,
  { cwd, isCut, mayRead = () => true }: ResultOptions,
): ToolResult => {
  const files = stdout.split("\0").filter((path) => path && mayRead(path));
  const times = new Map(files.map((path) => [path, mtimeOf(path)]));
  const sorted = files.sort((a, b) => times.get(b)! - times.get(a)! || (a < b ? -1 : 1)); // newest first
  const { shown, notes, applied, isTruncated } = page(sorted, input, "files", isCut);
  const names = shown.map((path) => shortPath(path, cwd));
  const head =
    files.length > 0
      ? `Found ${files.length}${isCut ? " or more" : ""} ${files.length === 1 ? "file" : "files"}`
      : "No files found";
  return {
    content: [head, ...names, ...notes].join("\n"),
    display: { kind: "paths", paths: names, total: files.length, truncated: isTruncated },
    structured: { mode: "files_with_matches", numFiles: files.length, filenames: shown, ...applied },
  };
};

const countResult = (
  input: GrepInput,
  stdout: string,
  { cwd, isCut, mayRead = () => true }: ResultOptions,
): ToolResult => {
  const counts: { path: string; count: number }[] = [];
  for (const [, path = "", count = ""] of stdout.matchAll(/([^\0]*)\0(\d+)\n/g)) {
    if (mayRead(path)) counts.push({ path, count: Number(count) });
  }
  counts.sort((a, b) => (a.path < b.path ? -1 : 1));
  const matches = counts.reduce((sum, { count }) => sum + count, 0);
  const { shown, notes, applied, isTruncated } = page(counts, input, "files", isCut);
  const lines = shown.map(({ path, count }) => `${shortPath(path, cwd)}:${count}`);
  const text = lines.join("\n");
  const total = `${matches} ${matches === 1 ? "match" : "matches"} in ${counts.length} ${counts.length === 1 ? "file" : "files"}`;
  return {
    content: counts.length === 0 ? "No matches found" : [...lines, ...notes, `Total: ${total}`].join("\n"),
    display: { kind: "matches", text, files: counts.length, matches, truncated: isTruncated },
    structured: {
      mode: "count",
      numFiles: counts.length,
      filenames: [],
      content: text,
      numMatches: matches,
      ...applied,
    },
  };
};

/** One line of content mode: `path NUL number (: or -) text`. */
interface Row {
  path: string;
  text: string;
  isMatch: boolean;
  /** `--` between groups, or what ripgrep says about a binary file. */
  isPlain?: boolean;
}

const rowsOf = (stdout: string, { hasNumbers, target }: { hasNumbers: boolean; target: string }): Row[] => {
  const rows: Row[] = [];
  let path = "";
  let pending = ""; // start of a path that has a line break in it
  for (const line of stdout.replace(/\n$/, "").split("\n")) {
    const end = line.indexOf("\0");
    if (end >= 0) {
      path = pending + line.slice(0, end);
      pending = "";
      const text = line.slice(end + 1).replace(/\r$/, "");
      rows.push({ path, text, isMatch: hasNumbers ? /^\d+:/.test(text) : true });
    } else if (pending !== "" || (line.startsWith(target) && !line.includes(": binary file matches ("))) {
      pending += `${line}\n`;
    } else rows.push({ path, text: line, isMatch: false, isPlain: true });
  }
  return rows;
};

const contentResult = (
  input: GrepInput,
  stdout: string,
  { cwd, target, isCut, mayRead = () => true }: ResultOptions,
): ToolResult => {
  const hasNumbers = input["-n"] !== false;
  const rows =
    stdout === "" ? [] : rowsOf(stdout, { hasNumbers, target }).filter(({ path }) => path === "" || mayRead(path));
  const names = new Map<string, string>();
  const nameOf = (path: string): string => {
    const name = names.get(path) ?? shortPath(path, cwd);
    names.set(path, name);
    return name;
  };
  const lines = rows.map(({ path, text, isMatch, isPlain }) =>
    isPlain ? text : `${nameOf(path)}${isMatch ? ":" : "-"}${text}`,
  );
  const { shown, notes, applied, isTruncated } = page(lines, input, "lines", isCut);
  const files = new Set(rows.map(({ path }) => path)).size;
  const matches = rows.filter(({ isMatch }) => isMatch).length;
  const text = shown.join("\n");
  const display: Display = { kind: "matches", text, files, matches, truncated: isTruncated };
  return {
    content: rows.length === 0 ? "No matches found" : [...shown, ...notes].join("\n"),
    display,
    structured: { mode: "content", numFiles: files, filenames: [], content: text, numLines: shown.length, ...applied },
  };
};
