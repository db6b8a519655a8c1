// A CommandContext that records what a command did.
import type { CommandContext } from "../../src/commands/command.js";
import type { SessionInfo } from "../../src/protocol/events.js";

export const fakeSession: SessionInfo = {
  sessionId: "s1",
  cwd: "/project",
  model: "model-a",
  modelLabel: "Model A",
  provider: "offline",
  permissionMode: "default",
  modeCycle: ["default", "acceptEdits", "plan"],
  tools: ["Read", "Agent"],
  commands: [{ name: "help", aliases: [], description: "Show commands", source: "built-in" }],
  trusted: true,
  version: "3.0.0",
  apiKeySource: "none",
  contextWindow: 200_000,
};

/** Every action is pushed onto `done` as [name, ...arguments]; `change` overrides parts. */
export const fakeContext = (change: Partial<CommandContext> = {}) => {
  const done: unknown[][] = [];
  const context: CommandContext = {
    session: () => fakeSession,
    isInteractive: true,
    signal: new AbortController().signal,
    commands: () => fakeSession.commands,
    clear: async (name) => {
      done.push(["clear", name]);
    },
    compact: async (focus) => {
      done.push(["compact", focus]);
      return { preTokens: 120_000, postTokens: 8_000 };
    },
    context: async () => ({
      kind: "context",
      model: "Model A",
      usedTokens: 61_000,
      window: 200_000,
      compactAt: 167_000,
      categories: [
        { id: "system", label: "system prompt", tokens: 3_000 },
        { id: "conversation", label: "conversation", tokens: 58_000 },
        { id: "free", label: "free", tokens: 106_000 },
        { id: "reserve", label: "kept for compaction", tokens: 33_000 },
      ],
      items: [
        {
          ids: ["t1"],
          kind: "file",
          label: "Read a|b.ts",
          tokens: 12_100,
          note: "14 turns ago",
          preview: "",
          isDropped: false,
        },
      ],
    }),
    cacheLines: () => ["No request was sent yet."],
    resume: async (id) => {
      done.push(["resume", id]);
      return "resumed";
    },
    sessionsPicker: async (query) => ({
      kind: "sessions",
      sessions: [],
      scope: "project",
      isComplete: true,
      ...(query === "" ? {} : { query }),
    }),
    branch: async (name) => {
      done.push(["branch", name]);
      return { from: "s1", ...(name === undefined ? {} : { name }) };
    },
    rename: async (name) => {
      done.push(["rename", name]);
      return name ?? "a name that was made";
    },
    conversationText: async () => "> hello\n\nHi.\n",
    saveNew: async (path, text) => {
      done.push(["saveNew", path, text]);
      return `/project/${path}`;
    },
    rewindPicker: async () => ({ kind: "rewind", points: [] }),
    tasks: () => [],
    setModel: async (model, save) => {
      done.push(["setModel", model, save]);
      return "Model B";
    },
    login: async () => "The key was stored.",
    logout: async () => "The stored key was removed.",
    models: () => [{ value: "a", label: "Model A", description: "the first", current: true }],
    setMode: (mode) => {
      done.push(["setMode", mode]);
    },
    updatePermissions: async (updates) => {
      done.push(["updatePermissions", updates]);
    },
    explainCommand: async (command) => `ask: ${command}`,
    sandboxText: async () => "Sandbox for commands: off",
    hooksPicker: () => ({
      kind: "hooks",
      events: [
        {
          name: "PreToolUse",
          matchers: [{ matcher: "Bash", handlers: [{ text: "./guard.sh", source: "Project", rows: [] }] }],
        },
        { name: "Stop", matchers: [{ matcher: "", handlers: [{ text: "npm test", source: "User", rows: [] }] }] },
      ],
    }),
    permissionsPicker: async () => ({
      kind: "permissions",
      mode: "default",
      rules: [{ rule: "Bash(ls *)", behavior: "allow", source: "user" }],
      denied: [],
      directories: [{ path: "/project", source: "start folder" }],
    }),
    mcpPicker: async () => ({
      kind: "mcp",
      servers: [
        {
          name: "demo",
          scope: "user",
          file: "/home/ada/.claude.json",
          target: "node demo.mjs",
          state: "connected",
          tools: ["echo", "add"],
          prompts: 0,
          resources: 1,
          canLogin: false,
        },
      ],
      problems: ["bad (x.json): it must be a JSON object"],
    }),
    mcpAct: async (action, server) => {
      done.push(["mcpAct", action, server]);
      return `${action} ${server}`;
    },
    costs: () => ({
      rows: [
        {
          model: "model-a",
          inputTokens: 1234,
          outputTokens: 5,
          cacheReadTokens: 0,
          cacheWriteTokens: 10,
          costUsd: 0.0123,
        },
      ],
      totalUsd: 0.0123,
      apiMs: 1500,
      wallMs: 65_000,
      linesAdded: 3,
      linesRemoved: 1,
    }),
    memoryFiles: async () => [{ path: "/project/CLAUDE.md", label: "Project", exists: false }],
    statusRows: async () => [{ label: "Version", value: "3.0.0" }],
    settingRows: async () => [
      {
        key: "verbose",
        doc: "Show whole tool results.",
        kind: "choice",
        value: "false",
        values: ["true", "false"],
        from: "default",
      },
    ],
    changeSetting: async (name, value) => {
      done.push(["changeSetting", name, value]);
      return `${name} is now ${value}`;
    },
    stylesPicker: async () => ({
      kind: "list",
      title: "Output style",
      rows: [{ label: "default", detail: "as usual", isCurrent: true, command: "/output-style default" }],
      empty: "None.",
    }),
    chooseStyle: async (name) => `Output style: ${name}`,
    answers: () => ["The first answer.", "Look:\n\n```ts\nconst a = 1;\n```\n"],
    addDir: async (path) => `${path} was added`,
    setEffort: async (wish) => `Effort: ${wish}`,
    planPath: () => "/plans/p.md",
    why: () => [],
    ...change,
  };
  return { context, done };
};
