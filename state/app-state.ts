// AppState: everything the screen knows now, on one page. Transcript items are updated in place (`v`, `rev`);
// everything else is replaced, never mutated.
import type { Display, Todo } from "../src/protocol/display.js";
import type { SessionInfo } from "../src/protocol/events.js";
import type { PermissionMode } from "../src/protocol/permission.js";
import type { Picker, TaskRow } from "../src/protocol/pickers.js";
import type { Question } from "../src/protocol/questions.js";
import type { PastedText } from "../src/protocol/requests.js";

export type ToolState = "queued" | "waiting" | "running" | "done" | "error";

interface ItemBase {
  id: string;
  /** Counts up with each change of this item: row caches key on it. */
  v: number;
  /** Full output instead of the collapsed one. */
  expanded?: boolean;
  /** When the message came, ms since the epoch; unknown while it streams. */
  at?: number;
}
export interface UserItem extends ItemBase {
  kind: "user";
  text: string;
}
export interface AssistantItem extends ItemBase {
  kind: "assistant";
  messageId: string;
  index: number;
  text: string;
  /** Which model wrote it; unknown while it streams. */
  model?: string;
  /** False while deltas still arrive: only the tail is parsed then. */
  done: boolean;
}
export interface ThinkingItem extends ItemBase {
  kind: "thinking";
  messageId: string;
  index: number;
  text: string;
  /** Which model wrote it; unknown while it streams. */
  model?: string;
  done: boolean;
}
export interface ToolItem extends ItemBase {
  kind: "tool";
  callId: string;
  name: string;
  title: string;
  input: Record<string, unknown>;
  isReadOnly: boolean;
  state: ToolState;
  startedAt?: number;
  durationMs?: number;
  display?: Display;
  /** The result's text for the model, cut to what an error line needs. */
  resultText?: string;
  lastLines?: string[];
  /** It runs and can be moved to the background. */
  canMove?: boolean;
  totalBytes?: number;
}
export interface NoticeItem extends ItemBase {
  kind: "notice";
  level: "info" | "warning" | "error";
  text: string;
}
export interface CommandItem extends ItemBase {
  kind: "command";
  command: string;
  text: string;
  isError: boolean;
}
export interface BannerItem extends ItemBase {
  kind: "banner";
  version: string;
  cwd: string;
  branch?: string;
  model: string;
  trusted: boolean;
}
export interface BoundaryItem extends ItemBase {
  kind: "boundary";
  text: string;
}
export type TranscriptItem =
  | UserItem
  | AssistantItem
  | ThinkingItem
  | ToolItem
  | NoticeItem
  | CommandItem
  | BannerItem
  | BoundaryItem;

export interface TranscriptState {
  /** One array for the session's life; replaced only by /clear and /resume. */
  items: TranscriptItem[];
  /** Counts up with every change of any item. */
  rev: number;
}

export interface RetryState {
  attempt: number;
  maxAttempts: number | null;
  retryAt: number;
  reason: string;
}

/** A hook that runs now. */
export interface RunningHook {
  id: string;
  text: string;
}

export interface RunState {
  isRunning: boolean;
  startedAt: number;
  /** What the spinner says, e.g. the active task's form. */
  verb: string;
  inputTokens: number;
  /** Grows with each delta by an estimate; the provider's figure replaces the estimate when it comes. */
  outputTokens: number;
  /** The part of `outputTokens` that the provider reported. */
  settledOutputTokens: number;
  retry: RetryState | null;
  status: "requesting" | "compacting" | null;
  /** How the last run ended, until the next one begins or another session is open. */
  ended?: { durationMs: number; isCompleted: boolean } | undefined;
  /** Hooks that run now; absent: none. */
  hooks?: readonly RunningHook[];
}

/** One of the last things a subagent did. */
export interface AgentLine {
  /** Id of the call, or `<message>:<block>` of a text. */
  id: string;
  kind: "call" | "text";
  /** Of a call. */
  state: ToolState;
  text: string;
  /** What came out of a call, at the right end. */
  note: string;
}

/** A subagent as its pane shows it. */
export interface AgentState {
  id: string;
  /** The Agent call that started it: its events carry it. */
  toolUseId: string;
  /** The same of the agent that started it, if one did. */
  parentToolUseId?: string | undefined;
  type: string;
  name: string;
  color: string;
  description: string;
  isBackground: boolean;
  /** Name of the git worktree it works in. */
  worktree?: string | undefined;
  /** One that has ended well or was stopped is gone. */
  status: "running" | "waiting" | "failed";
  startedAt: number;
  endedAt?: number;
  turns: number;
  toolUses: number;
  tokens: number;
  /** Newest last, few. */
  lines: AgentLine[];
  /** What it does now, in a few words, if that is known. */
  doing?: string | undefined;
  /** Why it failed. */
  summary?: string;
}

export interface InputState {
  /** Prompts waiting for the run's end, oldest first. */
  queued: string[];
  /** Earlier prompts, newest last. */
  history: string[];
  /** Pastes of earlier prompts, by the prompt as it was shown. */
  pastes?: Readonly<Record<string, readonly PastedText[]>>;
  /** Text the engine wants in the prompt; taken once, then null. */
  restore: string | null;
}

export interface ScreenState {
  /** "inline" prints into the terminal's own scrollback. */
  layout: "fullscreen" | "inline";
  /** False: the terminal has the mouse, its own selection works. */
  mouse: boolean;
  /** The theme asked for by name: a new object with each wish. */
  theme: { name: string } | null;
  /** Keys of the prompt. */
  editorMode: "normal" | "vim";
  /** The file of key bindings was asked for: a new object with each wish. */
  keybindings: object | null;
  /** The text last asked into the clipboard: a new object with each wish. */
  copy: { text: string } | null;
}

export interface AppState {
  session: SessionInfo | null;
  mode: PermissionMode;
  transcript: TranscriptState;
  questions: Question[];
  run: RunState;
  /** Subagents at work, oldest first, and for a while those that failed. */
  agents: AgentState[];
  /** The agent whose page was opened from its pane: chosen again when the page closes. */
  openedAgent: string | null;
  todos: Todo[];
  /** Paths for what is being typed: the newest answer. */
  completions: { id: string; query: string; paths: string[]; isComplete: boolean } | null;
  /** Tasks in the background, running and ended, oldest first. */
  background: TaskRow[];
  showTodos: boolean;
  input: InputState;
  /** Short-lived line above the prompt ("press ctrl+c again to exit"). */
  hint: { text: string; until: number } | null;
  picker: Picker | null;
  /** What the person's status line printed last; null: there is none. */
  statusLine: { lines: string[]; problem?: string } | null;
  usage: { contextTokens: number; contextWindow: number; costUsd: number | null };
  size: { columns: number; rows: number };
  /** What commands changed of the screen: how the terminal is used and who has the mouse. */
  screen: ScreenState;
  exit: { code: number; message?: string } | null;
}
