// Data of the pickers and pages that a slash command opens. The UI draws them and answers with a Request.
import { z } from "zod";
import { permissionMode, ruleSource } from "./permission.js";

export const modelRow = z.object({
  value: z.string(),
  label: z.string(),
  description: z.string(),
  current: z.boolean(),
});
export const sessionRow = z.object({
  sessionId: z.string(),
  title: z.string(),
  /** Given by a person or a model; else the title is made of the first prompt. */
  name: z.string().optional(),
  firstPrompt: z.string().optional(),
  lastPrompt: z.string().optional(),
  updatedAt: z.number(),
  messages: z.number(),
  branch: z.string().optional(),
  cwd: z.string(),
  bytes: z.number(),
  /** The session it was copied from. */
  forkOf: z.string().optional(),
  /** The process that has it open now. */
  openIn: z.number().optional(),
  /** Why it cannot be resumed: the file is damaged. */
  problem: z.string().optional(),
  /** It belongs to another folder: what resumes it there. */
  command: z.string().optional(),
});
export const sessionScope = z.enum(["project", "worktrees", "all"]);
/** Whose sessions are listed: this folder's, all checkouts' of the repository, everybody's. */
export type SessionScope = z.infer<typeof sessionScope>;
export type SessionRow = z.infer<typeof sessionRow>;
export const ruleRow = z.object({
  rule: z.string(),
  behavior: z.enum(["allow", "ask", "deny"]),
  source: ruleSource,
  file: z.string().optional(),
});
export const commandRow = z.object({
  name: z.string(),
  aliases: z.array(z.string()),
  description: z.string(),
  argumentHint: z.string().optional(),
  source: z.string(),
});
export type CommandRow = z.infer<typeof commandRow>;

/** A task in the background: a shell command or an agent. */
export const taskRow = z.object({
  id: z.string(),
  kind: z.enum(["shell", "monitor", "agent"]),
  title: z.string(),
  status: z.enum(["running", "completed", "failed", "stopped"]),
  /** What it does now, in a few words. */
  summary: z.string().optional(),
  startedAt: z.number(),
  endedAt: z.number().optional(),
});
export type TaskRow = z.infer<typeof taskRow>;
/** An MCP server; `waiting`: a person has to approve it. */
export const mcpServerRow = z.object({
  name: z.string(),
  scope: z.enum(["managed", "flag", "local", "project", "user", "settings"]),
  file: z.string(),
  /** The command or address. */
  target: z.string(),
  state: z.enum(["pending", "connected", "needs-auth", "failed", "disabled", "rejected", "waiting", "blocked"]),
  error: z.string().optional(),
  version: z.string().optional(),
  tools: z.array(z.string()),
  prompts: z.number(),
  resources: z.number(),
  canLogin: z.boolean(),
});
export type McpServerRow = z.infer<typeof mcpServerRow>;
/** One thing in the context that a person may look at, and usually drop. */
export const contextItem = z.object({
  /** Ids of its results or media, or the one of a fold. */
  ids: z.array(z.string()),
  kind: z.enum(["file", "result", "image", "fold"]),
  label: z.string(),
  tokens: z.number(),
  /** "read 14 turns ago", "2 shrunk". */
  note: z.string(),
  /** Its beginning, for a look. */
  preview: z.string(),
  isDropped: z.boolean(),
});
export type ContextItem = z.infer<typeof contextItem>;
export const contextCategory = z.object({
  id: z.enum([
    "system",
    "tools",
    "mcp",
    "instructions",
    "conversation",
    "files",
    "results",
    "images",
    "reserve",
    "free",
  ]),
  label: z.string(),
  tokens: z.number(),
});
export type ContextCategory = z.infer<typeof contextCategory>;

/** One point a rewind can go back to. */
export const rewindPoint = z.object({
  /** Uuid of the prompt, or of the note that an earlier rewind left. */
  id: z.string(),
  /** "prompt": before this prompt; "undo": before the newest rewind. */
  kind: z.enum(["prompt", "undo"]),
  text: z.string(),
  /** Milliseconds since the epoch; 0 when unknown. */
  at: z.number(),
  /** Files that calls changed between this point and the next one. */
  files: z.number(),
  /** Lines that Edit and Write counted there. */
  added: z.number(),
  removed: z.number(),
  /** Some file has changed since: code can be taken back to here. */
  hasCode: z.boolean(),
  hasConversation: z.boolean(),
});
export type RewindPoint = z.infer<typeof rewindPoint>;

export const rewindFile = z.object({
  path: z.string(),
  /** "kept": somebody else changed it, nothing is done unless that is wanted; "lost": it cannot come back. */
  action: z.enum(["restore", "create", "remove", "kept", "lost", "failed"]),
  added: z.number(),
  removed: z.number(),
  /** Why it is kept or lost, as half a sentence. */
  reason: z.string().optional(),
  /** A "kept" file that can be had all the same. */
  mayForce: z.boolean().optional(),
  /** Tools that changed it. */
  by: z.array(z.string()),
});
export type RewindFile = z.infer<typeof rewindFile>;

/** What a rewind of the files did, or would do. */
export const rewindReport = z.object({
  id: z.string(),
  isDryRun: z.boolean(),
  files: z.array(rewindFile),
  /** What may have changed besides and cannot come back, as sentences. */
  unknown: z.array(z.string()),
});
export type RewindReport = z.infer<typeof rewindReport>;

const valueRows = z.array(z.object({ label: z.string(), value: z.string() }));

/** A setting as /config shows it. */
export const settingRow = z.object({
  /** Dotted path in the settings files. */
  key: z.string(),
  doc: z.string(),
  kind: z.enum(["choice", "text", "number", "file"]),
  /** The value in force. */
  value: z.string(),
  /** Of a choice: what Enter walks through. */
  values: z.array(z.string()),
  /** Where the value came from: "default", or layer, file and line. */
  from: z.string(),
  /** Why it cannot be changed here. */
  locked: z.string().optional(),
});
export type SettingRow = z.infer<typeof settingRow>;

export const picker = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("help"), commands: z.array(commandRow) }),
  z.object({ kind: z.literal("model"), models: z.array(modelRow) }),
  z.object({
    kind: z.literal("sessions"),
    sessions: z.array(sessionRow),
    query: z.string().optional(),
    scope: sessionScope,
    /** False: older ones are still being read; `session_rows` events bring them. */
    isComplete: z.boolean(),
    /** The branch the person is on: Ctrl+B shows its sessions alone. */
    branch: z.string().optional(),
  }),
  z.object({
    kind: z.literal("permissions"),
    mode: permissionMode,
    rules: z.array(ruleRow),
    denied: z.array(z.object({ tool: z.string(), title: z.string(), reason: z.string() })),
    directories: z.array(z.object({ path: z.string(), source: z.string() })),
  }),
  z.object({
    kind: z.literal("memory"),
    files: z.array(z.object({ path: z.string(), label: z.string(), exists: z.boolean(), note: z.string().optional() })),
  }),
  /** The hooks in force, to look at. */
  z.object({
    kind: z.literal("hooks"),
    /** Why fewer run than the settings hold. */
    note: z.string().optional(),
    events: z.array(
      z.object({
        name: z.string(),
        matchers: z.array(
          z.object({
            /** Empty: everything. */
            matcher: z.string(),
            handlers: z.array(
              z.object({
                text: z.string(),
                source: z.string(),
                rows: z.array(z.object({ label: z.string(), value: z.string() })),
              }),
            ),
          }),
        ),
      }),
    ),
  }),
  /** The tasks in the background: the newest `background` event has them. */
  z.object({ kind: z.literal("tasks") }),
  z.object({ kind: z.literal("task_output"), task: taskRow, text: z.string(), outputPath: z.string() }),
  /** /context: what fills the window. Tokens are estimates, corrected by what the API counted. */
  z.object({
    kind: z.literal("context"),
    model: z.string(),
    usedTokens: z.number(),
    window: z.number(),
    /** Where the conversation is compacted by itself; null: it is not. */
    compactAt: z.number().nullable(),
    /** In the order of the request, then what is free; together they fill the window. */
    categories: z.array(contextCategory),
    /** Largest first. */
    items: z.array(contextItem),
  }),
  z.object({ kind: z.literal("mcp"), servers: z.array(mcpServerRow), problems: z.array(z.string()) }),
  /** /rewind: the points, oldest first; `report` when one was chosen and looked at. */
  z.object({
    kind: z.literal("rewind"),
    points: z.array(rewindPoint),
    /** The conversation before /clear, if there is one. */
    cleared: z.object({ sessionId: z.string(), title: z.string() }).optional(),
    /** The point of a rewind of files that was cut off: doing it again finishes it. */
    unfinished: z.string().optional(),
    report: rewindReport.optional(),
  }),
  /** The themes: the screen knows which there are. */
  z.object({ kind: z.literal("theme") }),
  /** /status, /config and /cost: one dialog with tabs. */
  z.object({
    kind: z.literal("settings"),
    tab: z.enum(["status", "config", "usage"]),
    status: valueRows,
    settings: z.array(settingRow),
    usage: valueRows,
    /** What was changed since it opened, by key, in words: told when it closes. */
    changes: z.record(z.string(), z.string()).optional(),
  }),
  /** A list of which one row is chosen: its command runs. */
  z.object({
    kind: z.literal("list"),
    title: z.string(),
    rows: z.array(
      z.object({
        label: z.string(),
        detail: z.string().optional(),
        isCurrent: z.boolean().optional(),
        /** A slash command; absent: the row is only read. */
        command: z.string().optional(),
      }),
    ),
    empty: z.string(),
  }),
  /** A page of name/value rows. */
  z.object({
    kind: z.literal("page"),
    title: z.string(),
    rows: valueRows,
    /** It is about this agent, and follows it while it works. */
    agentId: z.string().optional(),
  }),
]);
/** What a command changes of the screen itself. */
export const screenChange = z.object({
  theme: z.string().optional(),
  layout: z.enum(["fullscreen", "inline", "toggle"]).optional(),
  mouse: z.enum(["on", "off", "toggle"]).optional(),
  /** Keys of the prompt. */
  editorMode: z.enum(["normal", "vim", "toggle"]).optional(),
  /** The file of key bindings is to be opened; it is written first where there is none. */
  keybindings: z.literal("edit").optional(),
  /** Text for the clipboard. */
  copy: z.string().optional(),
});
export type ScreenChange = z.infer<typeof screenChange>;

export type Picker = z.infer<typeof picker>;
