// Which files of a repository a shell command changed, with git's help: what git holds needs no copy before it.
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { runHarmlessGit } from "../platform/harmless-git.js";
import type { Env } from "../platform/paths.js";
import type { FoundChange } from "./checkpoint.js";
import { watchLimits } from "./checkpoint-numbers.js";
import { readBlobs } from "./git-blobs.js";
import { keyNow, type Seen, type SeenFiles } from "./seen-files.js";

export interface GitState {
  top: string;
  /** Commit that HEAD was; undefined in a repository without one. */
  commit?: string;
  /** Paths that differ from it or are unknown to git, with what they held. */
  dirty: Map<string, Seen | undefined>;
}

/** Why a folder is not watched, as half a sentence. */
export interface NotWatched {
  problem: string;
}

interface Status {
  commit?: string;
  /** Absolute paths. */
  changed: string[];
  untracked: string[];
}

const git = (args: readonly string[], cwd: string, env: Env) =>
  runHarmlessGit(args, { cwd, env, timeoutMs: watchLimits.maxGitMs });

/** One `-z` line of porcelain v2: its path, or nothing. */
const pathOf = (line: string): { path: string; isUntracked: boolean } | undefined => {
  if (line.startsWith("? ")) return { path: line.slice(2), isUntracked: true };
  const fields = line.startsWith("1 ") ? 8 : line.startsWith("u ") ? 10 : 0;
  if (fields === 0) return undefined;
  let at = 0;
  for (let field = 0; field < fields; field += 1) at = line.indexOf(" ", at) + 1;
  return { path: line.slice(at), isUntracked: false };
};

/** What git says of the folder `cwd` inside the repository `top`. */
const status = async (top: string, cwd: string, env: Env): Promise<Status | NotWatched> => {
  const args = ["status", "--porcelain=v2", "-z", "--branch", "--untracked-files=all", "--no-renames"];
  const run = await git([...args, "--ignore-submodules=all", "--", "."], cwd, env);
  if (run.timedOut) return { problem: "git takes too long here" };
  if (run.error || run.exitCode !== 0 || run.truncated) return { problem: "git could not tell what has changed" };
  const lines = run.stdout.split("\0");
  const oid = lines.find((line) => line.startsWith("# branch.oid "))?.slice("# branch.oid ".length);
  const found: Status = { changed: [], untracked: [], ...(oid && oid !== "(initial)" ? { commit: oid } : {}) };
  for (const line of lines) {
    const entry = pathOf(line);
    // A name that is not UTF-8 cannot be given back to the system; a folder here is a repository of its own.
    if (!entry || entry.path.includes("\uFFFD") || entry.path.endsWith("/")) continue;
    (entry.isUntracked ? found.untracked : found.changed).push(join(top, entry.path));
  }
  return found;
};

/** Before the command: what git does not hold is read. */
export const gitBefore = async (
  { top, cwd, env }: { top: string; cwd: string; env: Env },
  seen: SeenFiles,
): Promise<GitState | NotWatched> => {
  const found = await status(top, cwd, env);
  if ("problem" in found) return found;
  const paths = [...found.changed, ...found.untracked];
  if (paths.length > watchLimits.maxFiles)
    return { problem: `more than ${watchLimits.maxFiles} files are changed or untracked` };
  const held = seen.look(paths);
  return { top, commit: found.commit, dirty: new Map(paths.map((path) => [path, held.get(path)])) };
};

const heldBefore = (path: string, seen: Seen | undefined): FoundChange["before"] => {
  if (!seen) return "absent"; // a deletion git knew of, or a link
  if (seen.bytes) return { bytes: seen.bytes, mode: seen.mode };
  return { problem: seen.problem ?? `${path} was not read` };
};

/** Whether a file was born after the command began: one that was moved here was not made by it. */
export const wasBorn = async (path: string, since: number): Promise<boolean> => {
  const stats = await lstat(path).catch(() => undefined); // gone again
  return stats !== undefined && stats.birthtimeMs > 0 && stats.birthtimeMs >= since;
};

const newFile = async (path: string, since: number): Promise<FoundChange["before"]> =>
  (await wasBorn(path, since)) ? "absent" : { problem: "it was there or elsewhere before, out of git's sight" };

/** Files that differ between two commits, below the folder. */
const movedBetween = async (before: GitState, commit: string | undefined, cwd: string, env: Env): Promise<string[]> => {
  if (!before.commit || !commit || before.commit === commit) return [];
  const args = [
    "diff",
    "--name-only",
    "-z",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=all",
  ];
  const run = await git([...args, before.commit, commit, "--", "."], cwd, env);
  // Names are relative to the top, whatever the folder.
  return run.exitCode === 0
    ? run.stdout
        .split("\0")
        .filter(Boolean)
        .map((name) => join(before.top, name))
    : [];
};

/** After the command: what changed, and what each file held before. */
export const gitChanges = async (
  before: GitState,
  { cwd, env, since }: { cwd: string; env: Env; since: number },
): Promise<FoundChange[] | NotWatched> => {
  const now = await status(before.top, cwd, env);
  if ("problem" in now) return now;
  const changes: FoundChange[] = [];
  for (const [path, seen] of before.dirty)
    if (keyNow(path) !== seen?.key && (seen !== undefined || keyNow(path) !== undefined))
      changes.push({ path, before: heldBefore(path, seen) });
  const isNew = (path: string): boolean => !before.dirty.has(path);
  const fromCommit = [...now.changed, ...(await movedBetween(before, now.commit, cwd, env))].filter(isNew);
  // Untracked now, but perhaps in the old commit: `git rm --cached`, `git reset`.
  const candidates = [...new Set([...fromCommit, ...now.untracked.filter(isNew)])];
  if (candidates.length > watchLimits.maxFiles)
    return { problem: `it changed more than ${watchLimits.maxFiles} files` };
  const blobs = await readBlobs(before, candidates, env);
  for (const path of candidates) {
    const held = blobs.get(path) ?? (keyNow(path) === undefined ? undefined : await newFile(path, since));
    if (held !== undefined) changes.push({ path, before: held });
  }
  return changes;
};
