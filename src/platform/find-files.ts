// Finds files by name pattern, newest first.
import { stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import type { Env } from "./paths.js";
import { runRipgrep } from "./ripgrep.js";

export interface FindOptions {
  pattern: string;
  /** Absolute folder that relative patterns hang under. */
  cwd: string;
  limit: number;
  signal: AbortSignal;
  env: Env;
  /** Leave out what .gitignore names (off by default). */
  respectIgnore?: boolean;
  /** Also find names that begin with a dot (on by default). */
  includeHidden?: boolean;
  timeoutMs?: number;
  /** Drops files that must not be seen. */
  accept?: (path: string) => boolean;
}

export interface FoundFiles {
  /** Absolute paths, newest first, then by name. */
  paths: string[];
  /** All that matched, also beyond the limit. */
  total: number;
  truncated: boolean;
  timedOut: boolean;
}

const versionControl = ["**/.git/**", "**/.svn/**", "**/.hg/**", "**/.jj/**"];

/** Splits a pattern into its fixed folder (absolute) and the part with wildcards. */
export const splitPattern = async (pattern: string, cwd: string): Promise<{ folder: string; rest: string }> => {
  const { default: picomatch } = await import("picomatch");
  const { base, glob } = picomatch.scan(pattern);
  if (!glob) return { folder: cwd, rest: pattern };
  if (isAbsolute(pattern) || base.startsWith("..")) return { folder: resolve(cwd, base), rest: glob };
  return { folder: cwd, rest: pattern.replace(/^(\.\/)+/, "") };
};

/** Finds the files that match. What could not be read is left out; on timeout what was found so far is returned. */
export const findFiles = async (options: FindOptions): Promise<FoundFiles> => {
  const { cwd, limit, accept = () => true } = options;
  const { folder, rest } = await splitPattern(options.pattern, cwd);
  const listed = await (options.respectIgnore ? listWithRipgrep : listWithGlob)(folder, rest, options);
  const dated = await withTimes(
    listed.paths.map((path) => (isAbsolute(path) ? path : join(folder, path))).filter(accept),
  );
  const paths = dated.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1)).map(({ path }) => path);
  return {
    paths: paths.slice(0, limit),
    total: paths.length,
    truncated: paths.length > limit,
    timedOut: listed.timedOut,
  };
};

type Listing = { paths: string[]; timedOut: boolean };

const listWithGlob = async (folder: string, pattern: string, options: FindOptions): Promise<Listing> => {
  const { default: glob } = await import("fast-glob");
  const isAboutVersionControl = /(^|\/)\.(git|svn|hg|jj)(\/|$)/.test(pattern);
  const stream = glob.stream(pattern, {
    cwd: folder,
    dot: options.includeHidden ?? true,
    onlyFiles: true,
    followSymbolicLinks: false,
    suppressErrors: true,
    ignore: isAboutVersionControl ? [] : versionControl,
  });
  const paths: string[] = [];
  let timedOut = false;
  const stop = () => (stream as NodeJS.ReadableStream & { destroy(): void }).destroy();
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, options.timeoutMs ?? defaultTimeoutMs);
  options.signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const path of stream) paths.push(String(path));
  } catch (error) {
    if (!timedOut && !options.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener("abort", stop);
  }
  return { paths, timedOut };
};

const defaultTimeoutMs = 20_000; // spec/tools: CLAUDE_CODE_GLOB_TIMEOUT_SECONDS

const listWithRipgrep = async (folder: string, pattern: string, options: FindOptions): Promise<Listing> => {
  const { default: picomatch } = await import("picomatch");
  const hidden = options.includeHidden ?? true;
  const listing = await runRipgrep(
    ["--files", "--null", "--no-require-git", "--glob=!.git", ...(hidden ? ["--hidden"] : [])],
    {
      cwd: folder,
      env: options.env,
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      maxBytes: 64 * 1024 * 1024,
    },
  );
  const matches = picomatch(pattern, { dot: hidden });
  return { paths: listing.stdout.split("\0").filter((path) => path && matches(path)), timedOut: listing.timedOut };
};

const statsAtOnce = 64; // keeps the thread pool busy without tens of thousands of pending promises

const withTimes = async (paths: string[]): Promise<{ path: string; mtimeMs: number }[]> => {
  const dated: { path: string; mtimeMs: number }[] = [];
  for (let start = 0; start < paths.length; start += statsAtOnce) {
    const batch = paths.slice(start, start + statsAtOnce).map(async (path) => {
      const stats = await stat(path).catch(() => undefined); // a dangling link has no time
      return { path, mtimeMs: stats?.mtimeMs ?? 0 };
    });
    dated.push(...(await Promise.all(batch)));
  }
  return dated;
};
