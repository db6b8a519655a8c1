// Runs shell commands in their own session, with a ledger of every descendant.

/** What starts a shell inside the sandbox in place of `argv`, and what to call when it has ended. */
export type Confine = (
  argv: readonly string[],
  options: { scratch: string; cwd: string; signal: AbortSignal },
) => Promise<{ argv: readonly string[]; onEnd?: () => void }>;

export interface ShellRequest {
  command: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Infinity: no limit. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Puts the shell into the sandbox: gets its argument vector and a folder it must be able to write. */
  confine?: Confine;
  /** File that receives the whole merged output (created with mode 0600). */
  outputPath: string;
  /** Most that is written to that file; the runner's own limit when left out. */
  maxFileBytes?: number;
  /** Gets stderr instead of the merged output (appended, created with mode 0600). */
  stderrPath?: string;
  /** Gets every piece of the output as it comes; copies what it keeps. */
  onOutput?: (bytes: Buffer) => void;
  onProgress?: (progress: { lastLines: string[]; totalBytes: number }) => void;
}

export interface ShellOutcome {
  /** Merged stdout and stderr: whole, or head and tail when it was long (then `outputPath` has more). */
  output: string;
  /** Null when a signal ended it. */
  exitCode: number | null;
  interrupted: boolean;
  timedOut: boolean;
  totalBytes: number;
  /** How much of the beginning `outputPath` holds: less than `totalBytes` when the file's limit or the disk ended it. */
  storedBytes: number;
  /** Folder the shell ended in. */
  cwd: string;
  durationMs: number;
}

/** A command that runs. */
export interface ShellJob {
  /** Its end. Never rejects. */
  done: Promise<ShellOutcome>;
  totalBytes(): number;
  /** As in `ShellOutcome.storedBytes`. */
  storedBytes(): number;
  /** The newest lines of its output, oldest first. */
  lastLines(count: number): string[];
  /** Output so far, as in `ShellOutcome.output`. */
  output(): string;
  /**
   * The limits of a command in the background: its file may grow up to `fileBytes`, what comes later is not stored;
   * `onTooMuch` is called once, when it has printed more than `totalBytes`.
   */
  setLimits(limits: { fileBytes: number; totalBytes: number; onTooMuch: () => void }): void;
}

export interface ShellRunner {
  /** Starts one command and does not wait for it. Aborting the request's signal ends it. */
  start(request: ShellRequest): ShellJob;
  /** Runs one command to its end. Never rejects for a command's failure. */
  run(request: ShellRequest): Promise<ShellOutcome>;
  /** Ends every process that any command of this runner started and that still lives. */
  killAll(): Promise<void>;
}
