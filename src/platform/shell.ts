// Runs shell commands in their own session, with a ledger of every descendant.

export interface ShellRequest {
  command: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  timeoutMs: number;
  signal: AbortSignal;
  /** File that receives the whole merged output (created with mode 0600). */
  outputPath: string;
  onProgress?: (progress: { lastLines: string[]; totalBytes: number }) => void;
}

export interface ShellOutcome {
  /** Merged stdout and stderr: whole, or head and tail when it was long (then `outputPath` has it all). */
  output: string;
  /** Null when a signal ended it. */
  exitCode: number | null;
  interrupted: boolean;
  timedOut: boolean;
  totalBytes: number;
  /** Folder the shell ended in. */
  cwd: string;
  durationMs: number;
}

export interface ShellRunner {
  /** Runs one command to its end. Never rejects for a command's failure. */
  run(request: ShellRequest): Promise<ShellOutcome>;
  /** Ends every process that any command of this runner started and that still lives. */
  killAll(): Promise<void>;
}
