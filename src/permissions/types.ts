// Shapes of the permission decision: everything it needs comes in as a value, everything it found goes out.
import type { DecisionReason, PermissionMode, RuleSource, Suggestion } from "../protocol/permission.js";

export type Behavior = "allow" | "deny" | "ask" | "sandbox";

/** One rule with where it came from. */
export interface Rule {
  /** As written: `Bash(git log *)`. */
  text: string;
  /** Canonical tool name (aliases resolved). */
  tool: string;
  /** Text in the parentheses; undefined for the bare tool. */
  content?: string;
  behavior: Behavior;
  source: RuleSource;
  /** Folder that a `/path` pattern hangs under. */
  root: string;
  /** Settings file, when it came from one. */
  file?: string;
  line?: number;
}

export interface DecisionRequest {
  /** Canonical tool name. */
  tool: string;
  input: Record<string, unknown>;
  /** From the tool; undefined: the tool cannot say, so ask. */
  facts:
    | {
        reads: string[];
        writes: string[];
        command?: string;
        url?: string;
        sends?: string;
        isInteraction?: boolean;
        needsPerson?: boolean;
      }
    | undefined;
  isReadOnly: boolean;
}

export interface DecisionContext {
  mode: PermissionMode;
  rules: readonly Rule[];
  cwd: string;
  workingDirs: readonly string[];
  projectRoot: string;
  home: string;
  configDir: string;
  /** The one file plan mode may write; also writable without a question in default and acceptEdits. */
  planPath?: string;
  /** Folders writable without a question: plans, auto memory. */
  freeWriteDirs: readonly string[];
  /** Folders readable without a question beyond the working ones: the session's stored results and output files. */
  freeReadDirs: readonly string[];
  platform: NodeJS.Platform;
  /** The sandbox of this session; absent: there is none that works. */
  sandbox?: {
    /** Every command runs inside, not only those that a rule sends there. */
    takesAll: boolean;
    /** What runs inside needs no question. */
    autoAllows: boolean;
    /** A call may ask to run outside. */
    mayLeave: boolean;
    /** Patterns of commands that run outside, under the usual rules. */
    excluded: readonly string[];
  };
}

export interface Decision {
  outcome: Behavior;
  /** Strongest first; never empty. */
  reasons: DecisionReason[];
  suggestions: Suggestion[];
  /** An ask that no classifier may answer: an ask rule, a critical removal, a file that starts programs, hidden text. */
  isForPerson?: boolean;
  /** No hook lifts it: protected files and the limits of a mode. */
  isLimit?: boolean;
  /** A denial that would be a question in another mode (dontAsk). */
  wasAsk?: boolean;
  /** The command runs inside the sandbox: a rule wants it there, or the settings want every command there. */
  isConfined?: boolean;
  /** Ids of the safety checks that spoke (T1, R1 …). */
  checks: string[];
}
