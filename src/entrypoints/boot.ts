// Builds the engine once, from arguments and environment.
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { systemClock } from "../platform/clock.js";
import { useProxies } from "../platform/http/proxy.js";
import type { EngineOptions, SessionFlags } from "../query/engine-options.js";
import { createQueryEngine } from "../query/query-engine.js";
import type { ParsedArgs } from "./args.js";
import { checkpoint } from "./profile.js";
import { version } from "./version.js";

/** A flag's value cannot be used; the message is for the person. */
export class FlagProblem extends Error {
  override name = "FlagProblem";
}

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file.",
  ENOTDIR: "there is no such file.",
  EISDIR: "this is a folder, not a file.",
  EACCES: "you may not read this file.",
};

const fileProblem = ({ code, message }: NodeJS.ErrnoException): string => fileProblems[code ?? ""] ?? message;

const textOf = async (
  flag: string,
  text: string | undefined,
  file: string | undefined,
): Promise<string | undefined> => {
  if (file === undefined) return text;
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new FlagProblem(`${flag} ${file}: ${fileProblem(error as NodeJS.ErrnoException)}`);
  }
};

const existingDirs = async (dirs: readonly string[], cwd: string): Promise<string[]> =>
  Promise.all(
    dirs.map(async (dir) => {
      const path = resolve(cwd, dir);
      const found = await stat(path).catch(() => undefined); // a missing folder is told below
      if (!found) throw new FlagProblem(`--add-dir ${dir}: there is no such folder.`);
      if (!found.isDirectory()) throw new FlagProblem(`--add-dir ${dir}: this is a file, not a folder.`);
      return path;
    }),
  );

/** The value of --agents; what is inside is checked when agents are loaded. */
const agentsJson = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  try {
    const map: unknown = JSON.parse(text);
    if (typeof map === "object" && map !== null && !Array.isArray(map)) return text;
  } catch (error) {
    throw new FlagProblem(`--agents is not JSON: ${(error as Error).message}`);
  }
  throw new FlagProblem('--agents must be a JSON object: {"name": {"description": "…", "prompt": "…"}}');
};

const smallestWindow = 100_000;
const largestWindow = 1_000_000;

const windowOf = (tokens: number | undefined): number | undefined => {
  if (tokens === undefined || (tokens >= smallestWindow && tokens <= largestWindow)) return tokens;
  throw new FlagProblem(`--autocompact ${tokens}: give a number of tokens from ${smallestWindow} to ${largestWindow}.`);
};

const sessionFlags = async (args: ParsedArgs, cwd: string): Promise<SessionFlags> => ({
  model: args.model,
  fallbackModels: args.fallbackModels,
  effort: args.effort,
  thinking: args.thinking,
  maxThinkingTokens: args.maxThinkingTokens,
  permissionMode: args.permissionMode,
  allowBypass: args.allowsBypass,
  allowedTools: args.allowedTools,
  disallowedTools: args.disallowedTools,
  tools: args.tools,
  addDirs: await existingDirs(args.addDirs, cwd),
  agents: agentsJson(args.agents),
  mcpConfig: args.mcpConfig,
  strictMcpConfig: args.isStrictMcp,
  settings: args.settings,
  settingSources: args.settingSources,
  systemPrompt: await textOf("--system-prompt-file", args.systemPrompt, args.systemPromptFile),
  appendSystemPrompt: await textOf("--append-system-prompt-file", args.appendSystemPrompt, args.appendSystemPromptFile),
  maxTurns: args.maxTurns,
  maxBudgetUsd: args.maxBudgetUsd,
  taskBudget: args.taskBudgetTokens,
  resume: typeof args.resume === "string" ? args.resume : undefined,
  chooseSession: args.resume === true,
  continue: args.isContinue,
  forkSession: args.isFork,
  sessionId: args.sessionId,
  name: args.name,
  persist: args.isPersistent,
  autoCompactWindow: windowOf(args.autoCompactWindow),
});

/** The engine for these arguments. Throws FlagProblem, StartProblem. */
export const bootEngine = async (
  args: ParsedArgs,
  how: Pick<EngineOptions, "isInteractive" | "mayStartTour" | "includeStream" | "entrypoint">,
): ReturnType<typeof createQueryEngine> => {
  checkpoint("engine loaded");
  const cwd = process.cwd();
  if (!(await useProxies(process.env)))
    throw new FlagProblem(
      `A proxy is set (HTTPS_PROXY, HTTP_PROXY or ALL_PROXY), and Node ${process.versions.node} cannot use it. Install Node 24.14 or newer, or run npm ci, which brings one.`,
    );
  const engine = await createQueryEngine({
    ...how,
    env: { ...process.env },
    cwd,
    flags: await sessionFlags(args, cwd),
    version,
    clock: systemClock,
    random: Math.random,
  });
  checkpoint("engine ready");
  return engine;
};
