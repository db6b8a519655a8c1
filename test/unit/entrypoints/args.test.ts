import fc from "fast-check";
import { expect, test } from "vitest";
import { bypassRefusal, type ParsedArgs, parseArgs } from "../../../src/entrypoints/args.js";

const run = (...argv: string[]): ParsedArgs => {
  const parsed = parseArgs(argv);
  if (parsed.kind !== "run") throw new Error(JSON.stringify(parsed));
  return parsed;
};
const refused = (...argv: string[]): string => {
  const parsed = parseArgs(argv);
  if (parsed.kind !== "error") throw new Error(JSON.stringify(parsed));
  expect(parsed.exitCode).toBe(1);
  return parsed.message;
};

test("without arguments everything is at its default", () => {
  expect(run()).toEqual({
    kind: "run",
    prompt: undefined,
    isPrint: false,
    headlessFlags: [],
    outputFormat: "text",
    inputFormat: "text",
    isVerbose: false,
    includePartialMessages: false,
    isContinue: false,
    resume: undefined,
    isFork: false,
    mcpConfig: undefined,
    isStrictMcp: false,
    sessionId: undefined,
    name: undefined,
    isPersistent: true,
    model: undefined,
    fallbackModels: undefined,
    agents: undefined,
    forwardSubagentText: false,
    includeHookEvents: false,
    isInline: false,
    isLinear: false,
    effort: undefined,
    thinking: undefined,
    maxThinkingTokens: undefined,
    autoCompactWindow: undefined,
    permissionMode: undefined,
    allowsBypass: false,
    allowedTools: [],
    disallowedTools: [],
    tools: undefined,
    addDirs: [],
    maxTurns: undefined,
    maxBudgetUsd: undefined,
    taskBudgetTokens: undefined,
    systemPrompt: undefined,
    systemPromptFile: undefined,
    appendSystemPrompt: undefined,
    appendSystemPromptFile: undefined,
    settings: undefined,
    settingSources: undefined,
  });
});

test("values come behind a space or an equals sign", () => {
  const id = "6B1F2B1E-0000-4000-8000-000000000001";
  const expected = { model: "opus", maxTurns: 3, maxBudgetUsd: 0.5, sessionId: id.toLowerCase(), prompt: "do it" };
  expect(run("--model", "opus", "--max-turns", "3", "--max-cost", ".5", "--session-id", id, "do it")).toMatchObject(
    expected,
  );
  expect(run("--model=opus", "--max-turns=3", "--max-budget-usd=0.5", `--session-id=${id}`, "do it")).toMatchObject(
    expected,
  );
});

test.each([
  [["-p", "hi"], { isPrint: true, prompt: "hi" }],
  [["hi", "-p"], { isPrint: true, prompt: "hi" }],
  [["-cp", "hi"], { isPrint: true, isContinue: true, prompt: "hi" }],
  [["-r"], { resume: true }],
  [["-r", "id", "hi"], { resume: "id", prompt: "hi" }],
  [["--resume=my title", "hi"], { resume: "my title", prompt: "hi" }],
  [["-r", "-p", "--fork-session"].slice(0, 1), { resume: true }],
  [["--", "--not-a-flag"], { prompt: "--not-a-flag" }],
  [["fix", "the", "bug"], { prompt: "fix the bug" }],
  [
    ["--verbose", "--output-format", "stream-json", "-p", "x"],
    { outputFormat: "stream-json", headlessFlags: ["--output-format"] },
  ],
  [
    ["--effort", "high", "--thinking=disabled", "--max-thinking-tokens", "0"],
    { effort: "high", thinking: "disabled", maxThinkingTokens: 0 },
  ],
  [["--task-budget=1000", "--no-session-persistence"], { taskBudgetTokens: 1000, isPersistent: false }],
  [["--model", "a", "--model", "b"], { model: "b" }],
])("%j is understood", (argv, expected) => {
  expect(run(...argv)).toMatchObject(expected);
});

test("an empty value counts where it means something", () => {
  expect(run("--tools=", "--setting-sources=", "--system-prompt", "")).toMatchObject({
    tools: [],
    settingSources: [],
    systemPrompt: "",
  });
  expect(run("--tools=default")).toMatchObject({ tools: undefined });
  expect(refused("--model=")).toBe("error: option '--model <model>' needs a value");
});

test.each([
  [
    ["--allowedTools", "Read,Bash(git log *)"],
    ["Read", "Bash(git log *)"],
  ],
  [
    ["--allowed-tools", "Read Bash(a, b (c)) 'Edit'"],
    ["Read", "Bash(a, b (c))", "Edit"],
  ],
  [
    ["--allowedTools", "Read", "Edit(src/**)", "mcp__s__t"],
    ["Read", "Edit(src/**)", "mcp__s__t"],
  ],
  [
    ["--allowedTools=Read", "--allowedTools=Edit"],
    ["Read", "Edit"],
  ],
  [
    ["--allowedTools", "read_file", "run_shell(ls)"],
    ["read_file", "run_shell(ls)"],
  ],
  [["--allowedTools", "Bash(unclosed, x"], ["Bash(unclosed, x"]],
])("%j gives the rules %j", (argv, rules) => {
  expect(run(...argv).allowedTools).toEqual(rules);
  expect(run(...argv, "fix the bug")).toMatchObject({ allowedTools: rules, prompt: "fix the bug" });
});

test("folders are taken until something that is none", () => {
  expect(run("--add-dir", "a b", "../c", "~/d", "fix it")).toMatchObject({
    addDirs: ["a b", "../c", "~/d"],
    prompt: "fix it",
  });
});

test.each([
  [["--plan"], "plan"],
  [["--accept-edits"], "acceptEdits"],
  [["--dont-ask"], "dontAsk"],
  [["--yolo", "--dangerously-skip-permissions"], "bypassPermissions"],
  [["--permission-mode", "manual"], "default"],
  [["--permission-mode=plan", "--plan"], "plan"],
])("%j is mode %s", (argv, mode) => {
  expect(run(...argv).permissionMode).toBe(mode);
});

test.each([
  [["--modle", "x"], "unknown option '--modle'\n(Did you mean --model?)"],
  [["--qqqqqqqq"], "unknown option '--qqqqqqqq'"],
  [["-x"], "unknown option '-x'"],
  [["--model"], "option '--model <model>' needs a value"],
  [["--model", "--verbose"], "option '--model <model>' needs a value"],
  [["--verbose=yes"], "option '--verbose' takes no value"],
  [["--output-format", "xml"], `option '--output-format <format>': "xml" is none of text, json, stream-json`],
  [
    ["--permission-mode", "ask"],
    `option '--permission-mode <mode>': "ask" is none of default, acceptEdits, plan, auto, dontAsk, bypassPermissions, manual`,
  ],
  [["--setting-sources", "user,all"], `option '--setting-sources <sources>': "all" is none of user, project, local`],
  [["--max-turns", "-1"], `option '--max-turns <n>': "-1" is not a whole number`],
  [["--max-turns", "0"], "--max-turns must be at least 1"],
  [["--max-cost", "free"], `option '--max-budget-usd <usd>': "free" is not an amount above 0`],
  [["--session-id", "mine"], `option '--session-id <uuid>': "mine" is not a UUID`],
  [["-p", "x", "--output-format", "stream-json"], "--output-format stream-json needs --verbose"],
  [["-p", "x", "--include-partial-messages"], "--include-partial-messages needs --output-format stream-json"],
  [["-c", "-r"], "--continue and --resume cannot be used together"],
  [["--fork-session"], "--fork-session needs --continue or --resume"],
  [["-p", "-r"], "--resume needs an id or a title with --print"],
  [["--yolo", "--plan"], "--plan and --yolo name different permission modes"],
  [["plugin", "list"], "the subcommand 'plugin' is not built into this version yet"],
])("%j is refused", (argv, message) => {
  expect(refused(...argv)).toBe(`error: ${message}`);
});

test("a near-miss subcommand is named, a prompt is not mistaken for one", () => {
  expect(refused("plugni")).toContain("Did you mean plugin?");
  expect(run("-p", "mcp")).toMatchObject({ prompt: "mcp" });
  expect(run("mcp is broken")).toMatchObject({ prompt: "mcp is broken" });
  expect(run("hello")).toMatchObject({ prompt: "hello" });
});

test("help and version win", () => {
  expect(parseArgs(["--help", "x"])).toEqual({ kind: "help" });
  expect(parseArgs(["-v"])).toEqual({ kind: "version" });
  expect(parseArgs(["-V"])).toEqual({ kind: "version" });
});

test("no argument list makes the parser throw", () => {
  const token = fc.oneof(
    fc.string(),
    fc.constantFrom("--model", "--tools=", "-p", "-r", "--allowedTools", "Bash(ls", "--", "--add-dir", "--resume=x"),
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 6 }), (argv) => {
      expect(["run", "error", "help", "version"]).toContain(parseArgs(argv).kind);
    }),
    { seed: 7, numRuns: 500 },
  );
});

test("bypass as root is refused outside a sandbox", () => {
  expect(bypassRefusal(0, {})).toContain("refused as root");
  expect(bypassRefusal(0, { IS_SANDBOX: "1" })).toBeUndefined();
  expect(bypassRefusal(1000, {})).toBeUndefined();
  expect(bypassRefusal(undefined, {})).toBeUndefined();
});

test("--fallback-model takes models in order, separated by commas", () => {
  expect(parseArgs(["-p", "--fallback-model", "sonnet, haiku,", "hi"])).toMatchObject({
    fallbackModels: ["sonnet", "haiku"],
    prompt: "hi",
  });
});
