// Every command-line flag as a self-describing value: the parser and the help are made from this list. Imports nothing.

export interface Flag {
  /** Long name without dashes. */
  name: string;
  /** Other long names, and short ones of one letter. */
  aliases?: readonly string[];
  /**
   * "switch": no value · "value": one, required · "optional": a value may follow · "list": values until the next flag,
   * repeatable; absent for "switch".
   */
  kind?: "switch" | "value" | "optional" | "list";
  /** How help names the value. */
  value?: string;
  /** What the value must be; absent: any text. */
  type?: "count" | "dollars" | "uuid";
  choices?: readonly string[];
  /** True where an empty value means something. */
  mayBeEmpty?: boolean;
  /** Elements of a list. */
  elements?: "rules" | "names" | "paths" | "configs";
  doc: string;
  /** Who it is for: people at a terminal and scripts alike, headless runs only, or programs that drive us. */
  audience: "everyone" | "headless" | "host";
  /** False: known from other versions, not built yet; using it is refused with a line that says so. */
  isBuilt?: false;
}

const permissionModes = ["default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"] as const;

const everyone = "everyone" as const;
const headless = "headless" as const;
const host = "host" as const;

/** In the order help shows them. */
export const flags: readonly Flag[] = [
  { name: "print", aliases: ["p"], doc: "Answer and exit instead of opening the screen", audience: everyone },
  {
    name: "continue",
    aliases: ["c"],
    doc: "Continue the newest conversation of this folder; on the screen not those of -p (--resume takes them)",
    audience: everyone,
  },
  {
    name: "resume",
    aliases: ["r"],
    kind: "optional",
    value: "id|title",
    doc: "Resume a conversation; without a value, choose one",
    audience: everyone,
  },
  {
    name: "rewind-files",
    kind: "value",
    value: "uuid",
    type: "uuid",
    doc: "With --continue or --resume: bring files back to before this prompt, then exit",
    audience: everyone,
  },
  { name: "fork-session", doc: "With --continue or --resume: go on under a new id", audience: everyone },
  { name: "session-id", kind: "value", value: "uuid", type: "uuid", doc: "Id of the new session", audience: everyone },
  { name: "name", aliases: ["n"], kind: "value", value: "name", doc: "Name of the session", audience: everyone },
  { name: "model", kind: "value", value: "model", doc: "Model: an alias, a full id, or offline", audience: everyone },
  {
    name: "autocompact",
    kind: "value",
    value: "tokens",
    type: "count",
    doc: "Tokens at which the window counts as full: 100000 to 1000000",
    audience: everyone,
  },
  {
    name: "fallback-model",
    kind: "value",
    value: "models",
    doc: "Models to go on with while the chosen one is overloaded: a,b",
    audience: everyone,
  },
  {
    name: "effort",
    kind: "value",
    value: "level",
    choices: ["low", "medium", "high", "xhigh", "max"],
    doc: "How hard the model tries",
    audience: everyone,
  },
  {
    name: "thinking",
    kind: "value",
    value: "kind",
    choices: ["adaptive", "enabled", "disabled"],
    doc: "Whether the model thinks before it answers",
    audience: everyone,
  },
  {
    name: "max-thinking-tokens",
    kind: "value",
    value: "n",
    type: "count",
    doc: "Budget of thinking tokens, 0 for none",
    audience: everyone,
  },
  {
    name: "permission-mode",
    kind: "value",
    value: "mode",
    choices: [...permissionModes, "manual"],
    doc: "What may happen without asking",
    audience: everyone,
  },
  { name: "plan", doc: "Start in plan mode", audience: everyone },
  { name: "accept-edits", doc: "Edit files of the folder without asking", audience: everyone },
  { name: "dont-ask", doc: "Refuse whatever would need a question", audience: everyone },
  { name: "yolo", doc: "Ask nothing at all; for sandboxes only", audience: everyone },
  { name: "dangerously-skip-permissions", doc: "Same as --yolo", audience: everyone },
  {
    name: "allow-dangerously-skip-permissions",
    doc: "Make asking nothing available without starting with it",
    audience: everyone,
  },
  {
    name: "allowedTools",
    aliases: ["allowed-tools"],
    kind: "list",
    value: "rules",
    elements: "rules",
    mayBeEmpty: true,
    doc: 'Rules to allow, e.g. "Bash(git log *) Edit"',
    audience: everyone,
  },
  {
    name: "disallowedTools",
    aliases: ["disallowed-tools"],
    kind: "list",
    value: "rules",
    elements: "rules",
    mayBeEmpty: true,
    doc: "Rules to deny; a bare name removes the tool",
    audience: everyone,
  },
  {
    name: "tools",
    kind: "list",
    value: "names",
    elements: "names",
    mayBeEmpty: true,
    doc: 'Built-in tools to offer; "" for none, default for all',
    audience: everyone,
  },
  {
    name: "add-dir",
    kind: "list",
    value: "folders",
    elements: "paths",
    doc: "Further folders to work in",
    audience: everyone,
  },
  {
    name: "mcp-config",
    kind: "list",
    value: "files|json",
    elements: "configs",
    doc: "MCP servers of this session: files or JSON texts",
    audience: everyone,
  },
  { name: "strict-mcp-config", doc: "Only the MCP servers of --mcp-config", audience: everyone },
  { name: "max-turns", kind: "value", value: "n", type: "count", doc: "Stop a run after n turns", audience: everyone },
  {
    name: "max-budget-usd",
    aliases: ["max-cost"],
    kind: "value",
    value: "usd",
    type: "dollars",
    doc: "Stop when this much is spent",
    audience: everyone,
  },
  {
    name: "task-budget",
    kind: "value",
    value: "tokens",
    type: "count",
    doc: "Stop a run after this many tokens",
    audience: everyone,
  },
  {
    name: "system-prompt",
    kind: "value",
    value: "text",
    mayBeEmpty: true,
    doc: "Replace the system prompt",
    audience: everyone,
  },
  {
    name: "system-prompt-file",
    kind: "value",
    value: "file",
    doc: "Replace the system prompt by a file",
    audience: everyone,
  },
  {
    name: "agents",
    kind: "value",
    value: "json",
    doc: 'Agents for this session: {"name": {"description": "…", "prompt": "…"}}',
    audience: everyone,
  },
  {
    name: "append-system-prompt",
    kind: "value",
    value: "text",
    mayBeEmpty: true,
    doc: "Add to the system prompt",
    audience: everyone,
  },
  {
    name: "append-system-prompt-file",
    kind: "value",
    value: "file",
    doc: "Add a file to the system prompt",
    audience: everyone,
  },
  {
    name: "settings",
    kind: "value",
    value: "file|json",
    doc: "Settings above the user's and project's",
    audience: everyone,
  },
  {
    name: "setting-sources",
    kind: "list",
    value: "sources",
    elements: "names",
    choices: ["user", "project", "local"],
    mayBeEmpty: true,
    doc: "Which settings files to read: user,project,local",
    audience: everyone,
  },
  { name: "inline", doc: "Print into the terminal's own scrollback instead of a full screen", audience: everyone },
  { name: "ax-screen-reader", doc: "Plain lines for screen readers, nothing is redrawn", audience: everyone },
  { name: "verbose", doc: "Show everything that happens; needed for stream-json", audience: everyone },
  {
    name: "output-format",
    kind: "value",
    value: "format",
    choices: ["text", "json", "stream-json"],
    doc: "What --print writes",
    audience: headless,
  },
  {
    name: "input-format",
    kind: "value",
    value: "format",
    choices: ["text", "stream-json"],
    doc: "What --print reads on stdin",
    audience: headless,
  },
  { name: "include-partial-messages", doc: "Also write text while it streams (stream-json)", audience: headless },
  { name: "forward-subagent-text", doc: "Also write what subagents say (stream-json)", audience: headless },
  { name: "include-hook-events", doc: "Also write what every hook does (stream-json)", audience: headless },
  { name: "no-session-persistence", doc: "Keep no transcript", audience: headless },
  { name: "help", aliases: ["h"], doc: "Show this help", audience: everyone },
  { name: "version", aliases: ["v", "V"], doc: "Show the version", audience: everyone },
  ...unbuilt(everyone, "switch", "debug d", "bare", "safe-mode", "disable-slash-commands", "tmux", "ide"),
  ...unbuilt(everyone, "switch", "bg background", "init", "init-only", "maintenance", "chrome", "no-chrome"),
  ...unbuilt(everyone, "switch", "exclude-dynamic-system-prompt-sections"),
  ...unbuilt(everyone, "value", "agent", "json-schema"),
  ...unbuilt(everyone, "value", "plugin-dir", "plugin-url", "debug-file", "from-pr", "exec", "betas", "file"),
  ...unbuilt(everyone, "optional", "worktree w"),
  ...unbuilt(headless, "switch", "replay-user-messages"),
  ...unbuilt(headless, "value", "append-subagent-system-prompt", "prompt-suggestions"),
  ...unbuilt(host, "value", "permission-prompt-tool", "permission-prompts", "resume-session-at", "managed-settings"),
  ...unbuilt(host, "value", "project-config-root", "thinking-display"),
  ...unbuilt(host, "switch", "session-mirror", "await-initialize"),
];

/** Flags of other versions that the parser knows in order to refuse them clearly: "name alias alias". */
function unbuilt(audience: Flag["audience"], kind: Flag["kind"], ...names: string[]): Flag[] {
  return names.map((entry) => {
    const [name = entry, ...aliases] = entry.split(" ");
    return { name, aliases, kind, doc: "", audience, isBuilt: false as const };
  });
}

/** Words that are subcommands, not prompts. None is built yet. */
export const subcommands: readonly string[] = [
  "mcp",
  "plugin",
  "plugins",
  "agents",
  "attach",
  "logs",
  "respawn",
  "daemon",
  "auth",
  "doctor",
  "auto-mode",
  "permissions",
  "project",
  "setup-token",
  "update",
  "upgrade",
];
