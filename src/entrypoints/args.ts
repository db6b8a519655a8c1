// The command line as one typed value. Light on purpose: `--version` and `--help` answer before anything else loads.
import { nearest } from "../lib/nearest.js";
import type { PermissionMode } from "../protocol/permission.js";
import { flags, subcommands } from "./flags.js";
import { ArgsProblem, parseFlags, type RawArgs } from "./parse-flags.js";

export interface ParsedArgs {
  kind: "run";
  /** The positional words, joined by spaces; undefined when there are none. */
  prompt: string | undefined;
  /** `-p`, or implied by the stream-json formats. */
  isPrint: boolean;
  /** Flags given that mean something only with `-p`: refuse them when the screen opens after all. */
  headlessFlags: string[];
  outputFormat: "text" | "json" | "stream-json";
  inputFormat: "text" | "stream-json";
  isVerbose: boolean;
  /** The terminal's own scrollback instead of the full screen. */
  isInline: boolean;
  /** Lines for screen readers. */
  isLinear: boolean;
  includePartialMessages: boolean;
  isContinue: boolean;
  /** `true`: choose from a picker. */
  resume: string | true | undefined;
  isFork: boolean;
  sessionId: string | undefined;
  name: string | undefined;
  isPersistent: boolean;
  model: string | undefined;
  /** Undefined: what the settings say. */
  fallbackModels: string[] | undefined;
  effort: "low" | "medium" | "high" | "xhigh" | "max" | undefined;
  thinking: "adaptive" | "enabled" | "disabled" | undefined;
  maxThinkingTokens: number | undefined;
  autoCompactWindow: number | undefined;
  permissionMode: PermissionMode | undefined;
  /** Bypass may be chosen later. */
  allowsBypass: boolean;
  allowedTools: string[];
  disallowedTools: string[];
  /** Undefined: all. */
  tools: string[] | undefined;
  addDirs: string[];
  /** JSON map of agents. */
  agents: string | undefined;
  /** Lists of MCP servers: files or JSON texts. */
  mcpConfig: string[] | undefined;
  isStrictMcp: boolean;
  forwardSubagentText: boolean;
  includeHookEvents: boolean;
  maxTurns: number | undefined;
  maxBudgetUsd: number | undefined;
  taskBudgetTokens: number | undefined;
  systemPrompt: string | undefined;
  systemPromptFile: string | undefined;
  appendSystemPrompt: string | undefined;
  appendSystemPromptFile: string | undefined;
  settings: string | undefined;
  /** Brings files back to before this prompt, and ends. */
  rewindFiles: string | undefined;
  /** Undefined: all. */
  settingSources: ("user" | "project" | "local")[] | undefined;
}

type ArgError = { kind: "error"; message: string; exitCode: 1 };
export type ArgsResult = ParsedArgs | ArgError | { kind: "help" } | { kind: "version" };

/** Reads the arguments behind the program's name. Never throws; files and folders are not looked at. */
export const parseArgs = (argv: readonly string[]): ArgsResult => {
  try {
    const raw = parseFlags(argv);
    if (raw.given.has("help")) return { kind: "help" };
    if (raw.given.has("version")) return { kind: "version" };
    refuseSubcommand(raw);
    const parsed = toParsedArgs(raw);
    checkTogether(parsed);
    return parsed;
  } catch (error) {
    if (error instanceof ArgsProblem) return { kind: "error", message: `error: ${error.message}`, exitCode: 1 };
    throw error;
  }
};

const refuseSubcommand = ({ given, positionals }: RawArgs): void => {
  const word = positionals[0];
  if (word === undefined || given.has("print") || /\s/.test(word)) return;
  if (subcommands.includes(word)) throw new ArgsProblem(`the subcommand '${word}' is not built into this version yet`);
  // Short words are as likely a prompt as a typo.
  const near = word.length < 5 || positionals.length > 3 ? undefined : nearest(word, subcommands);
  if (near !== undefined)
    throw new ArgsProblem(`unknown subcommand '${word}' (Did you mean ${near}?)\nTo send it as a prompt: -p "${word}"`);
};

const toParsedArgs = ({ given, positionals }: RawArgs): ParsedArgs => {
  const has = (name: string) => given.has(name);
  const last = (name: string) => given.get(name)?.at(-1);
  const number = (name: string) => (last(name) === undefined ? undefined : Number(last(name)));
  // The parser has checked choices: these values are what their types say.
  const choice = <T extends string>(name: string) => last(name) as T | undefined;
  const outputFormat = choice<ParsedArgs["outputFormat"]>("output-format") ?? "text";
  const inputFormat = choice<ParsedArgs["inputFormat"]>("input-format") ?? "text";
  const tools = given.get("tools");
  return {
    kind: "run",
    prompt: positionals.length === 0 ? undefined : positionals.join(" "),
    isPrint: has("print") || has("rewind-files") || (outputFormat === "stream-json" && inputFormat === "stream-json"),
    headlessFlags: flags
      .filter(({ audience, name }) => audience === "headless" && has(name))
      .map(({ name }) => `--${name}`),
    outputFormat,
    inputFormat,
    isVerbose: has("verbose"),
    isInline: has("inline"),
    isLinear: has("ax-screen-reader"),
    includePartialMessages: has("include-partial-messages"),
    isContinue: has("continue"),
    resume: has("resume") ? (last("resume") ?? true) : undefined,
    isFork: has("fork-session"),
    sessionId: last("session-id")?.toLowerCase(),
    name: last("name"),
    isPersistent: !has("no-session-persistence"),
    model: last("model"),
    fallbackModels: last("fallback-model")
      ?.split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
    effort: choice<NonNullable<ParsedArgs["effort"]>>("effort"),
    thinking: choice<NonNullable<ParsedArgs["thinking"]>>("thinking"),
    maxThinkingTokens: number("max-thinking-tokens"),
    autoCompactWindow: number("autocompact"),
    permissionMode: modeOf(has, last("permission-mode")),
    allowsBypass: has("allow-dangerously-skip-permissions"),
    allowedTools: given.get("allowedTools") ?? [],
    disallowedTools: given.get("disallowedTools") ?? [],
    tools: tools?.includes("default") ? undefined : tools,
    addDirs: given.get("add-dir") ?? [],
    agents: last("agents"),
    mcpConfig: given.get("mcp-config"),
    isStrictMcp: has("strict-mcp-config"),
    forwardSubagentText: has("forward-subagent-text"),
    includeHookEvents: has("include-hook-events"),
    maxTurns: number("max-turns"),
    maxBudgetUsd: number("max-budget-usd"),
    taskBudgetTokens: number("task-budget"),
    systemPrompt: last("system-prompt"),
    systemPromptFile: last("system-prompt-file"),
    appendSystemPrompt: last("append-system-prompt"),
    appendSystemPromptFile: last("append-system-prompt-file"),
    settings: last("settings"),
    rewindFiles: last("rewind-files")?.toLowerCase(),
    settingSources: given.get("setting-sources") as ParsedArgs["settingSources"],
  };
};

const modeFlags: Readonly<Record<string, PermissionMode>> = {
  plan: "plan",
  "accept-edits": "acceptEdits",
  "dont-ask": "dontAsk",
  yolo: "bypassPermissions",
  "dangerously-skip-permissions": "bypassPermissions",
};

/** The mode all mode flags agree on. Which of two would win is a guess nobody should have to make. */
const modeOf = (has: (name: string) => boolean, mode: string | undefined): PermissionMode | undefined => {
  const asked = Object.keys(modeFlags).filter(has);
  const named = mode === "manual" ? "default" : (mode as PermissionMode | undefined);
  const modes = new Set([...asked.map((name) => modeFlags[name]!), ...(named === undefined ? [] : [named])]);
  if (modes.size > 1) {
    const names = [...asked.map((name) => `--${name}`), ...(mode === undefined ? [] : [`--permission-mode ${mode}`])];
    throw new ArgsProblem(`${names.join(" and ")} name different permission modes`);
  }
  return [...modes][0];
};

const checkTogether = (args: ParsedArgs): void => {
  const refuse = (isWrong: boolean, text: string) => {
    if (isWrong) throw new ArgsProblem(text);
  };
  const isResuming = args.isContinue || args.resume !== undefined;
  refuse(args.inputFormat === "stream-json", "--input-format stream-json is not built into this version yet");
  refuse(args.outputFormat === "stream-json" && !args.isVerbose, "--output-format stream-json needs --verbose");
  refuse(
    args.includePartialMessages && args.outputFormat !== "stream-json",
    "--include-partial-messages needs --output-format stream-json",
  );
  refuse(args.isContinue && args.resume !== undefined, "--continue and --resume cannot be used together");
  refuse(args.isFork && !isResuming, "--fork-session needs --continue or --resume");
  refuse(
    args.sessionId !== undefined && isResuming && !args.isFork,
    "--session-id with --continue or --resume needs --fork-session",
  );
  refuse(args.isPrint && args.resume === true, "--resume needs an id or a title with --print");
  refuse(
    args.systemPrompt !== undefined && args.systemPromptFile !== undefined,
    "--system-prompt and --system-prompt-file cannot be used together",
  );
  refuse(
    args.appendSystemPrompt !== undefined && args.appendSystemPromptFile !== undefined,
    "--append-system-prompt and --append-system-prompt-file cannot be used together",
  );
  refuse(args.rewindFiles !== undefined && !isResuming, "--rewind-files needs --resume or --continue");
  refuse(args.rewindFiles !== undefined && args.prompt !== undefined, "--rewind-files takes no prompt");
  refuse(args.maxTurns === 0, "--max-turns must be at least 1");
};

/** Why bypass mode may not start here; undefined when it may. As root only inside a recognised sandbox. */
export const bypassRefusal = (
  uid: number | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined =>
  uid === 0 && env.IS_SANDBOX !== "1"
    ? "error: bypassing permissions is refused as root; set IS_SANDBOX=1 if this is a sandbox"
    : undefined;
