// The numbers of checkpoints: how many, how large, how long. One place, so that they can be argued about.

/** Checkpoints that are kept of a session (spec/memory-and-context.md section 11). */
export const keptCheckpoints = 100;

/** Largest file whose content is kept before a change: what Edit itself can change. */
export const maxKeptBytes = 64 * 1024 * 1024;

/** What is watched of a folder while a shell command runs; above it nothing of the folder is. */
export const watchLimits = {
  /** Files outside git's own keeping: changed, untracked; in a folder without git, all. */
  maxFiles: 1_000,
  /** A larger file is named when it changed, not kept. */
  maxFileBytes: 1024 * 1024,
  /** All contents that are held in memory for the next command. */
  maxBytes: 8 * 1024 * 1024,
  /** Longest walk through a folder without git. */
  maxWalkMs: 60,
  /** Longest wait for git before a command; a repository that needs more is not watched again. */
  maxGitMs: 1_000,
  /** Working folders that are watched. */
  maxFolders: 3,
} as const;

/** Folders without git: what programs make again by themselves is not watched. */
export const unwatchedNames: ReadonlySet<string> = new Set([
  ".git",
  "node_modules",
  ".venv",
  "venv",
  "__pycache__",
  ".cache",
]);

/** A file counts as made by a command when it was born at most this long before its start: clocks of file systems lag. */
export const birthSlackMs = 20;

/** A change that lost its end (a kill) counts as ours when the file is at most this much younger than the record. */
export const lostEndSlackMs = 5_000;
