// What the Agent tool asks for and what comes back: the contract between tools/ and query/.
import type { Usage } from "../protocol/messages.js";

export interface SubagentRequest {
  /** A few words for people. */
  description: string;
  prompt: string;
  /** Name of the definition. */
  type: string;
  /** Alias or id; overrides the definition's. */
  model?: string;
  /** A name to call it by. */
  name?: string;
  isBackground: boolean;
  /** A git worktree of its own. */
  isolation?: "worktree";
}

/** The worktree of an agent that holds something: it stays. */
export interface KeptWorktree {
  path: string;
  branch: string;
  /** Changed and untracked files. */
  files: number;
  commits: number;
}

export interface SubagentReport {
  agentId: string;
  agentType: string;
  model: string;
  /** Its last message, or what it had when it was stopped. */
  text: string;
  /** Why it could not finish, in words. */
  problem?: string;
  /** How it ended: only "completed" is a whole report. */
  cause: string;
  toolUses: number;
  /** Input (cached or not) and output of all its model calls. */
  tokens: number;
  durationMs: number;
  usage: Usage;
  worktree?: KeptWorktree;
}

export type SubagentOutcome =
  | ({ status: "completed" } & SubagentReport)
  | { status: "async_launched"; agentId: string; agentType: string; model: string; outputFile: string }
  /** It was not started; the model reads why. */
  | { status: "refused"; text: string };

export type RunSubagent = (request: SubagentRequest) => Promise<SubagentOutcome>;
