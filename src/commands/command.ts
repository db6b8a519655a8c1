// What a slash command is. It returns text, a prompt for the model, or the data of a picker.

import type { SessionInfo } from "../protocol/events.js";
import type { ContentBlock } from "../protocol/messages.js";
import type { PermissionMode, PermissionUpdate } from "../protocol/permission.js";
import type { CommandRow, Picker, ScreenChange, SettingRow, TaskRow } from "../protocol/pickers.js";
import type { WhyEntry } from "../protocol/why.js";

export type CommandResult =
  | { kind: "text"; text: string; isError?: boolean }
  | { kind: "picker"; picker: Picker }
  | { kind: "prompt"; content: string | ContentBlock[]; shown: string }
  | { kind: "screen"; change: ScreenChange }
  | { kind: "exit"; code: number }
  | { kind: "none" };

export type McpAction = "reconnect" | "enable" | "disable" | "login" | "logout";

export interface CostRow {
  model: string;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  costUsd: number | null;
}

/** What a command may do, handed in by the query engine. */
export interface CommandContext {
  session(): SessionInfo;
  /** False in `-p`: pickers make no sense there, the command answers in text. */
  isInteractive: boolean;
  signal: AbortSignal;
  commands(): readonly CommandRow[];
  /** Starts a new empty session; the old one can be resumed. */
  clear(name?: string): Promise<void>;
  /** Replaces the conversation by a summary. Throws an Error with a message for the person when it cannot. */
  compact(focus: string | undefined): Promise<{ preTokens: number; postTokens: number }>;
  /** What fills the context window. */
  context(): Promise<Extract<Picker, { kind: "context" }>>;
  /** How the prompt cache did, and why it missed: for /why cache. */
  cacheLines(): string[];
  /** Goes to a session by id or exact title; "unclear": no or several sessions have the title. Throws an Error for the person. */
  resume(idOrTitle: string): Promise<"resumed" | "unclear">;
  /** The list of earlier sessions, searched. */
  sessionsPicker(query: string): Promise<Extract<Picker, { kind: "sessions" }>>;
  /** Goes on in a copy under a new id. Gives the original's id and the copy's name. Throws an Error for the person. */
  branch(name?: string): Promise<{ from: string; name?: string }>;
  /** Names the session; without a name a model makes one. Gives the name. Throws an Error for the person. */
  rename(name?: string): Promise<string>;
  /** The conversation so far as plain text; "" when nothing was said. */
  conversationText(): Promise<string>;
  /** Writes a new file below the working folder and gives its path. Throws an Error for the person, also where one is there. */
  saveNew(path: string, text: string): Promise<string>;
  /** The points /rewind can go back to. Throws an Error with a message for the person when there are none. */
  rewindPicker(): Promise<Extract<Picker, { kind: "rewind" }>>;
  setModel(model: string | null, save: boolean): Promise<string>;
  /** Asks for a key again and uses it at once. Gives the text for the person; throws an Error for them. */
  login(): Promise<string>;
  /** Forgets the stored key. Gives the text for the person. */
  logout(): Promise<string>;
  models(): { value: string; label: string; description: string; current: boolean }[];
  setMode(mode: PermissionMode): void;
  updatePermissions(updates: PermissionUpdate[]): Promise<void>;
  /** What would happen to a shell command and why, in lines for a person; nothing is run. */
  explainCommand(command: string): Promise<string>;
  /** What /sandbox shows. */
  sandboxText(): Promise<string>;
  /** What /hooks shows. */
  hooksPicker(): Extract<Picker, { kind: "hooks" }>;
  permissionsPicker(): Promise<Extract<Picker, { kind: "permissions" }>>;
  mcpPicker(): Promise<Extract<Picker, { kind: "mcp" }>>;
  /** Does something with an MCP server ("all": with each) and says what came of it. Throws an Error for the person. */
  mcpAct(action: McpAction, server: string): Promise<string>;
  costs(): {
    rows: CostRow[];
    totalUsd: number | null;
    apiMs: number;
    wallMs: number;
    linesAdded: number;
    linesRemoved: number;
  };
  memoryFiles(): Promise<Extract<Picker, { kind: "memory" }>["files"]>;
  statusRows(): Promise<{ label: string; value: string }[]>;
  /** The settings as /config shows them. */
  settingRows(): Promise<SettingRow[]>;
  /** Sets one setting. Gives a line for the person; throws an Error for them. */
  changeSetting(name: string, value: string): Promise<string>;
  /** What /output-style shows. */
  stylesPicker(): Promise<Extract<Picker, { kind: "list" }>>;
  /** Keeps an output style. Gives a line for the person; throws an Error for them. */
  chooseStyle(name: string): Promise<string>;
  /** The model's answers so far, oldest first. */
  answers(): string[];
  /** One more working folder. Gives a line for the person; throws an Error for them. */
  addDir(path: string): Promise<string>;
  /** Gives a line for the person; throws an Error for them. */
  setEffort(wish: "low" | "medium" | "high" | "xhigh" | "max" | "auto"): Promise<string>;
  planPath(): string;
  /** Tasks in the background, oldest first. */
  tasks(): TaskRow[];
  /** Decisions that are remembered, oldest first; `at` in ms since the epoch, `times` how often in a row. */
  why(): readonly (WhyEntry & { at: number; times: number })[];
}

export interface Command {
  name: string;
  aliases: readonly string[];
  description: string;
  argumentHint?: string;
  /** Works in `-p`. */
  isHeadless: boolean;
  /** May run while the model works (needs nothing of the conversation). */
  isImmediate: boolean;
  run(args: string, context: CommandContext): Promise<CommandResult>;
}

/** Makes a command; what is left out: no alias, not headless, waits for the run's end. */
export const defineCommand = (options: Pick<Command, "name" | "description" | "run"> & Partial<Command>): Command => ({
  aliases: [],
  isHeadless: false,
  isImmediate: false,
  ...options,
});
