// Contents of files as a commit holds them, where they are the bytes that stood in the folder.
import { lstat, readFile } from "node:fs/promises";
import { relative } from "node:path";
import { formatBytes } from "../platform/fs.js";
import { runHarmlessGit } from "../platform/harmless-git.js";
import type { Env } from "../platform/paths.js";
import type { FoundChange } from "./checkpoint.js";
import { watchLimits } from "./checkpoint-numbers.js";

const run = (args: readonly string[], cwd: string, env: Env, input?: string, encoding?: "latin1") => {
  const maxBytes = 4 * watchLimits.maxBytes;
  return runHarmlessGit(args, { cwd, env, timeoutMs: 5 * watchLimits.maxGitMs, input, encoding, maxBytes });
};

interface Entry {
  mode: string;
  oid: string;
  size: number;
}

/** The commit's entries for these paths (relative to the top). */
const entriesOf = async (
  commit: string,
  names: readonly string[],
  top: string,
  env: Env,
): Promise<Map<string, Entry>> => {
  const entries = new Map<string, Entry>();
  const atOnce = 200; // names in one command line
  for (let from = 0; from < names.length; from += atOnce) {
    const args = ["--literal-pathspecs", "ls-tree", "-z", "-l", "--full-tree", commit, "--"];
    const { stdout } = await run([...args, ...names.slice(from, from + atOnce)], top, env);
    for (const line of stdout.split("\0")) {
      const [facts = "", name] = line.split("\t");
      const [mode = "", type, oid = "", size] = facts.split(/ +/);
      if (type === "blob" && name !== undefined) entries.set(name, { mode, oid, size: Number(size) });
    }
  }
  return entries;
};

/** Names whose bytes in the folder git converts: filters, encodings, line ends. */
const converted = async (names: readonly string[], top: string, env: Env): Promise<Set<string>> => {
  const attributes = ["filter", "ident", "working-tree-encoding", "eol"];
  const [auto, { stdout }] = await Promise.all([
    run(["config", "--get", "core.autocrlf"], top, env),
    run(["check-attr", "-z", "--stdin", ...attributes], top, env, names.join("\0")),
  ]);
  if (!["", "false"].includes(auto.stdout.trim())) return new Set(names);
  const fields = stdout.split("\0");
  const found = new Set<string>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [name = "", attribute, value = ""] = fields.slice(at, at + 3);
    const isPlain = value === "unspecified" || value === "unset" || (attribute === "eol" && value === "lf");
    if (!isPlain) found.add(name);
  }
  return found;
};

/** Reads blobs, in the order asked for. */
const contents = async (oids: readonly string[], top: string, env: Env): Promise<Map<string, Buffer>> => {
  const found = new Map<string, Buffer>();
  const { stdout } = await run(["cat-file", "--batch"], top, env, `${oids.join("\n")}\n`, "latin1");
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf("\n", at);
    const [oid = "", type, size] = stdout.slice(at, end < 0 ? undefined : end).split(" ");
    if (end < 0 || type !== "blob") break;
    const length = Number(size);
    if (end + 1 + length > stdout.length) break; // cut: longer than we read
    found.set(oid, Buffer.from(stdout.slice(end + 1, end + 1 + length), "latin1"));
    at = end + 1 + length + 1;
  }
  return found;
};

/** Whether the file now has line ends that the commit's content has not: then git may have converted them. */
const hasOtherLineEnds = async (path: string, blob: Buffer): Promise<boolean> => {
  if (blob.includes("\r\n")) return false;
  const now = await readFile(path).catch(() => undefined); // deleted: nothing to compare
  return now?.includes("\r\n") === true;
};

/** What these files held in the commit before; paths it does not have are left out. */
export const readBlobs = async (
  { top, commit }: { top: string; commit?: string },
  paths: readonly string[],
  env: Env,
): Promise<Map<string, FoundChange["before"]>> => {
  const found = new Map<string, FoundChange["before"]>();
  if (!commit || paths.length === 0) return found;
  const names = paths.map((path) => relative(top, path));
  const entries = await entriesOf(commit, names, top, env);
  if (entries.size === 0) return found;
  const changed = await converted([...entries.keys()], top, env);
  const wanted: string[] = [];
  let left: number = watchLimits.maxBytes;
  const problems = new Map<string, string>();
  for (const [name, { mode, oid, size }] of entries) {
    if (mode === "120000") problems.set(name, "it was a link");
    else if (changed.has(name)) problems.set(name, "git holds it in another form (filter, encoding or line ends)");
    else if (size > watchLimits.maxFileBytes)
      problems.set(name, `larger than ${formatBytes(watchLimits.maxFileBytes)}`);
    else if (size > left) problems.set(name, "the command changed too much to keep all of it");
    else {
      left -= size;
      wanted.push(oid);
    }
  }
  const blobs = wanted.length === 0 ? new Map<string, Buffer>() : await contents([...new Set(wanted)], top, env);
  for (const [at, name] of names.entries()) {
    const entry = entries.get(name);
    const path = paths[at]!;
    if (!entry) continue;
    const bytes = problems.has(name) ? undefined : blobs.get(entry.oid);
    if (!bytes) found.set(path, { problem: problems.get(name) ?? "git does not have its content" });
    else if (await hasOtherLineEnds(path, bytes))
      found.set(path, { problem: "its line ends may have been other ones" });
    else found.set(path, { bytes, mode: await modeBefore(path, entry.mode) });
  }
  return found;
};

/** Git knows only whether a file may be run; the rest is as it is now, or as new files are. */
const modeBefore = async (path: string, gitMode: string): Promise<number> => {
  const stats = await lstat(path).catch(() => undefined); // deleted
  const isProgram = gitMode === "100755";
  const now = stats?.isFile() ? stats.mode & 0o7777 : 0o666 & ~process.umask();
  return isProgram ? now | 0o100 | ((now & 0o044) >> 2) : now & ~0o111;
};
