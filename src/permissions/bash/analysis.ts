// What the shell analysis says about a command: plain facts, independent of rules and modes.

/** One thing a check found. */
export interface Finding {
  /** Id of the check: T1, R1 … (shell-safety); B1 is a background part beside others, D0 a command outside the table. */
  check: string;
  text: string;
}

/** A path a command would touch, as far as the text tells. */
export interface Operand {
  /** As written, for messages. */
  text: string;
  /** Absolute path, when it is static. */
  path?: string;
  /** Absolute glob, when only its pattern is static. */
  glob?: string;
  /** Folder that the path certainly lies below, when its name comes from a listing of that folder. */
  under?: string;
  /** Contents below the folder are read too. */
  isRecursive?: boolean;
  /** Only looks whether it exists or what it is. */
  isMetadata?: boolean;
}

/** One simple command at any depth. */
export interface ShellPart {
  /** As written: redirections and comments removed, blanks reduced to one. */
  text: string;
  /** What allow rules are matched against: harmless wrappers and assignments in front are gone. */
  allowText: string;
  /** What deny and ask rules are matched against: every form the command can be seen in. */
  strictTexts: string[];
  /** Every word is known from the text alone. */
  isStatic: boolean;
  /** Why it is not read-only; empty: it only reads what `reads` says. */
  findings: Finding[];
  /** Why no scoped allow rule may cover it. */
  unruled: Finding[];
  reads: Operand[];
  writes: Operand[];
  /** Things that `rm` or `rmdir` would remove. */
  removals: Operand[];
  /** One of the file commands that acceptEdits runs: everything it touches is in `reads` and `writes`. */
  isFileCommand: boolean;
  /** Folder it runs in; undefined when unknown. */
  cwd: string | undefined;
}

export interface Redirection {
  text: string;
  target: Operand;
  access: "read" | "write";
  /** Why the target is not simply a path. */
  findings: Finding[];
}

export interface ShellAnalysis {
  parts: ShellPart[];
  redirections: Redirection[];
  /** About the whole text; each makes it at least ask. */
  findings: Finding[];
  /** Set: the text holds control characters and is sent back with this message. */
  refusal?: Finding;
  /** Not everything that would run is in `parts`: it could not be parsed, or a name or a script is not static. */
  isOpaque: boolean;
  /** The whole text, for deny rules that begin with a star. */
  wholeText: string;
}

export interface ShellContext {
  cwd: string;
  workingDirs: readonly string[];
  home: string;
  env: Readonly<Record<string, string | undefined>>;
}

export type ShellAnalyser = (command: string, context: ShellContext) => ShellAnalysis;
