// What the engine is built with: flags, environment, and how much of a person there is.
import type { Clock } from "../platform/clock.js";
import type { Env } from "../platform/paths.js";
import type { PermissionMode } from "../protocol/permission.js";
import type { Effort } from "../providers/provider.js";

/** Flags that shape a session; undefined means: not given. */
export interface SessionFlags {
  model?: string;
  /** Models to try, in order, while the chosen one is overloaded. */
  fallbackModels?: string[];
  effort?: Effort;
  thinking?: "adaptive" | "enabled" | "disabled";
  maxThinkingTokens?: number;
  permissionMode?: PermissionMode;
  allowBypass?: boolean;
  allowedTools?: string[];
  disallowedTools?: string[];
  /** The built-in tools to offer; empty: none; undefined: the default set. */
  tools?: string[];
  addDirs?: string[];
  settings?: string;
  settingSources?: ("user" | "project" | "local")[];
  systemPrompt?: string;
  appendSystemPrompt?: string;
  maxTurns?: number;
  maxBudgetUsd?: number;
  taskBudget?: number;
  /** Session id or exact title. */
  resume?: string;
  /** Let the person choose an earlier session. */
  chooseSession?: boolean;
  continue?: boolean;
  forkSession?: boolean;
  sessionId?: string;
  name?: string;
  persist?: boolean;
  /** Tokens at which the window counts as full. */
  autoCompactWindow?: number;
  /** Agents as a JSON map. */
  agents?: string;
  /** Lists of MCP servers: files or JSON texts. */
  mcpConfig?: string[];
  /** Only the servers of `mcpConfig`. */
  strictMcpConfig?: boolean;
}

export interface EngineOptions {
  env: Env;
  /** Start folder, absolute. */
  cwd: string;
  flags: SessionFlags;
  /** A person sits at the screen: questions are asked, trust is asked for. */
  isInteractive: boolean;
  /** The person gave no first prompt: choosing the offline tour at the start question begins it. */
  mayStartTour: boolean;
  /** Yield raw stream events too. */
  includeStream: boolean;
  /** "cli", "sdk-cli" …: goes into transcripts and children's environment. */
  entrypoint: string;
  version: string;
  clock: Clock;
  /** In [0, 1): jitter and names. */
  random(): number;
}
