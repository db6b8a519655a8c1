// What a tool is: the contract between the model's calls, the gates in execution/ and the hands in this folder.
import type { z } from "zod";
import type { AgentTasks } from "../agents/background.js";
import type { RunSubagent } from "../agents/run.js";
import type { Env } from "../platform/paths.js";
import type { Confine, ShellRunner } from "../platform/shell.js";
import type { Display } from "../protocol/display.js";
import type { ResultContent } from "../protocol/messages.js";
import type { PermissionMode } from "../protocol/permission.js";
import type { AnswerOf, QuestionOf } from "../protocol/questions.js";
import type { TaskList } from "../tasks/list.js";
import type { BackgroundShells } from "../tasks/shells.js";
import type { FileState } from "./shared/file-state.js";

/** What a call would touch: facts for the permission decision, never a verdict. Paths are absolute. */
export interface ToolFacts {
  reads: string[];
  writes: string[];
  /** A shell command to be analysed. */
  command?: string;
  /** Folder the command will run in, when it is not the thread's folder any more. */
  cwd?: string;
  /** A web address that is asked for. */
  url?: string;
  /** What leaves the machine for a service: "the search words to the web search". */
  sends?: string;
  /** The call is itself a question to the person (plan approval, choice): the tool asks, the gate does not. */
  isInteraction?: boolean;
  /** The person is asked whatever rules and mode say. */
  needsPerson?: boolean;
}

export interface WebSearchRequest {
  query: string;
  allowedDomains?: readonly string[];
  blockedDomains?: readonly string[];
}

/** What a search found, in the order it was said: lists of pages, and texts about them. */
export interface WebSearchAnswer {
  results: (string | { tool_use_id: string; content: { title: string; url: string }[] })[];
}

/** A task as hooks are told of it. */
export interface ListedTask {
  id: string;
  subject: string;
  description?: string;
}

/** What a watched command has printed since, or how it ended. */
export interface MonitorNews {
  taskId: string;
  status: "running" | "completed" | "failed" | "killed";
  summary: string;
  result?: string;
  outputFile: string;
}

/** Tools that are sent by name only until they are loaded. */
export interface DeferredTools {
  /** All of them, loaded ones included. */
  list(): readonly Pick<Tool, "name" | "aliases" | "searchHint" | "prompt">[];
  /** The name of a tool that is there without loading, given under any of its names. */
  offered(name: string): string | undefined;
  /** Loads them for the requests that follow; gives the names that are loaded now. */
  load(names: readonly string[]): string[];
}

export interface ToolProgress {
  lastLines?: string[];
  totalBytes?: number;
}

export interface ToolResult {
  /** For the model. */
  content: string | ResultContent[];
  /** For the eye. */
  display?: Display;
  /** For hooks, SDK hosts and the transcript (spec: structured outputs). */
  structured?: unknown;
  isError?: boolean;
  /** The person refused inside the tool: the run ends after this call (unless they said what to do). */
  endsRun?: boolean;
  /** Set by ExitPlanMode choice 1: the session drops its context and starts over with this text. */
  freshContext?: string;
}

export interface WorktreeEnd {
  kind: "left";
  path: string;
  branch: string;
  /** The folder work goes on in. */
  cwd: string;
  isRemoved: boolean;
}

interface Refused {
  kind: "refused";
  text: string;
}

/** Git worktrees of the thread that calls. Both answer with a text where they refuse; they do not throw. */
export interface WorktreeReach {
  current?: { path: string; branch: string } | undefined;
  enter(name: string | undefined): Promise<{ kind: "entered"; path: string; branch: string; cwd: string } | Refused>;
  leave(action: "keep" | "remove", isDiscarded: boolean): Promise<WorktreeEnd | Refused>;
}

/** What a tool may reach. Everything from above comes in here as a function. */
export interface ToolContext {
  /** Working folder of this agent now. */
  cwd: string;
  /** The folder the permission decision was made for; a command runs nowhere else. */
  judgedCwd?: string;
  /** Moves the working folder for later calls (Bash `cd`). */
  setCwd(path: string): void;
  /** Folders the session may work in: the start folder first. */
  workingDirs: readonly string[];
  home: string;
  /** Environment for child processes: the inherited one plus settings' `env`. */
  env: Env;
  signal: AbortSignal;
  sessionId: string;
  /** Absent on the main thread. */
  agentId?: string;
  toolUseId: string;
  fileState: FileState;
  tasks: TaskList;
  /** Tells the person's hooks of a task; a text means: undo it, and say this to the model. Absent: nobody is told. */
  onTask?(event: "TaskCreated" | "TaskCompleted", task: ListedTask): Promise<string | undefined>;
  shell: ShellRunner;
  /** Commands in the background. Absent: every command runs in the foreground. */
  shells?: BackgroundShells;
  /** Tells the model news and the end of a command that is watched. Absent: nothing can be watched. */
  monitored?: (news: MonitorNews) => void;
  /** Aborts when the person moves this call's command to the background (Ctrl+B). */
  moveToBackground?: AbortSignal;
  /** Starts a subagent. Absent where agents may not start others. */
  runSubagent?: RunSubagent;
  /** The session's agents, for the task tools. */
  agents?: AgentTasks;
  /** Absent: the thread has no place of its own to move. */
  worktrees?: WorktreeReach;
  permissionMode: PermissionMode;
  setPermissionMode(mode: PermissionMode): void;
  /** Set by the permission gate: the call's command runs inside the sandbox. */
  confine?: Confine;
  /** The one file plan mode may write. */
  planPath: string;
  /** The mode plan mode returns to. */
  modeBeforePlan: PermissionMode;
  /** Tokens in the context now (what clearing it would free). */
  contextTokens: number;
  /** Asks the person. Absent when nobody can be asked (headless without a prompt tool). */
  ask?: <K extends "plan" | "choice">(question: Omit<QuestionOf<K>, "id" | "toolUseId">) => Promise<AnswerOf<K>>;
  /** Folder for results too large for the context. Created on first use. */
  resultsDir: string;
  now(): number;
  /** One call of a small, fast model without tools. Absent: there is none (offline). Throws an Error with the reason. */
  askSmallModel?: (prompt: string) => Promise<string>;
  /** Tools that can be loaded. Absent: every tool is there from the start. */
  deferredTools?: DeferredTools;
  /** Searches the web. Absent: nothing here can. Throws an Error with the reason. */
  searchWeb?: (search: WebSearchRequest) => Promise<WebSearchAnswer>;
  /** True where an allow rule for WebFetch names this host, not just all hosts. */
  allowsHost?: (hostname: string) => boolean;
  /** The model takes PDF documents as they are. Absent: they are read as text. */
  takesDocuments?: boolean;
  /** False for paths that a Read deny rule covers: searches leave them out. Absent: every path may be shown. */
  mayRead?: (path: string) => boolean;
}

export interface Tool<I = unknown> {
  name: string;
  aliases: readonly string[];
  /** Words for ToolSearch ranking. */
  searchHint: string;
  input: z.ZodType<I>;
  /** JSON Schema for the model in place of the one made from `input` (tools of MCP servers). */
  inputSchema?: Record<string, unknown>;
  /** The description the model reads. */
  prompt: string;
  isReadOnly(input: I): boolean;
  isConcurrencySafe(input: I): boolean;
  /** Checks that need no permission. A string refuses the call; the model reads it. */
  validate(input: I, context: ToolContext): Promise<string | undefined>;
  /** Facts for the decision; undefined means: ask. */
  checkPermissions(input: I, context: ToolContext): Promise<ToolFacts | undefined>;
  call(input: I, context: ToolContext, onProgress: (progress: ToolProgress) => void): Promise<ToolResult>;
  /** Short argument of the tool line: "src/a.ts", "npm test". */
  title(input: Partial<I>): string;
  /** What the permission dialog shows before the call runs. */
  preview?(input: I, context: ToolContext): Promise<Display | undefined>;
  /** Results above this many characters are stored and previewed; Infinity: the tool limits itself. */
  maxResultChars: number;
  /** Sent by name only while it is used rarely; ToolSearch loads it. */
  deferred: boolean;
  /** A running call can be moved to the background (Ctrl+B). */
  movesToBackground: boolean;
  /** Needs a person: not offered headless without a permission prompt tool. */
  needsPerson: boolean;
}

type ToolOptions<I> = Pick<Tool<I>, "name" | "prompt" | "input" | "call" | "title"> & Partial<Tool<I>>;

const defaultMaxResultChars = 30_000; // spec/tools: Bash and others

/** Makes a tool; what is left out fails closed: not read-only, not concurrent, ask. */
export const defineTool = <I>(options: ToolOptions<I>): Tool<I> => ({
  aliases: [],
  searchHint: "",
  isReadOnly: () => false,
  isConcurrencySafe: () => false,
  validate: async () => undefined,
  checkPermissions: async () => undefined,
  maxResultChars: defaultMaxResultChars,
  deferred: false,
  movesToBackground: false,
  needsPerson: false,
  ...options,
});

/** A tool of any input, as lists hold them. */
// biome-ignore lint/suspicious/noExplicitAny: method parameters are contravariant; the schema guards every call
export type AnyTool = Tool<any>;
