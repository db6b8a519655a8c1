// Questions and pickers for tests of dialogs: one of each kind, with everything a dialog must show.
import type { Picker } from "../../../../src/protocol/pickers.js";
import type { Question, QuestionOf } from "../../../../src/protocol/questions.js";

export const bashQuestion = (overrides: Partial<QuestionOf<"permission">> = {}): QuestionOf<"permission"> => ({
  kind: "permission",
  id: "q1",
  toolUseId: "t1",
  tool: "Bash",
  title: "git push --force-with-lease origin fix/date-filter",
  input: { command: "git push --force-with-lease origin fix/date-filter" },
  reasons: [{ kind: "check", text: "writes to a remote (no rule allows git push)" }],
  suggestions: [
    {
      label: "don't ask again for git push * in this project",
      updates: [
        {
          type: "addRules",
          rules: [{ toolName: "Bash", ruleContent: "git push *" }],
          behavior: "allow",
          destination: "localSettings",
        },
      ],
    },
  ],
  ...overrides,
});

export const editQuestion = (): QuestionOf<"permission"> => ({
  kind: "permission",
  id: "q2",
  toolUseId: "t2",
  tool: "Edit",
  title: "src/filter.ts",
  input: { file_path: "src/filter.ts" },
  display: {
    kind: "diff",
    path: "src/filter.ts",
    change: "update",
    added: 2,
    removed: 1,
    hunks: [
      {
        oldStart: 40,
        oldLines: 3,
        newStart: 40,
        newLines: 4,
        lines: [
          " for (const item of items) {",
          "   if (item.date < from) return false;",
          "-  if (item.date >= to) return false;",
          "+  if (item.date > to) return false;",
          "+  count += 1;",
        ],
      },
    ],
  },
  reasons: [],
  suggestions: [
    {
      label: "allow all edits in the working folders during this session",
      updates: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
    },
  ],
});

export const planQuestion = (overrides: Partial<QuestionOf<"plan">> = {}): QuestionOf<"plan"> => ({
  kind: "plan",
  id: "q3",
  toolUseId: "t3",
  plan: `# Make the date filter inclusive\n\n1. src/filter.ts: compare with > instead of >=\n2. test/filter.test.ts: first day, last day, same day\n3. Run the suite\n\n${Array.from({ length: 20 }, (_, at) => `- detail ${at + 1}`).join("\n")}`,
  planPath: "~/.claude/plans/calm-fox.md",
  contextTokens: 38_000,
  modeBefore: "default",
  ...overrides,
});

export const choiceQuestion = (): QuestionOf<"choice"> => ({
  kind: "choice",
  id: "q4",
  toolUseId: "t4",
  questions: [
    {
      question: "How should people sign in?",
      header: "Auth",
      options: [
        { label: "Passkeys", description: "no passwords to lose" },
        { label: "Magic link", description: "simple; mail must work" },
      ],
      multiSelect: false,
    },
    {
      question: "Which platforms?",
      header: "Platforms",
      options: [
        { label: "Web", description: "" },
        { label: "Mobile", description: "" },
      ],
      multiSelect: true,
    },
  ],
});

export const singleChoice = (): QuestionOf<"choice"> => ({
  ...choiceQuestion(),
  id: "q5",
  questions: [choiceQuestion().questions[0]!],
});

export const trustQuestion = (): QuestionOf<"trust"> => ({
  kind: "trust",
  id: "q6",
  folder: "/home/ada/shop",
  grants: ["allow  Bash(npm test)", "run the hook  ./format.sh  after edits"],
});

export const startQuestion = (): QuestionOf<"start"> => ({
  kind: "start",
  id: "q7",
  folder: "/home/ada/shop",
  localModels: [{ label: "found: Ollama on port 11434 (2 models)", endpoint: "http://127.0.0.1:11434" }],
  keyPlace: "keychain",
});

export const mcpServerQuestion = (): QuestionOf<"mcp_server"> => ({
  kind: "mcp_server",
  id: "q9",
  server: "browser",
  detail: "The server is written in /work/shop/.mcp.json.\nIt runs: node browser.mjs --headless",
});

export const goOnQuestion = (): QuestionOf<"go_on"> => ({
  kind: "go_on",
  id: "q8",
  title: "The same call failed five times",
  detail: "Edit src/a.ts: the text to replace was not found.",
});

export const questions: Question[] = [
  bashQuestion(),
  bashQuestion({
    id: "q1-agent",
    agent: { id: "a1", name: "reviewer", color: "purple" },
    description: "Publishes the branch",
  }),
  editQuestion(),
  planQuestion(),
  choiceQuestion(),
  singleChoice(),
  trustQuestion(),
  startQuestion(),
  goOnQuestion(),
  mcpServerQuestion(),
];

export const pickers: Picker[] = [
  {
    kind: "mcp",
    servers: [
      {
        name: "tickets",
        scope: "project",
        file: "/work/shop/.mcp.json",
        target: "https://tickets.example.org/mcp",
        state: "needs-auth",
        error: "it wants a login (401)",
        tools: [],
        prompts: 0,
        resources: 0,
        canLogin: true,
      },
      {
        name: "memory",
        scope: "user",
        file: "/home/ada/.claude.json",
        target: "npx memory-server",
        state: "connected",
        version: "1.2.3",
        tools: ["remember", "recall"],
        prompts: 1,
        resources: 12,
        canLogin: false,
      },
      {
        name: "browser",
        scope: "project",
        file: "/work/shop/.mcp.json",
        target: "node browser.mjs",
        state: "waiting",
        tools: [],
        prompts: 0,
        resources: 0,
        canLogin: false,
      },
      {
        name: "broken",
        scope: "local",
        file: "/home/ada/.claude.json",
        target: "python3 server.py --port 1",
        state: "failed",
        error: "its process ended before it was connected; it wrote: no module named server",
        tools: [],
        prompts: 0,
        resources: 0,
        canLogin: false,
      },
    ],
    problems: ["odd (/work/shop/.mcp.json): it must be a JSON object"],
  },
  {
    kind: "help",
    commands: [
      { name: "help", aliases: [], description: "Keys and commands", source: "builtin" },
      { name: "deploy", aliases: [], description: "Deploys", argumentHint: "<env>", source: "project" },
    ],
  },
  {
    kind: "model",
    models: [
      { value: "default", label: "Default", description: "the recommended one", current: false },
      { value: "sonnet", label: "Sonnet", description: "fast and able", current: true },
      { value: "offline", label: "Offline", description: "no AI: a scripted stand-in", current: false },
    ],
  },
  {
    kind: "context",
    model: "Sonnet",
    usedTokens: 122_000,
    window: 200_000,
    compactAt: 167_000,
    categories: [
      { id: "system", label: "system prompt", tokens: 3_000 },
      { id: "tools", label: "tools", tokens: 14_000 },
      { id: "conversation", label: "conversation", tokens: 74_000 },
      { id: "files", label: "files read", tokens: 30_800 },
      { id: "images", label: "images", tokens: 200 },
      { id: "free", label: "free", tokens: 45_000 },
      { id: "reserve", label: "kept for compaction", tokens: 33_000 },
    ],
    items: [
      {
        ids: ["fold:t0"],
        kind: "fold",
        label: "7 finished calls, folded",
        tokens: 0,
        note: "saves 9000 tokens",
        preview: "",
        isDropped: false,
      },
      {
        ids: ["t1"],
        kind: "file",
        label: "Read src/big.ts",
        tokens: 12_100,
        note: "14 turns ago",
        preview: "     1\tconst a = 1;\n     2\tconst b = 2;",
        isDropped: false,
      },
      {
        ids: ["t2", "t3", "t4"],
        kind: "result",
        label: "Bash npm test (3 results)",
        tokens: 8_800,
        note: "2 turns ago, 2 shrunk",
        preview: "PASS",
        isDropped: false,
      },
    ],
  },
  {
    kind: "sessions",
    scope: "project",
    isComplete: true,
    branch: "main",
    sessions: Array.from({ length: 30 }, (_, at) => ({
      sessionId: `s${at}`,
      title: at === 2 ? "fix the date filter" : `session number ${at}`,
      lastPrompt: "now run the suite",
      updatedAt: 1_000_000 - at * 3_600_000,
      messages: 12,
      branch: "main",
      cwd: "/home/ada/shop",
      bytes: 20_480,
    })),
  },
  {
    kind: "hooks",
    note: "managed ones only",
    events: [
      {
        name: "PreToolUse",
        matchers: [
          {
            matcher: "Bash",
            handlers: [
              {
                text: "./guard.sh",
                source: "Project",
                rows: [
                  { label: "Type", value: "command" },
                  { label: "Time limit", value: "30 s" },
                ],
              },
            ],
          },
        ],
      },
      {
        name: "Stop",
        matchers: [
          {
            matcher: "",
            handlers: [
              { text: "npm test", source: "User", rows: [{ label: "Type", value: "command" }] },
              { text: "say\u001b[2J done", source: "Local", rows: [{ label: "Type", value: "command" }] },
            ],
          },
        ],
      },
    ],
  },
  {
    kind: "permissions",
    mode: "default",
    rules: [
      { rule: "Bash(npm run *)", behavior: "allow", source: "local" },
      { rule: "Edit(src/**)", behavior: "allow", source: "project" },
      { rule: "Bash(curl *)", behavior: "deny", source: "managed" },
    ],
    denied: [{ tool: "Bash", title: "rm -r build", reason: "you said no" }],
    directories: [{ path: "/home/ada/shop", source: "start" }],
  },
  {
    kind: "rewind",
    points: [
      {
        id: "u1",
        kind: "prompt",
        text: "make the date filter inclusive",
        at: 400_000,
        files: 2,
        added: 14,
        removed: 3,
        hasCode: true,
        hasConversation: true,
      },
      {
        id: "u2",
        kind: "prompt",
        text: "and explain it",
        at: 900_000,
        files: 0,
        added: 0,
        removed: 0,
        hasCode: false,
        hasConversation: true,
      },
    ],
    cleared: { sessionId: "s1", title: "an older talk" },
    report: {
      id: "u1",
      isDryRun: true,
      files: [
        { path: "/home/ada/shop/src/filter.ts", action: "restore", added: 2, removed: 12, by: ["Edit"] },
        { path: "/home/ada/shop/test/filter.test.ts", action: "remove", added: 0, removed: 31, by: ["Bash"] },
        {
          path: "/home/ada/shop/README.md",
          action: "kept",
          added: 1,
          removed: 1,
          reason: "changed since, not by this session",
          mayForce: true,
          by: ["Edit"],
        },
        {
          path: "/home/ada/shop/big.bin",
          action: "lost",
          added: 0,
          removed: 0,
          reason: "the disk is full",
          by: ["Write"],
        },
      ],
      unknown: ['"npm run dev" went on in the background: what it changed there is not known.'],
    },
  },
  {
    kind: "memory",
    files: [
      { path: "/home/ada/shop/CLAUDE.md", label: "Project instructions", exists: true },
      { path: "/home/ada/.claude/CLAUDE.md", label: "Your instructions", exists: false },
    ],
  },
  {
    kind: "list",
    title: "Output style",
    rows: [
      { label: "default", detail: "Does the work and reports it briefly", command: "/output-style default" },
      {
        label: "Concise",
        detail: "As few words as carry the meaning",
        isCurrent: true,
        command: "/output-style Concise",
      },
      { label: "pirate", detail: "a style of your own · project", command: "/output-style pirate" },
    ],
    empty: "There are no output styles.",
  },
  {
    kind: "settings",
    tab: "config",
    status: [
      { label: "Version", value: "3.0.0" },
      { label: "Folder", value: "/home/ada/shop" },
    ],
    settings: [
      {
        key: "theme",
        doc: "Colours: a theme or custom:<slug>.",
        kind: "choice",
        value: "dark",
        values: ["auto", "dark", "light"],
        from: "user ~/.claude/settings.json:3",
      },
      {
        key: "verbose",
        doc: "Show whole tool results.",
        kind: "choice",
        value: "false",
        values: ["true", "false"],
        from: "default",
      },
      {
        key: "language",
        doc: "Language of the answers.",
        kind: "text",
        value: "not set",
        values: [],
        from: "default",
      },
      {
        key: "showTurnDuration",
        doc: "Show how long a run took.",
        kind: "choice",
        value: "true",
        values: ["true", "false"],
        from: "managed /etc/managed.json:2",
        locked: "the owner of this machine decides it: managed /etc/managed.json:2",
      },
    ],
    usage: [{ label: "Total cost", value: "$0.0123" }],
  },
  {
    kind: "page",
    title: "Status",
    rows: [
      { label: "Version", value: "3.0.0" },
      { label: "Model", value: "sonnet" },
      { label: "Working folder", value: "/home/ada/shop and a long text that has to be wrapped somewhere" },
    ],
  },
];
